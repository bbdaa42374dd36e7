import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';

// Whether a command that lists files (find, grep -l, git ls-files …) lists one certain file.

/** `maybe`: that is known only when it runs */
export type Listed = 'yes' | 'maybe' | 'no';

/**
 * Returns whether a command and the filters behind it list a file, or a folder that holds it.
 *
 * @param file an absolute path in the project
 */
export function lists([source, ...filters]: Invocation[], file: string, place: Surroundings): Listed {
  if (!source) return 'maybe';
  let listed = byProgram(source, file, place);
  for (const { program, args } of filters) {
    if (listed === 'no') break;
    if (!/^[ef]?grep$/.test(program)) {
      // what sorts or joins lines leaves them all
      if (!/^(sort|uniq|tr|cat)$/.test(program)) listed = 'maybe';
      continue;
    }
    const found = matchesGrep(program, args, file.slice(place.root.length));
    const inverse = args.some(({ text }) => /^(-\w*v\w*|--invert-match)$/.test(text));
    if (found === null) listed = 'maybe';
    else if (found === inverse) listed = 'no';
  }
  return listed;
}

function byProgram(source: Invocation, file: string, place: Surroundings): Listed {
  const { program } = source;
  if (program === 'find') return byFind(source, file, place);
  if (/^[ef]?grep$|^rg$/.test(program)) return byGrep(source, file, place);
  if (program === 'git') return byGit(source, file, place);
  if (/^fd(find)?$/.test(program))
    return source.args.some(({ text }) => /^(-\w*[Hu]\w*|--hidden|--unrestricted|--no-ignore)$/.test(text))
      ? 'maybe'
      : 'no';
  return 'maybe';
}

/** Matches the parts of an expression of find that leave out no file. */
const KEEPS = /^(-print0?|-follow|-H|-L|-P|-mount|-xdev|-noleaf|-depth)$/;
const VALUED = /^-(type|name|iname|path|ipath|wholename|maxdepth|mindepth)$/;

function byFind({ args, cwd }: Invocation, file: string, place: Surroundings): Listed {
  const first = args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLP]$/.test(text));
  const given = (first < 0 ? args : args.slice(0, first)).filter(({ text }) => !/^-/.test(text));
  const starts = given.length > 0 ? given : [{ text: '.', known: true }];
  const end = args.findIndex(({ text }) => /^-(exec|ok)(dir)?$|^-(delete|print0?)$/.test(text));
  const tests = first < 0 ? [] : args.slice(first, end < 0 ? undefined : end).map(({ text }) => text);
  let best: Listed = 'no';
  for (const start of starts) {
    const folder = start.known ? resolvePath(start.text, cwd, place.home) : null;
    if (folder === null) best = best === 'no' ? 'maybe' : best;
    else if (within(file, folder)) {
      const printed = start.text.replace(/\/$/, '');
      for (const path of [
        file,
        ...foldersOf(file).filter((one) => within(one, folder) && one !== place.root),
      ]) {
        const below = path.slice(folder.length);
        const found = passes(tests, `${printed}${below}`, {
          depth: below.split('/').length - 1,
          folder: path !== file,
        });
        if (found === 'yes' || best === 'no') best = found;
      }
    }
  }
  return best;
}

/**
 * Whether a file or a folder passes the tests of find.
 *
 * @param path as find prints it
 */
function passes(tests: string[], path: string, at: { depth: number; folder: boolean }): Listed {
  const name = nameOf(path);
  let sure: Listed = 'yes';
  // with alternatives, what one test leaves out another one may take in
  const either = tests.includes('-o') || tests.includes('-or');
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i] as string;
    if (KEEPS.test(test)) continue;
    if (!VALUED.test(test)) {
      if (!/^(!|-not|-o|-or|-prune|-a|-and|\(|\))$/.test(test)) sure = 'maybe';
      continue;
    }
    const value = tests[i + 1] ?? '';
    i += 1;
    if (test === '-type') {
      if (!either && value !== (at.folder ? 'd' : 'f')) return 'no';
      continue;
    }
    if (/depth$/.test(test)) {
      if (test === '-maxdepth' ? at.depth > Number(value) : at.depth < Number(value)) return 'no';
      continue;
    }
    // `-prune -o` leaves out what it finds, with all that is below
    const prunes = tests[i + 1] === '-prune' && /^-o/.test(tests[i + 2] ?? '');
    const candidates = prunes ? [path, ...foldersOf(path)] : [path];
    const found = candidates.some((one) =>
      globMatches(value, /path|wholename/.test(test) ? one : nameOf(one), { anyDepth: true }),
    );
    const leavesOut = prunes || /^(!|-not)$/.test(tests[i - 2] ?? '');
    if (leavesOut ? found : !found && !either) return 'no';
  }
  return either && tests.includes('-name') && sure === 'yes' ? byEither(tests, name) : sure;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether one of the names that alternatives ask for is that of the file. */
