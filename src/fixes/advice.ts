import { relativeTo } from '../files/relative-to.ts';
import type { LoadedIncident, Resolution } from '../incidents/incidents.ts';
import { isTry } from '../incidents/ladder.ts';
import { withoutIds } from '../incidents/sources.ts';
import { type Call, type Edit, isCall, type SessionStep } from '../incidents/steps.ts';
import { type Line, readLine } from '../shell/line.ts';
import { aimOf, invocation, type Part, plainTask } from '../shell/parts.ts';
import { purposeOf } from '../shell/purposes.ts';
import { answerTo, isRoutine } from './lasting.ts';

// What a lesson advises, as the session that taught it did it: commands to run, edits to make, or another line to use.
// It is compared with what other sessions did, never with words. So this file says whether advice was followed and
// helped, whether two lessons advise the same, and whether one takes back what the other advises.

type Action =
  | { do: 'run'; line: Line }
  | { do: 'edit'; file: string; before: Set<string>; after: Set<string> }
  | { do: 'use'; from: Call; to: Call };

export type Advice = {
  /** the call that failed, with its error's signature */
  failed: Call;
  /** at least one */
  actions: Action[];
  /** commands that were tried and did not help */
  tried: string[];
};

/** Returns what the lesson of an incident advises; null if it advises nothing that can be seen in a session. */
export function adviceOf(incident: LoadedIncident): Advice | null {
  const { resolution, root } = incident;
  if (resolution === null) return null;
  const failed = bashLike(incident.line, {
    tool: incident.toolName,
    target: incident.target,
    signature: incident.signature,
    output: incident.error,
    ok: false,
  });
  const { commands, edits, changed } = toldIn(incident.line, resolution, incident);
  const actions: Action[] = [
    ...commands.map((line) => ({ do: 'run' as const, line })),
    ...edits.map((edit) => editAction(edit, root)),
    ...(changed && incident.line !== null ? otherLine(failed, bashLike(lineIn(resolution), {})) : []),
  ];
  return actions.length === 0 ? null : { failed, actions, tried: resolution.attempts };
}

const lineIn = ({ command }: Resolution): Line | null => (command === null ? null : readLine(command));

/** Returns what another line does instead of one that failed: commands before it, if it is the same for the rest. */
function otherLine(from: Call, to: Call): Action[] {
  const [wanted, done] = [from, to].map(({ line }) => line?.parts.map(print) ?? []) as [string[], string[]];
  const more = done
    .filter((text) => !wanted.includes(text))
    .map(readLine)
    .filter((line) => !isRoutine(line));
  return more.length > 0 && wanted.every((line) => done.includes(line))
    ? more.map((line) => ({ do: 'run', line }))
    : [{ do: 'use', from, to }];
}

/**
 * Returns the part of a resolution that belongs in its lesson: what had to be done, and whether another line
 * worked.
 */
export function toldIn(
  failed: Line | null,
  resolution: Resolution,
  about: { error: string; errorType: string | null } = { error: '', errorType: null },
): { commands: Line[]; edits: Edit[]; changed: boolean } {
  const { cures: commands, settings, changed: other } = answerTo({ line: failed, ...about }, resolution);
  const changed = resolution.kind === 'sibling' || other;
  // when a setting was changed, a command ran first or another line worked, changes of the code beside it are left out
  const edits = settings.length > 0 ? settings : changed || commands.length > 0 ? [] : resolution.edits;
  return { commands: commands.slice(-3), edits: edits.slice(-3), changed };
}

/** What became of advice so far, for {@link outcomeOf}. */
export type Followed = {
  outcome: 'helped' | 'failed' | 'unused';
  /** what of it was done since the call last passed or failed */
  done: Set<Action>;
  /** whether a command of it did not work */
  broken: boolean;
};

export const notFollowed = (): Followed => ({ outcome: 'unused', done: new Set(), broken: false });

/**
 * Returns what became of advice in a session. `helped`: it was followed, and then what had failed passed. `failed`: it
 * was followed, and the error came again, or a command of it never worked and something else helped. `unused`: neither,
 * because a mere pass says nothing about advice that nobody followed. The last of several outcomes counts.
 *
 * @param steps what happened after the advice was given, the oldest first
 * @param root the work tree of the session
 * @param so what became of it before these steps; it is brought up to date
 */
