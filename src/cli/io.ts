import { Console } from 'node:console';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Problem } from '../base/errors/problem.ts';
import { AGAIN } from '../base/files/attachments.ts';
import { isClone, packageRoot, program } from '../base/files/package-root.ts';
import { readText } from '../base/files/read-text.ts';
import type { Unchecked } from '../base/wire/routes.ts';

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

// How things are said.

/** What is printed to; an `Io` is one. */
type Out = { columns: number | undefined; log(text: string): void; error(text: string): void };

/** Returns “87 %” for 0.87. */
export const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Returns “1 call”, “2 calls”. */
export const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

/** Returns the beginning of an id, by which it is cited. */
export const short = (id: string) => id.slice(0, 8);

/** Returns what a kind of record is called: a `learning` of the API is a lesson everywhere else. */
export const called = (kind: string) => (kind === 'learning' ? 'lesson' : kind);

/** Returns a period as “since 2026-01-31T12:00”. */
export const period = ({ validFrom, validUntil }: { validFrom: string; validUntil: string | null }) =>
  validUntil === null
    ? `since ${validFrom.slice(0, 16)}`
    : `${validFrom.slice(0, 16)} until ${validUntil.slice(0, 16)}`;

/**
 * Returns a stored text without the control and bidi characters by which it could move the cursor, set the terminal's
 * title or show other words than it has. Line ends and tabs stay.
 */
export const plain = (text: string) => text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');

/**
 * Returns a text with every control character as `\\x1b`, except line feeds. Otherwise a command could hide a part of
 * itself by moving the cursor.
 */
export const visible = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => {
    const code = (found.codePointAt(0) as number).toString(16);
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`;
  });

/** Returns a time as “5 min ago”. */
export const ago = (time: string): string => agoDays((Date.now() - new Date(time).getTime()) / 86_400_000);

/** Returns an age as “5 min ago”. */
export function agoDays(days: number): string {
  const seconds = Math.max(0, days * 86_400);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Says where calls are not checked, why, and what to do. */
export const uncheckedLine = ({ where, why, remedy, at }: Unchecked): string =>
  `${where} ${why}${at === null ? '' : ` (${ago(at)})`}. ${remedy ?? AGAIN}`;

/** How this person calls the command: `npx lore` in a clone or where it came that way, else `lore` if it is on the PATH. */
function calledHere(): string {
  const isBelow = !relative(fileURLToPath(packageRoot), process.cwd()).startsWith('..');
  if (isClone ? isBelow : process.env.npm_command === 'exec') return 'npx lore';
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isFound = folders.some((at) => ['lore', 'lore.cmd'].some((name) => existsSync(join(at, name))));
  return isFound ? 'lore' : `node ${program}`;
}

/** Returns a text with its commands (“lore doctor”) as they are run here. */
export const asCalled = (text: string): string =>
  text.replace(/(?<!npx |[-/.])\blore (?=[a-z])/g, () => `${calledHere()} `);

/** Prints a text with its commands as they are run here, in lines that fit the terminal: those that go on are indented. */
export function hint({ columns, log }: Out, text: string, indent = '') {
  if (columns === undefined) return log(asCalled(text));
  const line = `[^\\n]{1,${Math.max(1, columns - indent.length)}}`;
  log(asCalled(text).replace(new RegExp(`(?=[^\\n]{${columns + 1}})(${line})[ \\t]+`, 'g'), `$1\n${indent}`));
}

/** Prints warnings, with their commands as they are run here. */
export const warn = (io: Out, warnings: string[]): void => {
  for (const warning of warnings) io.error(asCalled(`warning: ${warning}`));
};
