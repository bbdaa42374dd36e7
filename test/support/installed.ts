import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packHere } from '../../scripts/package.js';
import { packageName, packageRoot } from '../../src/base/files/package-root.ts';
import { temporaryFolder } from './left-behind.ts';

/** The installed package's folder, and its program. */
export type Installed = { folder: string; bin: string };

/** Packs this clone and installs it as `npm install -g` does for a user, without a network and into an empty prefix. */
export async function installPackage(): Promise<Installed> {
  const at = temporaryFolder();
  const prefix = join(at, 'prefix');
  mkdirSync(prefix);
  const file = await packHere(fileURLToPath(new URL('node_modules/.cache/lore/packed/', packageRoot)));
  const args = ['install', '--global', '--offline', '--prefix', prefix, file];
  const env = { ...process.env, npm_config_cache: join(at, 'cache') };
  await promisify(execFile)('npm', args, { cwd: at, env });
  const folder = join(prefix, 'lib/node_modules', packageName);
  return { folder, bin: join(folder, 'bin/lore.js') };
}
