import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './left-behind.ts';
import { needs } from './needs.ts';
import { freePort } from './process.ts';
import { programOnPath } from './programs.ts';

export const pgbouncer = programOnPath('pgbouncer');

/** A genuine pgbouncer can be put before the PostgreSQL of the tests. */
export const behindPooler = needs(
  'pgbouncer (Debian: apt-get install pgbouncer) and PostgreSQL 17',
  pgbouncer && process.env.TEST_DATABASE_URL,
);

/**
 * Starts a pgbouncer before the server of `url`. Returns the same URL through it, and a function that ends it.
 *
 * @param options.size connections to PostgreSQL that all clients share
 * @param options.port where it listens, if not anywhere
 */
export async function startPooler(
  url: string,
  options: { mode?: 'transaction' | 'session'; size?: number; port?: number } = {},
): Promise<{ url: string; port: number; stop(): Promise<void> }> {
  const { hostname, port, username, password } = new URL(url);
  const { mode = 'transaction', size = 3 } = options;
  const listens = options.port ?? (await freePort());
  const folder = temporaryFolder();
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  const settings = join(folder, 'pgbouncer.ini');
  // it refuses to run as root, and its user reads this file
  chmodSync(folder, 0o755);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listens}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
`,
  );
  const root = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(pgbouncer as string, [...root, settings], { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const ended = once(child, 'close');
  while (!(await answers(listens))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`);
    await sleep(20);
  }
  const through = new URL(url);
  through.host = `127.0.0.1:${listens}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url: through.href, port: listens, stop };
}

/** Returns whether something listens on a port of this machine. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
