import { createReadStream, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { holderOf } from '../files/lock-folder.ts';
import { packageRoot, program, version } from '../files/package-root.ts';
import { listensEverywhere } from '../http/addresses.ts';
import type { Health } from '../wire/routes.ts';
import { refuseAgents } from './backup.ts';
import { callServer } from './client.ts';
import { answerTo } from './confirm.ts';
import { hint } from './hint.ts';
import { isAttached, userKey } from './hooks-key.ts';
import { init } from './init.ts';
import { type Io, onTerminal } from './io.ts';
import { isBelowAgent } from './overrule.ts';
import { lanLines } from './pair.ts';
import { isFirstStart, progressLine, whatStarts } from './progress-line.ts';
import {
  installed,
  logFile,
  networkAddresses,
  type Reach,
  reachable,
  removeService,
  settingsOf,
  startInBackground,
  stopServer,
} from './service/service.ts';

/** The first start makes the database, which took 29 s on a busy machine. */
const MAX_START_MS = 5 * 60_000;
const LOOK_EVERY_MS = 300;

/** `init`'s options, and what is attached: all projects, or the one in the folder; neither: the person is asked. */
export type UpOptions = Parameters<typeof init>[3] & Reach & { here?: boolean; attach: boolean };

/**
 * Starts the server in the background, attaches the client, and says what was changed, what is stored and sent, and how
 * to undo it.
 *
 * @throws Problem 400 without a fixed port, 409 if something else serves the folder or the port, 500 if it does not start
 */
export async function up(config: Config, io: Io, folder: string, options: UpOptions): Promise<void> {
  const dir = resolve(io.cwd, folder);
  const local = { ...config, url: localUrl(config) };
  const { here, attach, lan, tls, ...forInit } = options;
  reachable(local, { lan, tls });
  if (lan) refuseAgents(io, 'up --lan');
  const restarted = await makeRun(local, io, io.env, lan ? { lan, tls } : undefined);
  const network = networkAddresses(reachableNow(local));
  const health = await callServer(local, 'GET /health');
  const service = installed(local, io);
  if (io.json) {
    const about = { is: service?.platform.is ?? null, file: service?.file ?? null };
    const log = logFile(local.home);
    io.print({
      url: local.url,
      version: health.version,
      pid: holderOf(local.home),
      restarted,
      service: about,
      log,
      network,
    });
  } else io.log(`Lore ${health.version} ${restarted ? 'runs' : 'already runs'} on ${local.url}.`);
  const wanted = attach ? await whatToAttach(local, io, dir, options) : null;
  if (wanted) await init(config, io, dir, { ...forInit, user: wanted === 'user' });
  if (io.json) return;
  if (/[\\/]_npx[\\/]/.test(packageRoot.pathname))
    io.error(
      "warning: this copy is in npm's cache, which npm may empty. To keep it, install it (docs/install.md), then lore up",
    );
  if (!wanted && !attachedHere(local, dir))
    hint(io, 'No project is attached: lore init attaches the one in a folder, lore init --user all.');
  io.log('');
  for (const line of [
    `  starts again  ${service ? `${service.platform.when}: ${service.file}` : `not by itself: there is no systemd, launchd or task scheduler for you here. After a reboot, run lore up`}`,
    `  stored        in ${config.databaseUrl ? 'your PostgreSQL, and in ' : ''}${config.home}: what agents do in attached projects, with secrets taken out`,
    `  sent          ${await whatIsSent(local)}`,
    `  log           ${logFile(config.home)}`,
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
  if (port === 0)
    throw new Problem({
      status: 400,
      title: 'Bad option',
      detail: 'LORE_PORT must be a port: lore up keeps it.',
    });
  return `http://${listensEverywhere(host) ? '127.0.0.1' : host}:${port}`;
}

/** Whether this program was built, or installed, after the server of a data folder had started. */
const isNewer = (home: string): boolean =>
  statSync(new URL('dist/cli/process.js', packageRoot)).mtimeMs > statSync(join(home, 'server.lock')).mtimeMs;

/**
 * Restarts the server of `lore up` so that others in the network reach it, or no longer. It stays so over reboots.
 *
 * @throws Problem 403 below an agent's shell, 409 if `lore up` has started none
 */
export async function serviceLan(config: Config, io: Io, reach: Reach): Promise<void> {
  refuseAgents(io, 'service lan');
  const kept = settingsOf(config.home);
  if (kept === null)
    throw new Problem({
      status: 409,
      title: 'Service cannot be used',
      detail:
        'lore up has started no server: lore up --lan --tls does. In the foreground it is lore start --lan --tls.',
    });
  const env = { ...kept.env, LORE_HOME: config.home };
  const set = readConfig(env, io);
  const local = { ...set, url: localUrl(set) };
  const restarted = await makeRun(local, io, env, reach);
  const network = networkAddresses(reachableNow(local));
  if (io.json) return io.print({ url: local.url, restarted, network });
  io.log(
    `Lore ${restarted ? 'runs' : 'already runs'} on ${local.url}${network.length > 0 ? '.' : ' for this machine alone.'}`,
  );
  if (reach.lan) io.log(await lanLines(reachableNow(local), io, network));
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
  if (pid === null && health !== null)
    throw new Problem({
      status: 409,
      title: 'Data folder in use',
      detail: `Something else answers on ${config.url}: set LORE_PORT to another port.`,
    });
  if (pid !== null && kept === null)
    throw new Problem({
      status: 409,
      title: 'Data folder in use',
      detail: `Process ${pid} serves ${config.home}, started by hand. Stop it, then lore up starts it in the background.`,
    });
  const same = kept?.bin === program && reach.lan === before.lan && reach.tls === before.tls;
  if (pid !== null && health?.version === version && same && !isNewer(config.home)) return false;
  if (pid !== null) await stopServer(config, io);
  const log = logFile(config.home);
  const logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const started = startInBackground(config, io, env, reach);
  await untilHealthy(config, io, async () => {
    const said = (await textFrom(log, logged)).match(/^lore: .+/gm)?.at(-1);
    return said ?? (started.platform === null && started.ended() ? 'It ended.' : null);
  });
  return true;
}

async function untilHealthy(config: Config, io: Io, fault: () => Promise<string | null>): Promise<void> {
  const until = performance.now() + MAX_START_MS;
  const done = progressLine(io, whatStarts(isFirstStart(config)), { lines: !io.json });
  try {
    while ((await healthOf(config)) === null) {
      const reason = (await fault()) ?? (performance.now() > until ? 'It does not answer.' : null);
      if (reason !== null) {
        removeService(config, io);
        throw new Problem({
          status: 500,
          title: 'Server does not start',
          detail: `${reason.replace(/^lore: /, '')} The rest is in ${logFile(config.home)}.`,
        });
      }
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    done();
  }
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

async function textFrom(file: string, start: number): Promise<string> {
  let text = '';
  if (existsSync(file)) for await (const chunk of createReadStream(file, { start })) text += chunk;
  return text;
}

const attachedHere = (config: Config, dir: string) =>
  userKey(config) !== undefined || isAttached(config, dir);

/** Returns what to attach: as the options say, or as the person answers. */
async function whatToAttach(
  config: Config,
  io: Io,
  dir: string,
  options: UpOptions,
): Promise<'user' | 'project' | null> {
  if (options.user) return 'user';
  if (options.here) return 'project';
  if (io.json || !onTerminal(io) || isBelowAgent(io)) return null;
  if (attachedHere(config, dir)) return null;
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

/** Says what leaves this machine. */
async function whatIsSent(config: Config): Promise<string> {
  const { provider, model } = await callServer(config, 'GET /v1/model');
  if (provider !== 'none')
    return `to ${provider} (${model}): the parts of sessions from which lessons are written, without secrets`;
  return config.modelDir === undefined
    ? 'nothing (once, the embedding model is fetched if its hub can be reached)'
    : 'nothing';
}
