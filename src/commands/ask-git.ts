import { execFile } from 'node:child_process';

// Asks git about a work tree on the owner's own machine.

export type Answer = { code: number; out: string };
export type Ask = (...args: string[]) => Promise<Answer>;

const PATIENCE_MS = 1_000;
const MAX_OUTPUT = 1024 * 1024;

/** Returns a way to ask git in a folder. It runs none of the programs that settings name, and waits for nothing. */
export function createAsk(cwd: string): Ask {
  const mine = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(mine), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
  const first = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  return (...args) =>
    new Promise((done) => {
      execFile(
        'git',
        [...first, ...args],
        { cwd, env, timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT },
        (error, out) => done({ code: error ? (typeof error.code === 'number' ? error.code : -1) : 0, out }),
      );
    });
}

/** A file that `git status` lists, with its two marks. */
export type Change = { index: string; tree: string; path: string };

/** Returns what `git status` lists; null when it fails. */
export async function changes(ask: Ask, ...args: string[]): Promise<Change[] | null> {
  const { code, out } = await ask('status', '--porcelain=v1', '-z', '--no-renames', ...args);
  if (code !== 0) return null;
  return out
    .split('\0')
    .filter(Boolean)
    .map((line) => ({ index: line[0] ?? '', tree: line[1] ?? '', path: line.slice(3) }));
}
