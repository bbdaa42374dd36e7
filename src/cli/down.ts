import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { attachmentsIn } from '../files/attachments.ts';
import { holderOf } from '../files/lock-folder.ts';
import { isClone, packageName } from '../files/package-root.ts';
import { attachedKey, detachProject } from './attach/attach.ts';
import { attachedClients, detachClient } from './attach/clients.ts';
import { refuseAgents } from './backup.ts';
import { loresMarketplaces } from './client-plugins.ts';
import { confirmed } from './confirm.ts';
import { asCalled, hint } from './hint.ts';
import { revokeHooksKey } from './hooks-key.ts';
import { person } from './init-client.ts';
import type { Io } from './io.ts';
import {
  installed,
  logFile,
  networkAddresses,
  reachable,
  removeService,
  settingsOf,
  stopServer,
} from './service/service.ts';

/**
 * Stops the server and takes its service away; with `remove` also all hooks, to the byte, and the data folder, if the
 * person says so.
 *
 * @param options.data removes the data without asking; false keeps it
 * @throws Problem 403 below an agent's shell
 */
export async function down(
  config: Config,
  io: Io,
  options: { remove?: boolean; data?: boolean },
): Promise<void> {
  refuseAgents(io, 'down');
  const detached = options.remove ? await detachAll(config, io) : null;
  const pid = await stopServer(config, io);
  const service = removeService(config, io);
  const any = existsSync(config.home);
  const data = any && options.remove === true && (await mayGo(config, io, options.data));
  const others = data ? removeData(config.home) : [];
  if (io.json) return io.print({ pid, service, detached: detached?.files ?? [], data });
  io.log(pid === null ? 'No server was running.' : `Stopped: process ${pid}.`);
  if (service !== null) io.log(`It is not started again: ${service} is gone.`);
  for (const file of detached?.files ?? []) io.log(`Detached: ${file} is as it was.`);
  for (const warning of detached?.warnings ?? []) io.error(`warning: ${warning}`);
  if (!options.remove)
    return hint(io, 'Sessions run without Lore until lore up; hooks and data are still there.');
  if (!any) io.log(`There is no data in ${config.home}.`);
  else if (!data) io.log(`Your data stays in ${config.home}.`);
  else if (others.length === 0) io.log(`Removed: ${config.home}.`);
  else
    io.log(`Removed: what Lore kept in ${config.home}. Not Lore's, and still there: ${others.join(', ')}.`);
  if (data && config.databaseUrl)
    io.log('What is in your PostgreSQL stays there: drop that database to get rid of it.');
  for (const name of options.remove ? loresMarketplaces(config.clientFolder) : [])
    io.log(`The plugin goes with: claude plugin marketplace remove ${name}`);
  if (!isClone) io.log(`The program goes with: npm uninstall -g ${packageName}`);
}

/** Takes Lore out of every file of a client that it was put into, and revokes the keys there if the server answers. */
async function detachAll(config: Config, io: Io): Promise<{ files: string[]; warnings: string[] }> {
  const files: string[] = [];
  const warnings: string[] = [];
  const runs = holderOf(config.home) !== null;
  const detach = async (key: string | undefined, undo: () => string[]) => {
    files.push(...undo());
    const left = runs ? await revokeHooksKey(config, key) : null;
    if (left !== null) warnings.push(left);
  };
  const places = [
    ...attachmentsIn(config.home)
      // the project may be gone
      .filter((file) => existsSync(dirname(file)))
      .map((file) => ({ dir: dirname(file), home: config.home, user: file }))
      .map((where) => () => {
        const undo = () => {
          const { found, file } = detachProject(where);
          return found ? [file] : [];
        };
        return detach(attachedKey(where), undo);
      }),
    ...attachedClients(config.home, person(io)).map(
      ({ key, ...place }) =>
        () =>
          detach(key, () => detachClient({ ...place, home: config.home }, person(io)) ?? []),
    ),
  ];
  for (const leave of places) {
    try {
      await leave();
    } catch (error) {
      // a file that cannot be undone keeps no other from it
      if (!(error instanceof Problem)) throw error;
      warnings.push(error.detail);
    }
  }
  return { files, warnings };
}

/** Whether the data goes too: as the option says, else as the person answers. */
async function mayGo({ home }: Config, io: Io, wanted: boolean | undefined): Promise<boolean> {
  if (wanted !== undefined || io.json || !io.stdin.isTTY) return wanted === true;
  return confirmed(io, 'This', `Delete ${home} with all lessons, notes and backups? This cannot be undone.`);
}

/** What Lore makes in its data folder. A wrong LORE_HOME must not cost a person's own files. */
const OURS =
  /^(pgdata.*|journal.*|models|backups|attachments|clients|claude|(claude|ask)-answer|last-good|(jwt-)?secret|key|tls\.pem|rows\.json|rules\.jsonc?|server\.(lock|log.*)|service\.(json|xml))$/;

/** Removes Lore's data, and the folder if nothing else is in it. Returns what else is. */
function removeData(home: string): string[] {
  const others: string[] = [];
  for (const name of readdirSync(home))
    if (OURS.test(name.replace(/\.before-.*/, '')))
      rmSync(join(home, name), { recursive: true, force: true });
    else others.push(name);
  if (others.length === 0) rmdirSync(home);
  return others;
}

/** Shows whether the server runs and what starts it again. Returns whether it runs. */
export function serviceStatus(config: Config, io: Io): boolean {
  const pid = holderOf(config.home);
  const service = installed(config, io);
  const about = { is: service?.platform.is ?? null, file: service?.file ?? null };
  const network = networkAddresses(reachable(config, settingsOf(config.home)?.reach ?? {}));
  if (io.json) io.print({ pid, service: about, log: logFile(config.home), network });
  else
    io.log(
      asCalled(`server   ${pid === null ? 'does not run: lore up starts it' : `process ${pid}`}
network  ${network.length === 0 ? 'this machine alone; for phones: lore service lan on --tls' : `${network[0]}; lore service lan off ends that`}
service  ${service ? `${service.platform.is}, ${service.platform.when}: ${service.file}` : 'none: it is not started again after a reboot'}
log      ${logFile(config.home)}`),
    );
  return pid !== null;
}

/** Stops the server; its service starts it again at the next login. @throws Problem 403 below an agent's shell */
export async function stopService(config: Config, io: Io): Promise<void> {
  refuseAgents(io, 'service stop');
  const pid = await stopServer(config, io);
  if (io.json) return io.print({ pid });
  hint(io, pid === null ? 'No server was running.' : `Stopped: process ${pid}. lore up starts it again.`);
}
