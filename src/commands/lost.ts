import type { Arg, Invocation } from '../shell/types.ts';
import { regenerableFolders, resolvePath, type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { pathOf, targetsOf, wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// Finds commands that delete or overwrite what nothing brings back: files that git does not have, what was moved to
// where deleting is allowed, and the folder for temporary files as a whole. What the line or the session made itself
// may go.

/** Watches over the files of one line. */
export type Losses = {
  /** Returns what a command loses, in a few words; null when that is nothing. */
  by(invocation: Invocation): string | null;
  /** Whether a command deletes what the line or the session moved to a place where deleting is allowed. */
  deletesMoved(invocation: Invocation): boolean;
  /** Notes what a command makes, and where it moves something. */
  note(invocation: Invocation): void;
  /** the files that the line makes and writes, and the places to which it moves something */
  readonly own: OwnFiles;
};

/** Files that a session made where nothing was, where it moved some, and which it wrote. */
export type OwnFiles = { made: Set<string>; moved: Set<string>; written: Set<string> };

const DELETES = /^(g?rm|unlink|shred|srm|rimraf|del-cli)$/;
const DELETES_MOVED = /^(g?rm|find|rimraf|trash|shred|unlink|del-cli)$/;
/** Programs that replace the content of a file that is there. An editor such as sed only changes it. */
const REPLACES = /^(tee|sponge|truncate|shred|dd|g?cp|g?mv|install|ditto|rsync)$/;
const COPIES = /^(g?cp|g?mv|install|ditto|rsync)$/;
/** Names of files that tools leave behind and make again. */
const MADE_BY_TOOLS =
  /(\.(log|pyc|pyo|o|class|sw[a-p]|pid|tsbuildinfo|gcda|gcno|DS_Store|tmp|temp|eslintcache|coverage)|~|Thumbs\.db|desktop\.ini|\/([\w.-]+\.lock|(package-lock|npm-shrinkwrap)\.json|pnpm-lock\.yaml|bun\.lockb|go\.sum))$/;
/** Ends of names of what an editor or a merge keeps of the file beside it. */
const KEPT_BESIDE = /\.(bak|orig|rej)$/;
/** Folders for temporary files, in which other programs and agents keep theirs. */
const TEMP_ROOT = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders(\/[^/]+){0,2})$/;

/** A file that a command would replace. `sources`: what it puts there, where that is a file. */
type Replaced = { target: Arg; path: string; sources: Arg[] };

/**
 * Returns what watches over the files of one line.
 *
 * @param table the options that are known
 */
export function watchLosses(table: Options, place: Surroundings): Losses {
  const own: OwnFiles = { made: new Set(), moved: new Set(), written: new Set() };
  /** for each file that the line writes, what its maker was given */
  const madeOf = new Map<string, string[]>();

  const isOwn = (path: string) => own.made.has(path) || place.own?.made.has(path) === true;

  const pathsOf = (arg: Arg, { cwd, otherCwds }: Invocation): string[] =>
    arg.known
      ? [cwd, ...(/^[/~]/.test(arg.text) ? [] : otherCwds)].flatMap(
          (folder) => resolvePath(arg.text, folder, place.home) ?? [],
        )
      : [];

  /** Returns why git could not give back what is at a path; null when it could, or when tools make it again. */
  function lostAt(path: string): string | null {
    const { held, root } = place;
    if (!held || isOwn(path)) return null;
    const zone = zoneOf({ text: path, known: true, glob: false, quoted: true }, '/', place);
    if (zone !== 'project' && zone !== 'regenerable') return null;
    // regenerable by name is a folder only while git tracks nothing in it
    if (zone === 'regenerable' && !regenerableFolders(path, root).every(held.tracks)) return null;
    const kept = KEPT_BESIDE.test(path) && held.tracks(path.replace(KEPT_BESIDE, ''));
    return kept || MADE_BY_TOOLS.test(path) ? null : held.lost(path);
  }

  function deletedBy(invocation: Invocation): string | null {
    if (!DELETES.test(invocation.program)) return null;
    for (const word of wordsOf(invocation, table).words) {
      for (const path of pathsOf(word, invocation)) {
        if (isTempRoot(path, place)) return `deletes all of ${word.text}, where others keep files too`;
        const wild = word.glob && /[*?[]/.test(path);
        // without a folder that tools make, a pattern is allowed only for what they leave behind
        if (wild && regenerableFolders(path, place.root).length === 0) continue;
        const why = lostAt(wild ? path.replace(/\/[^/]*[*?[].*$/s, '') : path);
        if (why !== null) return `deletes ${word.text}: ${why}`;
      }
    }
    return null;
  }

  function overwrittenBy(invocation: Invocation): string | null {
    const { held } = place;
    if (!held) return null;
    for (const { target, path, sources } of replacedBy(invocation)) {
      const real = place.real?.(path) ?? path;
      if (isOwn(path) || held.kind(real) !== 'file' || isEdit(sources, path, invocation)) continue;
      const why = lostAt(real);
      if (why !== null) return `overwrites ${target.text}: ${why}`;
    }
    return null;
  }

  function replacedBy(invocation: Invocation): Replaced[] {
    const { program, writes } = invocation;
    const redirected = writes
      .filter(({ append }) => !append)
      .flatMap(({ target }) => pathsOf(target, invocation).map((path) => ({ target, path, sources: [] })));
    const { words, options } = wordsOf(invocation, table);
    const keeps = options.some((option) => /^(-a|--append|-n|--no-clobber)$/.test(option));
    if (!REPLACES.test(program) || (keeps && /^(tee|sponge|g?cp|g?mv)$/.test(program))) return redirected;
    const named = targetsOf(invocation, table).filter(
      (target) => !writes.some((write) => write.target === target),
    );
    const sources = COPIES.test(program) ? words.filter((word) => !named.includes(word)) : [];
    return [
      ...redirected,
      ...named.flatMap((target) =>
        pathsOf(target, invocation).flatMap((path) => [
          { target, path, sources },
          // in a folder each file keeps its name
          ...sources.map((source) => ({ target, path: `${path}/${nameOf(source)}`, sources: [source] })),
        ]),
      ),
    ];
  }

  /** Whether a file is replaced by what came out of it in this line: `jq . a > b && mv b a`, `jq . a | sponge a`. */
  function isEdit(sources: Arg[], path: string, invocation: Invocation): boolean {
    const [source] = sources;
    if (source && pathsOf(source, invocation).some((one) => madeOf.get(one)?.includes(path))) return true;
    const { program, input } = invocation;
    return (
      program === 'sponge' &&
      input.kind === 'pipe' &&
      input.from.some((stage) => givenTo(stage).includes(path))
    );
  }

  const givenTo = (invocation: Invocation): string[] =>
    [...invocation.args, ...invocation.reads].map((arg) => pathOf(arg, invocation, place));

  function movesTo(invocation: Invocation): string[] {
    const { words, sub } = wordsOf(invocation, table);
    const byGit = invocation.program === 'git' && sub.startsWith('mv ');
    if (!byGit && !/^g?mv$/.test(invocation.program)) return [];
    const targets = byGit ? words.slice(-1) : targetsOf(invocation, table);
    return targets.flatMap((target) => {
      const path = pathOf(target, invocation, place);
      if (place.held && place.held.kind(path) !== 'folder') return [path];
      const names = words.filter((word) => word !== target && word.text !== 'mv');
      // without a look at files, or with a pattern, anything there may be what was moved
      return place.held && names.every(({ known, glob }) => known && !glob)
        ? names.map((name) => `${path}/${nameOf(name)}`)
        : [path];
    });
  }

  return {
    by: (invocation) => (invocation.remote ? null : (deletedBy(invocation) ?? overwrittenBy(invocation))),
    deletesMoved(invocation) {
      const moved = [...own.moved, ...(place.own?.moved ?? [])];
      if (moved.length === 0 || !DELETES_MOVED.test(invocation.program)) return false;
      return invocation.args.some((arg) => {
        const path = pathOf(arg, invocation, place).replace(/\/\*+$/, '');
        return moved.some((there) => within(path, there) || within(there, path));
      });
    },
    note(invocation) {
      const moved = movesTo(invocation);
      for (const path of moved) own.moved.add(path);
      if (invocation.suspected || invocation.scripted || invocation.remote || moved.length > 0) return;
      const makes = invocation.program === 'touch' ? wordsOf(invocation, table).words : [];
      for (const target of [...targetsOf(invocation, table), ...makes]) {
        if (!target.known || target.glob || target.text.startsWith('/dev/')) continue;
        const path = pathOf(target, invocation, place);
        madeOf.set(path, givenTo(invocation));
        own.written.add(path);
        if (place.held?.kind(path) === 'none') own.made.add(path);
      }
    },
    own,
  };
}

const nameOf = ({ text }: Arg): string => text.replace(/\/+$/, '').replace(/^.*\//s, '');

/** Whether a path is the folder for temporary files, or a pattern that fits all that lies in it. */
function isTempRoot(path: string, { tmp, root }: Surroundings): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1).replace(/\[[^\]]*\]/g, '?');
  const folder = /^[*?.]*[*?][*?.]*$/.test(name) ? path.slice(0, at) : path;
  return (TEMP_ROOT.test(folder) || folder === tmp) && !within(folder, root);
}
