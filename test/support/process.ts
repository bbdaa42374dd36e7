import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { clientFolder, temporaryFolder } from './left-behind.ts';
import { freePort } from './loopback.ts';
import { emptyDatabase, testDatabase } from './server.ts';

export { emptyDatabase, freePort, temporaryFolder };

const bin = fileURLToPath(new URL('../../bin/lore.js', import.meta.url));

/**
 * A server that lives for seconds does not win back what it costs to compile PGlite a second time, with care: 0.8 s of the
 * processor.
 */
const SHORT_LIVED = ['--liftoff-only'];

export type Finished = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** A running `node bin/lore.js …`. */
export type Process = {
  pid: number;
  /** what it has printed so far */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  finished: Promise<Finished>;
};

/**
 * Starts the real command with this environment only (and what Node needs).
 *
 * @param options.terminal runs it on a terminal, by util-linux's `script`; all its output is in `stdout`. `apart`: below
 *   no process of this one, as in a person's own terminal (an agent may run the tests); the exit code is the last line
 * @param options.bin another program than this clone's
 */
export function startLore(
  args: string[],
  options: {
    env?: Record<string, string>;
    cwd?: string;
    input?: string;
    unset?: string;
    terminal?: boolean | 'apart';
    bin?: string;
  } = {},
): Process {
  const { PATH = '', TMPDIR, TZ } = process.env;
  const command = [
    process.execPath,
    ...(args[0] === 'start' ? SHORT_LIVED : []),
    options.bin ?? bin,
    ...args,
  ];
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const unset = options.unset ? `env -u ${options.unset} ${quoted}` : quoted;
  const script = [
    'script',
    '-qec',
    options.terminal === 'apart' ? `${quoted}; echo "exit $?"` : unset,
    '/dev/null',
  ];
  const onTerminal = options.terminal === 'apart' ? ['setsid', '--fork', ...script] : script;
  const [program = '', ...rest] = options.terminal ? onTerminal : command;
  const child = spawn(program, rest, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { PATH, HOME: '/nonexistent', ...(TMPDIR && { TMPDIR }), ...(TZ && { TZ }), ...options.env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  // A command may end without reading its input.
  child.stdin.on('error', () => {}).end(options.input ?? '');
  const finished = once(child, 'close').then(([code, signal]) => {
    return { code, signal, stdout, stderr };
  });
  return {
    pid: child.pid as number,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (s) => child.kill(s),
    finished,
  };
}

type Run = Omit<NonNullable<Parameters<typeof startLore>[1]>, 'unset'> & { terminal?: boolean };

/**
 * Runs a command to its end, in this process, with this environment only. Returns its exit code and output. Another program
 * (`bin`) is started.
 *
 * @param options.terminal on a terminal of a person: all its output is in `stdout`, and each line of the input comes when it is
 *   asked for
 */
export async function runLore(args: string[], options: Run = {}): Promise<Finished> {
  if (options.bin !== undefined) return startLore(args, options).finished;
  const { said, given } = ownProcess(options);
  return { code: await main(args, given), signal: null, ...said };
}

/** Returns what a command takes from its process, and what it prints there. */
function ownProcess({ env: own, cwd = process.cwd(), input = '', terminal: isTTY = false }: Run) {
  const { PATH = '', TMPDIR } = process.env;
  const env = { PATH, HOME: '/nonexistent', ...(TMPDIR && { TMPDIR }), ...own };
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => {
    const write = (chunk: unknown, _: string, done: () => void) => {
      said[name] += chunk;
      done();
    };
    return Object.assign(new Writable({ write }), { isTTY });
  };
  const lines = isTTY ? input.split(/(?<=\n)/) : [input];
  const read = function (this: Readable) {
    setImmediate(() => this.push(lines.shift() || null));
  };
  const stdin = Object.assign(new Readable({ highWaterMark: 1, read }), { isTTY });
  const given = {
    ...{ stdin, stdout: into('stdout'), stderr: into(isTTY ? 'stdout' : 'stderr') },
    ...{ env, cwd, home: env.HOME, ppid: 1 },
    onSignal: (_signal: NodeJS.Signals, _listener: (signal: NodeJS.Signals) => void): void => {},
    exit: (_code: number): void => {},
  };
  return { said, given };
}

/**
 * Starts a server in this process, as `lore start` does. SIGTERM and SIGINT are told to it; what it logs goes to the standard
 * error of this process. Rejects with what it says if it does not start.
 */
export async function startHere(
  env: Record<string, string>,
  args: string[] = [],
): Promise<Process & { url: string }> {
  const { said, given } = ownProcess({ env: { ...usual(), ...env } });
  const listeners = new Map<string, (signal: NodeJS.Signals) => void>();
  const finished = new Promise<Finished>((resolve) => {
    given.onSignal = (signal, listener) => void listeners.set(signal, listener);
    given.exit = (code) => resolve({ code, signal: null, ...said });
  });
  if ((await main(['start', ...args], given)) !== 0) throw new Error(said.stderr);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said.stdout)?.[0] ?? '';
  return {
    ...{ pid: process.pid, url, finished, stdout: () => said.stdout, stderr: () => said.stderr },
    kill: (signal) => listeners.get(signal)?.(signal),
  };
}

/** What every server under test is told. Whoever runs the tests may be an agent. */
const usual = () => ({
  LORE_MODEL_DIR: inject('modelDir'),
  LORE_CHECK_SENDER: 'off',
  CLAUDE_CONFIG_DIR: clientFolder(),
});

/**
 * Starts a server as a process of its own and waits until it prints where it listens. Rejects if it ends before that.
 */
export async function startServerProcess(
  env: Record<string, string>,
  args: string[] = [],
): Promise<Process & { url: string }> {
  const server = startLore(['start', ...args], { env: { ...usual(), ...env } });
  let ended: Finished | undefined;
  server.finished.then((finished) => {
    ended = finished;
  });
  for (;;) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.stdout())?.[0];
    if (url) return { ...server, url };
    if (ended) throw new Error(`the server ended with ${ended.code}: ${ended.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Returns the environment for a server with a migrated, empty database. This saves the slowest part of a first start,
 * creating the embedded database. On PostgreSQL the database is that of `DATABASE_URL`.
 */
export async function preparedHome(): Promise<{
  LORE_HOME: string;
  LORE_PORT: string;
  DATABASE_URL?: string;
}> {
  const { url, home } = await testDatabase();
  return { LORE_HOME: home, LORE_PORT: '0', ...(url && { DATABASE_URL: url }) };
}

/** Returns the id of the embedding process for this data folder, found by its command line. */
export function embeddingProcess(home: string): number | undefined {
  const found = readdirSync('/proc').find((name) => {
    try {
      const [, file, options] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return file?.includes('embedding') && options?.includes(`"${home}"`);
    } catch {
      return false; // not a process, or it has ended meanwhile
    }
  });
  return found === undefined ? undefined : Number(found);
}

const CLEARED = /[^\n]*\r\p{Cc}\[K/gu;

/** Runs a command as a person does, on a terminal of their own. Returns its exit code and what the terminal shows. */
export async function runAsPerson(args: string[], options: Run): Promise<{ code: number; said: string }> {
  if (options.bin !== undefined) return startedByPerson(args, options);
  const { code, stdout } = await runLore(args, { ...options, terminal: true });
  return { code: Number(code), said: stdout.replace(CLEARED, '') };
}

async function startedByPerson(args: string[], options: Run): Promise<{ code: number; said: string }> {
  const { stdout } = await startLore(args, { ...options, terminal: 'apart' }).finished;
  // a line that was written over, and then cleared, is not on the screen any more
  const said = stdout.replaceAll('\r\n', '\n').replace(CLEARED, '');
  const [, text = '', code] = /^([\s\S]*)exit (\d+)\n$/.exec(said) ?? [];
  return { code: Number(code), said: text };
}
