import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { holderOf } from '../base/files/lock-folder.ts';
import { isClone, packageName, packageRoot, program, version } from '../base/files/package-root.ts';
import type { Health } from '../base/wire/routes.ts';
import { listensEverywhere } from '../http/addresses.ts';
import { attachedPlaces, detach, keyAt } from './attach/attach.ts';
import { callServer } from './client.ts';
import { keyOfHooks, revokeHooksKey } from './consent.ts';
import { type InitOptions, init } from './init.ts';
import { answerTo, asCalled, confirmed, hint, type Io, mayAsk, refuseAgents, warn } from './io.ts';
import { lanLines } from './pair.ts';
import { type Action, type Cli, wrongUsage } from './rows.ts';
import * as services from './service.ts';
import { logFile, networkAddresses, type Reach, reachable, settingsOf } from './service.ts';

/** The first start makes the database, which took 29 s on a busy machine. */
const MAX_START_MS = 5 * 60_000;

/** `init`'s options, and what is attached: all projects, or the one in the folder; neither: the person is asked. */
type UpOptions = InitOptions & Reach & { here?: boolean; attach: boolean };

/** Says whether the server runs, and what starts it again. */
const status: Action = (_, cli) => {
  const { io, config } = cli;
  const pid = holderOf(config.home);
  const { is = null, when, file = null } = services.installed(config, io) ?? {};
  const network = networkAddresses(reachableNow(config));
  const log = logFile(config.home);
  io.answer(
    { pid, service: { is, file }, log, network },
    asCalled(`server   ${pid === null ? 'does not run: lore up starts it' : `process ${pid}`}
network  ${network.length === 0 ? 'this machine alone; for phones: lore up --lan' : `${network[0]}; lore up --no-lan ends that`}
service  ${is ? `${is}, ${when}: ${file}` : 'none: it is not started again after a reboot'}
log      ${log}`),
  );
  if (pid === null) cli.exit(3);
};

async function stop({ config, io }: Cli): Promise<void> {
  const pid = await services.stopServer(config, io);
  io.answer({ pid }, asCalled(`${stopped(pid)}${pid === null ? '' : ' lore up starts it again.'}`));
}

/** Runs the server as the system's service starts it. */
async function run(cli: Cli, home: string): Promise<void> {
  const settings = settingsOf(home);
  Object.assign(cli.io.env, settings?.env, { LORE_HOME: home });
  await (await import('./start.ts')).start(cli, { ...settings?.reach, code: false });
}

const stopped = (pid: number | null) =>
  pid === null ? 'No server was running.' : `Stopped: process ${pid}.`;

export const actions: Record<string, Action> = {
  ...{ service: status, 'service status': status },
  up: ({ dir = '.', ...options }, cli) => up(cli, dir, options),
  down: (options, cli) => down(cli, options),
  'service stop': (_, cli) => stop(cli),
  'service remove': (_, cli) => down(cli, {}),
  'service run': ({ home }, cli) => run(cli, home),
};

/**
 * Starts the server in the background, attaches the client, and says what was changed, what is stored and sent, and how
 * to undo it.
 *
 * @throws Problem 400 without a fixed port, 409 if something else serves the folder or the port, 500 if it does not start
 */
