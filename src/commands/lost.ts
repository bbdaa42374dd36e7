import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { regenerableFolders, type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { pathOf, pathsAt, targetsOf, wordsOf } from './arguments.ts';
import { isIgnored } from './ignored.ts';
import { expand, filesBelow, landingsOf } from './landings.ts';
import { lists } from './listings.ts';
import { isMadeAgain } from './made-again.ts';
import type { Options } from './options.ts';
import { buildOptions } from './policy/options/index.ts';

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

const DELETES = programs('deleters');
const DELETES_MOVED = new Set([...DELETES, 'find', 'trash']);
/** Names of files that tools leave behind and make again. */
const MADE_BY_TOOLS =
  /(\.(log|pyc|pyo|o|class|sw[a-p]|pid|tsbuildinfo|gcda|gcno|DS_Store|tmp|temp|eslintcache|coverage)|~|Thumbs\.db|desktop\.ini|\/([\w.-]+\.lock|(package-lock|npm-shrinkwrap)\.json|pnpm-lock\.yaml|bun\.lockb|go\.sum))$/;
/** Ends of names of what an editor or a merge keeps of the file beside it. */
const KEPT_BESIDE = /\.(bak|orig|rej)$/;
/** Folders for temporary files, in which other programs and agents keep theirs. */
const TEMP_ROOT = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders(\/[^/]+){0,2})$/;

