// Runs a TypeScript program of this repository, also with Node 20: node scripts/run-ts.js test/bench/run.ts [arguments]
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [entry] = process.argv.splice(2, 1);
const outfile = `${root}node_modules/.cache/lore/${entry.replaceAll('/', '-')}.mjs`;
await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
await stop();
await import(pathToFileURL(outfile).href);
