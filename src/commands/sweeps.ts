import { known } from '../shell/arg.ts';
import { globPattern } from '../shell/globs.ts';
import { programs } from '../shell/lists.ts';
import { GREPS, SHOWERS, TREE_GREPS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { zoneOf } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import { readByProgram } from './inline-sweeps.ts';
import type { MatchContext } from './match.ts';
import type { Value, Words } from './options.ts';

// What a command reads without naming it: whole folders, and what patterns of names find.

/** Files that a command reads because they lie in a folder, or because a pattern finds them. */
export type Sweep = {
  /** the folders in which it begins */
  roots: Arg[];
  /** how many levels of folders it enters below its roots */
  levels: number;
  /** whether it reads hidden files, and those that git ignores */
  hidden: boolean;
  ignored: boolean;
  /** whether it follows the links that it finds */
  follows: boolean;
  /** whether it takes a file by its path below the root; `asked`: even if it is hidden or ignored */
  takes: (path: string) => 'asked' | boolean;
  /** the patterns of a search, of which only lines that match are shown; null: all lines may be */
  patterns: string[] | null;
  /** what to add, so that a file is left out; null: nothing would do that */
  leaveOut: ((name: string) => string) | null;
};

const WHOLE = {
  levels: Number.POSITIVE_INFINITY,
  hidden: true,
  ignored: true,
  follows: false,
  takes: () => true,
  patterns: null,
  leaveOut: null,
} as const satisfies Omit<Sweep, 'roots'>;

export const SEARCHES: ReadonlySet<string> = new Set([...GREPS, 'rgrep', ...TREE_GREPS, 'git']);

/** Returns what a command reads without naming it. */
export function sweepsOf(invocation: Invocation, context: MatchContext): Sweep[] {
  const { program } = invocation;
  const split = wordsOf(invocation, context.options);
  if (program === 'git' && split.sub.startsWith('add')) return forced(split);
  if (SEARCHES.has(program)) return searches(invocation, split, context);
  if (/^(color)?diff$/.test(program)) return comparison(invocation, split, context);
  if (programs('tars').has(program)) return tarball(invocation, split, context);
  if (program === 'zip') return zipped(invocation, split, context);
  if (servesToOthers(invocation)) return [{ ...WHOLE, roots: [servedBy(invocation)] }];
  const read = readByProgram(invocation);
  if (read) return [{ ...WHOLE, ...read }];
  return SHOWERS.has(program) ? found(invocation, context) : [];
}

/** What `git add -f` takes in although git ignores it. */
function forced({ options, words }: Words): Sweep[] {
  if (!options.some((option) => /^(-\w*f\w*|--force)$/.test(option))) return [];
  const named = words.slice(1).filter(({ text }) => !text.startsWith(':'));
  const left = words.flatMap(({ text }) => /^:(?:!|\^|\(exclude\))(.*)/s.exec(text)?.[1] ?? []);
  return [
    {
      ...WHOLE,
      roots: named.length > 0 ? named : [known('.')],
      takes: (path) => !left.some((glob) => fits(path, glob)),
      leaveOut: (name) => `':!${name}'`,
    },
  ];
}

/** Whether a command serves the files of a folder to everybody who reaches this machine: Python's server does so unless bound. */
const servesToOthers = ({ program, args }: Invocation): boolean => {
  const line = args.map(({ text }) => text).join(' ');
  return /^python/.test(program) && /(^| )-m http\.server\b/.test(line) && !LOOPBACK.test(line);
};
const LOOPBACK = /(-b|--bind)[ =]?(127\.|localhost|::1)/;
const servedBy = ({ args }: Invocation): Arg =>
  args.find((_, i) => /^(-d|--directory)$/.test(args[i - 1]?.text ?? '')) ?? known('.');

/** Options with which a search shows only names, numbers or nothing. */
const NAMES_ONLY =
  /^(-[lLcq]|--files|--files-with(out)?-match(es)?|--count(-matches)?|--quiet|--silent|--name-only|--type-list)$/;
/** Options with which a search shows other lines than those that match the patterns in the line. */
const OTHER_LINES = /^(-v|--invert-match|--passthru|-f|--file)$/;

/**
 * Returns what a search looks for, and where. The patterns are null if they are not known, or if it shows other lines
 * than those that match.
 */
export function searchedFor(
  { program }: Invocation,
  { words: all, options, values }: Words,
): { patterns: string[] | null; paths: Arg[] } {
  const words = all.slice(program === 'git' ? 1 : 0);
  const given = values.filter(({ option }) => /^(-e|--regexp)$/.test(option)).map(({ arg }) => arg);
  const asked = given.length > 0 ? given : words.slice(0, 1);
  const inFile = options.some((option) => option === '-f' || option === '--file');
  const told = asked.every((arg) => arg.known) && !options.some((option) => OTHER_LINES.test(option));
  return {
    patterns: told ? asked.map(({ text }) => text) : null,
    paths: words.slice(given.length > 0 || inFile ? 0 : 1),
  };
}

function searches(invocation: Invocation, split: Words, context: MatchContext): Sweep[] {
  const { program, input, openArgs } = invocation;
  const { options, values } = split;
  const git = program === 'git';
  if ((git && !split.sub.startsWith('grep')) || options.some((option) => NAMES_ONLY.test(option))) return [];
  const has = (...names: string[]) => names.some((name) => options.includes(name));
  const { patterns, paths } = searchedFor(invocation, split);
  const folders = paths.filter((word) => !word.text.startsWith(':'));
  const shared = { ...WHOLE, roots: folders.length > 0 ? folders : [known('.')], patterns };
  const byNames = found(invocation, context).map((sweep) => ({ ...sweep, patterns }));
  if (git) {
    const left = paths.flatMap(({ text }) => /^:(?:!|\^|\(exclude\))(.*)/s.exec(text)?.[1] ?? []);
    const all = has('--no-index');
    if (!all && !has('--untracked')) return [];
    return [
      {
        ...shared,
        ignored: all && !has('--exclude-standard'),
        takes: (path) => !left.some((glob) => fits(path, glob)),
        leaveOut: (name) => `':!${name}'`,
      },
    ];
  }
  if (TREE_GREPS.includes(program)) {
    // without a path these read what comes by the pipe
    if (paths.length === 0 && (input.kind !== 'none' || openArgs)) return byNames;
    const all = has('-uu', '-uuu', '--unrestricted') || (program !== 'rg' && has('-u'));
    return [
      ...byNames,
      {
        ...shared,
        hidden: all || has('--hidden', '-.'),
        ignored: all || has('--no-ignore', '--no-ignore-vcs', program === 'rg' ? '-u' : '-U'),
        follows: has('-L', '--follow'),
        takes: (path) => takenByGlobs(path, values),
        leaveOut: (name) => (program === 'rg' ? `-g '!${name}'` : `--ignore=${name}`),
      },
    ];
  }
  const recursive =
    program === 'rgrep' ||
    has('-r', '-R', '--recursive', '--dereference-recursive') ||
    values.some(({ option, arg }) => /^(-d|--directories)$/.test(option) && arg.text === 'recurse');
  // further arguments are names of files that something lists, mostly those below the folder
  if (!recursive && !openArgs) return byNames;
  return [
    ...byNames,
    {
      ...shared,
      follows: has('-R', '--dereference-recursive'),
      takes: (path) => takenByIncludes(path, values),
      leaveOut: (name) => `--exclude=${name}`,
    },
  ];
}

function comparison(
  invocation: Invocation,
  { words, options, values }: Words,
  context: MatchContext,
): Sweep[] {
  if (options.some((option) => /^(-q|--brief)$/.test(option))) return [];
  if (!options.some((option) => /^(-r|--recursive)$/.test(option))) return found(invocation, context);
  const left = valuesOf(values, /^(-x|--exclude)$/);
  return [
    {
      ...WHOLE,
      roots: words,
      takes: (path) => !left.some((glob) => fits(path, glob)),
      leaveOut: (name) => `-x '${name}'`,
    },
  ];
}

/** Zones in which an archive shows nothing yet. What is uploaded from a temporary folder is judged then. */
const NEAR = ['project', 'project-root', 'regenerable', 'temp', 'sink'];

const goesFar = (archive: Arg | undefined, { cwd }: Invocation, { place }: MatchContext): boolean =>
  !archive || archive.text === '-' || !NEAR.includes(zoneOf(archive, cwd, place));

/** An archive that is printed, or that is written to another place than the project or a temporary folder. */
function tarball(invocation: Invocation, { words, values }: Words, context: MatchContext): Sweep[] {
  const [first, ...others] = invocation.args;
  // the letters of the first word need no dash
  const letters = /^-?([a-zA-Z]+)$/.exec(first?.text ?? '')?.[1] ?? '';
  const makes = letters.includes('c') || others.some(({ text }) => /^(--create|-[a-zA-Z]*c)/.test(text));
  if (!makes) return [];
  const bundled = words[0] === first;
  const inBundle = bundled && letters.includes('f');
  const files = words.slice(bundled ? 1 : 0);
  const archive = inBundle ? files[0] : values.find(({ option }) => /^(-f|--file)$/.test(option))?.arg;
  if (!goesFar(archive, invocation, context)) return [];
  const from = values.find(({ option }) => /^(-C|--directory)$/.test(option))?.arg;
  const left = invocation.args.flatMap(({ text }, i) =>
    text.startsWith('--exclude=')
      ? text.slice(10)
      : text === '--exclude'
        ? (invocation.args[i + 1]?.text ?? [])
        : [],
  );
  return [
    {
      ...WHOLE,
      roots: files
        .slice(inBundle ? 1 : 0)
        .map((root) =>
          from && !/^[/~]/.test(root.text) ? { ...root, text: `${from.text}/${root.text}` } : root,
        ),
      takes: (path) => !left.some((glob) => fits(path, glob)),
      leaveOut: (name) => `--exclude='${name}'`,
    },
  ];
}

function zipped(invocation: Invocation, { words, options }: Words, context: MatchContext): Sweep[] {
  const { args } = invocation;
  if (!options.some((option) => /^(-r|-R|--recurse-paths)$/.test(option))) return [];
  const cut = args.findIndex(({ text }) => /^(-x|--exclude)$/.test(text));
  const left = cut < 0 ? [] : args.slice(cut + 1);
  const [archive, ...roots] = words.filter((word) => !left.includes(word));
  if (!goesFar(archive, invocation, context)) return [];
  return [
    {
      ...WHOLE,
      roots,
      takes: (path) => !left.some(({ text }) => globPattern(text.replace(/\*+/g, '**'))?.test(path)),
      leaveOut: (name) => `-x '*${name}'`,
    },
  ];
}

/** Returns the files that the shell's patterns find, or `find`. */
function found({ args, via }: Invocation, { dotglob }: MatchContext): Sweep[] {
  const byFind = via.includes('find');
  return args.flatMap((arg) => {
    if (!arg.glob || !arg.known || arg.text.startsWith('-')) return [];
    const names = arg.text.split('/');
    const wild = names.findIndex((name) => /[*?[{]/.test(name));
    const rest = names.slice(wild).join('/');
    // `find` compares its pattern with the names in all folders below
    const glob = (byFind || via.includes('fd')) && wild === names.length - 1 ? `**/${rest}` : rest;
    const pattern = wild < 0 ? null : globPattern(glob);
    if (!pattern) return [];
    const base = names.slice(0, wild).join('/');
    return [
      {
        ...WHOLE,
        roots: [{ ...arg, text: base || (arg.text.startsWith('/') ? '/' : '.'), glob: false }],
        levels: glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length - 1,
        // what a listing hands on to xargs may be hidden too
        hidden:
          byFind || dotglob === true || /(^|\/)\./.test(rest) || (rest === '**' && via.includes('xargs')),
        follows: true,
        takes: (path: string) => pattern.test(path),
      },
    ];
  });
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const valuesOf = (values: Value[], option: RegExp): string[] =>
  values.filter((value) => option.test(value.option)).map(({ arg }) => arg.text);

/** Whether a pattern fits a path: one without a slash is compared with each name in it. */
function fits(path: string, text: string): boolean {
  const glob = text.replace(/^\.?\/|\/(\*\*)?$/g, '');
  const pattern = globPattern(glob);
  if (!pattern) return false;
  return glob.includes('/') ? pattern.test(path) : path.split('/').some((name) => pattern.test(name));
}

function takenByIncludes(path: string, values: Value[]): boolean {
  if (valuesOf(values, /^--exclude-dir$/).some((glob) => fits(path, glob))) return false;
  if (valuesOf(values, /^--exclude$/).some((glob) => fits(nameOf(path), glob))) return false;
  const only = valuesOf(values, /^--include$/);
  return only.length === 0 || only.some((glob) => fits(nameOf(path), glob));
}

/** The last pattern that fits decides, and a type stands for its usual ending. */
function takenByGlobs(path: string, values: Value[]): 'asked' | boolean {
  if (valuesOf(values, /^--ignore(-dir)?$/).some((glob) => fits(path, glob))) return false;
  const types = valuesOf(values, /^(-t|--type)$/);
  if (types.length > 0 && !types.some((type) => type === 'all' || path.endsWith(`.${type}`))) return false;
  const globs = valuesOf(values, /^(-g|-G|--i?glob)$/);
  const last = globs.findLast((glob) => fits(path, glob.replace(/^!/, '')));
  if (last !== undefined) return last.startsWith('!') ? false : 'asked';
  return globs.every((glob) => glob.startsWith('!'));
}
