import { clip } from '../shell/command-key.ts';
import type { EpisodeOutcome } from './schema.ts';
import type { Unit, WorkCall } from './walk.ts';

export type Evidence = {
  outcome: EpisodeOutcome;
  /** whether the last test run passed, and the last build; null if there is none with a known end */
  testsPassed: boolean | null;
  buildPassed: boolean | null;
  error: string | null;
};

const MAX_ERROR = 300;
const CHECKS = ['test', 'build', 'lint'];
/** Files for people. If one of them changes, an earlier check still counts. */
const DOCS = /\.(?:md|mdx|rst|txt)$/i;

/**
 * Returns how an episode ended. Only what happened counts, never what the agent says of it.
 *
 * - stopped: Lore let none of its calls run
 * - error: its last check (tests, build, linter) failed, or its last command did
 * - success: its last check passed, or a call answered an error, and no code was changed after it
 * - unknown: anything else
 */
export function evidenceOf({ calls }: Pick<Unit, 'calls'>): Evidence {
  const last = (purpose: string) =>
    calls.findLast((call) => call.purpose === purpose && call.ok !== null)?.ok ?? null;
  const passed = { testsPassed: last('test'), buildPassed: last('build') };
  if (calls.length > 0 && calls.every(({ stopped }) => stopped))
    return { ...passed, outcome: 'stopped', error: null };
  const answers = new Set(calls.flatMap(({ resolvedBy }) => resolvedBy ?? []));
  const at = calls.findLastIndex(
    ({ purpose, ok, toolUseId }) => ok !== null && (CHECKS.includes(purpose ?? '') || answers.has(toolUseId)),
  );
  const command = calls.slice(at + 1).findLast((call) => call.command !== null && call.ok !== null);
  const failed = [calls[at], command].find((call) => call?.ok === false);
  if (failed) return { ...passed, outcome: 'error', error: errorOf(failed) };
  const changed = calls
    .slice(at + 1)
    .some((call) => call.changed !== null && call.ok !== false && !call.stopped && !DOCS.test(call.changed));
  return { ...passed, outcome: at >= 0 && !changed ? 'success' : 'unknown', error: null };
}

const errorOf = ({ error, action }: WorkCall): string =>
  clip((error ?? `${action} failed`).replace(/\s+/g, ' ').trim(), MAX_ERROR);
