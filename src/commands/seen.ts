import { clip } from '../clip.ts';
import { dropOldest } from '../drop-oldest.ts';
import { SHELLS, words } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { targetsOf, wordsOf } from './arguments.ts';
import { hostsOf, isInterpreter, plainHost } from './hosts.ts';
import { decisionOf, type PartVerdict, type PolicyVerdict } from './judge.ts';
import type { Options } from './options.ts';
import { asksThisMachine, FETCHERS, REWRITERS, RUNS_CODE } from './written.ts';

// What a session has seen: code that came from outside (another's pull request, a clone, a download) is left to a person
// when it is about to run for the first time, and a host that a person let it talk to is known from then on.

/** What is remembered of one session. It is kept in memory only. */
export type Seen = {
  /** where code lies that came from outside and has not run yet */
  foreign: Map<string, Foreign>;
  /** names in git of what came from outside: remotes that the session added, branches that it fetched from others */
  names: Set<string>;
  /** hosts that a person let it talk to */
  hosts: Set<string>;
  /** what a person lets pass by letting a call run, by the id that the client gave the call */
  waiting: Map<string, Passing>;
};

/** Code from outside. `from`: the command that brought it. `tree`: a folder whose settings tools obey by themselves. */
type Foreign = { from: string; tree: boolean };

/** What counts as seen by a person once a call has run. */
export type Passing = { places: string[]; hosts: string[] };

/** What a line adds to what its session has seen. */
export type Brought = Pick<Seen, 'foreign' | 'names'>;

/** Returns the memory of a session that has seen nothing. */
export const nothingSeen = (): Seen => ({
  foreign: new Map(),
  names: new Set(),
  hosts: new Set(),
  waiting: new Map(),
});

const MAX_SEEN = 200;

/** Notes what a call is about to bring, and what a person lets pass if the call runs. */
export function noteSeen(
  seen: Seen,
  { foreign, names }: Brought,
  call: string | null,
  passing: Passing,
): void {
  for (const [path, one] of foreign) seen.foreign.set(path, one);
  for (const name of names) seen.names.add(name);
  if (call !== null && passing.places.length + passing.hosts.length > 0) seen.waiting.set(call, passing);
  dropOldest(seen.foreign, MAX_SEEN);
  dropOldest(seen.names, MAX_SEEN);
  dropOldest(seen.waiting, MAX_SEEN);
}

/** Notes that a call has run. */
export function noteRan(seen: Seen, call: string): void {
  const { places, hosts } = seen.waiting.get(call) ?? { places: [], hosts: [] };
  seen.waiting.delete(call);
  for (const path of places) seen.foreign.delete(path);
  for (const host of hosts) seen.hosts.add(host);
  dropOldest(seen.hosts, MAX_SEEN);
}

/**
 * Returns a verdict in the light of what the session has seen, what the line brings from outside, and what a person lets
 * pass by letting it run.
 *
 * @param read reads a file of the owner; returns an empty text for others
 */
export function judgeBySeen(
  verdict: PolicyVerdict,
  seen: Seen,
  { place, table, read }: { place: Surroundings; table: Options; read: (path: string) => string },
): { verdict: PolicyVerdict; brought: Brought; passing: Passing } {
  const brought: Brought = { foreign: new Map(), names: new Set() };
  const context: Context = { place, table, read, seen, brought };
  const places = new Set<string>();
  const parts = verdict.parts.map((part, i): PartVerdict => {
    const run = verdict.invocations[i];
    if (!run || run.remote) return part;
    const ran = foreignRunBy(run, context);
    for (const [path] of ran) places.add(path);
    const [first] = ran.filter(([path]) => seen.foreign.has(path));
    bring(run, context);
    const { text, via, decision, hosts } = part;
    if (decision === 'allow' && first) {
      const reason = `runs for the first time what came with “${first[1].from}”`;
      return { text, via, decision: 'unknown', reason, personal: true };
    }
    if (decision !== 'unknown' || !hosts?.every((host) => seen.hosts.has(host))) return part;
    return { text, via, decision: 'allow', reason: `a person let this session talk to ${hosts.join(', ')}` };
  });
  const hosts =
    verdict.decision === 'unknown' ? verdict.invocations.flatMap((run) => hostsOf(run, table)) : [];
  return {
    verdict: { ...verdict, parts, decision: decisionOf(parts) },
    brought,
    passing: { places: [...places], hosts: hosts.map(plainHost) },
  };
}

type Context = {
  place: Surroundings;
  table: Options;
  read: (path: string) => string;
  seen: Seen;
  brought: Brought;
};

const foreignNow = ({ seen, brought }: Context): [string, Foreign][] => [...seen.foreign, ...brought.foreign];

