import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { archiveOf, namesInArchive } from './archives.ts';
import { changedBy, pathOf, wordsOf } from './arguments.ts';
import { byPattern, GUARDS, guardAt, LORES, namedGuard, type Reached, worst } from './guarded.ts';
import { globMatches, type Listed, lists } from './listings.ts';
import type { Options } from './options.ts';
import { patchOf } from './patches.ts';

// Whether a command may change files that guard this session: it names them and is not known to only look, or it reaches
// them by a pattern, a list of files, a copied folder, a patch or an archive.

/** Matches the name of such a file, in a patch or an archive, whatever folder it begins with. */
const NAMED =
  /(^|\/)(\.claude\/(settings[\w.-]*\.json|hooks|plugins)|\.lore\/|\.codex\/(hooks\.json|config\.toml)|\.cursor\/hooks\.json|\.copilot\/hooks|\.?opencode\/plugins?\/)/;
const NAMED_GIT = /(^|\/)\.git(\/|$)/;

/**
 * Returns what a command reaches without naming it, and what it names, unless it only looks; null if it reaches no such
 * file.
 *
 * @param onlyLooks whether a command is known to change nothing that it names
 */
export function reachOf(
  invocation: Invocation,
  place: Surroundings,
  options: Options,
  onlyLooks: (invocation: Invocation) => boolean,
): Reached | null {
  if (invocation.remote || within(place.home, place.root)) return null;
  const found = worst([unnamed(invocation, place, options), linked(invocation, place, options)]);
  if (found === 'lore' || keepsSources(invocation)) return found;
  const named = worst([
    namedGuard(invocation, place),
    ...listers(invocation).map((one) => namedGuard(one, place)),
    byUnheardOfArchive(invocation, place),
  ]);
  return named !== null && !onlyLooks(invocation) ? worst([found, named]) : found;
}

/** Whether a program only reads all that it names but its target. A second name for the same file is no copy. */
const keepsSources = ({ program, args }: Invocation): boolean =>
  programs('keeping-copiers').has(program) &&
  !args.some(({ text }) => /^(-[a-zA-Z]*[ls][a-zA-Z]*|--(link|symbolic|remove-source).*)$/.test(text));

/** Returns the commands that list what a command is given. */
const listers = ({ args }: Invocation): Invocation[] =>
  args.flatMap(({ listedBy, from }) => [...(listedBy ?? []), ...(from ?? [])]);

/** What is changed through a link that was there before. */
const linked = (invocation: Invocation, place: Surroundings, options: Options): Reached | null =>
  worst(
    changedBy(invocation, options).map((arg) => {
      const path = arg.known && place.real ? resolvePath(arg.text, invocation.cwd, place.home) : null;
      return path === null ? null : guardAt(place.real?.(path) ?? path, place);
    }),
  );

/** Programs of archives whose options are known. */
const UNPACKERS = programs('unpackers');

function unnamed(invocation: Invocation, place: Surroundings, options: Options): Reached | null {
  if (UNPACKERS.has(invocation.program)) return byArchive(invocation, place);
  switch (invocation.program) {
    case 'cp':
    case 'rsync':
    case 'mv':
      return worst([byPatterns(invocation, place, options), byTree(invocation, place, options)]);
    case 'find':
      return invocation.args.some(({ text }) => text === '-delete')
        ? worst(
            GUARDS.map((file) => reached(file, lists([invocation], `${place.root}/${file}`, place), place)),
          )
        : null;
    case 'git':
    case 'patch':
      return byPatch(invocation, place, options);
    default:
      return byPatterns(invocation, place, options);
  }
}

/** Returns what it means that a command changes a file; nothing if that is known not to be there. */
function reached(file: string, listed: Listed, place: Surroundings): Reached | null {
  if (listed === 'no') return null;
  const there = place.exists?.(`${place.root}/${file}`);
  if (there === false) return null;
  return there === true && listed === 'yes' && LORES.includes(file) ? 'lore' : 'unknown';
}

/** Programs that change all files that they are given. */
const CHANGES = programs('changers');

/** What the patterns among the changed files match. */
function byPatterns(invocation: Invocation, place: Surroundings, options: Options): Reached | null {
  const changed = CHANGES.has(invocation.program)
    ? wordsOf(invocation, options).words
    : changedBy(invocation, options);
  return worst(changed.filter((arg) => arg.glob || arg.listedBy).map((arg) => byArg(arg, invocation, place)));
}

function byArg(arg: Arg, invocation: Invocation, place: Surroundings): Reached | null {
  const { listedBy } = arg;
  if (!listedBy) return byPattern(pathOf(arg, invocation, place), place);
  return worst(GUARDS.map((file) => reached(file, lists(listedBy, `${place.root}/${file}`, place), place)));
}