const byEither = (tests: string[], name: string): Listed =>
  tests.some(
    (value, i) =>
      /^-i?name$/.test(tests[i - 1] ?? '') &&
      tests[i + 1] !== '-prune' &&
      globMatches(value, name, { anyDepth: true }),
  )
    ? 'yes'
    : 'no';

/** Returns the folders on the way to a path, the longest first. */
function foldersOf(path: string): string[] {
  const at = path.lastIndexOf('/');
  return at <= 0 ? [] : [path.slice(0, at), ...foldersOf(path.slice(0, at))];
}

function byGrep({ program, args, cwd }: Invocation, file: string, place: Surroundings): Listed {
  const texts = args.map(({ text }) => text);
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const words = args.filter(({ text }, i) => !/^-./.test(text) && !/^-[ABCmgtTef]$/.test(texts[i - 1] ?? ''));
  const roots = has(/^(-e.*|--regexp.*|--files)$/) ? words : words.slice(1);
  const recursive = program === 'rg' || has(/^(-\w*[rR]\w*|--recursive|--dereference-recursive)$/);
  const starts: Pick<Arg, 'text' | 'known' | 'glob'>[] =
    roots.length > 0 ? roots : [{ text: '.', known: true, glob: false }];
  const below = starts.flatMap((start) => {
    const folder = start.known && !start.glob ? resolvePath(start.text, cwd, place.home) : null;
    return folder !== null && (file === folder || (recursive && within(file, folder))) ? [folder] : [];
  });
  if (below.length === 0) return starts.every(({ known, glob }) => known && !glob) ? 'no' : byPattern();
  const [folder = ''] = below;
  const inside = file.slice(folder.length + 1).split('/');
  const name = inside.at(-1) ?? '';
  const values = (option: RegExp) => texts.flatMap((text) => option.exec(text)?.[1] ?? []);
  const only = values(/^--include=(.*)$/);
  if (only.length > 0 && !only.some((glob) => globMatches(glob, name, { anyDepth: true }))) return 'no';
  if (values(/^--exclude=(.*)$/).some((glob) => globMatches(glob, name, { anyDepth: true }))) return 'no';
  const folders = values(/^--exclude-dir=(.*)$/);
  if (inside.slice(0, -1).some((part) => folders.some((glob) => globMatches(glob, part, { anyDepth: true }))))
    return 'no';
  let sure: Listed = 'yes';
  if (program === 'rg') {
    if (!has(/^(-uu+|--hidden|-\.)$/)) return 'no';
    const globs = texts.filter((_, i) => /^-(g|t)$/.test(texts[i - 1] ?? ''));
    if (
      globs.length > 0 &&
      !globs.some((glob) => glob === 'json' || globMatches(glob, name, { anyDepth: true }))
    )
      return 'no';
    sure = 'maybe';
  }
  if (has(/^(-\w*[Lv]\w*|--files-without-match|--files)$/)) return 'maybe';
  return byContent(program, args, file, place, sure);

  /** The shell's patterns do not find hidden files unless they begin with a dot. */
  function byPattern(): Listed {
    return starts.some(({ text, glob, known }) => !known || (glob && /(^|\/)\.[^/]*$/.test(text)))
      ? 'maybe'
      : 'no';
  }
}

/** Whether a search finds something in a file. If the file cannot be read, it holds nothing that one searches code for. */
function byContent(program: string, args: Arg[], file: string, place: Surroundings, sure: Listed): Listed {
  if (!place.read || !place.exists) return 'no';
  try {
    const content = place.read(file, 'quietly');
    if (content === null) return 'no';
    const found = matchesGrep(program, args, content.text);
    if (found === null || (!found && !content.whole)) return 'maybe';
    return found ? sure : 'no';
  } catch {
    return 'no';
  }
}

/** Tracked files only: git's index holds their names. */
function byGit({ args, cwd }: Invocation, file: string, place: Surroundings): Listed {
  const [verb, ...rest] = args.map(({ text }) => text);
  const at = rest.indexOf('--');
  const words = (at < 0 ? rest : rest.slice(at + 1)).filter((text) => !text.startsWith('-'));
  const specs = verb === 'grep' && at < 0 ? words.slice(1) : words;
  const name = file.slice(place.root.length + 1);
  const asked = (spec: string) => {
    const path = resolvePath(spec, cwd, place.home) ?? spec;
    return within(file, path) || globMatches(spec, name, { anyDepth: true });
  };
  if (verb === 'ls-files' && rest.some((text) => /^(-o|--others)$/.test(text))) return 'maybe';
  if ((verb === 'ls-files' || verb === 'grep') && specs.length > 0 && !specs.some(asked)) return 'no';
  if (!isTracked(name, place)) return 'no';
  if (verb === 'grep') return byContent('grep', args.slice(1), file, place, 'yes');
  return verb === 'ls-files' ? 'yes' : 'maybe';
}

