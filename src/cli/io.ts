import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Problem } from '../base/errors/problem.ts';
import { readText } from '../base/files/read-text.ts';
import { asCalled } from './print.ts';

/** What a command takes from the process that it runs in: `process.ts` gives it the real one, tests give their own. */
export type Process = {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: Record<string, string | undefined>;
  cwd: string;
  /** the person's home folder */
  home: string;
  /** the process that started this one */
  ppid: number;
  /** only for `start`, which ends when it is told to */
  onSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void;
  exit(code: number): void;
};

/** The process, how to print to it, and whether everything is printed as JSON. */
export type Io = Process & {
  json: boolean;
  /** of the terminal; undefined if the output goes elsewhere */
  columns: number | undefined;
  log: Console['log'];
  error: Console['error'];
  /** prints a value as JSON */
  print(value: unknown): void;
  /** prints a value as JSON with --json, else these lines */
  answer(value: unknown, ...lines: string[]): void;
};

export function ioOf(process: Process, json: boolean): Io {
  const { stdout, stderr } = process;
  const { log, error } = new Console({ stdout, stderr });
  const print = (value: unknown) => log(JSON.stringify(value, null, 2));
  const answer = (value: unknown, ...lines: string[]) => {
    if (json) print(value);
    else for (const line of lines) log(line);
  };
  return { ...process, json, columns: stdout.columns || undefined, log, error, print, answer };
}

/** Whether a person can be asked: on a terminal, from which no agent started this. */
const onTerminal = ({ stdin, stdout }: Process): boolean => stdin.isTTY === true && stdout.isTTY === true;

/** Whether a person may be asked now. */
export const mayAsk = (io: Io): boolean => !io.json && onTerminal(io) && !isBelowAgent(io);

/** @throws Problem (403) below an agent's shell: what handles a person's keys is not for agents */
export function refuseAgents(io: Io, command: string): void {
  if (isBelowAgent(io)) throw refusal(command, "runs below an agent's shell here (CLAUDECODE is set)");
}

/** @throws Problem (403) unless a person runs this on a terminal of their own: it decides what agents may do */
export function refuseUnlessPerson(io: Io, command: string): void {
  if (!onTerminal(io)) throw refusal(command, 'works on a terminal only, and there is no terminal here');
  refuseAgents(io, command);
}

const refusal = (command: string, why: string) =>
  new Problem({
    status: 403,
    title: 'Only a person can do this',
    detail: `lore ${command} ${why}. A person runs it in a terminal of their own.`,
  });

/** Claude Code sets this for every command that it runs. */
const MARKER = 'CLAUDECODE';

/**
 * Returns whether an agent started this process or one above it, because an agent may have removed the marker from the
 * environment of this one. On systems other than Linux only this process is looked at.
 */
export function isBelowAgent({ env, ppid }: Pick<Io, 'env' | 'ppid'>): boolean {
  if (env[MARKER] !== undefined) return true;
  if (process.platform !== 'linux') return false;
  for (let pid = ppid; pid > 1; pid = parentOf(pid))
    if (`\0${readProc(pid, 'environ')}`.includes(`\0${MARKER}=`)) return true;
  return false;
}

/** Returns the parent of a process. The program's name is in brackets before the fields, and may contain brackets itself. */
const parentOf = (pid: number): number => {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
};

/** Returns a file of `/proc`; an empty text if the process belongs to another user, as `sudo` and `login` do. */
const readProc = (pid: number, name: 'environ' | 'stat'): string =>
  readText(`/proc/${pid}/${name}`, { encoding: 'latin1' }) ?? '';

/**
 * Asks a yes-or-no question on the terminal. Returns whether the answer is yes.
 *
 * @param about what is asked, for people: “A statement that writes”
 * @throws Problem (400) when there is no terminal to ask on
 */
export async function confirmed(io: Io, about: string, question: string): Promise<boolean> {
  if (io.stdin.isTTY) return (await answerTo(io, `${question} [y/N] `, ['yes', 'no'], 'no')) === 'yes';
  const detail = `${about} asks first, and there is no terminal to ask on. Add --yes.`;
  throw new Problem({ status: 400, title: 'Not confirmed', detail });
}

/**
 * Asks on the terminal, again after an answer that is no choice. Returns the choice of which the answer is the beginning.
 *
 * @param usual what an empty answer means, or the end of the input
 */
export async function answerTo<C extends string>(
  io: Io,
  question: string,
  choices: readonly C[],
  usual: C,
): Promise<C> {
  if (io.stdin.readableEnded) return usual;
  // the terminal edits the line: otherwise an end of input that came before the question would not be seen
  const ask = createInterface({ input: io.stdin, output: io.stdout, terminal: false });
  const ended = new Promise<null>((resolve) => ask.once('close', () => resolve(null)));
  let chosen: C | undefined;
  while (chosen === undefined) {
    const answer = await Promise.race([ask.question(asCalled(question)), ended]);
    // so that what follows stands on a line of its own
    if (answer === null) io.log('');
    const said = answer?.trim().toLowerCase() ?? '';
    chosen = said === '' ? usual : choices.find((choice) => choice.startsWith(said));
    if (chosen === undefined) io.log(`“${said}” is none of the answers.`);
  }
  ask.close();
  return chosen;
}

/**
 * Returns what to tell a person whose file or folder could not be used; null when the error is another one.
 *
 * @param named the file as the person named it; default: the path in the system's error
 */
export function fileProblem(error: unknown, named?: string): Problem | null {
  const { code, path, message } = Object(error) as { code?: string; path?: string; message?: string };
  const [words] = /(?<=^E[A-Z]+: )[^,]+/.exec(message ?? '') ?? [];
  if (words === undefined || path === undefined) return null;
  const title = code === 'ENOENT' ? 'No such file' : 'Cannot use a file';
  return new Problem({ status: 400, title, detail: `${named ?? path}: ${words}.`, cause: error });
}

/** Returns the bytes of a file that a person named; `-` is standard input. @throws Problem (400) if it cannot be read */
export async function bytesOf({ stdin, cwd }: Io, file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(stdin) : readFileSync(resolve(cwd, file));
  } catch (error) {
    throw fileProblem(Object.assign(error as Error, { path: file })) ?? error;
  }
}
