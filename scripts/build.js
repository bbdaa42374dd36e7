// Transpiles src/ to dist/ with esbuild (about 0.1 s), builds the page with Vite, and makes the embedding model. `npm run types` checks the types.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, stop } from 'esbuild';
import { buildModel } from './build-model.js';

const root = fileURLToPath(new URL('..', import.meta.url));

// The packages that are bundled; all others are loaded from node_modules. These have hundreds of small modules, which
// Node would need half a second to find and read at every start.
const BUNDLED = [
  'drizzle-orm',
  'lru-cache',
  'hono',
  '@hono/node-server',
  '@hono/zod-openapi',
  'zod',
  '@xenova/transformers',
];
const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const external = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name));

/** Only the tokenizers of transformers.js are used, so the engines that it would load do not come along. */
const withoutEngines = {
  name: 'transformers without engines',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]transformers[\\/]src[\\/]backends[\\/]onnx\.js$/ }, () => ({
      contents: 'export const ONNX = {};',
    })),
};

/** Leaves out what Zod says in fifty other languages: half of its code, which every command would read at its start. */
export const withoutLanguages = {
  name: 'zod without languages',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};

/**
 * Writes dist/ and deletes nothing in it: a running server may still load chunks of the build it started from. Returns
 * what esbuild says about the files, which shows what each imports.
 */
export async function buildDist({ outdir = 'dist', sourcemap = true } = {}) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      'src/cli/process.ts',
      'src/search/embedding/process.ts',
      'src/db/embedded/thread.ts',
      'src/redaction/worker.ts',
    ],
    outdir,
    outbase: 'src',
    bundle: true,
    splitting: true,
    external,
    plugins: [withoutLanguages, withoutEngines],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap,
    metafile: true,
    logLevel: 'warning',
  });
  // what `lore init --team` copies into a repository
  await build({
    absWorkingDir: root,
    entryPoints: ['hooks/team.cjs'],
    outfile: join(outdir, 'team-hook.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    banner: {
      js: '// Tells a Lore server about a session: LORE_URL and LORE_KEY name it. Written by `lore init --team`, which also updates it.',
    },
    logLevel: 'warning',
  });
  // Otherwise esbuild's process would live as long as the program that called this.
  await stop();
  return metafile;
}

/** Builds the page (src/dashboard/) into dist/dashboard/, each text also compressed: the server only hands files out. */
export async function buildPage() {
  const folder = `${root}dist/dashboard`;
  await buildPageInto(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg|webmanifest)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}

/**
 * Builds the page into a folder, which is emptied first.
 *
 * @param finish changes its files before the service worker is told what they hold
 */
export async function buildPageInto(outDir, finish = () => {}) {
  const { build: buildWithVite } = await import('vite');
  await buildWithVite({ configFile: `${root}src/dashboard/vite.config.ts`, build: { outDir } });
  finish();
  listFiles(outDir);
}

/**
 * Writes the list of the page's files into the service worker, which keeps them all from its installation on.
 * A browser installs it again when its text has changed. So the text also contains a hash of those files that
 * have no hash in their names.
 */
function listFiles(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'sw.js')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(folder.length)).update(readFileSync(file));
  const paths = files.map((file) =>
    file.slice(folder.length).replaceAll('\\', '/').replace('/index.html', '/'),
  );
  const worker = `${folder}/sw.js`;
  const text = readFileSync(worker, 'utf8')
    .replaceAll('__FILES__', JSON.stringify(paths))
    .replaceAll('__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 12)));
  writeFileSync(worker, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(`${root}dist`, { recursive: true, force: true });
  await Promise.all([buildDist(), buildPage(), buildModel(`${root}dist/model`)]);
}
