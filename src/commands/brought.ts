import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { clip } from '../text/clip.ts';
import { targetsOf, wordsOf } from './arguments.ts';
import type { Options } from './options.ts';
import { asksThisMachine, FETCHERS, isObeyedName, SOURCE } from './written.ts';

// What a line brings from outside: pull requests of others, other repositories, patches, downloads, and copies of these.

/**
 * Code from outside. `from`: the command that brought it. `tree`: tools find it by themselves: a folder, or a source file
 * of the project.
 */
export type Foreign = { from: string; tree: boolean };

export type Brought = {
  /** where code lies that came from outside and has not run yet */
  foreign: Map<string, Foreign>;
  /** names in git of what came from outside: remotes that the session added, branches that it fetched from others */
  names: Set<string>;
};

export type Context = {
  place: Surroundings;
  table: Options;
  /** reads a file of the owner; returns an empty text for others */
  read: (path: string) => string;
  /** what the session had seen before the line */
  seen: Brought;
  /** what the line has brought so far */
  brought: Brought;
};

/** Returns all code from outside that has not run yet. */
export const foreignNow = ({ seen, brought }: Context): [string, Foreign][] => [
  ...seen.foreign,
  ...brought.foreign,
];

/** Returns the absolute path that an argument, or the value in it, is. */
export const pathIn = ({ text }: Pick<Arg, 'text'>, cwd: string, { home }: Surroundings): string => {
  const path = text.replace(/^-[\w-]*=|^file:\/\//, '');
  return resolvePath(path, cwd, home) ?? path;
};

/** Matches refs of what others propose. */
const PROPOSED = /(^|[:+/])(pull|pull-requests|merge-requests|pr|mr)\/\d+/;
const UNPACKS = programs('unpackers');
const INFLATES = programs('inflaters');
const CLONES = /^(gh|glab) (\S+ )?(repo clone|gist clone)\b/;
const CHECKS_OUT = /^(gh|glab|hub) (\S+ )?(pr|mr) checkout\b|^hub (checkout|merge|am|apply)\b|^gh co\b/;
const DOWNLOADS = /^(gh|glab) (\S+ )?(release|run) download\b/;
const SHOWS = /^(gh|glab) (\S+ )?((pr|mr) diff|gist view|api)\b/;
/** Programs that copy from other machines, and how they name what lies there. */
const COPIES_FAR = programs('far-copiers');
const FAR = /^(s3|gs|az|https):\/\/|^[\w.@-]{2,}:(?!\\)/;

/** Notes what a command brings from outside. */
export function bring(run: Invocation, context: Context): void {
  const { program } = run;
  // what stands in a script or a string may never run
  if (run.scripted || run.suspected) return;
  const { place, table, brought } = context;
  const at = run.cwd ?? place.root;
  const from = clip([program, ...run.args.map(({ text }) => text)].join(' '), 60);
  const mark = (path: string, tree: boolean) => brought.foreign.set(path, { from, tree });
  const { words: given, values } = wordsOf(run, table);
  const texts = given.map(({ text }) => text);
  const line = `${program} ${texts.join(' ')}`;
  const option = (pattern: RegExp) => values.find((value) => pattern.test(value.option))?.arg.text;
  const path = (text: string) => pathIn({ text }, at, place);
  const sources = [
    ...(run.input.kind === 'pipe' ? run.input.from : []),
    ...run.args.flatMap((arg) => arg.from ?? []),
  ];
  const foreign = foreignNow(context);
  const used = [run, ...sources]
    .flatMap((one) => [...one.args, ...one.reads])
    .flatMap((arg) => foreign.filter(([one]) => within(pathIn(arg, at, place), one)));
  const outside =
    used.length > 0 || sources.some((one) => fetches(one, table)) || namesOutside(run, sources, context);
  const tree = within(at, place.root) ? place.root : (foreign.find(([one]) => within(at, one))?.[0] ?? at);
  if (CHECKS_OUT.test(line)) mark(tree, true);
  else if (CLONES.test(line)) {
    const [what = '', folder] = texts.slice(texts.indexOf('clone') + 1);
    mark(path(folder ?? nameOf(what)), true);
  } else if (DOWNLOADS.test(line)) mark(path(option(/^(-D|--dir)$/) ?? '.'), true);
  else if (program === 'git') bringByGit(texts, { mark, tree, path, outside }, context);
  else if (program === 'patch' && outside) mark(tree, true);
  else if (UNPACKS.has(program) && outside)
    mark(path(option(program === 'unzip' ? /^-d$/ : /^(-C|--directory|-d|-o)$/) ?? '.'), true);
  else if (INFLATES.has(program) && outside)
    for (const text of texts) mark(path(text.replace(/\.\w+$/, '')), false);
  else if (fetches(run, table) || outside) {
    const keeps = used.some(([, one]) => one.tree);
    const named = COPIES_FAR.has(program) ? given.slice(-1) : targetsOf(run, table);
    for (const { text } of [...named, ...keptNames(run, texts, option)])
      if (!text.startsWith('/dev/') && !FAR.test(text))
        mark(path(text), keeps || isSource(path(text), place));
  }
  // what git prints of another's branch may be written to a file
  if (program === 'git' && outside)
    for (const { target } of run.writes)
      mark(pathIn(target, at, place), isSource(pathIn(target, at, place), place));
}

/** Whether tools run a file of the project by themselves: a source, or settings. */
const isSource = (path: string, { root }: Surroundings): boolean =>
  within(path, root) && (SOURCE.test(path) || isObeyedName(path));

/** Whether a command brings something from another machine. */
function fetches(run: Invocation, table: Options): boolean {
  const { program, args } = run;
  if (FETCHERS.has(program)) return !asksThisMachine(run);
  const texts = args.map(({ text }) => text);
  if (COPIES_FAR.has(program))
    return FAR.test(
      wordsOf(run, table)
        .words.slice(0, -1)
        .find(({ text }) => FAR.test(text))?.text ?? '',
    );
  return SHOWS.test(`${program} ${texts.join(' ')}`);
}

/** Returns the names under which a program keeps what it fetches, where the address says them. */
function keptNames(
  { program, args, writes }: Invocation,
  addresses: string[],
  option: (pattern: RegExp) => string | undefined,
): { text: string }[] {
  const has = (pattern: RegExp) => args.some(({ text }) => pattern.test(text));
  const keeps =
    writes.length === 0 &&
    ((program === 'curl' && has(/^(-[a-zA-Z]*O|--remote-name)/)) ||
      program === 'aria2c' ||
      (/^wget2?$/.test(program) && !has(/^(-\w*O|--output-document|--spider)/)));
  const folder = option(/^(-P|--directory-prefix|--output-dir|-d|--dir)$/) ?? '.';
  return keeps
    ? addresses.map((text) => ({ text: `${folder}/${nameOf(text.replace(/[?#].*$/s, ''))}` }))
    : [];
}

const nameOf = (address: string): string =>
  address
    .replace(/\/+$/, '')
    .replace(/^.*[/:]/s, '')
    .replace(/\.git$/, '');

/** Whether a command of git, or one that it reads from, names a branch or a remote from outside. */
function namesOutside(run: Invocation, sources: Invocation[], context: Context): boolean {
  const fetched = context.seen.names.size + context.brought.names.size > 0;
  return [run, ...sources].some(
    ({ program, args }) =>
      program === 'git' &&
      args.some(({ text }) => {
        const ref = text.replace(/^--?[\w-]+=/, '').replace(/[~^:].*$/s, '');
        // the name of a commit does not tell where it came from
        if (/^[\da-f]{7,40}$|^\$/.test(ref) && fetched) return true;
        return (
          PROPOSED.test(ref) || isOutside(ref, context) || isOutside(ref.split('/')[0] as string, context)
        );
      }),
  );
}

const isOutside = (name: string, { seen, brought }: Context): boolean =>
  seen.names.has(name) || brought.names.has(name);

type ByGit = {
  mark: (path: string, tree: boolean) => void;
  /** the work tree */
  tree: string;
  path: (text: string) => string;
  /** whether it names something that came from outside, or reads what another command brings */
  outside: boolean;
};

/** Commands that put another state into the work tree, or into a new one. */
const TAKES_OVER =
  /^(checkout|switch|merge|rebase|reset|cherry-pick|restore|read-tree|worktree|apply|am|stash)$/;

/** Notes what git brings. */
function bringByGit([verb = '', ...rest]: string[], by: ByGit, context: Context): void {
  const { mark, tree, path, outside } = by;
  const { place, read, brought } = context;
  // what comes from the project's own remotes is the project's
  const isOwn = (address: string) =>
    read(`${place.root}/.git/config`).includes(address.replace(/\.git$/, ''));
  const isForeign = (source: string) => isOutside(source, context) || (isAddress(source) && !isOwn(source));
  const [first = '', second = '', third] = rest;
  if (verb === 'remote') {
    if (/^(add|set-url)$/.test(first)) brought.names.add(second);
    else if (first === 'rename' && isOutside(second, context)) brought.names.add(third ?? '');
  } else if (verb === 'clone') {
    if (isForeign(first)) mark(path(second || nameOf(first)), true);
  } else if (verb === 'submodule') {
    if (first === 'add') mark(path(third ?? nameOf(second)), true);
  } else if (verb === 'fetch' || verb === 'pull') {
    const refs = rest.slice(1);
    if (!isForeign(first) && !refs.some((ref) => PROPOSED.test(ref))) return;
    if (verb === 'pull') mark(tree, true);
    const branches = refs.flatMap((ref) => /:(?:refs\/heads\/)?([^:]+)$/.exec(ref)?.[1] ?? []);
    for (const name of ['FETCH_HEAD', ...branches]) brought.names.add(name);
  } else if (/^(branch|tag)$/.test(verb)) {
    if (outside) brought.names.add(first);
  } else if (TAKES_OVER.test(verb) && outside) {
    // a new work tree is where the new state lies
    mark(verb === 'worktree' && first === 'add' ? path(second) : tree, true);
  }
}

/** Whether git reads a word as the address of a repository elsewhere. */
const isAddress = (text: string): boolean =>
  /^(?!file:)[a-z+]+:\/\/(?!(localhost|127\.0\.0\.1)[:/])|^[\w.-]+@?[\w.-]*:[\w~/.-]/i.test(text);
