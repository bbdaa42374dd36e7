import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { holderOf } from '../files/lock-folder.ts';
import { packageRoot, program, version } from '../files/package-root.ts';
import { listensEverywhere } from '../http/addresses.ts';
import type { Health } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Cli, Define } from './commands.ts';
import { answerTo } from './confirm.ts';
import { down } from './down.ts';
import { isAttached, userKey } from './hooks-key.ts';
import { attaching, type InitOptions, init } from './init.ts';
import { type Io, mayAsk, refuseAgents } from './io.ts';
import { sub } from './options.ts';
import { lanLines } from './pair.ts';
import { asCalled, hint } from './print.ts';
import {
  installed,
  logFile,
  networkAddresses,
  type Reach,
  reachable,
  reaching,
  removeService,
  settingsOf,
  startInBackground,
  stopServer,
  whatStarts,
} from './service/service.ts';

/** The first start makes the database, which took 29 s on a busy machine. */
const MAX_START_MS = 5 * 60_000;

/** `init`'s options, and what is attached: all projects, or the one in the folder; neither: the person is asked. */
type UpOptions = InitOptions & Reach & { here?: boolean; attach: boolean };

const upCommand: Define = (command, cli) =>
  reaching(attaching(command))
    .option('--here', 'attach the project in the folder, instead of asking')
    .option('--no-attach', 'attach nothing, and do not ask')
    .action((dir, options) => up(cli, dir, options));

const service: Define = (command, cli) => {
  const { io } = cli;
  const state = command.command('status', { isDefault: true });
  state
    .description('whether it runs, and what starts it again; exit code 3 if it is not running')
    .action(() => {
      const { config } = cli;
      const pid = holderOf(config.home);
      const service = installed(config, io);
      const about = { is: service?.is ?? null, file: service?.file ?? null };
      const [network] = networkAddresses(reachableNow(config));
      const log = logFile(config.home);
      io.answer(
        { pid, service: about, log, network: networkAddresses(reachableNow(config)) },
        asCalled(`server   ${pid === null ? 'does not run: lore up starts it' : `process ${pid}`}
network  ${network === undefined ? 'this machine alone; for phones: lore service lan on' : `${network}; lore service lan off ends that`}
service  ${service ? `${service.is}, ${service.when}: ${service.file}` : 'none: it is not started again after a reboot'}
log      ${log}`),
      );
      if (pid === null) cli.exit(3);
    });
  sub(command, 'stop', 'stop it until the next login, or until lore up').action(async () => {
    refuseAgents(io, 'service stop');
    const pid = await stopServer(cli.config, io);
    const said =
      pid === null ? 'No server was running.' : `Stopped: process ${pid}. lore up starts it again.`;
    io.answer({ pid }, asCalled(said));
  });
  sub(command, 'remove', 'stop it, and do not start it again: the same as lore down').action(() =>
    down(cli, {}),
  );
  command
    .command('lan')
    .addArgument(new Argument('<state>', 'whether phones in your network reach it').choices(['on', 'off']))
    .description('restart it so that others in your network reach it, or no longer')
    .action((state) => serviceLan(cli, state === 'on' ? { lan: true } : {}));
  command
    .command('run', { hidden: true })
    .argument('<home>')
    .action(async (home) => {
      const settings = settingsOf(home);
      Object.assign(io.env, settings?.env, { LORE_HOME: home });
      const { start } = await import('./start.ts');
      await start(cli, { ...settings?.reach, code: false });
    });
};

export const commands = { up: upCommand, service };

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
  const { here, attach, lan, ...forInit } = options;
  const reach = { ...(lan && { lan }) };
  if (lan) refuseAgents(io, 'up --lan');
  const restarted = await makeRun(local, io, io.env, lan ? reach : undefined);
  const network = networkAddresses(reachableNow(local));
  const { version } = await callServer(local, 'GET /health');
  const service = installed(local, io);
  const [log, pid] = [logFile(local.home), holderOf(local.home)];
  const about = { is: service?.is ?? null, file: service?.file ?? null };
  io.answer(
    { url: local.url, version, pid, restarted, service: about, log, network },
    `Lore ${version} ${restarted ? 'runs' : 'already runs'} on ${local.url}.`,
  );
  const isHere = () => userKey(local) !== undefined || isAttached(local, dir);
  const wanted = options.user ? 'user' : here ? 'project' : attach && !isHere() ? await asked(io, dir) : null;
  if (wanted && attach) await init(cli, dir, { ...forInit, user: wanted === 'user' });
  if (io.json) return;
  if (/[\\/]_npx[\\/]/.test(packageRoot.pathname))
    io.error(
      "warning: this copy is in npm's cache, which npm may empty. To keep it, install it (docs/install.md), then lore up",
    );
  if (!wanted && !isHere())
    hint(io, 'No project is attached: lore init attaches the one in a folder, lore init --user all.');
  const model = await callServer(local, 'GET /v1/model');
  const sent =
    model.provider !== 'none'
      ? `to ${model.provider} (${model.model}): the parts of sessions from which lessons are written, without secrets`
      : `nothing${config.modelDir === undefined ? ' (once, the embedding model is fetched if its hub can be reached)' : ''}`;
  io.log('');
  for (const line of [
    `  starts again  ${service ? `${service.when}: ${service.file}` : `not by itself: there is no systemd, launchd or task scheduler for you here. After a reboot, run lore up`}`,
    `  stored        in ${config.databaseUrl ? 'your PostgreSQL, and in ' : ''}${config.home}: what agents do in attached projects, with secrets taken out`,
    `  sent          ${sent}`,
    `  log           ${log}`,
    ...(network.length > 0 && !lan
      ? [`  network       ${network[0]}: lore pair signs a phone in, lore service lan off ends it`]
      : []),
    `  see           lore open (the page), lore status, lore doctor`,
    `  undo          lore down stops it; lore down --remove takes away hooks and service, and your data if you say so`,
  ])
    hint(io, line, ' '.repeat(16));
  if (lan) io.log(await lanLines(reachableNow(local), io, network));
}