async function up(cli: Cli, folder: string, options: UpOptions): Promise<void> {
  const { config, io } = cli;
  const dir = resolve(io.cwd, folder);
  const local = { ...config, url: localUrl(config) };
  const { here = options.guarded, attach, lan, tls, ...forInit } = options;
  if (lan !== undefined) refuseAgents(io, 'up --lan');
  // lan: false takes it back; without it, it stays as it is
  const restarted = await makeRun(local, io, lan === undefined ? undefined : { lan, tls });
  const network = networkAddresses(reachableNow(local));
  const { version } = await callServer(local, 'GET /health');
  const { is = null, when, file = null } = services.installed(local, io) ?? {};
  const [log, pid] = [logFile(local.home), holderOf(local.home)];
  const runs = `${restarted ? 'runs' : 'already runs'} on ${local.url}.`;
  const about = { url: local.url, version, pid, restarted, service: { is, file }, log, network };
  io.answer(about, `Lore ${version} ${runs}`);
  const userKey = () => keyOfHooks(local, io, null);
  const isHere = () => (userKey() ?? keyOfHooks(local, io, dir)) !== undefined;
  const ofUser = options.user || (options.guarded && userKey() !== undefined);
  const wanted = ofUser ? 'user' : here ? 'project' : attach && !isHere() ? await asked(io, dir) : null;
  if (wanted && attach) await init(cli, dir, { ...forInit, user: wanted === 'user' });
  if (io.json) return;
  const which =
    attachedPlaces(config.home, io).length > 0 ? `${dir} is not attached` : 'No project is attached';
  if (!wanted && !isHere()) hint(io, `${which}: lore init attaches a project, lore init --user all.`);
  const { provider, model } = await callServer(local, 'GET /v1/model');
  const again = is ? `${when}: ${file}` : 'not by itself: after a reboot, run lore up';
  const sent =
    provider === 'none'
      ? 'nothing'
      : `to ${provider} (${model}): the parts of sessions from which lessons are written, without secrets`;
  const where = `in ${config.databaseUrl ? 'your PostgreSQL, and in ' : ''}${config.home}`;
  const rows = {
    'starts again': again,
    stored: `${where}: what agents do in attached projects, and did in the last seven days, with secrets taken out`,
    ...{ sent, log },
    ...(network[0] && !lan && { network: `${network[0]}: lore pair signs a phone in` }),
    see: 'lore open (the page), lore status, lore doctor',
    undo: 'lore down stops it; lore down --remove takes away hooks and service, and your data if you say so',
  };
  io.log('');
  for (const [name, text] of Object.entries(rows)) hint(io, `  ${name.padEnd(14)}${text}`, ' '.repeat(16));
  if (lan) io.log(await lanLines(reachableNow(local), io, network));
}

/** The address on this machine, also if clients are told another one. */
function localUrl({ host, port }: Config): string {
  if (port !== 0) return `http://${listensEverywhere(host) ? '127.0.0.1' : host}:${port}`;
  throw wrongUsage('LORE_PORT must be a port: lore up keeps it.');
}

/** Whether this program was built, or installed, after the server of a data folder had started. */
const isNewer = (home: string): boolean =>
  statSync(new URL('dist/cli/process.js', packageRoot)).mtimeMs > statSync(join(home, 'server.lock')).mtimeMs;

/** Returns the configuration as the server has it that `lore up` started. */
const reachableNow = (config: Config): Config => reachable(config, settingsOf(config.home)?.reach ?? {});

/**
 * Starts the server, or restarts one of another build or that others reach in another way. Returns whether it had to.
 *
 * @param wanted how others reach it; undefined: as before
 */
async function makeRun(config: Config, io: Io, wanted: Reach | undefined): Promise<boolean> {
  const kept = settingsOf(config.home);
  const before = kept?.reach ?? {};
  const reach = wanted ?? before;
  const pid = holderOf(config.home);
  const health = await healthOf(config);
  const inUse = (detail: string) => new Problem({ status: 409, title: 'Data folder in use', detail });
  if (pid === null && health !== null)
    throw inUse(`Something else answers on ${config.url}: set LORE_PORT to another port.`);
  if (pid !== null && kept === null)
    throw inUse(`Process ${pid} serves ${config.home}, started by hand. Stop it, then: lore up.`);
  const by = ({ lan, tls }: Reach) => (lan ? (tls ? 'https' : 'http') : null);
  const same = kept?.bin === program && by(reach) === by(before);
  if (pid !== null && health?.version === version && same && !isNewer(config.home)) return false;
  if (pid !== null) await services.stopServer(config, io);
  const log = logFile(config.home);
  const logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (!io.json) io.error(services.whatStarts(config));
  const hasEnded = services.startInBackground(config, io, reach);
  const until = performance.now() + MAX_START_MS;
  while ((await healthOf(config)) === null) {
    const written = existsSync(log) ? String(readFileSync(log).subarray(logged)) : '';
    const fault = written.match(/^lore: .+/gm)?.at(-1);
    const late = performance.now() > until ? 'It does not answer.' : undefined;
    const reason = fault ?? (hasEnded() ? 'It ended.' : late);
    if (reason !== undefined) {
      services.removeService(config, io);
      const detail = `${reason.replace(/^lore: /, '')} The rest is in ${log}.`;
      throw new Problem({ status: 500, title: 'Server does not start', detail });
    }
    await sleep(300);
  }
  return true;
}