/** What a folder that is copied or moved brings along. */
function byTree(invocation: Invocation, place: Surroundings, options: Options): Reached | null {
  const { program, args } = invocation;
  const { words, options: given } = wordsOf(invocation, options);
  const has = (pattern: RegExp) => given.some((option) => pattern.test(option));
  if (program === 'cp' && !has(/^(-[raR]|--recursive|--archive)$/)) return null;
  const last = words.at(-1);
  if (words.length < 2 || !last?.known || last.glob) return null;
  const to = pathOf(last, invocation, place);
  const deletes = program === 'rsync' && args.some(({ text }) => /^--delete/.test(text));
  const left = args.flatMap(({ text }, i) =>
    args[i - 1]?.text === '--exclude' ? text : (/^--exclude=(.*)$/.exec(text)?.[1] ?? []),
  );
  const found: (Reached | null)[] = [];
  for (const word of words.slice(0, -1)) {
    const whole =
      program === 'rsync'
        ? word.text.endsWith('/')
        : /(^|\/)\.$/.test(word.text) || has(/^(-T|--no-target-directory)$/);
    for (const from of sourcesOf(word, invocation, place)) {
      const at = whole ? to : `${to === '/' ? '' : to}/${from.slice(from.lastIndexOf('/') + 1)}`;
      for (const file of GUARDS) {
        const path = `${place.root}/${file}`;
        const excluded = left.some((name) => file.split('/').includes(name.replaceAll('/', '')));
        if (excluded || !within(path, at)) continue;
        const source = `${from}${path.slice(at.length)}`;
        // a folder that is not there yet may hold anything when it is copied
        const there = place.exists?.(from) ? place.exists(source) : undefined;
        if (there === false && !deletes) continue;
        found.push(there !== undefined && LORES.includes(file) ? 'lore' : 'unknown');
      }
    }
  }
  return worst(found);
}

/** Returns the paths that a copied word stands for: a pattern for the folders in which what guards could lie. */
function sourcesOf(word: Arg, invocation: Invocation, place: Surroundings): string[] {
  const path = pathOf(word, invocation, place);
  if (!word.known || word.listedBy) return [];
  if (!word.glob) return [path];
  const folder = path.slice(0, path.lastIndexOf('/'));
  return ['.claude', '.lore', '.git']
    .map((name) => `${folder}/${name}`)
    .filter((one) => globMatches(path, one, { anyDepth: false }));
}

/** What the patches name that a command applies. */
function byPatch(invocation: Invocation, place: Surroundings, options: Options): Reached | null {
  const patch = patchOf(invocation, place, options);
  return patch && worst([patch.unknown ? 'unknown' : null, byNames(patch.names, patch.folder)]);
}

function byNames(names: string[], folder: string): Reached | null {
  return worst(
    names.map((name) => {
      const paths = name
        .split(' ')
        .flatMap((one) => [one, `${folder}/${one}`, `${folder}/${one.replace(/^[^/]*\//, '')}`]);
      if (paths.some((path) => NAMED.test(path))) return 'lore';
      // git quotes names with special characters
      return name.startsWith('"') || paths.some((path) => NAMED_GIT.test(path)) ? 'unknown' : null;
    }),
  );
}

/** Whether an archive that is unpacked over the project may hold what guards. */
function byArchive(invocation: Invocation, place: Surroundings): Reached | null {
  const { args, cwd, input } = invocation;
  const archive = archiveOf(invocation);
  if (!archive?.unpacks) return null;
  const folder = resolvePath(archive.folder?.text ?? '.', cwd, place.home);
  if (folder === null) return 'unknown';
  const over = GUARDS.some((file) => within(`${place.root}/${file}`, folder)) || NAMED.test(`${folder}/`);
  if (!over || !place.read) return null;
  if (input.kind !== 'none' && archive.file === null) return 'unknown';
  const { members } = archive;
  if (
    members.length > 0 &&
    members.every(({ text, known, glob }) => known && !glob && !/^\.?\/?$|[*?[]/.test(text))
  )
    return byNames(
      members.map(({ text }) => text),
      folder,
    );
  if (args.some(({ text }) => /^--(transform|xform)/.test(text))) return 'unknown';
  const names = namesInArchive(archive.file, cwd, place);
  return names && !names.some((name) => /\.(claude|lore|git)\b/.test(name)) ? null : 'unknown';
}

const ARCHIVE = /\.(tar|zip|jar|war|ear|whl|egg|cpio|pax|a|ar|xpi|apk|nupkg|crx)$/i;
/** Programs that pass an archive on or run it as it is. */
const PASSES_ON = programs('archive-passers');

/** Whether an archive that some program is given holds what guards: it may unpack that. */
function byUnheardOfArchive(invocation: Invocation, place: Surroundings): Reached | null {
  const { args, cwd, program, input, reads } = invocation;
  if (!place.read || UNPACKERS.has(program) || PASSES_ON.has(program)) return null;
  const given = [...args, ...reads, ...(input.kind === 'file' ? [input.target] : [])];
  const holds = given.some(({ text, known }) => {
    const path = known && ARCHIVE.test(text) ? resolvePath(text, cwd, place.home) : null;
    try {
      const content = path === null ? null : place.read?.(path, 'quietly');
      return (
        content !== null && content !== undefined && /(^|[^\w.-])\.(claude|lore|git)\//.test(content.text)
      );
    } catch {
      return false;
    }
  });
  return holds ? 'unknown' : null;
}