/** The address on this machine, also if clients are told another one. */
function localUrl({ host, port }: Config): string {
  if (port !== 0) return `http://${listensEverywhere(host) ? '127.0.0.1' : host}:${port}`;
  const detail = 'LORE_PORT must be a port: lore up keeps it.';
  throw new Problem({ status: 400, title: 'Bad option', detail });
}

/** Whether this program was built, or installed, after the server of a data folder had started. */
const isNewer = (home: string): boolean =>
  statSync(new URL('dist/cli/process.js', packageRoot)).mtimeMs > statSync(join(home, 'server.lock')).mtimeMs;

/**
 * Restarts the server of `lore up` so that others in the network reach it, or no longer. It stays so over reboots.
 *
 * @throws Problem 403 below an agent's shell, 409 if `lore up` has started none
 */
async function serviceLan({ config, io }: Cli, reach: Reach): Promise<void> {
  refuseAgents(io, 'service lan');
  const kept = settingsOf(config.home);
  if (kept === null) {
    const detail =
      'lore up has started no server: lore up --lan does. In the foreground it is lore start --lan.';
    throw new Problem({ status: 409, title: 'Service cannot be used', detail });
  }
  const env = { ...kept.env, LORE_HOME: config.home };
  const set = readConfig(env, io);
  const local = { ...set, url: localUrl(set) };
  const restarted = await makeRun(local, io, env, reach);
  const network = networkAddresses(reachableNow(local));
  const alone = network.length > 0 ? '.' : ' for this machine alone.';
  io.answer(
    { url: local.url, restarted, network },
    `Lore ${restarted ? 'runs' : 'already runs'} on ${local.url}${alone}`,
  );
  if (reach.lan && !io.json) io.log(await lanLines(reachableNow(local), io, network));
}

/** Returns the configuration as the server has it that `lore up` started. */
const reachableNow = (config: Config): Config => reachable(config, settingsOf(config.home)?.reach ?? {});

/**
 * Starts the server, or restarts one of another build or that others reach in another way. Returns whether it had to.
 *
 * @param wanted how others reach it; undefined: as before
 */
async function makeRun(config: Config, io: Io, env: Io['env'], wanted: Reach | undefined): Promise<boolean> {
  const kept = settingsOf(config.home);
  const before = kept?.reach ?? {};
  const reach = wanted ?? before;
  const pid = holderOf(config.home);
  const health = await healthOf(config);
  const inUse = (detail: string) => new Problem({ status: 409, title: 'Data folder in use', detail });
  if (pid === null && health !== null)
    throw inUse(`Something else answers on ${config.url}: set LORE_PORT to another port.`);
  if (pid !== null && kept === null)
    throw inUse(
      `Process ${pid} serves ${config.home}, started by hand. Stop it, then lore up starts it in the background.`,
    );
  const same = kept?.bin === program && reach.lan === before.lan;
  if (pid !== null && health?.version === version && same && !isNewer(config.home)) return false;
  if (pid !== null) await stopServer(config, io);
  const log = logFile(config.home);
  const logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (!io.json) io.error(whatStarts(config));
  const hasEnded = startInBackground(config, io, env, reach);
  const until = performance.now() + MAX_START_MS;
  while ((await healthOf(config)) === null) {
    const written = statSync(log, { throwIfNoEntry: false }) ? readFileSync(log).subarray(logged) : '';
    const fault = String(written)
      .match(/^lore: .+/gm)
      ?.at(-1);
    const late = performance.now() > until ? 'It does not answer.' : undefined;
    const reason = fault ?? (hasEnded() ? 'It ended.' : late);
    if (reason !== undefined) {
      removeService(config, io);
      const detail = `${reason.replace(/^lore: /, '')} The rest is in ${log}.`;
      throw new Problem({ status: 500, title: 'Server does not start', detail });
    }
    await sleep(300);
  }
  return true;
}

/** Returns what the server says about itself; null if none answers. */
async function healthOf(config: Config): Promise<Health | null> {
  try {
    return await callServer(config, 'GET /health');
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Asks a person what to attach. */
async function asked(io: Io, dir: string): Promise<'user' | 'project' | null> {
  if (!mayAsk(io)) return null;
  const answer = await answerTo(
    io,
    `Attach Claude Code? Hooks are put into its settings, and can be taken out to the byte.
  a  all your projects
  p  only ${dir}
  n  not now
[a/p/N] `,
    ['all your projects', 'project', 'not now'],
    'not now',
  );
  return answer === 'not now' ? null : answer === 'project' ? 'project' : 'user';
}
