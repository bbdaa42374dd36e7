import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';

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
};

export function ioOf(process: Process, json: boolean): Io {
  const { stdout, stderr } = process;
  const { log, error } = new Console({ stdout, stderr });
  const print = (value: unknown) => log(JSON.stringify(value, null, 2));
  return { ...process, json, columns: stdout.columns || undefined, log, error, print };
}

/** Whether a person can be asked: on a terminal, from which no agent started this. */
export const onTerminal = ({ stdin, stdout }: Process): boolean =>
  stdin.isTTY === true && stdout.isTTY === true;
