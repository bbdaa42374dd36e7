import { clip } from '../shell/command-key.ts';
import type { EpisodeOutcome } from './schema.ts';

/** A call of a tool, of the session's agent or of a subagent. */
export type WorkCall = {
  toolUseId: string;
  tool: string;
  /** what was done, in few words: the command's key, or the file, subagent or skill */
  action: string;
  command: string | null;
  /** what a command is for: `test`, `build` (with checks of types), `lint`, `install` …; null: not known, or no command */
  purpose: string | null;
  /** the file that it changed, relative to the work tree if it lies in it */
  changed: string | null;
  /** null: not known, or it never ran */
  ok: boolean | null;
  /** whether Lore did not let it run */
  stopped: boolean;
  /** the lines of its error that matter */
  error: string | null;
  /** the call that answered its error; null if none is known */
  resolvedBy: string | null;
  durationMs: number | null;
  at: Date;
};

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
export function evidenceOf({ calls }: { calls: WorkCall[] }): Evidence {
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
