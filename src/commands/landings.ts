import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, runsByItself, type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { archiveOf, namesInArchive } from './archives.ts';
import { pathsAt, targetsOf, wordsOf } from './arguments.ts';
import { globMatches } from './listings.ts';
import type { Options } from './options.ts';
import { patchOf } from './patches.ts';
import { COPIES, EDITS } from './writers.ts';

// Where what a command writes comes to lie, file by file: what it names, what keeps its name in a folder, and what a
// folder, an archive or a patch brings along.

/** A file that a command writes, by its absolute path. */
export type Landing = {
  /** the word by which it is named */
  target: Arg;
  path: string;
  /** what is put there, where that is a file */
  sources: Arg[];
  /** it is there already, and most of it stays */
  edits: boolean;
  /** it comes along under a name that the command does not say */
  brought: boolean;
  /** any file below it may be written: it is not known which ones come */
  any?: true;
};

/** Most files that are looked at of a copied folder or of a pattern. */
const MAX_FOUND = 300;

const remembered = new WeakMap<Invocation, Landing[]>();

/** Returns the files that a command writes. Remembered for each command. */
export function landingsOf(invocation: Invocation, table: Options, place: Surroundings): Landing[] {
  const before = remembered.get(invocation);
  if (before) return before;
  const made = [...named(invocation, table, place), ...brought(invocation, table, place)];
  remembered.set(invocation, made);
  return made;
}

function named(invocation: Invocation, table: Options, place: Surroundings): Landing[] {
  const { program, writes } = invocation;
  const { words } = wordsOf(invocation, table);
  const targets = targetsOf(invocation, table);
  const sources = COPIES.has(program) ? words.filter((word) => !targets.includes(word)) : [];
  return targets.flatMap((target) => {
    const redirected = writes.find((write) => write.target === target);
    const edits = redirected?.append === true || (EDITS.has(program) && words.includes(target));
    return pathsAt(target, invocation, place).map((path) => ({
      target,
      path,
      sources: redirected ? [] : sources,
      edits,
      brought: false,
    }));
  });
}

