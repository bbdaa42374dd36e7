import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { callServer } from './client.ts';
import { asCalled } from './hint.ts';
import type { Io } from './io.ts';
import { isBelowAgent } from './overrule.ts';

/** Has the server write a backup into a folder, and prints what it holds. */
export async function backup(config: Config, io: Io, folder: string | undefined): Promise<void> {
  refuseAgents(io, 'backup');
  if (folder === undefined) mkdirSync(join(config.home, 'backups'), { recursive: true, mode: 0o700 });
  const made = await callServer(config, 'POST /v1/backup', {
    body: {
      folder:
        folder === undefined ? join(config.home, 'backups', nameOf(new Date())) : resolve(io.cwd, folder),
    },
  });
  if (io.json) return io.print(made);
  const rows = made.rows === null ? 'listed by pg_restore' : `${total(made.rows)} rows, opened and counted`;
  io.log(
    asCalled(`Backup in ${made.folder} (${rows}).
It holds your keys: keep it where only you can read it.
To restore it: stop the server, then lore restore ${made.folder}`),
  );
}

const nameOf = (at: Date): string => `by-hand-${at.toISOString().slice(0, 19).replaceAll(':', '-')}`;

const total = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, n) => sum + n, 0);

/** A backup holds the keys with which an agent could decide as the person. */
export function refuseAgents(io: Io, command: string): void {
  if (!isBelowAgent(io)) return;
  throw new Problem({
    status: 403,
    title: 'Only a person can do this',
    detail: `lore ${command} handles your keys, and runs below an agent's shell here. Run it in a terminal of your own.`,
  });
}
