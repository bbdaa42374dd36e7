// Packs what runs, already built, with only those dependencies that dist/ loads. `npm run package` makes a file that is
// installed from this clone: its dependencies are in it, so no registry is asked. `npm run package -- --publish` writes
// the folder that npm would publish instead, and only that is not private.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDist, buildPage } from './build.js';
import { buildModel } from './build-model.js';
import { pageIsStale } from './stale.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts, overrides, allowScripts, devDependencies, dependencies, ...about } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
);

const FOLDERS = ['bin', 'drizzle', 'hooks'];
const FILES = ['README.md', 'CHANGELOG.md', 'LICENSE'];
const LICENSES = 'THIRD-PARTY-LICENSES';

/** Writes the package as it is published into an empty `folder` inside of the clone. */
export async function writePackage(folder = `${root}packed`) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (pageIsStale()) await buildPage();
  const { inputs, outputs } = await buildDist({ outdir: join(folder, 'dist'), sourcemap: false });
  await buildModel(join(folder, 'dist/model'));
  cpSync(`${root}dist/dashboard`, join(folder, 'dist/dashboard'), { recursive: true });
  for (const name of [...FOLDERS, ...FILES]) cpSync(root + name, join(folder, name), { recursive: true });

  const imported = Object.values(outputs).flatMap((output) =>
    output.imports.filter(({ external }) => external).map(({ path }) => packageOf(path)),
  );
  const loaded = new Set(imported);
  const needed = Object.entries(dependencies).filter(([name]) => loaded.has(name));
  const manifest = {
    ...about,
    private: undefined,
    files: ['dist', ...FOLDERS, ...FILES, LICENSES, 'npm-shrinkwrap.json'],
    dependencies: Object.fromEntries(needed),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeLock(folder);

  const bundled = Object.keys(inputs).flatMap((path) => path.split('node_modules/').slice(1).map(packageOf));
  writeFileSync(join(folder, LICENSES), licensesOf([...bundled, ...packagesOfPage()]));
  return folder;
}

/**
 * Packs what `npm install -g` takes on this machine. Returns the file.
 *
 * What it needs comes from the clone's own node_modules: npm would choose other versions of it than those that were
 * tested, because it heeds the lock of a published package only.
 */
export async function packHere(folder = `${root}packed`) {
  await writePackage(folder);
  const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const nested = (path) => /[\\/]node_modules$/.test(path);
  // onnxruntime comes with binaries for six systems, 80 MB of which nothing here can load
  const ofOthers = (path) => {
    const [, platform, arch = process.arch] = /[\\/]napi-v3[\\/](\w+)(?:[\\/](\w+))?/.exec(path) ?? [];
    return platform !== undefined && (platform !== process.platform || arch !== process.arch);
  };
  // what is for another system is not there
  for (const path of Object.keys(read('npm-shrinkwrap.json').packages))
    if (path !== '' && existsSync(root + path))
      cpSync(root + path, join(folder, path), {
        recursive: true,
        filter: (from) => !nested(from) && !ofOthers(from),
      });
  const manifest = read('package.json');
  const bundled = { ...manifest, private: true, bundleDependencies: Object.keys(manifest.dependencies) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(bundled, null, 2)}\n`);
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const file = join(folder, 'lore.tgz');
  renameSync(join(folder, JSON.parse(packed)[0].filename), file);
  return file;
}

/** Returns the packages that the page imports, which vite puts into it. */
function packagesOfPage() {
  const files = readdirSync(`${root}src/dashboard`, { recursive: true }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const imports = files.flatMap((file) => [
    ...readFileSync(`${root}src/dashboard/${file}`, 'utf8').matchAll(/ from '([^.'][^']*)'/g),
  ]);
  return imports.map(([, path]) => packageOf(path));
}

/** Returns the name of the package that an import or a path in node_modules begins with. */
const packageOf = (path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;

/** Writes the lock that comes with the package: the versions of ours, of those packages that it needs. */
function writeLock(folder) {
  cpSync(`${root}package-lock.json`, join(folder, 'package-lock.json'));
  const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'], quiet);
  execFileSync('npm', ['shrinkwrap'], quiet);
}

/** Returns the licences of packages that are in the bundle or the page. */
function licensesOf(packages) {
  const texts = [...new Set(packages)].sort().flatMap((name) => {
    const at = `${root}node_modules/${name}`;
    if (!existsSync(at)) return [];
    const { version, license } = JSON.parse(readFileSync(`${at}/package.json`, 'utf8'));
    const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
    return [`${name} ${version} (${license})\n\n${file ? readFileSync(`${at}/${file}`, 'utf8') : ''}`];
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === '--publish') {
    await writePackage();
    console.log('Written: packed/. What comes next: npm publish ./packed');
  } else {
    await packHere();
    console.log('Packed: packed/lore.tgz. What comes next: npm install -g ./packed/lore.tgz && lore up');
  }
}
