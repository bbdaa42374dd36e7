import { clip } from '../shell/command-key.ts';
import type { EpisodeOutcome } from './schema.ts';
import { type TargetKind, targetKindOf } from './target-kind.ts';
import { type Unit, type WorkCall, withChildren } from './walk.ts';

// How did an episode end? Only what happened counts, never what the agent says about it. If nothing shows it,
// the outcome is unknown.

export type Evidence = {
  outcome: EpisodeOutcome;
  /** whether the last test run passed, and the last build; null if there is none with a known end */
  testsPassed: boolean | null;
  buildPassed: boolean | null;
  error: string | null;
};

const MAX_ERROR = 300;
/** Kinds of calls that check what was done. */
const CHECKS: ReadonlySet<TargetKind> = new Set(['test', 'build', 'lint']);
/** Kinds of files. If one of them changes, an earlier check says nothing any more. */
const CHECKED: ReadonlySet<TargetKind> = new Set(['source', 'test-file', 'config', 'dependency-file']);

/**
 * Returns how an episode ended, from its calls and those of its subagents.
 *
 * - stopped: Lore let none of its calls run
 * - error: the last test run, build or linter run failed, or the last call that did something failed
 * - success: a test run or build passed, or a command that had failed worked, and no code was changed after it
 * - unknown: anything else
 */
export function evidenceOf(unit: Unit): Evidence {
  const calls = withChildren(unit).map((call) => ({ ...call, kind: targetKindOf(call) }));
  const last = (kind: TargetKind) => calls.findLast((call) => call.kind === kind && call.ok !== null);
  const [test, build] = [last('test'), last('build')];
  const passed = { testsPassed: test?.ok ?? null, buildPassed: build?.ok ?? null };
  if (calls.length > 0 && calls.every(({ stopped }) => stopped))
    return { ...passed, outcome: 'stopped', error: null };
  const failed = failureOf(calls);
  if (failed) return { ...passed, outcome: 'error', error: errorOf(failed) };
  const changedAt = calls.findLastIndex(
    ({ changes, ok, stopped, kind }) => changes && ok !== false && !stopped && CHECKED.has(kind),
  );
  const later = calls.slice(changedAt + 1);
  const proved = later.some(
    (call) => call.ok === true && (call.kind === 'test' || call.kind === 'build' || hadFailed(call, calls)),
  );
  return { ...passed, outcome: proved ? 'success' : 'unknown', error: null };
}

type Kinded = WorkCall & { kind: TargetKind };

/** Returns the failed call with which the episode ended; null if there is none. */
function failureOf(calls: Kinded[]): Kinded | null {
  const known = calls.filter(({ ok }) => ok !== null);
  for (const kind of CHECKS) {
    const check = known.findLast((call) => call.kind === kind);
    // a failed build no longer counts once tests pass, and a linter's complaint once any check passes
    const stronger = known.slice(check ? known.indexOf(check) + 1 : 0).filter(({ ok }) => ok);
    const better = stronger.some(
      (call) => CHECKS.has(call.kind) && (kind === 'lint' || (kind === 'build' && call.kind === 'test')),
    );
    if (check?.ok === false && !better) return check;
  }
  const acting = known.findLast(({ kind }) => kind !== 'search' && kind !== 'plan' && kind !== 'other');
  return acting?.ok === false && acting.error !== null ? acting : null;
}

/** Whether a call answered an error, or had failed before with the same target. */
const hadFailed = (call: Kinded, calls: Kinded[]): boolean =>
  calls.some(
    (one) =>
      one.resolvedBy === call.toolUseId ||
      (call.command !== null && one.ok === false && one.at < call.at && one.target === call.target),
  );

const errorOf = ({ error, target, tool }: WorkCall): string =>
  clip((error ?? `${target ?? tool} failed`).replace(/\s+/g, ' ').trim(), MAX_ERROR);
