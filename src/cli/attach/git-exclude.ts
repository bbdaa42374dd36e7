import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeAtomically } from '../../files/write-atomically.ts';

// The settings contain a key, so git must ignore them. `.git/info/exclude` is the right file, because it belongs to one
// person and is never committed. `.gitignore` belongs to the project.

const SETTINGS = '.claude/settings.local.json';

/** What was added to an exclude file, so that exactly this can be removed again. */
export type Exclusion = {
  file: string;
  /**
   * the line. `added` is all that was appended; it has a line break before the line if the file did not end
   * with one
   */
  line: string;
  added: string;
  madeFile: boolean;
  madeFolder: boolean;
};

/**
 * Returns whether git does not ignore the settings of the project in `dir`; false without git or outside a work tree.
 */
export function isTakenInByGit(dir: string): boolean {
  // exit code 0: ignored, 1: not ignored or tracked already, 128: no work tree, null: no git
  return git(dir, 'check-ignore', '-q', SETTINGS).status === 1;
}

/** Returns what to append to which file to make git ignore the settings; undefined if no line can express it. */
export function planExclusion(dir: string): Exclusion | undefined {
  // in a linked work tree this is the file of the main work tree, because git reads no other
  const path = git(dir, 'rev-parse', '--git-path', 'info/exclude').stdout.replace(/\n$/, '');
  const prefix = git(dir, 'rev-parse', '--show-prefix').stdout.replace(/\n$/, '');
  if (path === '' || /[\r\n]/.test(prefix)) return undefined;
  const file = resolve(dir, path);
  const before = fs.existsSync(file) ? fs.readFileSync(file) : undefined;
  const line = `/${(prefix + SETTINGS).replace(/[\\*?[]/g, '\\$&')}`;
  const endsOpen = before !== undefined && before.length > 0 && before.at(-1) !== 0x0a;
  return {
    file,
    line,
    added: `${endsOpen ? '\n' : ''}${line}\n`,
    madeFile: before === undefined,
    madeFolder: !fs.existsSync(dirname(file)),
  };
}

/** Adds the line. Returns false if the file system refuses it, for example because `.git` is read-only. */
export function addExclusion({ file, added }: Exclusion): boolean {
  try {
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.appendFileSync(file, added);
    return true;
  } catch {
    return false;
  }
}

/** Removes what was added. If the file grew since, removes only the line. Does nothing if the line is gone. */
export function removeExclusion({ file, line, added, madeFile, madeFolder }: Exclusion): void {
  if (!fs.existsSync(file)) return;
  // latin1 keeps every byte as it is
  const text = fs.readFileSync(file, 'latin1');
  const whole = Buffer.from(added).toString('latin1');
  const untouched = text === whole || text.endsWith(whole.startsWith('\n') ? whole : `\n${whole}`);
  const rest = untouched
    ? text.slice(0, -whole.length)
    : withoutLine(text, Buffer.from(line).toString('latin1'));
  if (rest === text) return;
  if (rest === '' && madeFile) {
    fs.unlinkSync(file);
    if (madeFolder && fs.readdirSync(dirname(file)).length === 0) fs.rmdirSync(dirname(file));
  } else writeAtomically(file, Buffer.from(rest, 'latin1'));
}

function withoutLine(text: string, line: string): string {
  const lines = text.split('\n');
  const at = lines.lastIndexOf(line);
  return at === -1 ? text : lines.toSpliced(at, 1).join('\n');
}

function git(dir: string, ...args: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  return { status, stdout: status === 0 ? stdout : '' };
}
