import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writePackage } from '../../scripts/package.js';
import { packageRoot } from '../../src/files/package-root.ts';
import { temporaryFolder } from './left-behind.ts';
import { startRegistry } from './registry.ts';

const run = promisify(execFile);

export type Installed = {
  /** where npm has put the package, and everything it needs */
  prefix: string;
  /** the folder of the package in it */
  folder: string;
  /** the command `lore` */
  lore: string;
  /** what npm has printed */
  said: string;
  /** the files of the package, as npm packed them */
  files: string[];
};

/** Packs this clone and installs it as `npm install -g` does for a user, without a network and into an empty prefix. */
export async function installPackage(): Promise<Installed> {
  const at = temporaryFolder();
  const packed = await writePackage(fileURLToPath(new URL(`node_modules/.cache/lore/packed/`, packageRoot)));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', at], { cwd: packed });
  const [{ filename, files }] = JSON.parse(stdout);
  const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const registry = await startRegistry(join(at, filename), manifest);
  try {
    const prefix = join(at, 'prefix');
    mkdirSync(prefix);
    const from = ['--registry', registry.url, '--cache', join(at, 'cache')];
    const { stdout: said, stderr } = await run(
      'npm',
      ['install', '--global', '--prefix', prefix, ...from, manifest.name],
      { cwd: at },
    );
    return {
      prefix,
      folder: join(prefix, 'lib/node_modules', manifest.name),
      lore: join(prefix, 'bin/lore'),
      said: said + stderr,
      files: files.map(({ path }: { path: string }) => path),
    };
  } finally {
    registry.close();
  }
}
