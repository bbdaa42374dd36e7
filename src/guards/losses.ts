import { words } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { gitVerb } from './files.ts';

// Which files are no longer where they were after a command of a shell line: deleted, moved or renamed.

/** A file or a folder that goes away. */
export type Loss = {
  file: string;
  /** the folder goes with all that is in it */
  tree: boolean;
  /** of the folder, only files of this name go; null if that is not said */
  name: string | null;
  /** where it may lie then; none if it is gone */
  to: string[];
};

const REMOVERS = new Set(
  words('rm unlink rmdir shred srm trash trash-put rimraf del erase Remove-Item remove-item ri'),
);
const plain = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'));

/** Returns the files that a command deletes, moves or renames, as far as its words tell. */
export function filesLost({ program, args }: Invocation): Loss[] {
  const texts = args.map(({ text }) => text);
  if (REMOVERS.has(program)) return removed(plain(texts), program === 'rimraf' || isRecursive(texts));
  if (program === 'mv') return moved(texts);
  if (program === 'rename')
    return plain(texts)
      .slice(1)
      .map((file) => lost(file, { to: [file] }));
  if (program === 'find') return found(texts);
  const git = gitVerb([program, ...texts]);
  if (git?.verb === 'mv') return moved(git.args);
  if (git?.verb === 'rm' && !git.args.some((arg) => /^(?:--cached|-n|--dry-run)$/.test(arg)))
    return removed(plain(git.args), isRecursive(git.args));
  return git?.verb === 'clean' ? cleaned(git.args) : [];
}

const lost = (file: string, more: Partial<Loss> = {}): Loss => ({
  ...{ file, tree: false, name: null, to: [] },
  ...more,
});

const isRecursive = (args: string[]): boolean =>
  args.some((arg) => /^(?:-[a-z]*[rR][a-zA-Z]*|--recursive|-Recurse)$/.test(arg));

/** With its folders, `src/*` is all that is in `src`. */
const removed = (files: string[], tree: boolean): Loss[] =>
  files.map((file) => lost(tree ? file.replace(/(?:^|(?<=.)\/)\*$/, '') || '.' : file, { tree }));

function moved(args: string[]): Loss[] {
  const into = args.indexOf('-t');
  const files = plain(args).filter((file) => into < 0 || file !== args[into + 1]);
  const target = into >= 0 ? args[into + 1] : files.pop();
  if (target === undefined) return [];
  // whether the target is a folder does not stand there, but what has no ending mostly is one
  const isFolder = into >= 0 || files.length > 1 || !/[^./][^/]*\.[^./]+$/.test(target);
  return files.map((file) => {
    const inside = `${target.replace(/\/$/, '')}/${file.replace(/\/$/, '').split('/').at(-1)}`;
    return lost(file, { tree: true, to: isFolder ? [target, inside] : [target] });
  });
}

/** `git clean` removes nothing without force. */
function cleaned(args: string[]): Loss[] {
  if (args.some((arg) => /^(?:-[a-z]*n[a-z]*|--dry-run)$/.test(arg))) return [];
  if (!args.some((arg) => /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/.test(arg))) return [];
  const paths = plain(args).filter((path) => args[args.indexOf(path) - 1] !== '-e');
  return removed(paths.length > 0 ? paths : ['.'], true);
}

/** `find … -delete`, and `-exec rm` */
function found(args: string[]): Loss[] {
  const exec = args.findIndex((arg) => /^-exec(?:dir)?$/.test(arg));
  if (!args.includes('-delete') && !REMOVERS.has(args[exec + 1] ?? '')) return [];
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const folders = first === 0 ? ['.'] : args.slice(0, first);
  const said = (option: RegExp): string[] =>
    args.filter((_, i) => option.test(args[i - 1] ?? '') && !/^(?:!|-not)$/.test(args[i - 2] ?? ''));
  const paths = said(/^-i?(?:path|wholename)$/);
  if (paths.length > 0) return paths.map((file) => lost(file));
  if (args.some((arg) => /^-(?:empty|i?regex)$/.test(arg))) return [];
  const names = said(/^-i?name$/);
  return folders.flatMap((file) =>
    (names.length > 0 ? names : [null]).map((name) => lost(file, { tree: true, name })),
  );
}
