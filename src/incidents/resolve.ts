import { clip } from '../shell/command-key.ts';
import { readLine } from '../shell/line.ts';
import { invocation, isLook, type Part } from '../shell/parts.ts';
import { takesFields } from '../shell/shell-tools.ts';
import { isTry, RUNGS, rungOf } from './ladder.ts';
import { showsAgain } from './lost-exit.ts';
import type { Resolution, Tried } from './schema.ts';
import { type Call, type Edit, isCall, type SessionStep } from './steps.ts';

/** What was done between an error and the call that worked. */
type Done = { edits: Edit[]; commands: string[] };

export type Resolved = {
  failed: Call;
  worked: Call;
  resolution: Resolution;
};

/**
 * Returns the calls of a session that failed and were answered by a later one, each with what answered it, in the order
 * in which they failed. If one call answered several tries of the same thing, only the first of them is in `told`.
 *
 * @param steps what happened, the oldest first
 * @returns `answered`: all failed calls that were answered; `told`: those that a lesson may be written about
 */
export function readResolutions(steps: SessionStep[]): { answered: Resolved[]; told: Resolved[] } {
  const calls = steps.filter(isCall);
  const answered = calls.flatMap((call) =>
    call.signature === null ? [] : (answerOf(call, steps, calls) ?? []),
  );
  const told = answered.filter(
    (one, i) =>
      !answered
        .slice(0, i)
        .some(({ failed, worked }) => failed.signature === one.failed.signature && worked === one.worked),
  );
  return { answered, told };
}

/**
 * Whether a later call behind a pipe shows the error of an earlier one again, although its exit code is 0.
 */
const failsAgain = (failed: Call, call: Call): boolean =>
  call.ok && call.line !== null && isTry(failed, call) && showsAgain(failed, call.line, call.printed);

/** Returns what answered a failed call. The strictest likeness wins. Null if nothing answered it. */
function answerOf(first: Call, steps: SessionStep[], calls: Call[]): Resolved | null {
  const from = calls.indexOf(first);
  const again = calls.slice(from + 1).filter((call) => failsAgain(first, call));
  // what came before the last failure of the same kind did not help
  const last = calls.findLast(
    (call, i) =>
      i >= from &&
      (call === first || again.includes(call) || (call.signature === first.signature && isTry(first, call))),
  ) as Call;
  const after = calls.slice(calls.indexOf(last) + 1);
  const candidates = after.flatMap((worked, between) => {
    if (!worked.ok || again.includes(worked) || isOnlyLook(worked, first)) return [];
    const rung = rungOf(first, worked, between) ?? rungOf(last, worked, between);
    return rung === null || (rung !== 'same' && cannotFail(worked) && !cannotFail(first))
      ? []
      : [{ worked, rung }];
  });
  const [best] = candidates.sort(
    (a, b) =>
      RUNGS.indexOf(a.rung) - RUNGS.indexOf(b.rung) || overlap(first, b.worked) - overlap(first, a.worked),
  );
  if (!best) return null;
  const { worked, rung } = best;
  const between = after.slice(0, after.indexOf(worked));
  // If another error came in its place after something was done that may have helped, this error was gone by
  // then.
  const other = between.findIndex((call) => call.signature !== null && isTry(first, call));
  const early = other < 0 ? null : doneIn(between.slice(0, other), worked);
  if (early !== null) early.edits = early.edits.filter((edit) => !isTakenBack(edit, between.slice(other)));
  const replaced = early !== null && early.edits.length + early.commands.length > 0;
  const helped = replaced ? early : doneIn(between, worked);
  // an edit that only takes back an earlier one leads back to the state in which the error happened
  const before = calls.slice(0, calls.indexOf(last)).flatMap(({ edits }) => edits);
  helped.edits = helped.edits.filter((edit) => !before.some((one) => isReverse(one, edit)));
  const said = saidBetween(steps, last, worked);
  const resolution: Resolution = {
    kind: rung,
    toolUseId: worked.toolUseId,
    command: worked.line?.text ?? `${worked.tool} ${worked.target ?? ''}`,
    ...helped,
    attempts: attempts(calls.slice(from + 1, calls.indexOf(worked)), last, worked),
    said,
    lastMessage: messageAfter(steps, worked),
    sessionId: null,
  };
  return { failed: first, worked, resolution };
}

