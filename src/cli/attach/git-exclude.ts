import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeAtomically } from '../../files/write-atomically.ts';

// The settings contain a key, so git must ignore them. `.git/info/exclude` is the right file, because it belongs to one
// person and is never committed. `.gitignore` belongs to the project.

const SETTINGS = '.claude/settings.local.json';

/** The line that was added to an exclude file. */
export type Exclusion = { file: string; line: string };

/** Returns whether git does not ignore the settings of the project in `dir`; false without git or outside a work tree. */
export const isTakenInByGit = (dir: string): boolean =>
  // exit code 0: ignored, 1: not ignored or tracked already, 128: no work tree, null: no git
  git(dir, 'check-ignore', '-q', SETTINGS).status === 1;

/** Adds a line that makes git ignore the settings. Returns null if that has no effect, as for a file that git tracks. */
export function addExclusion(dir: string): Exclusion | null {
  // in a linked work tree this is the file of the main work tree, because git reads no other
  const [file, prefix] = ['--git-path info/exclude', '--show-prefix'].map((asked) =>
    git(dir, 'rev-parse', ...asked.split(' ')).stdout.replace(/\n$/, ''),
  ) as [string, string];
  const added = {
    file: resolve(dir, file),
    line: `/${(prefix + SETTINGS).replace(/[\\*?[]/g, '\\$&')}`,
  };
  try {
    fs.mkdirSync(dirname(added.file), { recursive: true });
    const before = fs.existsSync(added.file) ? fs.readFileSync(added.file, 'latin1') : '';
    fs.appendFileSync(added.file, `${before === '' || before.endsWith('\n') ? '' : '\n'}${added.line}\n`);
  } catch {
    return null;
  }
  if (!isTakenInByGit(dir)) return added;
  removeExclusion(added);
  return null;
}

/** Removes the line that was added, if it is still there. */
export function removeExclusion({ file, line }: Exclusion): void {
  if (!fs.existsSync(file)) return;
  // latin1 keeps every byte as it is
  const lines = fs.readFileSync(file, 'latin1').split('\n');
  const at = lines.lastIndexOf(Buffer.from(line).toString('latin1'));
  if (at >= 0) writeAtomically(file, Buffer.from(lines.toSpliced(at, 1).join('\n'), 'latin1'));
}

const git = (dir: string, ...args: string[]) => spawnSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