/** Returns what the server says about itself; null if none answers. */
const healthOf = (config: Config): Promise<Health | null> =>
  callServer(config, 'GET /health').catch((error) => {
    if (error instanceof Problem) return null;
    throw error;
  });

/** Asks a person what to attach. */
async function asked(io: Io, dir: string): Promise<'user' | 'project' | null> {
  if (!mayAsk(io)) return null;
  const question = `Attach Claude Code? Hooks are put into its settings, and can be taken out again.
  a  all your projects
  p  only ${dir}
  n  not now
[a/p/N] `;
  const answer = await answerTo(io, question, ['all your projects', 'project', 'not now'], 'not now');
  return answer === 'not now' ? null : answer === 'project' ? 'project' : 'user';
}

/**
 * Stops the server and takes its service away; with `remove` also all hooks, and the data folder, if the person says so.
 *
 * @param options.data removes the data without asking; false keeps it
 * @throws Problem 403 below an agent's shell
 */
async function down(cli: Cli, { remove, data: wanted }: { remove?: boolean; data?: boolean }): Promise<void> {
  const { config, io } = cli;
  const { home } = config;
  const { files, warnings } = remove ? await detachAll(cli) : { files: [], warnings: [] };
  const pid = await services.stopServer(config, io);
  const service = services.removeService(config, io);
  const any = existsSync(home);
  const question = `Delete ${home} with all lessons, notes and backups? This cannot be undone.`;
  const mayAsk = wanted === undefined && !io.json && io.stdin.isTTY === true;
  const data = any && remove === true && (wanted ?? (mayAsk && (await confirmed(io, 'This', question))));
  const others = data ? removeData(home) : [];
  if (io.json) return io.print({ pid, service, detached: files, data });
  io.log(stopped(pid));
  if (service !== null) io.log(`It is not started again: ${service} is gone.`);
  for (const file of files) io.log(`Detached: Lore is no longer in ${file}.`);
  warn(io, warnings);
  if (!remove) return hint(io, 'Sessions run without Lore until lore up; hooks and data are still there.');
  if (!any) io.log(`There is no data in ${home}.`);
  else if (!data) io.log(`Your data stays in ${home}.`);
  else if (others.length === 0) io.log(`Removed: ${home}.`);
  else io.log(`Removed: what Lore kept in ${home}. Not Lore's, and still there: ${others.join(', ')}.`);
  if (data && config.databaseUrl) io.log('What is in your PostgreSQL stays there: drop it to get rid of it.');
  io.log('The plugin, if you installed it, goes with: claude plugin marketplace remove lore-local');
  if (!isClone) io.log(`The program goes with: npm uninstall -g ${packageName}`);
}

/** Takes Lore out of every file of a client that it was put into, and revokes the keys there if the server answers. */
async function detachAll({ config, io }: Cli): Promise<{ files: string[]; warnings: string[] }> {
  const files: string[] = [];
  const warnings: string[] = [];
  const runs = holderOf(config.home) !== null;
  for (const place of attachedPlaces(config.home, io))
    try {
      const key = keyAt(place);
      files.push(...(detach(place, io) ?? []));
      if (runs) warnings.push(...(await revokeHooksKey(config, key)));
    } catch (error) {
      // a file that cannot be undone keeps no other from it
      warnings.push((error as Error).message);
    }
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