export function outcomeOf(
  advice: Advice,
  steps: SessionStep[],
  root: string | null,
  so: Followed = notFollowed(),
): Followed['outcome'] {
  for (const call of steps.filter(isCall)) {
    const now = advice.actions.filter((action) => carriesOut(action, call, root));
    if (call.signature !== null && call.signature === advice.failed.signature) {
      const all = new Set([...so.done, ...now]);
      // advice that was followed in part may still be right
      if (all.size === advice.actions.length) so.outcome = 'failed';
      so.done.clear();
    } else if (!call.ok) {
      so.broken ||= now.some((action) => action.do === 'run');
    } else {
      for (const action of now) so.done.add(action);
      if (!passes(advice, call)) continue;
      if (so.done.size > 0) so.outcome = 'helped';
      else if (so.broken) so.outcome = 'failed';
      so.done.clear();
      so.broken = false;
    }
  }
  return so.outcome;
}

/**
 * Returns how a new piece of advice stands to a stored one. `same`: it answers the same error with the same actions, or an error
 * of the same kind of call with the very same cure.
 * `replaces`: it takes back what the stored one tells, or helped where that was tried in vain. Null: neither; two causes
 * of one error are two lessons.
 */
export function effectOn(fresh: Advice, stored: Advice): 'same' | 'replaces' | null {
  const sameError = fresh.failed.signature === stored.failed.signature;
  if (sameError && (covers(fresh, stored) || covers(stored, fresh))) return 'same';
  if (cureKey(fresh) === cureKey(stored)) return 'same';
  if (stored.actions.some((old) => fresh.actions.some((action) => takesBack(action, old)))) return 'replaces';
  const tried = (old: Action) =>
    fresh.tried.some((line) => carriesOut(old, bashLike(readLine(line), {}), null));
  return sameError && stored.actions.every(tried) ? 'replaces' : null;
}

/**
 * Returns a key that is equal for advice that cures the same kind of call in the same way, whatever the words of the
 * error: the purpose of the failed call if it checks or builds, else its program and subcommand; and what is run, changed
 * or used instead.
 *
 * @example cureKey(advice) // 'check | run npm run gen'
 */
export function cureKey({ failed, actions }: Advice): string {
  return `${kindOfCall(failed)} | ${[...new Set(actions.map(keyOfAction))].sort().join('; ')}`;
}

/** Purposes of calls that need the same things: whatever has to be there before one of them has to be there for all. */
const CHECKS = new Set(['test', 'lint', 'check', 'build']);

function kindOfCall({ tool, line, output }: Call): string {
  const aim = line === null ? undefined : aimOf(line.parts, output);
  if (!aim) return line === null ? tool : line.plain;
  const purpose = purposeOf(aim);
  return purpose !== null && CHECKS.has(purpose) ? 'check' : invocation(aim);
}

function keyOfAction(action: Action): string {
  if (action.do === 'run') {
    const things = ({ args }: Part) => args.filter((arg) => !arg.startsWith('-')).map(plainTask);
    const acts = actsOf(action.line).map((part) =>
      [...new Set([...invocation(part).split(' '), ...things(part)])].join(' '),
    );
    return `run ${withoutIds(acts.length > 0 ? acts.join(' && ') : action.line.plain)}`;
  }
  const { added, removed } = changeOf(action);
  const words = [
    ...[...added].sort().map((word) => `+${word}`),
    ...[...removed].sort().map((word) => `-${word}`),
  ];
  return withoutIds(`${action.do === 'edit' ? `edit ${action.file}` : 'use'} ${words.join(' ')}`);
}

/** Whether a call does already what a piece of advice says, so that the advice need not be told at it. */
export const isFollowedBy = (advice: Advice, call: Call, root: string | null): boolean =>
  advice.actions.every((action) => carriesOut(action, call, root));

const covers = (a: Advice, b: Advice): boolean =>
  b.actions.every((wanted) => a.actions.some((action) => isSameAction(action, wanted)));

function isSameAction(a: Action, b: Action): boolean {
  if (a.do === 'run' && b.do === 'run') return runsSame(a.line, b.line);
  if (a.do === 'edit' && b.do === 'edit')
    return a.file === b.file && isSameChange(changeOf(a), changeOf(b), a.after);
  if (a.do === 'use' && b.do === 'use') return isSameChange(changeOf(a), changeOf(b), wordsOf(a.to));
  return false;
}

type Change = { added: Set<string>; removed: Set<string> };

