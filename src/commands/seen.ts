import { dropOldest } from '../drop-oldest.ts';
import { programs } from '../shell/lists.ts';
import { isInterpreter, SHELLS, words } from '../shell/names.ts';
import { textOrNothing } from '../shell/project-files.ts';
import type { Invocation } from '../shell/types.ts';
import { type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import { type Brought, bring, type Context, type Foreign, foreignNow, pathIn } from './brought.ts';
import type { Files } from './files.ts';
import { hostsOf, plainHost } from './hosts.ts';
import { decisionOf } from './judge.ts';
import type { Options } from './options.ts';
import { builtinPolicy } from './policy/index.ts';
import type { PartVerdict, PolicyVerdict } from './types.ts';
import { REWRITERS, RUNS_CODE } from './written.ts';

// What a session has seen: code that came from outside (another's pull request, a clone, a download) is left to a person
// when it is about to run for the first time, and a host that a person let it talk to is known from then on.

/** What is remembered of one session. It is kept in memory only. */
export type Seen = Brought & {
  /** hosts that a person let it talk to */
  hosts: Set<string>;
  /** what a person lets pass by letting a call run, by the id that the client gave the call */
  waiting: Map<string, Passing>;
};

/** What counts as seen by a person once a call has run. */
export type Passing = { places: string[]; hosts: string[] };

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
 * The same as `judgeBySeen`, for a call of the client. A call that only stands for one of another tool brings nothing.
 *
 * @param files of the owner's machine; null for others
 */
export function inLightOfSession(
  asked: { place: Surroundings; seen?: Seen; of?: unknown; forTool?: boolean },
  verdict: PolicyVerdict,
  files: Pick<Files, 'read'> | null,
): ReturnType<typeof judgeBySeen> {
  const { place, seen = nothingSeen() } = asked;
  if (asked.of || asked.forTool)
    return { verdict, brought: nothingSeen(), passing: { places: [], hosts: [] } };
  const read = (path: string) => textOrNothing(path, files ?? {});
  return judgeBySeen(verdict, seen, { place, table: builtinPolicy.options, read });
}

/**
 * Returns a verdict in the light of what the session has seen, what the line brings from outside, and what a person lets
 * pass by letting it run.
 *
 * @param read reads a file of the owner; returns an empty text for others
 */
function judgeBySeen(
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
    const [first] = ran;
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

/** Of the programs that run a project's code, those that only read and write data. */
const DATA_ONLY = programs('data-only');
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
  const runsCode = RUNS_CODE.has(program) && !DATA_ONLY.has(program) && !looks;
  const inPath = path.includes('/') ? [pathIn({ text: path }, at, place)] : [];
  const inArgs = interprets
    ? [...given.slice(0, 1), ...values.map(({ arg }) => arg), ...run.reads]
    : (runsCode && !REWRITERS.has(program)) || programs('sql-clients').has(program)
      ? [...run.args, ...run.reads]
      : [];
  const executed = (run.executes ?? []).flatMap((stage) => [...stage.args, ...stage.reads]);
  const named = [...inPath, ...[...inArgs, ...executed].map((arg) => pathIn(arg, at, place))];
  return all.filter(([foreign, { tree }]) => {
    if (named.some((one) => within(one, foreign))) return true;
    if (!tree) return false;
    if (hooks) return within(at, foreign) && /hooksPath/i.test(read(`${place.root}/.git/config`));
    if (!interprets && !runsCode) return false;
    // what tests and builds find by themselves may lie further down
    return within(at, foreign) || (runsCode && within(foreign, at) && within(foreign, place.root));
  });
}