/** With these options a program leaves alone, or only adds to, what is there already. */
const KEEPS: [program: RegExp, options: RegExp][] = [
  [/^(tee|sponge)$/, /^(-a|--append)$/],
  [/^g?(cp|mv)$/, /^(-n|--no-clobber)$/],
  [/^rsync$/, /^--ignore-existing$/],
  [/^unzip$/, /^-\w*n/],
  [/tar$/, /^(-\w*k\w*|--(keep-old-files|skip-old-files))$/],
  [/^curl$/, /^(-C|--continue-at|--no-clobber)$/],
  [/^wget$/, /^(-\w*[cN]\w*|--continue|--no-clobber|--timestamping)$/],
];
/** Programs that make what they write from the project's own sources. */
const BUILDERS = new Set(
  Object.keys(buildOptions).flatMap((keys) => keys.split(',').map((key) => key.trim().split(' ')[0])),
);
const TOO_MANY = 'these are more than Lore looks at';
const HERE: Arg = { text: '.', known: true, glob: false, quoted: false };

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

  /** Returns why git could not give back what is at a path; null when it could, or when tools make it again. */
  function lostAt(path: string): string | null {
    const { held, root } = place;
    if (!held || isOwn(path)) return null;
    const zone = zoneOf({ text: path, known: true, glob: false, quoted: true }, '/', place);
    if (zone !== 'project' && zone !== 'regenerable') return null;
    // regenerable by name is a folder only while git tracks nothing in it
    const again = regenerableFolders(path, root).some((one) => !held.tracks(one) && isMadeAgain(one, place));
    if (zone === 'regenerable' && again) return null;
    const kept = KEPT_BESIDE.test(path) && held.tracks(path.replace(KEPT_BESIDE, ''));
    return kept || MADE_BY_TOOLS.test(path) ? null : held.lost(path, isOwn);
  }

  function deletedBy(invocation: Invocation): string | null {
    const { words, options } = wordsOf(invocation, table);
    if (options.includes('-delete')) return lostByFind([invocation]);
    if (!DELETES.has(invocation.program)) return null;
    for (const word of words) {
      const listed = word.listedBy ? lostByFind(word.listedBy) : null;
      if (listed !== null) return listed;
      for (const path of pathsAt(word, invocation, place)) {
        if (isTempRoot(path, place)) return `deletes all of ${word.text}, where others keep files too`;
        const why = word.glob && /[*?[]/.test(path) ? lostByPattern(path) : lostAt(path);
        if (why !== null) return `deletes ${word.text}: ${why}`;
      }
    }
    return null;
  }

  /** Returns what a pattern finds that git could not give back; what tools leave behind is not looked for. */
  function lostByPattern(path: string): string | null {
    if (MADE_BY_TOOLS.test(path)) return null;
    const found = expand(path, place);
    if (!found?.whole) {
      const inFolder = regenerableFolders(path, place.root).length > 0;
      return inFolder ? lostAt(path.replace(/\/[^/]*[*?[].*$/s, '')) : found && TOO_MANY;
    }
    for (const file of found.files) {
      const why = lostAt(file);
      if (why !== null)
        return file.endsWith(`/${path.replace(/^.*\//s, '')}`) ? why : `${nameOf(file)}: ${why}`;
    }
    return null;
  }

  /**
   * Returns what find gives a command to delete that git could not give back.
   *
   * @param listers find, and the filters behind it
   */
  function lostByFind(listers: Invocation[]): string | null {
    const [find] = listers;
    if (!find || !/^g?find$/.test(find.program) || !place.held) return null;
    const names = find.args.filter((_, i, all) => /^-i?name$/.test(all[i - 1]?.text ?? ''));
    if (names.length > 0 && names.every(({ text }) => MADE_BY_TOOLS.test(`/${text}`))) return null;
    const { words } = wordsOf(find, table);
    for (const start of words.length > 0 ? words : [HERE])
      for (const folder of pathsAt(start, find, place)) {
        const found = filesBelow(folder, place);
        for (const file of found.files) {
          const why = lists(listers, file, place) === 'no' ? null : lostAt(file);
          if (why !== null) return `deletes ${nameOf(file)}: ${why}`;
        }
        if (!found.whole && regenerableFolders(folder, place.root).length === 0)
          return `deletes in ${start.text}: ${TOO_MANY}`;
      }
    return null;
  }

  function overwrittenBy(invocation: Invocation): string | null {
    const { held } = place;
    if (!held || keepsWhatIsThere(invocation)) return null;
    const { values } = wordsOf(invocation, table);
    for (const { target, path, sources, edits, brought, any } of landingsOf(invocation, table, place)) {
      if (edits) continue;
      const real = place.real?.(path) ?? path;
      if (isOwn(path) || held.kind(real) !== (any ? 'folder' : 'file')) continue;
      if (isEdit(target, sources, path, invocation)) continue;
      // what a build tool is told to write, and git to ignore, is made again
      const built = BUILDERS.has(invocation.program) && values.some(({ arg }) => arg === target);
      if (built && isIgnored(path, place)) continue;
      const why = lostAt(real);
      const name = brought ? path.slice(place.root.length + 1) : target.text;
      if (why !== null) return `overwrites ${name || 'the project'}: ${why}`;
    }
    return null;
  }

  /** Whether a command leaves alone, or only adds to, what is there already. */
  function keepsWhatIsThere({ program, args, writes }: Invocation): boolean {
    const keeps = KEEPS.find(([names]) => names.test(program))?.[1];
    const forced = program === 'ln' && !args.some(({ text }) => /^(-\w*f\w*|--force)$/.test(text));
    return writes.length === 0 && (forced || args.some(({ text }) => keeps?.test(text) === true));
  }

  /** Whether a file is replaced by what came out of it in this line: `jq . a > b && mv b a`, `jq . a | sponge a`. */
  function isEdit(target: Arg, sources: Arg[], path: string, invocation: Invocation): boolean {
    const [source] = sources;
    if (source && pathsAt(source, invocation, place).some((one) => madeOf.get(one)?.includes(path)))
      return true;
    const { program, input, reads } = invocation;
    if (!/^(sponge|sort)$/.test(program)) return false;
    const given = [...wordsOf(invocation, table).words, ...reads].filter((arg) => arg !== target);
    return (
      given.some((arg) => pathOf(arg, invocation, place) === path) ||
      (input.kind === 'pipe' && input.from.some((stage) => givenTo(stage).includes(path)))
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
        ? names.map(({ text }) => `${path}/${nameOf(text)}`)
        : [path];
    });
  }

  return {
    by: (invocation) => (invocation.remote ? null : (deletedBy(invocation) ?? overwrittenBy(invocation))),
    deletesMoved(invocation) {
      const moved = [...own.moved, ...(place.own?.moved ?? [])];
      if (moved.length === 0 || !DELETES_MOVED.has(invocation.program)) return false;
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

const nameOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');

/** Whether a path is the folder for temporary files, or a pattern that fits all that lies in it. */
function isTempRoot(path: string, { tmp, root }: Surroundings): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1).replace(/\[[^\]]*\]/g, '?');
  const folder = /^[*?.]*[*?][*?.]*$/.test(name) ? path.slice(0, at) : path;
  return (TEMP_ROOT.test(folder) || folder === tmp) && !within(folder, root);
}