/** Whether git's index may hold a file, by its name. It is false where nobody can look. */
function isTracked(name: string, { root, read, exists }: Surroundings): boolean {
  if (!read || !exists) return false;
  try {
    const folder = exists(`${root}/.git/HEAD`)
      ? `${root}/.git`
      : linkedFolder(read(`${root}/.git`, 'quietly')?.text);
    const index = folder === null ? null : read(`${folder}/index`, 'quietly');
    if (index === null) return false;
    // version 4 shortens names by what they share with the one before
    return !index.whole || index.text.startsWith('DIRC\0\0\0\x04') || index.text.includes(`${name}\0`);
  } catch {
    return true;
  }
}

/** Returns git's own folder of a linked work tree, whose `.git` is a file. */
const linkedFolder = (text: string | undefined): string | null =>
  /^gitdir: (\/.*)$/m.exec(text ?? '')?.[1] ?? null;

/** Whether grep finds its pattern in one of these lines; null if its pattern is not understood. */
function matchesGrep(program: string, args: Arg[], text: string): boolean | null {
  const texts = args.map((arg) => arg.text);
  const at = texts.findIndex((one) => /^(-e|--regexp)$/.test(one));
  const arg = at < 0 ? args.find((one) => !/^-./.test(one.text)) : args[at + 1];
  if (!arg?.known) return null;
  const has = (pattern: RegExp) => texts.some((one) => pattern.test(one));
  const fixed = program === 'fgrep' || has(/^(-[a-zA-Z]*F[a-zA-Z]*|--fixed-strings)$/);
  const extended =
    /^(egrep|rg)$/.test(program) || has(/^(-[a-zA-Z]*[EP][a-zA-Z]*|--extended-regexp|--perl-regexp)$/);
  const flags =
    RE2JS.MULTILINE | (has(/^(-[a-zA-Z]*i[a-zA-Z]*|--ignore-case)$/) ? RE2JS.CASE_INSENSITIVE : 0);
  const source = fixed ? RE2JS.quote(arg.text) : extended ? arg.text : fromBasic(arg.text);
  try {
    return RE2JS.compile(source, flags).matcher(text).find();
  } catch {
    return null;
  }
}

/** Returns a basic regular expression as an extended one: there `+?|(){}` are operators only behind a backslash. */
const fromBasic = (source: string): string =>
  source.replace(/\\?[+?|(){}]/g, (sign) => (sign.startsWith('\\') ? sign.slice(1) : `\\${sign}`));

/**
 * Whether a pattern of file names matches a path.
 *
 * @param how.anyDepth a star also matches slashes and the dot of hidden names, as in find; else as in a shell
 */
export function globMatches(pattern: string, path: string, how: { anyDepth: boolean }): boolean {
  if (pattern.length > MAX_PATTERN) return true;
  if (!how.anyDepth) {
    const parts = pattern.split('/');
    const names = path.split('/');
    return (
      parts.length === names.length &&
      parts.every((part, i) => {
        const name = names[i] as string;
        if (name.startsWith('.') && !part.startsWith('.')) return false;
        return globMatches(part, name, { anyDepth: true });
      })
    );
  }
  return compiledGlob(pattern)?.matcher(path).find() ?? true;
}

/** Patterns that were compiled; false for those that are not understood. All servers of a process may share it. */
const globs = new LRUCache<string, RE2JS | false>({ max: 500 });

/** Returns a pattern of file names in which a star matches anything, compiled; null if it is not understood. */
function compiledGlob(pattern: string): RE2JS | null {
  const before = globs.get(pattern);
  if (before !== undefined) return before || null;
  const source = pattern.replace(/\*+|\?|\[[!^]?|[.+^${}()|\\]/g, (sign) => {
    if (sign.startsWith('*')) return '.*';
    if (sign === '?') return '.';
    if (sign.startsWith('[')) return sign.length > 1 ? '[^' : '[';
    return `\\${sign}`;
  });
  let made: RE2JS | null = null;
  try {
    made = RE2JS.compile(`^(?:${source})$`);
  } catch {
    // such as a bracket that is not closed
  }
  globs.set(pattern, made ?? false);
  return made;
}
const MAX_PATTERN = 200;
