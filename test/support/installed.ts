import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packHere } from '../../scripts/package.js';
import { packageName, packageRoot } from '../../src/base/files/package-root.ts';
import { temporaryFolder } from './left-behind.ts';

const run = promisify(execFile);

/** Where npm has put the package and everything it needs, its folder there, the program, what npm said, and its files. */
export type Installed = { prefix: string; folder: string; bin: string; said: string; files: string[] };

/** Packs this clone and installs it as `npm install -g` does for a user, without a network and into an empty prefix. */
export async function installPackage(): Promise<Installed> {
  const at = temporaryFolder();
  const prefix = join(at, 'prefix');
  mkdirSync(prefix);
  const folder = fileURLToPath(new URL('node_modules/.cache/lore/packed/', packageRoot));
  const file = await packHere(folder);
  const args = ['install', '--global', '--offline', '--prefix', prefix, file];
  const env = { ...process.env, npm_config_cache: join(at, 'cache') };
  const { stdout, stderr } = await run('npm', args, { cwd: at, env });
  const listed = (await run('tar', ['-tzf', file], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  const there = join(prefix, 'lib/node_modules', packageName);
  return {
    ...{ prefix, folder: there, bin: join(there, 'bin/lore.js'), said: stdout + stderr },
    files: listed.split('\n').map((path) => path.replace(/^package\//, '')),
  };
}
