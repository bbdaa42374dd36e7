import { relativeTo } from '../../base/files/relative-to.ts';
import { clip } from '../../base/text/clip.ts';
import type { WorkEvent } from '../../sessions/story.ts';
import { readLine } from '../../shell/line.ts';
import { programs } from '../../shell/names.ts';
import { purposeOf } from '../../shell/parts.ts';
import { isShellTool } from '../../shell/shell-tools.ts';
import { filesTouched } from '../../shell/tool-target.ts';
import type { EpisodeOutcome } from '../schema.ts';

// Goes through what happened in a session and assigns each prompt and call to an episode. It reads nothing else, so it
// can be repeated.

/** A call of a tool, of the session's agent or of a subagent. */
type WorkCall = {
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
};

/** What belongs to one episode. */
export type Unit = {
  startKey: string;
  prompt: string;
  calls: WorkCall[];
  /** what the agent said last */
  said: string | null;
  startedAt: Date;
  lastAt: Date;
  /** whether another one follows, or the session has ended */
  closed: boolean;
};

export type Walked = {
  /** the session's errors by the id of the call: the text, and the call that resolved it */
  errors: ReadonlyMap<string, { text: string; resolvedBy: string | null }>;
  /** the ids of the calls that Lore stopped */
  stopped: ReadonlySet<string>;
  root: string | null;
  /** whether the session has ended */
  ended: boolean;
};

/** Returns the episodes of a session, in the order in which they began. */
export function walk(events: WorkEvent[], session: Walked): Unit[] {
  const units: Unit[] = [];
  const agents = new Map<string, Unit>();
  const ran = new Set(events.flatMap((e) => (e.event.startsWith('PostToolUse') ? (e.toolUseId ?? []) : [])));
  const seen = new Set<string>();
  for (const event of events) {
    const { agentId, at } = event;
    if (event.event === 'UserPromptSubmit' && agentId === null) {
      const prompt = event.prompt?.trim() ?? '';
      const last = units.at(-1);
      if (prompt === '' || CLIENT_COMMAND.test(prompt)) continue;
      if (last && prompt.length < SHORT) {
        last.lastAt = at;
        continue;
      }
      if (last) last.closed = true;
      const times = { startedAt: at, lastAt: at, closed: false };
      units.push({ startKey: event.key, prompt, calls: [], said: null, ...times });
      continue;
    }
    // a subagent works for the episode in which it was first seen
    const unit = (agentId === null ? undefined : agents.get(agentId)) ?? units.at(-1);
    if (!unit) continue;
    unit.lastAt = at;
    if (agentId !== null) agents.set(agentId, unit);
    if (event.event === 'Stop' && event.said) unit.said = event.said;
    const id = event.toolUseId ?? event.key;
    // a stopped call has no result, unless the client ran it all the same
    const stopped = event.event === 'PreToolUse' && session.stopped.has(id) && !ran.has(id);
    if (seen.has(id) || !(stopped || event.event.startsWith('PostToolUse'))) continue;
    seen.add(id);
    unit.calls.push(toCall(id, event, session, stopped));
  }
  if (session.ended) for (const unit of units) unit.closed = true;
  return units;
}

/** What the client writes as a prompt (`<task-notification>`), and commands of its own (`/clear`), are no task. */
const CLIENT_COMMAND =
  /^(?:<|\/(?:clear|compact|model|help|exit|quit|cost|status|config|log(?:in|out)|resume|memory|context|usage|permissions|hooks|mcp|agents|doctor|fast|effort|rewind|export)\b)/;

/** A prompt with fewer characters only means something after what was said before, so it goes on with that. */
const SHORT = 40;

/** Returns the files that an episode changed, in the order of their first change. */
export const changedFiles = ({ calls }: Pick<Unit, 'calls'>): string[] => [
  ...new Set(calls.flatMap(({ changed, ok, stopped }) => (ok === false || stopped ? [] : (changed ?? [])))),
];

function toCall(id: string, event: WorkEvent, { errors, root }: Walked, stopped: boolean): WorkCall {
  const tool = event.tool ?? '';
  const error = errors.get(id);
  const command = isShellTool(tool) ? event.command : null;
  const file = event.file === null ? null : relativeTo(root, event.file);
  const changes = event.file !== null && filesTouched(tool, { file_path: event.file }).length > 0;
  const passed = event.event === 'PostToolUse' && !event.interrupted && !event.backgroundId;
  return {
    toolUseId: id,
    tool,
    action:
      (command === null ? (file ?? event.skill ?? event.task) : null) ?? event.target ?? command ?? tool,
    command,
    purpose: command === null ? null : purposeIn(command),
    changed: changes ? file : null,
    // a call that failed without an error, such as `grep` without a match, says nothing
    ok: stopped ? null : error ? false : passed || null,
    stopped,
    error: error?.text ?? null,
    resolvedBy: error?.resolvedBy ?? null,
  };
}

/** Programs whose arguments name files and addresses, and do not tell what the command is for. */
const PLAIN = programs('plain-tools');

/** Returns what a command line is for: a test before a build before a linter, if it is for several things. */
function purposeIn(command: string): string | null {
  const found = readLine(command).parts.flatMap(({ program, args }) => {
    if (PLAIN.has(program) || program === 'git' || program === 'gh') return [];
    const purpose = purposeOf({ program, args });
    return purpose === 'check' ? 'build' : purpose === 'format' ? 'lint' : (purpose ?? []);
  });
  return ['test', 'build', 'lint'].find((one) => found.includes(one)) ?? found[0] ?? null;
}

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
export function endOf({ calls }: Pick<Unit, 'calls'>): { outcome: EpisodeOutcome; error: string | null } {
  if (calls.length > 0 && calls.every(({ stopped }) => stopped)) return { outcome: 'stopped', error: null };
  const answers = new Set(calls.flatMap(({ resolvedBy }) => resolvedBy ?? []));
  const at = calls.findLastIndex(
    ({ purpose, ok, toolUseId }) => ok !== null && (CHECKS.includes(purpose ?? '') || answers.has(toolUseId)),
  );
  const after = calls.slice(at + 1);
  const command = after.findLast((call) => call.command !== null && call.ok !== null);
  const failed = [calls[at], command].find((call) => call?.ok === false);
  if (failed) {
    const error = failed.error ?? `${failed.action} failed`;
    return { outcome: 'error', error: clip(error.replace(/\s+/g, ' ').trim(), MAX_ERROR) };
  }
  const changed = changedFiles({ calls: after }).some((file) => !DOCS.test(file));
  return { outcome: at >= 0 && !changed ? 'success' : 'unknown', error: null };
}
