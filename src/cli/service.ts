import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'jsonc-parser';
import { type Config, VARIABLES } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { holderOf } from '../base/files/lock-folder.ts';
import { makeFolder } from '../base/files/make-folder.ts';
import { program as bin } from '../base/files/package-root.ts';
import { readText } from '../base/files/read-text.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import { lanAddresses, listensEverywhere } from '../http/addresses.ts';
import { type Io, isBelowAgent } from './io.ts';
import table from './service.jsonc' with { type: 'text' };
import templates from './service.txt' with { type: 'text' };

// The server in the background. With systemd or launchd it starts again after a reboot; without them it is a plain
// process. How it is configured stands in <home>/service.json, for this user only, so that no key is in a file of the
// system.

/** A stop takes 4 s at most; the machine may be busy. */
const MAX_STOP_MS = 30_000;
const MAX_LOG = 5 * 1024 * 1024;

/** Whose service it is. */
type Person = Pick<Io, 'home' | 'env'>;
/** What is started: `node lore.js service run <home>`, with its output in a log. */
type Program = { words: string[]; log: string; name: string };
type Commands = 'asked' | 'before' | 'start' | 'stop' | 'remove';
type Service = Record<'is' | 'when' | 'file' | 'text', string> & { commands(which: Commands): string[][] };

const SERVICES: Record<string, Record<'is' | 'when' | 'file', string> & Record<Commands, string[]>> =
  parse(table);
const forXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** In a unit, % and $ have a meaning, and in quotation marks a backslash too. */
const forUnit = (text: string) =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
/** How words and log stand in the file of a system. */
const WRITTEN: Record<string, (program: Program) => [words: string, log: string]> = {
  linux: ({ words, log }) => [words.map(forUnit).join(' '), log.replaceAll('%', '%%')],
  darwin: ({ words, log }) => [words.map((word) => `<string>${forXml(word)}</string>`).join(''), forXml(log)],
  win32: ({ words, log }) => {
    const line = words.map((word) => `"${word}"`).join(' ');
    return [forXml(`--headless cmd.exe /d /s /c "${line} >> "${log}" 2>&1"`), ''];
  },
};

/** Returns what starts a program again after a reboot of a system; null if nothing does. */
export function serviceOf(system: string, program: Program, { home, env }: Person): Service | null {
  const [about, written] = [SERVICES[system], WRITTEN[system]?.(program)];
  if (!about || !written) return null;
  const [words, log] = written;
  const values: Record<string, string> = {
    ...{ words, log, name: program.name, home, data: dirname(program.log) },
    config: env.XDG_CONFIG_HOME || join(home, '.config'),
    domain: `gui/${process.getuid?.()}`,
  };
  const filled = (text: string) => text.replace(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole);
  const file = filled(about.file);
  values.file = file;
  const text = filled(templates.split('=====\n')[Object.keys(SERVICES).indexOf(system)] ?? '');
  const commands = (which: Commands) => about[which].map((line) => line.split(' ').map(filled));
  return { ...about, file, text, commands };
}

/** Whether others in the network reach the server: by plain HTTP, or with `tls` by https alone. */
export type Reach = { lan?: boolean; tls?: boolean };

/** Says what a start does that takes its time, up to half a minute where it makes the database. */
export const whatStarts = ({ home, databaseUrl }: Config): string =>
  databaseUrl === undefined && !existsSync(join(home, 'pgdata'))
    ? 'The first start makes the database, which takes up to half a minute …'
    : 'Lore starts …';

/** What `lore up` kept for the server: the program that it started, its environment, how others reach it. */
type Settings = { bin: string; env: Record<string, string>; reach: Reach };

const settingsFile = (home: string) => join(home, 'service.json');
export const logFile = (home: string) => join(home, 'server.log');

