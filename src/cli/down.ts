import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attachmentsIn } from '../files/attachments.ts';
import { holderOf } from '../files/lock-folder.ts';
import { isClone, packageName } from '../files/package-root.ts';
import { attachedKey, detachProject } from './attach/attach.ts';
import { attachedClients, detachClient } from './attach/clients.ts';
import type { Cli, Define } from './commands.ts';
import { confirmed } from './confirm.ts';
import { installedPlugins, OWN_PLUGIN } from './doctor.ts';
import { revokeHooksKey } from './hooks-key.ts';
import { refuseAgents } from './io.ts';
import { hint, warn } from './print.ts';
import { removeService, stopServer } from './service/service.ts';

const downCommand: Define = (command, cli) =>
  command
    .option('--remove', 'also take out all hooks, to the byte, and ask whether your data goes too')
    .option('--data', 'with --remove: delete your data, without asking')
    .option('--no-data', 'with --remove: keep your data, without asking')
    .action((options) => down(cli, options));

export const commands = { down: downCommand };

/**
 * Stops the server and takes its service away; with `remove` also all hooks, to the byte, and the data folder, if the
 * person says so.
 *
 * @param options.data removes the data without asking; false keeps it
 * @throws Problem 403 below an agent's shell
 */
export async function down(
  cli: Cli,
  { remove, data: wanted }: { remove?: boolean; data?: boolean },
): Promise<void> {
  const { config, io } = cli;
  const { home } = config;
  refuseAgents(io, 'down');
  const { files, warnings } = remove ? await detachAll(cli) : { files: [], warnings: [] };
  const pid = await stopServer(config, io);
  const service = removeService(config, io);
  const any = existsSync(home);
  const question = `Delete ${home} with all lessons, notes and backups? This cannot be undone.`;
  const mayAsk = wanted === undefined && !io.json && io.stdin.isTTY === true;
  const data = any && remove === true && (wanted ?? (mayAsk && (await confirmed(io, 'This', question))));
  const others = data ? removeData(home) : [];
  if (io.json) return io.print({ pid, service, detached: files, data });
  io.log(pid === null ? 'No server was running.' : `Stopped: process ${pid}.`);
  if (service !== null) io.log(`It is not started again: ${service} is gone.`);
  for (const file of files) io.log(`Detached: ${file} is as it was.`);
  warn(io, warnings);
  if (!remove) return hint(io, 'Sessions run without Lore until lore up; hooks and data are still there.');
  if (!any) io.log(`There is no data in ${home}.`);
  else if (!data) io.log(`Your data stays in ${home}.`);
  else if (others.length === 0) io.log(`Removed: ${home}.`);
  else io.log(`Removed: what Lore kept in ${home}. Not Lore's, and still there: ${others.join(', ')}.`);
  if (data && config.databaseUrl)
    io.log('What is in your PostgreSQL stays there: drop that database to get rid of it.');
  for (const { id } of installedPlugins(config.clientFolder).filter(({ id }) => OWN_PLUGIN.test(id)))
    io.log(`The plugin goes with: claude plugin marketplace remove ${id.replace(/^.*@/, '')}`);
  if (!isClone) io.log(`The program goes with: npm uninstall -g ${packageName}`);
}

/** Takes Lore out of every file of a client that it was put into, and revokes the keys there if the server answers. */
async function detachAll({ config, io }: Cli): Promise<{ files: string[]; warnings: string[] }> {
  const files: string[] = [];
  const warnings: string[] = [];
  const { home } = config;
  const runs = holderOf(home) !== null;
  const leave = async (keyOf: () => string | undefined, undo: () => string[]) => {
    try {
      const key = keyOf();
      files.push(...undo());
      if (runs) warnings.push(...(await revokeHooksKey(config, key)));
    } catch (error) {
      // a file that cannot be undone keeps no other from it
      warnings.push((error as Error).message);
    }
  };
  // the project may be gone
  for (const user of attachmentsIn(home).filter((file) => existsSync(dirname(file)))) {
    const where = { dir: dirname(user), home, user };
    await leave(
      () => attachedKey(where),
      () => (detachProject(where).found ? [user] : []),
    );
  }
  for (const { key, ...place } of attachedClients(home, io))
    await leave(
      () => key,
      () => detachClient(place, io) ?? [],
    );
  return { files, warnings };
}

/** What Lore makes in its data folder. A wrong LORE_HOME must not cost a person's own files. */
const OURS =
  /^(pgdata.*|journal.*|models|backups|attachments|clients|claude|(claude|ask)-answer|last-good|(jwt-)?secret|key|tls\.pem|rows\.json|rules\.jsonc?|server\.(lock|log.*)|service\.(json|xml))$/;

/** Removes Lore's data, and the folder if nothing else is in it. Returns what else is. */
function removeData(home: string): string[] {
  const names = readdirSync(home);
  const isOurs = (name: string) => OURS.test(name.replace(/\.before-.*/, ''));
  for (const name of names.filter(isOurs)) rmSync(join(home, name), { recursive: true, force: true });
  const others = names.filter((name) => !isOurs(name));
  if (others.length === 0) rmdirSync(home);
  return others;
}