/** Of the programs that run a project's code, those that only read and write data. */
const DATA_ONLY = /^(g?sed|[gmn]?awk|psql|sqlite3|mysql|git)$/;
/** Subcommands that only look, fetch or stop. */
const LOOKS = new Set(
  words(`
    ls list view info show outdated audit why explain config get search tree metadata version help env doc fmt freeze ps logs
    images inspect port top stats events pull stop down rm cp diff whoami ping bin prefix root owner dist-tag licenses
    sum graph vendor locate-project read-manifest cache fetch`),
);
/** Commands of git that run the hooks of the repository. */
const RUNS_HOOKS = /^(commit|push|merge|rebase|checkout|switch|pull|am|cherry-pick|worktree)$/;

/** Whether an interpreter runs only what stands in the line, or a module of its own. */
const computes = ({ code, args }: Invocation): boolean =>
  code !== undefined ||
  /^-m (json\.tool|http\.server|venv|timeit|calendar)\b/.test(args.map(({ text }) => text).join(' '));

/** Returns the code from outside that a command runs. */
function foreignRunBy(run: Invocation, context: Context): [string, Foreign][] {
  const all = foreignNow(context);
  if (all.length === 0) return [];
  const { program, path, cwd } = run;
  const { place, table, read } = context;
  const at = cwd ?? place.root;
  const interprets =
    SHELLS.has(program) ||
    (isInterpreter(program) && !computes(run)) ||
    program === 'source' ||
    program === '.';
  const { words: given, values, sub, options } = wordsOf(run, table);
  const hooks = program === 'git' && RUNS_HOOKS.test(sub.split(' ')[0] ?? '');
  const looks = LOOKS.has(sub.split(' ')[0] ?? '') || options.some((one) => /^(--version|--help)$/.test(one));
  const runsCode = RUNS_CODE.has(program) && !DATA_ONLY.test(program) && !looks;
  const inPath = path.includes('/') ? [pathAt(path, at, place)] : [];
  const inArgs = interprets
    ? [...given.slice(0, 1), ...values.map(({ arg }) => arg), ...run.reads]
    : (runsCode && !REWRITERS.test(program)) || /^(psql|mysql|sqlite3)$/.test(program)
      ? [...run.args, ...run.reads]
      : [];
  const executed = (run.executes ?? []).flatMap((stage) => [...stage.args, ...stage.reads]);
  const named = [...inPath, ...[...inArgs, ...executed].map((arg) => pathAt(pathIn(arg), at, place))];
  return all.filter(([foreign, { tree }]) => {
    if (named.some((one) => within(one, foreign))) return true;
    if (!tree) return false;
    if (hooks) return within(at, foreign) && /hooksPath/i.test(read(`${place.root}/.git/config`));
    if (!interprets && !runsCode) return false;
    // what tests and builds find by themselves may lie further down
    return within(at, foreign) || (runsCode && within(foreign, at) && within(foreign, place.root));
  });
}

