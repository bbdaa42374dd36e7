import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { moveDatabase, rowsMoved } from '../backup/move.ts';
import { restoreBackup } from '../backup/restore.ts';
import { Problem } from '../errors/problem.ts';
import { lockFolder } from '../files/lock-folder.ts';
import { createLog } from '../log.ts';
import { prepareHome } from '../server/home.ts';
import type { Cli, Define } from './commands.ts';
import { confirmed } from './confirm.ts';
import { refuseAgents } from './io.ts';
import { asCalled } from './print.ts';

// A backup holds the keys with which an agent could decide as the person, so none of this is for agents.

/** Has the server write a backup into a folder, and prints what it holds. */
export async function makeBackup({ config, io, call }: Cli, given?: string): Promise<void> {
  refuseAgents(io, 'backup');
  const usual = join(
    config.home,
    'backups',
    `by-hand-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`,
  );
  if (given === undefined) mkdirSync(join(config.home, 'backups'), { recursive: true, mode: 0o700 });
  const folder = given === undefined ? usual : resolve(io.cwd, given);
  const made = await call('POST /v1/backup', { body: { folder } });
  const total = Object.values(made.rows ?? {}).reduce((sum, n) => sum + n, 0);
  const rows = made.rows === null ? 'listed by pg_restore' : `${total} rows, opened and counted`;
  io.answer(
    made,
    `Backup in ${made.folder} (${rows}).`,
    'It holds your keys: keep it where only you can read it.',
    asCalled(`To restore it: stop the server, then lore restore ${made.folder}`),
  );
}

const backup: Define = (command, cli) =>
  command
    .argument('[folder]', 'where to; without it, a folder in LORE_HOME/backups')
    .action((folder) => makeBackup(cli, folder));

/** Does something with the data folder while no server runs. */
async function alone<T>({ config }: Cli, work: () => Promise<T>): Promise<T> {
  prepareHome(config.home, createLog('warn'));
  const lock = lockFolder(config.home, { url: config.url });
  return work().finally(lock.release);
}

const restore: Define = (command, cli) =>
  command
    .argument('<folder>', 'a backup')
    .option('-y, --yes', 'do not ask')
    .action(async (folder, { yes }) => {
      const { config, io } = cli;
      refuseAgents(io, 'restore');
      const from = resolve(io.cwd, folder);
      const to = config.databaseUrl ? `the database of DATABASE_URL and ${config.home}` : config.home;
      if (!yes && !(await confirmed(io, 'A restore', `Restore ${from} into ${to}?`))) return;
      const done = await alone(cli, () => restoreBackup(config, from));
      const aside = done.aside.map((file) => `What was there before lies in ${file}`);
      io.answer(done, asCalled(`Restored as of ${done.at}. Start it with: lore start`), ...aside);
    });

const migrateTo: Define = (command, cli) =>
  command
    .argument('[url]', 'a PostgreSQL or Supabase database; default: DATABASE_URL')
    .option('-y, --yes', 'do not ask')
    .action(async (given, { yes }) => {
      const { config, io } = cli;
      refuseAgents(io, 'migrate-to');
      const url = given ?? config.databaseUrl;
      if (url === undefined || !/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
        throw new Problem({
          status: 400,
          title: 'Bad option',
          detail:
            'Say where to: lore migrate-to postgres://user:password@host/database, or set DATABASE_URL.',
          errors: [{ field: 'url', message: 'must be an address of PostgreSQL' }],
        });
      }
      const { host, pathname } = new URL(url);
      const [store, into] = [join(config.home, 'pgdata'), `${host}${pathname}`];
      if (!yes && !(await confirmed(io, 'A move', `Move ${store} into ${into}?`))) return;
      const moved = await alone(cli, () => moveDatabase(config.home, url));
      io.answer(
        { into, store, rows: rowsMoved(moved), ...moved },
        asCalled(`${moved.already ? 'Moved already' : 'Moved'}: ${rowsMoved(moved)} rows of ${moved.tables.length} tables stand in ${into}, and their counts and checksums agree.
${store} is as it was. Do not start a server on it again.
From now on:
  DATABASE_URL   the address of that database, for every server
  LORE_HOME      ${config.home}, or another folder with copies of its files key, secret and jwt-secret
A server in the background takes it with: DATABASE_URL=… lore up`),
      );
    });

export const commands = { backup, restore, 'migrate-to': migrateTo };
