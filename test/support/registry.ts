import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/files/package-root.ts';

// A registry on loopback, from which npm installs as a user's npm does, without a network: it serves one package of ours,
// and those that this clone was installed with, whose files npm keeps in its cache.

type Locked = { version: string; integrity: string; hasInstallScript?: boolean };

/** A version of our package: its package.json, and the file that `npm pack` wrote. */
type Published = { manifest: { name: string; version: string }; tarball: string };

/**
 * Starts the registry.
 *
 * @param published versions of our package, the newest last; more may be added later
 */
export async function startRegistry(published: Published[]): Promise<{ url: string; close: () => void }> {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const lock = JSON.parse(readFileSync(fileURLToPath(new URL('package-lock.json', packageRoot)), 'utf8'));
  const locked = new Map<string, [string, Locked][]>();
  for (const [path, entry] of Object.entries(lock.packages as Record<string, Locked>)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    locked.set(name, [...(locked.get(name) ?? []), [path, entry]]);
  }
  /** npm keeps a file under the hash that the lock names. */
  const cached = (integrity: string) => {
    const [algorithm = '', hash = ''] = integrity.split('-');
    const hex = Buffer.from(hash, 'base64').toString('hex');
    return join(cache, '_cacache/content-v2', algorithm, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
  };

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [name = '', version] = path.split('/-/');
    const known = locked.get(name) ?? [];
    const ours = published.filter(({ manifest }) => manifest.name === name);
    if (version !== undefined) {
      const integrity = known.find(([, entry]) => entry.version === version)?.[1].integrity;
      const file =
        integrity === undefined
          ? ours.find(({ manifest }) => manifest.version === version)?.tarball
          : cached(integrity);
      if (file === undefined || !existsSync(file))
        return response.writeHead(404).end(`npm's cache lacks ${path}: run npm ci`);
      return createReadStream(file).pipe(response);
    }
    const dist = (one: string, more = {}) => ({ tarball: `${url}/${name}/-/${one}`, ...more });
    const versions =
      ours.length > 0
        ? ours.map(({ manifest }) => ({ ...manifest, _hasShrinkwrap: true, dist: dist(manifest.version) }))
        : known.map(([, entry]) => ({
            ...entry,
            name,
            dist: dist(entry.version, { integrity: entry.integrity }),
          }));
    if (versions.length === 0) return response.writeHead(404).end();
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: versions.at(-1)?.version },
        versions: Object.fromEntries(versions.map((one) => [one.version, one])),
      }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}
