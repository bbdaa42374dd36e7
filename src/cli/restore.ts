import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore.ts';
import type { Config } from '../config.ts';
import { lockFolder } from '../files/lock-folder.ts';
import { createLog } from '../log.ts';
import { prepareHome } from '../server/home.ts';
import { refuseAgents } from './backup.ts';
import { confirmed } from './confirm.ts';
import { asCalled } from './hint.ts';
import type { Io } from './io.ts';

/** Puts a backup in the place of the data folder. */
export async function restore(
  config: Config,
  io: Io,
  folder: string,
  options: { yes?: boolean },
): Promise<void> {
  refuseAgents(io, 'restore');
  const from = resolve(io.cwd, folder);
  const to = config.databaseUrl ? `the database of DATABASE_URL and ${config.home}` : config.home;
  if (!options.yes && !(await confirmed(io, 'A restore', `Restore ${from} into ${to}?`))) return;
  prepareHome(config.home, createLog('warn'));
  const lock = lockFolder(config.home, { url: config.url });
  const done = await restoreBackup(config, from).finally(lock.release);
  if (io.json) return io.print(done);
  io.log(asCalled(`Restored as of ${done.at}. Start it with: lore start`));
  for (const file of done.aside) io.log(`What was there before lies in ${file}`);
}
