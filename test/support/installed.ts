import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  /** the program that its commands run */
  bin: string;
  /** what npm has printed */
  said: string;
  /** the files of the package, as npm packed them */
  files: string[];
  /** the environment with which npm finds the registry */
  env: Record<string, string>;
  /** publishes the same package under a newer version */
  publish(version: string): Promise<void>;
  close(): void;
};

/** Packs this clone and installs it as `npm install -g` does for a user, without a network and into an empty prefix. */
export async function installPackage(): Promise<Installed> {
  const at = temporaryFolder();
  const packed = await writePackage(fileURLToPath(new URL('node_modules/.cache/lore/packed/', packageRoot)));
  const read = () => JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const pack = async () => {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', at], { cwd: packed });
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    return { manifest: read(), tarball: join(at, filename), files: files.map(({ path }) => path) };
  };
  const first = await pack();
  const published = [first];
  const registry = await startRegistry(published);
  const prefix = join(at, 'prefix');
  mkdirSync(prefix);
  const env = { npm_config_registry: registry.url, npm_config_cache: join(at, 'cache') };
  const { name } = first.manifest;
  try {
    const { stdout, stderr } = await run('npm', ['install', '--global', '--prefix', prefix, name], {
      cwd: at,
      env: { ...process.env, ...env },
    });
    const folder = join(prefix, 'lib/node_modules', name);
    return {
      prefix,
      folder,
      bin: join(folder, 'bin/lore.js'),
      said: stdout + stderr,
      files: first.files,
      env,
      async publish(version) {
        for (const file of ['package.json', 'npm-shrinkwrap.json']) {
          const text = readFileSync(join(packed, file), 'utf8');
          writeFileSync(join(packed, file), JSON.stringify({ ...JSON.parse(text), version }));
        }
        published.push(await pack());
      },
      close: registry.close,
    };
  } catch (error) {
    registry.close();
    throw error;
  }
}
