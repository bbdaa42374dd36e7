import { join } from 'node:path';
import { moveDatabase, rowsMoved } from '../backup/move.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { lockFolder } from '../files/lock-folder.ts';
import { createLog } from '../log.ts';
import { prepareHome } from '../server/home.ts';
import { refuseAgents } from './backup.ts';
import { confirmed } from './confirm.ts';
import { asCalled } from './hint.ts';
import type { Io } from './io.ts';
import { progressLine } from './progress-line.ts';

/**
 * Moves the embedded database of the data folder into one of PostgreSQL, while no server runs.
 *
 * @param given its address; without it DATABASE_URL, which stands in no list of processes
 */
export async function migrateTo(
  config: Config,
  io: Io,
  given: string | undefined,
  options: { yes?: boolean },
): Promise<void> {
  refuseAgents(io, 'migrate-to');
  const url = given ?? config.databaseUrl;
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Problem({
      status: 400,
      title: 'Bad option',
      detail: 'Say where to: lore migrate-to postgres://user:password@host/database, or set DATABASE_URL.',
      errors: [{ field: 'url', message: 'must be an address of PostgreSQL' }],
    });
  }
  const { host, pathname } = new URL(url);
  const store = join(config.home, 'pgdata');
  if (!options.yes && !(await confirmed(io, 'A move', `Move ${store} into ${host}${pathname}?`))) return;
  prepareHome(config.home, createLog('warn'));
  const lock = lockFolder(config.home, { url: config.url });
  const done = io.json ? () => {} : progressLine(io, 'The store is moved', { lines: true });
  const moved = await moveDatabase(config.home, url).finally(() => {
    done();
    lock.release();
  });
  if (io.json) return io.print({ into: `${host}${pathname}`, store, rows: rowsMoved(moved), ...moved });
  io.log(
    asCalled(`${moved.already ? 'Moved already' : 'Moved'}: ${rowsMoved(moved)} rows of ${moved.tables.length} tables stand in ${host}${pathname}, and their counts and checksums agree.
${store} is as it was. Do not start a server on it again.
From now on:
  DATABASE_URL   the address of that database, for every server
  LORE_HOME      ${config.home}, or another folder with copies of its files key, secret and jwt-secret
A server in the background takes it with: DATABASE_URL=… lore up`),
  );
}
