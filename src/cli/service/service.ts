import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, VARIABLES } from '../../config.ts';
import { Problem } from '../../errors/problem.ts';
import { holderOf } from '../../files/lock-folder.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { program as bin } from '../../files/package-root.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { lanAddresses, listensEverywhere } from '../../http/addresses.ts';
import type { Io } from '../io.ts';
import { isBelowAgent } from '../overrule.ts';
import { failureOf, type Person, PLATFORMS, type Platform, type Program } from './platforms.ts';

// The server in the background. With a platform's service it starts again after a reboot; without one it is a plain
// process. How it is configured stands in <home>/service.json, for this user only, so that no key is in a file of the
// platform.

/** A stop takes 4 s at most; the machine may be busy. */
const MAX_STOP_MS = 30_000;
const LOOK_EVERY_MS = 200;
const MAX_LOG = 5 * 1024 * 1024;

/** How others in the network reach the server, if at all: by plain HTTP, or with `tls` by https alone. */
export type Reach = { lan?: boolean; tls?: boolean };

/** What `lore up` kept for the server: the program that it started, its environment, how others reach it. */
export type Settings = { bin: string; env: Record<string, string>; reach: Reach };

const settingsFile = (home: string) => join(home, 'service.json');
export const logFile = (home: string) => join(home, 'server.log');

/** Returns what is started. Each data folder has a service of its own; that of the usual folder is called `lore`. */
function programOf({ home }: Pick<Config, 'home'>, person: Person): Program {
  const usual = home === join(person.home, '.lore');
  const name = usual ? 'lore' : `lore-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
  return { node: process.execPath, bin, home, log: logFile(home), name, person };
}

/** Returns the platform whose service starts Lore, and its file; null if none does. */
export function installed(
  config: Config,
  person: Person,
): { platform: Platform; file: string; name: string } | null {
  const program = programOf(config, person);
  const platform = PLATFORMS.find((one) => existsSync(one.file(program)) && one.works(person));
  return platform ? { platform, file: platform.file(program), name: program.name } : null;
}

/**
 * Starts the server in the background, by the platform's service if there is one. Returns that, or why there is none.
 *
 * @throws Problem (500) when the service refuses
 */
export function startInBackground(
  config: Config,
  person: Person & Pick<Io, 'ppid'>,
  env: Io['env'],
  reach: Reach,
): { platform: Platform; file: string } | { platform: null; ended: () => boolean } {
  const program = programOf(config, person);
  makeFolder(config.home);
  const kept = VARIABLES.filter((name) => env[name] && !(name === 'LORE_KEY' && isBelowAgent(person)));
  const settings = {
    bin,
    env: Object.fromEntries([...kept, 'PATH'].map((name) => [name, env[name]])),
    reach,
  };
  writeAtomically(settingsFile(config.home), JSON.stringify(settings), { mode: 0o600 });
  if ((statSync(program.log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG)
    renameSync(program.log, `${program.log}.old`);

  const platform = PLATFORMS.find((one) => one.works(person));
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
    return { platform: null, ended: () => child.exitCode !== null || child.signalCode !== null };
  }
  const file = platform.file(program);
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, platform.text(program), { mode: 0o600 });
  for (const command of platform.start(program)) {
    const failure = failureOf(command, person);
    if (failure === null) continue;
    throw new Problem({
      status: 500,
      title: 'Service cannot be used',
      detail: `${command.join(' ')}: ${failure}. ${file} is there; lore service remove takes it away.`,
    });
  }
  return { platform, file };
}

/** Returns what `lore up` kept for the server of a data folder; null if it has started none. */
export function settingsOf(home: string): Settings | null {
  const file = settingsFile(home);
  return existsSync(file) ? { reach: {}, ...JSON.parse(readFileSync(file, 'utf8')) } : null;
}

/** Returns the configuration with what `--lan` and `--tls` change. @throws Problem (400) for `--tls` alone */
export function reachable(config: Config, { lan, tls }: Reach): Config {
  if (tls && !lan)
    throw new Problem({
      status: 400,
      title: 'Bad option',
      detail: '--tls is how --lan is reached: give both.',
    });
  if (tls) return { ...config, tlsPort: config.tlsPort ?? config.port + 1 };
  return lan ? { ...config, host: '0.0.0.0' } : config;
}

/** Returns the addresses by which others in the network reach a server that is configured so. */
export function networkAddresses({ host, port, tlsPort }: Config): string[] {
  const addresses = tlsPort !== undefined || listensEverywhere(host) ? lanAddresses() : [];
  return addresses.map((address) =>
    tlsPort === undefined ? `http://${address}:${port}` : `https://${address}:${tlsPort}`,
  );
}

/**
 * Stops the server of the data folder, whoever started it, and waits until it has ended. Returns its process; null if
 * none ran.
 *
 * @throws Problem (500) when it does not end
 */
export async function stopServer(config: Config, person: Person): Promise<number | null> {
  const pid = holderOf(config.home);
  if (pid === null) return null;
  const service = installed(config, person);
  // the service would start it again
  if (service)
    for (const command of service.platform.stop(programOf(config, person))) failureOf(command, person);
  if (holderOf(config.home) === pid) process.kill(pid, 'SIGTERM');
  for (const until = performance.now() + MAX_STOP_MS; holderOf(config.home) !== null; ) {
    if (performance.now() > until)
      throw new Problem({
        status: 500,
        title: 'Server does not stop',
        detail: `Process ${pid} was asked to end and still serves ${config.home}.`,
      });
    await sleep(LOOK_EVERY_MS);
  }
  return pid;
}

/** Takes the service away, so that nothing starts Lore again. Returns its file; null if there was none. */
export function removeService(config: Config, person: Person): string | null {
  const program = programOf(config, person);
  const service = installed(config, person);
  if (service) {
    for (const command of service.platform.remove(program)) failureOf(command, person);
    rmSync(service.file, { force: true });
    if (service.platform.is.startsWith('systemd'))
      failureOf(['systemctl', '--user', 'daemon-reload'], person);
  }
  rmSync(settingsFile(config.home), { force: true });
  return service?.file ?? null;
}
