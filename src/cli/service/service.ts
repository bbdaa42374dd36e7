import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Config, VARIABLES } from '../../config.ts';
import { Problem } from '../../errors/problem.ts';
import { holderOf } from '../../files/lock-folder.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { program as bin } from '../../files/package-root.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { lanAddresses, listensEverywhere } from '../../http/addresses.ts';
import { type Io, isBelowAgent } from '../io.ts';
import { failureOf, type Person, PLATFORMS, type Program, works } from './platforms.ts';

// The server in the background. With a platform's service it starts again after a reboot; without one it is a plain
// process. How it is configured stands in <home>/service.json, for this user only, so that no key is in a file of the
// platform.

/** A stop takes 4 s at most; the machine may be busy. */
const MAX_STOP_MS = 30_000;
const MAX_LOG = 5 * 1024 * 1024;

/** Whether others in the network reach the server, by plain HTTP. */
export type Reach = { lan?: boolean };

/** Gives a command that starts a server what they all take. */
export const reaching = (command: Command) =>
  command.option('--lan', 'listen on all interfaces, and show a code that signs a phone in');

/** Says what a start does that takes its time, up to half a minute where it makes the database. */
export const whatStarts = ({ home, databaseUrl }: Config): string =>
  databaseUrl === undefined && !existsSync(join(home, 'pgdata'))
    ? 'The first start makes the database, which takes up to half a minute …'
    : 'Lore starts …';

/** What `lore up` kept for the server: the program that it started, its environment, how others reach it. */
type Settings = { bin: string; env: Record<string, string>; reach: Reach };

const settingsFile = (home: string) => join(home, 'service.json');
export const logFile = (home: string) => join(home, 'server.log');

const trouble = (title: 'Service cannot be used' | 'Server does not stop', detail: string) =>
  new Problem({ status: 500, title, detail });

/** Returns what is started. Each data folder has a service of its own; that of the usual folder is called `lore`. */
function programOf({ home }: Pick<Config, 'home'>, person: Person): Program {
  const usual = home === join(person.home, '.lore');
  const name = usual ? 'lore' : `lore-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
  return { node: process.execPath, bin, home, log: logFile(home), name, person };
}

const serviceOf = (program: Program) =>
  PLATFORMS.find((one) => existsSync(one.file(program)) && works(one, program.person));

/** Returns what starts Lore again, and by which file; null where nothing does. */
export function installed(config: Config, person: Person): { is: string; when: string; file: string } | null {
  const program = programOf(config, person);
  const service = serviceOf(program);
  return service ? { is: service.is, when: service.when, file: service.file(program) } : null;
}

/**
 * Starts the server in the background, by the platform's service if there is one. Returns what tells whether it has ended
 * by itself, where there is none.
 *
 * @throws Problem (500) when the service refuses
 */
export function startInBackground(
  config: Config,
  person: Person & Pick<Io, 'ppid'>,
  env: Io['env'],
  reach: Reach,
): () => boolean {
  const program = programOf(config, person);
  makeFolder(config.home);
  const kept = VARIABLES.filter((name) => env[name] && !(name === 'LORE_KEY' && isBelowAgent(person)));
  const own = Object.fromEntries([...kept, 'PATH'].map((name) => [name, env[name]]));
  writeAtomically(settingsFile(config.home), JSON.stringify({ bin, env: own, reach }), { mode: 0o600 });
  if ((statSync(program.log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG)
    renameSync(program.log, `${program.log}.old`);

  const platform = PLATFORMS.find((one) => works(one, person));
  if (!platform) {
    const log = openSync(program.log, 'a', 0o600);
    const others = Object.entries(person.env).filter(([name]) => !VARIABLES.includes(name));
    const child = spawn(program.node, [program.bin, 'service', 'run', program.home], {
      detached: true,
      env: Object.fromEntries(others),
      stdio: ['ignore', log, log],
      cwd: config.home,
    });
    child.unref();
    return () => child.exitCode !== null || child.signalCode !== null;
  }
  const file = platform.file(program);
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, platform.text(program), { mode: 0o600 });
  for (const command of platform.start(program)) {
    const failure = failureOf(command, person);
    if (failure !== null)
      throw trouble(
        'Service cannot be used',
        `${command.join(' ')}: ${failure}. ${file} is there; lore service remove takes it away.`,
      );
  }
  return () => false;
}

/** Returns what `lore up` kept for the server of a data folder; null if it has started none. */
export function settingsOf(home: string): Settings | null {
  const file = settingsFile(home);
  return existsSync(file) ? { reach: {}, ...JSON.parse(readFileSync(file, 'utf8')) } : null;
}

/** Returns the configuration with what `--lan` changes. */
export const reachable = (config: Config, { lan }: Reach): Config =>
  lan ? { ...config, host: '0.0.0.0' } : config;

/** Returns the addresses by which others in the network reach a server that is configured so. */
export const networkAddresses = ({ host, port }: Config): string[] =>
  listensEverywhere(host) ? lanAddresses().map((address) => `http://${address}:${port}`) : [];

/**
 * Stops the server of the data folder, whoever started it, and waits until it has ended. Returns its process; null if
 * none ran.
 *
 * @throws Problem (500) when it does not end
 */
export async function stopServer(config: Config, person: Person): Promise<number | null> {
  const pid = holderOf(config.home);
  if (pid === null) return null;
  const program = programOf(config, person);
  // the service would start it again
  for (const command of serviceOf(program)?.stop(program) ?? []) failureOf(command, person);
  if (holderOf(config.home) === pid) process.kill(pid, 'SIGTERM');
  for (const until = performance.now() + MAX_STOP_MS; holderOf(config.home) !== null; await sleep(200))
    if (performance.now() > until)
      throw trouble(
        'Server does not stop',
        `Process ${pid} was asked to end and still serves ${config.home}.`,
      );
  return pid;
}

/** Takes the service away, so that nothing starts Lore again. Returns its file; null if there was none. */
export function removeService(config: Config, person: Person): string | null {
  const program = programOf(config, person);
  const service = serviceOf(program);
  const file = service?.file(program) ?? null;
  for (const command of service?.remove(program) ?? []) failureOf(command, person);
  if (file !== null) rmSync(file, { force: true });
  if (service?.on === 'linux') failureOf(['systemctl', '--user', 'daemon-reload'], person);
  rmSync(settingsFile(config.home), { force: true });
  return file;
}