/**
 * Returns what was done in vain about a failed call that nothing answered: what was run and edited until the
 * same call failed for the last time. Null if it did not fail again, or if nothing was done, because then it
 * is not known what does not help.
 */
export function triesOf(first: Call, steps: SessionStep[]): Tried | null {
  const calls = steps.filter(isCall);
  const from = calls.indexOf(first);
  const last = calls.findLast((call, i) => i > from && call.signature !== null && isTry(first, call));
  if (!last) return null;
  const between = calls.slice(from + 1, calls.indexOf(last) + 1);
  const done = between.flatMap((call) => {
    if (isTry(first, call))
      return call.line === null || call.target === first.target ? [] : [call.line.text.trim()];
    if (!call.ok) return [];
    const { edits, commands } = doneIn([call], last);
    return [...commands, ...edits.map(({ file }) => `edited ${file}`)];
  });
  const tried = [...new Set(done)].map((one) => clip(one.replace(/\s+/g, ' '), MAX_TRIED));
  if (tried.length === 0) return null;
  return { steps: tried.slice(-MAX_KEPT), end: clip(last.output, MAX_END) };
}

const MAX_TRIED = 200;
const MAX_END = 500;

/** Returns the share of the words of two commands that both have, 0–1. */
function overlap(a: Call, b: Call): number {
  const words = ({ line, input }: Call) =>
    new Set((line?.text ?? JSON.stringify(input)).toLowerCase().match(/[\w-]+/g));
  const [one, other] = [words(a), words(b)];
  const common = [...one].filter((word) => other.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}

/**
 * Returns how a later session answered a call that failed in another one; null if it did not. Only a strict likeness
 * counts, and only if the session did something that the other one did not do. Otherwise it is not known why the call
 * works now.
 */
export function answerInLater(failed: Call, steps: SessionStep[]): Resolved | null {
  const later = steps.filter(({ at }) => at > failed.at);
  const found = readResolutions([failed, ...later]).answered.find((one) => one.failed === failed);
  if (!found) return null;
  const { kind, commands, edits } = found.resolution;
  if (kind !== 'same' && kind !== 'wrapped') return null;
  return commands.length + edits.length > 0 || differsFrom(failed, found.worked) ? found : null;
}

/** Whether the call that worked ran something other than the one that failed. */
const differsFrom = (failed: Call, worked: Call): boolean => failed.target !== worked.target;

/** Whether the success of a line proves nothing: it ends in `|| true`, or in a command that goes on in the background. */
const cannotFail = ({ line }: Call): boolean =>
  line !== null &&
  (/\|\|\s*(?:true|:|echo\b[^;&|]*)\s*;?\s*$/.test(line.text) || /(?<![&>])&\s*$/.test(line.text));

/** A success of a command that only shows something answers only the failure of the same command. */
function isOnlyLook(worked: Call, failed: Call): boolean {
  if (worked.line === null || worked.target === failed.target) return false;
  const { parts } = worked.line;
  if (parts.length === 0 || parts.every(isLook)) return true;
  const wanted = partsOf(failed);
  if (parts.every(looksAtHost) && !wanted.every(looksAtHost)) return true;
  const aims = new Set(wanted.map(invocation));
  const others = !parts.some((part) => aims.has(invocation(part)));
  return others && (worked.line.onlyLooks || (parts.every(isShow) && !wanted.some(isShow)));
}

const NO_PARTS: readonly Part[] = [];
const partsOf = ({ line }: Call): readonly Part[] => line?.parts ?? NO_PARTS;

/** Whether a line only looks around on another host: `ssh web 'ls /opt'`. */
const looksAtHost = ({ program, args }: Part): boolean =>
  program === 'ssh' && args.some((arg) => /\s/.test(arg) && readLine(arg).parts.every(isLook));

const MAX_KEPT = 10;

/** Returns what the calls changed: edits that were not undone, and commands that did more than look. */
function doneIn(calls: Call[], worked: Call): Done {
  const ok = calls.filter((call) => call.ok);
  const edits = ok.flatMap((call) => call.edits).reduce<Edit[]>(withEdit, []);
  const commands = ok.flatMap(({ line, tool, target }) => {
    // nobody knows what a tool of a server does
    if (line === null) return takesFields(tool) ? [`${tool} ${target ?? ''}`.trim()] : [];
    if (line.text === worked.line?.text) return [];
    const told =
      line.parts.some((part) => !isLook(part) && !looksAtGit(part) && !isShow(part)) || line.setsVariables;
    return told && !line.onlyLooks ? [line.text.trim()] : [];
  });
  return { edits: edits.slice(-MAX_KEPT), commands: [...new Set(commands)].slice(-MAX_KEPT) };
}

/** Subcommands that, in most programs, show something. */
const SHOWS =
  /^(?:-[vV]|ps|ls|list|history|status|show|get|describe|logs?|heads|current|info|version|diff|inspect|why|outdated|view|tree|whoami|top|explain|search|plan|config (?:get|list|view)|[a-z0-9]+ (?:ls|list|show|status|describe|inspect|get)(?:-[\w-]+)?)(?:\s|$)/;

const isShow = ({ args }: { args: string[] }): boolean => SHOWS.test(args.slice(0, 2).join(' '));

/** Commands that look at the repository. */
const looksAtGit = ({ program, args }: { program: string; args: string[] }): boolean =>
  program === 'git' &&
  /^(?:-\S+ \S+ )*(?:diff|log|status|show|blame|branch(?: -\S+)*$|remote -v)/.test(args.join(' '));

const isReverse = (a: Edit, b: Edit): boolean =>
  a.file === b.file && a.before !== null && a.before === b.after && a.after === b.before;

const isTakenBack = (edit: Edit, later: Call[]): boolean =>
  later.some(({ ok, edits }) => ok && edits.some((one) => isReverse(edit, one)));

/**
 * Adds an edit to the list. If it takes back an earlier edit, that one is removed. If it continues one, it
 * replaces it.
 */
function withEdit(edits: Edit[], edit: Edit): Edit[] {
  const at = edits.findLastIndex(
    (one) => one.file === edit.file && one.after !== null && one.after === edit.before,
  );
  const earlier = edits[at];
  if (!earlier) return [...edits, edit];
  const rest = edits.filter((_, i) => i !== at);
  return earlier.before === edit.after ? rest : [...rest, { ...edit, before: earlier.before }];
}

/** Returns the commands that did not help: those that failed, and those after which the error came again. */
function attempts(calls: Call[], last: Call, worked: Call): string[] {
  const vain = doneIn(calls.slice(0, Math.max(0, calls.indexOf(last))), worked).commands;
  const failed = calls.flatMap((call) => (!call.ok && call.line !== null ? [call.line.text.trim()] : []));
  return [...new Set([...vain, ...failed])].slice(-MAX_KEPT);
}

/** Returns what the person said between two calls; null if nothing. */
function saidBetween(steps: SessionStep[], after: Call, until: Call): string | null {
  const part = steps.slice(steps.indexOf(after) + 1, steps.indexOf(until));
  return part.findLast((step) => step.kind === 'prompt')?.text ?? null;
}

/** Returns what the agent said at the end of the turn in which the call worked; null if the turn has no end. */
function messageAfter(steps: SessionStep[], worked: Call): string | null {
  const rest = steps.slice(steps.indexOf(worked) + 1);
  const end = rest.findIndex((step) => step.kind === 'prompt');
  const turn = end < 0 ? rest : rest.slice(0, end);
  const said = turn.filter((step) => step.kind === 'said');
  const own = said.find(({ agentId }) => agentId === worked.agentId);
  return (own ?? said.find(({ agentId }) => agentId === null))?.text ?? null;
}
