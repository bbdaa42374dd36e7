import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore.ts';
import type { Config } from '../config.ts';
import { lockFolder } from '../files/lock-folder.ts';
import { createLog } from '../log.ts';
import { prepareHome } from '../server/home.ts';
import { refuseAgents } from './backup.ts';
import { confirmed } from './confirm.ts';
import { asCalled } from './hint.ts';
import { type Output, print } from './print.ts';

/** Puts a backup in the place of the data folder. */
export async function restore(
  config: Config,
  output: Output,
  folder: string,
  options: { yes?: boolean },
): Promise<void> {
  refuseAgents('restore');
  const from = resolve(folder);
  const to = config.databaseUrl ? `the database of DATABASE_URL and ${config.home}` : config.home;
  if (!options.yes && !(await confirmed('A restore', `Restore ${from} into ${to}?`))) return;
  prepareHome(config.home, createLog('warn'));
  const lock = lockFolder(config.home, { url: config.url });
  const done = await restoreBackup(config, from).finally(lock.release);
  if (output.json) return print(done);
  console.log(asCalled(`Restored as of ${done.at}. Start it with: lore start`));
  for (const file of done.aside) console.log(`What was there before lies in ${file}`);
}