/** Returns what is started. Each data folder has a service of its own; that of the usual folder is called `lore`. */
function programOf({ home }: Config, person: Person): Program {
  const usual = home === join(person.home, '.lore');
  const name = usual ? 'lore' : `lore-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
  return { words: [process.execPath, bin, 'service', 'run', home], log: logFile(home), name };
}

/** Runs a command. Returns its error, or null. */
function failureOf([program = '', ...args]: string[], { env }: Person): string | null {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000, env });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    return String(stderr ?? '').trim() || message;
  }
}

/** Returns what can start Lore again here. */
function serviceFor(config: Config, person: Person): Service | null {
  const service = serviceOf(process.platform, programOf(config, person), person);
  return service?.commands('asked').every((one) => failureOf(one, person) === null) ? service : null;
}

/** Returns what starts Lore again; null where nothing does. */
export function installed(config: Config, person: Person): Service | null {
  const service = serviceOf(process.platform, programOf(config, person), person);
  return service && existsSync(service.file) ? serviceFor(config, person) : null;
}

/**
 * Starts the server in the background, by the system's service if there is one. Returns what tells whether it has ended
 * by itself, where there is none.
 *
 * @throws Problem (500) when the service refuses
 */
export function startInBackground(config: Config, io: Io, reach: Reach): () => boolean {
  const { words, log } = programOf(config, io);
  makeFolder(config.home);
  const { env } = io;
  const kept = VARIABLES.filter((name) => env[name] && !(name === 'LORE_KEY' && isBelowAgent(io)));
  const own = Object.fromEntries([...kept, 'PATH'].map((name) => [name, env[name]]));
  writeAtomically(settingsFile(config.home), JSON.stringify({ bin, env: own, reach }), { mode: 0o600 });
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG) renameSync(log, `${log}.old`);
  const service = serviceFor(config, io);
  if (!service) {
    const out = openSync(log, 'a', 0o600);
    const others = Object.entries(io.env).filter(([name]) => !VARIABLES.includes(name));
    const [node = '', ...args] = words;
    const child = spawn(node, args, {
      ...{ detached: true, env: Object.fromEntries(others), cwd: config.home },
      stdio: ['ignore', out, out],
    });
    child.unref();
    return () => child.exitCode !== null || child.signalCode !== null;
  }
  mkdirSync(dirname(service.file), { recursive: true });
  writeAtomically(service.file, service.text, { mode: 0o600 });
  for (const command of service.commands('before')) failureOf(command, io);
  for (const command of service.commands('start')) {
    const failure = failureOf(command, io);
    if (failure === null) continue;
    const detail = `${command.join(' ')}: ${failure}. ${service.file} is there; lore down takes it away.`;
    throw new Problem({ status: 500, title: 'Service cannot be used', detail });
  }
  return () => false;
}

/** Returns what `lore up` kept for the server of a data folder; null if it has started none. */
export function settingsOf(home: string): Settings | null {
  const text = readText(settingsFile(home));
  return text === null ? null : { reach: {}, ...JSON.parse(text) };
}

/** Returns the configuration with what `--lan` and `--tls` change. */
export const reachable = (config: Config, { lan, tls }: Reach): Config => {
  if (!lan) return config;
  return tls ? { ...config, tlsPort: config.tlsPort ?? config.port + 1 } : { ...config, host: '0.0.0.0' };
};

/** Returns the addresses by which others in the network reach a server that is configured so. */
export const networkAddresses = ({ host, port, tlsPort }: Config): string[] =>
  lanAddresses().flatMap((one) =>
    tlsPort ? `https://${one}:${tlsPort}` : listensEverywhere(host) ? `http://${one}:${port}` : [],
  );

/**
 * Stops the server of the data folder, whoever started it, and waits until it has ended. Returns its process; null if
 * none ran.
 *
 * @throws Problem (500) when it does not end
 */
export async function stopServer(config: Config, person: Person): Promise<number | null> {
  const pid = holderOf(config.home);
  if (pid === null) return null;
  // the service would start it again
  for (const command of installed(config, person)?.commands('stop') ?? []) failureOf(command, person);
  if (holderOf(config.home) === pid) process.kill(pid, 'SIGTERM');
  const detail = `Process ${pid} was asked to end and still serves ${config.home}.`;
  for (const until = performance.now() + MAX_STOP_MS; holderOf(config.home) !== null; await sleep(200))
    if (performance.now() > until) throw new Problem({ status: 500, title: 'Server does not stop', detail });
  return pid;
}

/** Takes the service away, so that nothing starts Lore again. Returns its file; null if there was none. */
export function removeService(config: Config, person: Person): string | null {
  const service = installed(config, person);
  if (service) rmSync(service.file, { force: true });
  for (const command of service?.commands('remove') ?? []) failureOf(command, person);
  rmSync(settingsFile(config.home), { force: true });
  return service?.file ?? null;
}