const pathIn = ({ text }: Arg): string => text.replace(/^-[\w-]*=|^file:\/\//, '');
const pathAt = (text: string, cwd: string, { home }: Surroundings): string =>
  resolvePath(text, cwd, home) ?? text;

/** Matches refs of what others propose. */
const PROPOSED = /(^|[:+/])(pull|pull-requests|merge-requests|pr|mr)\/\d+/;
const UNPACKS = /^(tar|bsdtar|gtar|unzip|7za?|unrar|cpio|gunzip|unxz|bunzip2|unzstd)$/;
const CLONES = /^(gh|glab) (repo clone|gist clone)\b/;
const CHECKS_OUT = /^((gh|glab|hub) (pr|mr) checkout|hub (checkout|merge|am|apply)|gh co)\b/;
const DOWNLOADS = /^(gh|glab) (release|run) download\b/;

/** Notes what a command brings from outside. */
function bring(run: Invocation, context: Context): void {
  const { program, cwd } = run;
  if (run.scripted || run.suspected) return;
  const { place, table, brought } = context;
  const at = cwd ?? place.root;
  const from = clip([program, ...run.args.map(({ text }) => text)].join(' '), 60);
  const mark = (path: string, tree: boolean) => brought.foreign.set(path, { from, tree });
  const { words: given, values } = wordsOf(run, table);
  const texts = given.map(({ text }) => text);
  const line = `${program} ${texts.join(' ')}`;
  const option = (pattern: RegExp) => values.find((value) => pattern.test(value.option))?.arg.text;
  const stages = run.input.kind === 'pipe' ? run.input.from : [];
  const isFetched = (one: Invocation) =>
    (FETCHERS.test(one.program) && !asksThisMachine(one)) ||
    /^(gh|glab) (pr|mr) diff\b/.test([one.program, ...one.args.map(({ text }) => text)].join(' '));
  const foreign = foreignNow(context);
  const isForeign = (arg: Arg) => {
    const path = pathAt(pathIn(arg), at, place);
    return foreign.some(([one]) => within(path, one));
  };
  const uses = [run, ...stages].some((one) => [...one.args, ...one.reads].some(isForeign));
  const tree = within(at, place.root) ? place.root : (foreign.find(([one]) => within(at, one))?.[0] ?? at);
  if (CHECKS_OUT.test(line)) mark(tree, true);
  else if (CLONES.test(line)) mark(pathAt(texts[3] ?? nameOf(texts[2] ?? ''), at, place), true);
  else if (DOWNLOADS.test(line)) mark(pathAt(option(/^(-D|--dir)$/) ?? '.', at, place), true);
  else if (program === 'git') {
    const all = [run, ...stages].flatMap(({ args }) => args.map(({ text }) => text));
    bringByGit(texts, { mark, tree, at, uses: uses || stages.some(isFetched), all }, context);
  } else if (UNPACKS.test(program)) {
    if (!uses && !stages.some(isFetched)) return;
    const folder =
      option(/^(-C|--directory|-d|-o)$/) ??
      (/^(gun|un|bun)(z|x)/.test(program) ? texts[0]?.replace(/\.\w+$/, '') : '.');
    mark(pathAt(program === 'unzip' ? (option(/^-d$/) ?? '.') : (folder ?? '.'), at, place), true);
  } else if (isFetched(run) || stages.some(isFetched) || uses) {
    for (const target of targetsOf(run, table))
      if (!target.text.startsWith('/dev/')) mark(pathAt(target.text, at, place), false);
    if (!isFetched(run) || !keepsName(run)) return;
    const folder = option(/^(-P|--directory-prefix|--output-dir)$/) ?? '.';
    for (const text of texts)
      mark(pathAt(`${folder}/${nameOf(text.replace(/[?#].*$/s, ''))}`, at, place), false);
  }
}

/** Whether a program keeps what it fetches under the name that the address has. */
const keepsName = ({ program, args, writes }: Invocation): boolean =>
  writes.length === 0 &&
  (program === 'curl'
    ? args.some(({ text }) => /^(-[a-zA-Z]*O|--remote-name)/.test(text))
    : program === 'aria2c' ||
      (/^wget2?$/.test(program) &&
        !args.some(({ text }) => /^(-\w*O|--output-document|--spider)/.test(text))));

const nameOf = (address: string): string =>
  address
    .replace(/\/+$/, '')
    .replace(/^.*[/:]/s, '')
    .replace(/\.git$/, '');

type ByGit = {
  mark: (path: string, tree: boolean) => void;
  /** the work tree */
  tree: string;
  at: string;
  /** whether it names a file that came from outside, or reads what another command fetches */
  uses: boolean;
  /** all its arguments, and those of the commands that it reads from */
  all: string[];
};

/** Commands that put another state into the work tree, or into a new one. */
const TAKES_OVER =
  /^(checkout|switch|merge|rebase|reset|cherry-pick|restore|read-tree|worktree|apply|am|stash)$/;

/** Notes what git brings. */
function bringByGit(
  [verb = '', ...rest]: string[],
  by: ByGit,
  { place, read, seen, brought }: Context,
): void {
  const { mark, tree, at, uses, all } = by;
  // what comes from the project's own remotes is the project's
  const isOwn = (address: string) =>
    read(`${place.root}/.git/config`).includes(address.replace(/\.git$/, ''));
  const isForeign = (source: string) => isOutside(source) || (isAddress(source) && !isOwn(source));
  const isOutside = (name: string) => seen.names.has(name) || brought.names.has(name);
  const [first = '', second, third] = rest;
  if (verb === 'remote' && /^(add|set-url)$/.test(first)) brought.names.add(second ?? '');
  else if (verb === 'remote' && first === 'rename' && isOutside(second ?? '')) brought.names.add(third ?? '');
  else if (verb === 'clone' && isForeign(first)) mark(pathAt(second ?? nameOf(first), at, place), true);
  else if (verb === 'submodule' && first === 'add')
    mark(pathAt(third ?? nameOf(second ?? ''), at, place), true);
  else if (verb === 'fetch' || verb === 'pull') {
    const refs = rest.slice(1);
    if (!isForeign(first) && !refs.some((ref) => PROPOSED.test(ref))) return;
    if (verb === 'pull') mark(tree, true);
    for (const name of ['FETCH_HEAD', ...refs.map((ref) => ref.replace(/^.*:(refs\/heads\/)?/s, ''))])
      brought.names.add(name);
  } else if (TAKES_OVER.test(verb)) {
    const named = all.some((text) => {
      const ref = text.replace(/^--?[\w-]+=/, '').replace(/[~^:].*$/s, '');
      return PROPOSED.test(ref) || isOutside(ref) || isOutside(ref.split('/')[0] as string);
    });
    if (!named && !uses) return;
    // a new work tree is where the new state lies
    mark(verb === 'worktree' && first === 'add' ? pathAt(second ?? '.', at, place) : tree, true);
  }
}

/** Whether git reads a word as the address of a repository elsewhere. */
const isAddress = (text: string): boolean =>
  /^(?!file:)[a-z+]+:\/\/(?!(localhost|127\.0\.0\.1)[:/])|^[\w.-]+@?[\w.-]*:[\w~/.-]/i.test(text);