/** Whether two changes add the same words. If they add none, whether they remove the same words. */
function isSameChange(a: Change, b: Change, after: Set<string>): boolean {
  if (a.added.size + b.added.size > 0)
    return meet(a.added, b.added) > 0 && (within(b.added, after) || within(a.added, b.added));
  return a.removed.size > 0 && within(a.removed, b.removed) && within(b.removed, a.removed);
}

function changeOf(action: Exclude<Action, { do: 'run' }>): Change {
  const [before, after] =
    action.do === 'edit' ? [action.before, action.after] : [wordsOf(action.from), wordsOf(action.to)];
  return { added: without(after, before), removed: without(before, after) };
}

/** Whether an action takes back what an older one did: A → B, and later B → A or B → C. */
function takesBack(action: Action, old: Action): boolean {
  if (action.do === 'run' || old.do === 'run' || action.do !== old.do) return false;
  const { added, removed } = changeOf(old);
  if (action.do === 'edit' && old.do === 'edit') {
    if (action.file !== old.file) return false;
    return added.size > 0
      ? within(added, action.before) && !within(added, action.after)
      : removed.size > 0 && !within(removed, action.before) && within(removed, action.after);
  }
  if (action.do !== 'use' || old.do !== 'use' || !isTry(old.from, action.to)) return false;
  const [failed, worked] = [wordsOf(action.from), wordsOf(action.to)];
  return (
    within(added, failed) && within(removed, worked) && meet(added, worked) + meet(removed, failed) === 0
  );
}

/** Whether a call does what an action says. A call that failed may do it too. */
function carriesOut(action: Action, call: Call, root: string | null): boolean {
  if (action.do === 'edit') return call.edits.some((edit) => isSameAction(editAction(edit, root), action));
  if (call.line === null) return false;
  if (action.do === 'run') return runsSame(call.line, action.line);
  const { added, removed } = changeOf(action);
  if (!isTry(action.to, call)) return false;
  return added.size > 0
    ? within(added, wordsOf(call))
    : removed.size > 0 && meet(removed, wordsOf(call)) === 0;
}

/** Whether a call that worked is what had failed, or the line that the advice puts in its place. */
const passes = (advice: Advice, call: Call): boolean =>
  isTry(advice.failed, call) ||
  advice.actions.some((action) => action.do === 'use' && isTry(action.to, call));

/** Whether two lines have a command in common: the same program on the same things, whatever its options. */
function runsSame(a: Line, b: Line): boolean {
  if (a.text.trim() === b.text.trim()) return true;
  const things = (part: Part) => part.args.filter((arg) => !arg.startsWith('-')).map(plainTask);
  return actsOf(a).some((one) =>
    actsOf(b).some(
      (other) => invocation(one) === invocation(other) && things(one).join(' ') === things(other).join(' '),
    ),
  );
}

/** Returns the commands of a line that are not routine. */
const actsOf = ({ parts }: Line): Part[] => parts.filter((part) => !isRoutine(readLine(print(part))));

const print = ({ program, args }: Part): string => [program, ...args].join(' ');

function editAction({ file, before, after }: Edit, root: string | null): Action & { do: 'edit' } {
  return { do: 'edit', file: relativeTo(root, file), before: tokensOf(before), after: tokensOf(after) };
}

const tokensOf = (text: string | null) => new Set(text?.match(/[\w.@/^~*-]+/g));

/** Returns the words of a command line, without the folder it was run in. */
const wordsOf = ({ line }: Call) =>
  new Set((line?.text ?? '').replace(/^cd \S+ && /, '').match(/[^\s;&|()"'`]+/g));

const within = (part: Set<string>, whole: Set<string>) => [...part].every((word) => whole.has(word));
const without = (from: Set<string>, taken: Set<string>) =>
  new Set([...from].filter((word) => !taken.has(word)));
const meet = (a: Set<string>, b: Set<string>) => [...a].filter((word) => b.has(word)).length;

/** Returns a shell call with the fields that a comparison of calls needs. */
const bashLike = (line: Line | null, fields: Partial<Call>): Call => ({
  kind: 'call',
  toolUseId: '',
  agentId: null,
  tool: 'Bash',
  line,
  target: line === null ? null : line.text.trim(),
  input: {},
  ok: true,
  signature: null,
  output: '',
  printed: '',
  edits: [],
  at: new Date(0),
  ...fields,
});
