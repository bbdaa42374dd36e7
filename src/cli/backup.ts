import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFolder } from '../base/files/lock-folder.ts';
import { restoreBackup } from '../server/backup/backup.ts';
import { prepareHome } from '../server/home.ts';
import type { Cli } from './commands.ts';
import { confirmed } from './io.ts';
import { asCalled } from './print.ts';
import type { Action } from './rows.ts';

// A backup holds the keys with which an agent could decide as the person, so none of this is for agents.

/** Has the server write a backup into a folder, and prints what it holds. */
async function makeBackup({ config, io, call }: Cli, given?: string): Promise<void> {
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = given ? resolve(io.cwd, given) : join(config.home, 'backups', `by-hand-${at}`);
  if (!given) mkdirSync(join(config.home, 'backups'), { recursive: true, mode: 0o700 });
  const made = await call('POST /v1/backup', { body: { folder } });
  const total = Object.values(made.rows).reduce((sum, n) => sum + n, 0);
  const what = made.engine === 'pglite' ? `${total} rows, opened and counted` : 'a dump of PostgreSQL';
  io.answer(
    made,
    `Backup in ${made.folder} (${what}).`,
    'It holds your keys: keep it where only you can read it.',
    asCalled(`To restore it: stop the server, then lore restore ${made.folder}`),
  );
}

/** Does something with the data folder while no server runs. */
async function alone<T>({ config }: Cli, work: () => Promise<T>): Promise<T> {
  prepareHome(config.home);
  const lock = lockFolder(config.home, { url: config.url });
  return work().finally(lock.release);
}

async function restore(cli: Cli, folder: string, yes: boolean): Promise<void> {
  const { config, io } = cli;
  const from = resolve(io.cwd, folder);
  if (!yes && !(await confirmed(io, 'A restore', `Restore ${from} into ${config.home}?`))) return;
  const done = await alone(cli, () => restoreBackup(config, from));
  const aside = done.aside.map((file) => `What was there before lies in ${file}`);
  io.answer(done, asCalled(`Restored as of ${done.at}. Start it with: lore start`), ...aside);
}

export const actions: Record<string, Action> = {
  backup: ({ folder }, cli) => makeBackup(cli, folder),
  restore: ({ folder, yes }, cli) => restore(cli, folder, yes === true),
};
