import type { Invocation } from '../shell/types.ts';
import { gitVerb } from './files.ts';
import { type Glob, globFits, toGlob } from './glob.ts';

// Which files a command of git stages or commits. What `git add -A` takes along, only the work tree can tell.

/** What a line stages or commits. Paths are as rules name them. */
export type Commits = {
  named: string[];
  /** folders of which all that is new or changed goes along; '' is the work tree */
  sweeps: { folder: string; takes: 'all' | 'tracked' | 'staged' }[];
  /** what the line leaves out again: `git reset .env`, `:!.env` */
  spared: string[];
};

/** A file that `git status` lists, with its mark in the index and in the work tree. */
export type Pending = { path: string; index: string; tree: string };

/** Options of `git commit` whose value is the next word. */
const VALUED = /^(?:-[a-zA-Z]*[mFCct]|--(?:message|file|author|date|template|reuse-message|fixup|squash))$/;

/** @param at returns a path of the command as rules name it */
export function commitsOf({ program, args }: Invocation, at: (path: string) => string): Commits {
  const made: Commits = { named: [], sweeps: [], spared: [] };
  const texts = args.map(({ text }) => text);
  const git = gitVerb([program, ...texts]);
  if (git === null || git.args.some((arg) => /^--(?:dry-run|interactive|patch)$/.test(arg))) return made;
  const folder = texts[0] === '-C' ? `${texts[1]}/` : '';
  const named = (path: string): string => at(path.startsWith(':/') ? path.slice(2) : `${folder}${path}`);
  const words = git.args.filter((arg, i) => !arg.startsWith('-') && !VALUED.test(git.args[i - 1] ?? ''));
  const paths = words.filter((path) => !/^:[!^(]/.test(path));
  const whole = at(folder || '.').startsWith('/') ? at(folder || '.') : '';
  const has = (option: RegExp) => git.args.some((arg) => option.test(arg));
  made.spared = words.filter((path) => /^:[!^]/.test(path)).map((path) => named(path.slice(2)));
  switch (git.verb) {
    case 'add':
    case 'stage': {
      if (has(/^-[a-zA-Z]*[nipe]/)) break;
      const takes = has(/^(?:-[a-zA-Z]*u|--update)/) ? 'tracked' : 'all';
      made.named = paths.map(named);
      const folders =
        paths.length > 0 ? made.named : has(/^(?:-[a-zA-Z]*[Au]|--all|--update)/) ? [whole] : [];
      made.sweeps = folders.map((one) => ({ folder: one, takes }));
      break;
    }
    case 'commit':
      made.named = paths.map(named);
      if (paths.length === 0) made.sweeps = [{ folder: whole, takes: 'staged' }];
      if (has(/^(?:-[^-mFCct]*a|--all$)/)) made.sweeps.push({ folder: whole, takes: 'tracked' });
      break;
    case 'reset':
    case 'restore':
    case 'rm':
      made.spared.push(...paths.map(named));
  }
  return made;
}

/** Returns the files of the work tree that a line takes along without naming them. */
export function sweptAlong({ sweeps, spared }: Commits, pending: readonly Pending[]): string[] {
  const left: Glob[] = spared.map(toGlob);
  const inside = (path: string, folder: string) =>
    folder === '' || path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`);
  return pending
    .filter(({ path, index, tree }) =>
      sweeps.some(({ folder, takes }) => {
        // a file that goes from the repository is what the rule wants
        const mark = takes === 'staged' ? index : tree;
        return inside(path, folder) && !/[ D!]/.test(mark) && (takes === 'all' || mark !== '?');
      }),
    )
    .map(({ path }) => path)
    .filter((path) => !left.some((glob) => globFits(glob, path)));
}