/** Returns what keeps its name in a folder, and what a folder, an archive or a patch brings. */
function brought(invocation: Invocation, table: Options, place: Surroundings): Landing[] {
  if (!place.held || invocation.remote) return [];
  const { program, cwd } = invocation;
  const patch = patchOf(invocation, place, table);
  if (patch)
    return patch.names.flatMap((name) =>
      [name, name.replace(/^[^/]*\//, '')].flatMap((one) =>
        landing(word(name), `${patch.folder}/${one}`, [], true),
      ),
    );
  const archive = archiveOf(invocation);
  if (archive?.unpacks) {
    const folder = resolvePath(archive.folder?.text ?? '.', cwd, place.home);
    if (folder === null || !within(folder, place.root)) return [];
    const asked = archive.members.filter(({ known, glob, text }) => known && !glob && !/[*?[]/.test(text));
    const isAsked = (name: string) =>
      asked.length < Math.max(1, archive.members.length) || asked.some(({ text }) => within(name, text));
    return (namesInArchive(archive.file, cwd, place) ?? asked.map(({ text }) => text))
      .filter(isAsked)
      .flatMap((name) => landing(archive.file ?? word('.'), `${folder}/${name}`, []));
  }
  if (program === 'wget') return fetched();
  return COPIES.has(program) ? copied(invocation, table, place) : [];

  function landing(target: Arg, path: string, sources: Arg[], edits = false): Landing[] {
    const at = resolvePath(path, cwd, place.home);
    return at === null ? [] : [{ target, path: at, sources, edits, brought: true }];
  }

  /** With -x, wget keeps what it fetches under the path of its address. */
  function fetched(): Landing[] {
    const { words, options } = wordsOf(invocation, table);
    const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
    if (!has(/^(-x|-r|-m|--force-directories|--recursive|--mirror)$/)) return [];
    const bare = has(/^(-nH|--no-host-directories)$/);
    return words.flatMap((address) => {
      const path = address.text.replace(/^\w+:\/\//, '').replace(/[?#].*$/s, '');
      return landing(address, bare ? path.replace(/^[^/]*\//, '') : path, []);
    });
  }
}

const word = (text: string): Arg => ({ text, known: true, glob: false, quoted: false });

function copied(invocation: Invocation, table: Options, place: Surroundings): Landing[] {
  const { program, args } = invocation;
  const { words, values, options } = wordsOf(invocation, table);
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  const into = values.find(({ option }) => /^(-t|--target-directory)$/.test(option))?.arg;
  const targets = targetsOf(invocation, table);
  const target = into ?? words.findLast((one) => targets.includes(one));
  if (!target) return [];
  const left = args.flatMap(({ text }, i) =>
    args[i - 1]?.text === '--exclude' ? text : (/^--exclude=(.*)$/.exec(text)?.[1] ?? []),
  );
  const takesFolders = !/^(g?cp|g?install|g?ln)$/.test(program) || has(/^(-[raR]|--recursive|--archive)$/);
  const below = (source: Arg, from: string, to: string): Landing[] => {
    const whole =
      program === 'rsync'
        ? source.text.endsWith('/')
        : /(^|\/)\.$/.test(source.text) || has(/^(-T|--no-target-directory)$/);
    const there = place.held?.kind(to);
    const isFolder = into !== undefined || there === 'folder';
    const at = isFolder && !whole ? `${to}/${nameOf(from)}` : to;
    const kind = place.held?.kind(from);
    const made = (path: string, any = false): Landing => ({
      target,
      path,
      sources: kind === 'folder' ? [] : [source],
      edits: false,
      brought: true,
      ...(any && { any: true }),
    });
    // what is not there yet may be a folder when the command runs, on either side
    const places = there === 'none' && !whole ? [to, `${to}/${nameOf(from)}`] : [at];
    if (kind !== 'folder' || program === 'ln')
      return places.flatMap((one) =>
        kind === 'none' && takesFolders ? [made(one), made(one, true)] : [made(one)],
      );
    if (!takesFolders) return [];
    const found = filesBelow(from, place);
    const kept = found.files
      .map((file) => file.slice(from.length))
      .filter((path) => !left.some((name) => path.split('/').includes(name.replaceAll('/', ''))));
    return places.flatMap((one) => [
      ...(found.whole ? [] : [made(one, true)]),
      ...kept.map((path) => made(`${one}${path}`)),
    ]);
  };

  return pathsAt(target, invocation, place)
    .filter((to) => within(to, place.root))
    .flatMap((to) =>
      words
        .filter((one) => one !== target)
        .flatMap((source) => {
          const paths = pathsAt(source, invocation, place);
          return (source.glob ? paths.flatMap((path) => expand(path, place)?.files ?? []) : paths).flatMap(
            (from) => (from === to ? [] : below(source, from, to)),
          );
        }),
    );
}

const nameOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');

/** `whole`: whether the list has all of them */
type Found = { files: string[]; whole: boolean };

/** Returns the files below a folder, those nearest to it first, without what tools put there. */
export function filesBelow(folder: string, { held }: Surroundings): Found {
  const folders = [folder];
  const files: string[] = [];
  for (const at of folders) {
    const entries = held?.list(at) ?? null;
    if (!entries) return { files, whole: false };
    for (const { name, kind } of entries) {
      if (kind !== 'folder') files.push(`${at}/${name}`);
      else if (!/^(node_modules|\.git)$/.test(name)) folders.push(`${at}/${name}`);
    }
    if (files.length > MAX_FOUND || folders.length > MAX_FOUND)
      return { files: files.slice(0, MAX_FOUND), whole: false };
  }
  return { files, whole: true };
}

/**
 * Returns what a pattern of the shell stands for; null if nobody knows.
 *
 * @param pattern an absolute path
 */
export function expand(pattern: string, place: Surroundings): Found | null {
  const { held } = place;
  if (!held) return null;
  let found = [''];
  let whole = true;
  for (const part of pattern.split('/').slice(1)) {
    if (part === '**') {
      found = found.flatMap((folder) => [folder, ...foldersBelow(folder)]);
    } else if (/[*?[]/.test(part)) {
      found = found.flatMap((folder) => {
        const entries = held.list(folder || '/');
        if (!entries) whole = false;
        return (entries ?? []).flatMap(({ name }) =>
          globMatches(part, name, { anyDepth: false }) ? [`${folder}/${name}`] : [],
        );
      });
    } else found = found.map((folder) => `${folder}/${part}`);
    if (found.length > MAX_FOUND) whole = false;
    found = found.slice(0, MAX_FOUND);
  }
  return { files: found, whole };

  function foldersBelow(folder: string): string[] {
    const below = filesBelow(folder, place);
    if (!below.whole) whole = false;
    return [...new Set(below.files.map((file) => file.slice(0, file.lastIndexOf('/'))))].filter(
      (one) => one !== folder,
    );
  }
}

/**
 * Returns what a command brings along that tools run or obey by themselves: a file at the top of the project, or one that
 * is there already. Null if there is none.
 */
export function broughtToObey(invocation: Invocation, table: Options, place: Surroundings): string | null {
  const { root } = place;
  for (const { brought, path, any } of landingsOf(invocation, table, place)) {
    if (!brought || !within(path, root)) continue;
    if (any && path === root) return 'brings more files than Lore looks at';
    if (any || !runsByItself(word(path), '/', place)) continue;
    if (zoneOf(word(path), '/', place) === 'regenerable') continue;
    const below = path.slice(root.length + 1);
    if (isAtTop(below) || place.held?.kind(path) === 'file')
      return `brings ${below}, which tools run by themselves`;
  }
  return null;

  /** Whether such a path begins at the top: the folders on the way to it belong to its name. */
  function isAtTop(below: string): boolean {
    const parts = below.split('/');
    const isObeyed = (from: number, to: number) =>
      runsByItself(word(parts.slice(from, to).join('/')), null, place);
    const end = parts.findIndex((_, i) => isObeyed(0, i + 1)) + 1;
    return end > 0 && !(end > 1 && isObeyed(1, end));
  }
}
