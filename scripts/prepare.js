// Builds after `npm ci`. Node finds no esbuild where npm was told to leave out what only builds need.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
if (!existsSync(at('../node_modules/esbuild'))) {
  console.error('Not built: what Lore is built with is not installed. Run npm ci --include=dev');
  process.exit(1);
}
process.exit(spawnSync(process.execPath, [at('build.js')], { stdio: 'inherit' }).status ?? 1);
