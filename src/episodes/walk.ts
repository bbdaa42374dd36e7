import { relativeTo } from '../files/relative-to.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import type { WorkEvent } from '../sessions/work.ts';
import { readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { purposeOf } from '../shell/purposes.ts';
import { isShellTool } from '../shell/shell-tools.ts';
import { filesTouched } from '../shell/tool-target.ts';
import { evidenceOf, type WorkCall } from './evidence.ts';
import { workItemsIn } from './work-items.ts';

// Goes through what happened in a session and assigns each prompt and call to an episode. It reads nothing else, so it
// can be repeated.

/** What belongs to one episode. */
export type Unit = {
  startKey: string;
  prompts: string[];
  calls: WorkCall[];
  /** ids of the subagents that worked for it */
  agents: string[];
  /** what the agent said last */
  said: string | null;
  branch: string | null;
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
  /** keys of prompts that have begun an episode before, and go on doing so */
  begun: ReadonlySet<string>;
  root: string | null;
  branch: string | null;
  /** whether the session has ended */
  ended: boolean;
};

/** Returns the episodes of a session, in the order in which they began. */
export function walk(events: WorkEvent[], session: Walked): Unit[] {
  const units: Unit[] = [];
  const agents = new Map<string, Unit>();
  const ran = new Set(events.flatMap((e) => (e.event.startsWith('PostToolUse') ? (e.toolUseId ?? []) : [])));
  const background = new Map<string, WorkCall>();
  const seen = new Set<string>();
  let { branch } = session;
  for (const event of events) {
    const { agentId, at } = event;
    if (event.event === 'SessionStart') branch = event.branch ?? branch;
    if (event.event === 'UserPromptSubmit' && agentId === null) {
      for (const [id, ok] of backgroundEnds(event.notice ?? '')) {
        const call = background.get(id);
        if (call) call.ok ??= ok;
      }
      const text = event.prompt ?? '';
      const last = units.at(-1);
      if (!isTask(text)) continue;
      if (last && !session.begun.has(event.key) && goesOn(text, last)) {
        last.prompts.push(text);
        last.lastAt = at;
        continue;
      }
      if (last) last.closed = true;
      units.push({
        startKey: event.key,
        prompts: [text],
        calls: [],
        agents: [],
        said: null,
        branch,
        ...since(at),
      });
      continue;
    }
    // a subagent works for the episode in which it was first seen
    const unit = agentId === null ? units.at(-1) : (agents.get(agentId) ?? units.at(-1));
    if (!unit) continue;
    unit.lastAt = at;
    if (agentId !== null && !agents.has(agentId)) {
      agents.set(agentId, unit);
      unit.agents.push(agentId);
    }
    if (event.event === 'Stop' && event.said) unit.said = event.said;
    const id = event.toolUseId ?? event.key;
    // a stopped call has no result, unless the client ran it all the same
    const stopped = event.event === 'PreToolUse' && session.stopped.has(id) && !ran.has(id);
    if (seen.has(id) || !(stopped || event.event.startsWith('PostToolUse'))) continue;
    seen.add(id);
    const call = toCall(id, event, session, stopped);
    unit.calls.push(call);
    if (event.backgroundId) background.set(event.backgroundId, call);
  }
  if (session.ended) for (const unit of units) unit.closed = true;
  return units;
}

const since = (at: Date) => ({ startedAt: at, lastAt: at, closed: false });

/** What the client writes as a prompt (`<task-notification>`), and commands of its own (`/clear`), are no task. */
const CLIENT_COMMAND =
  /^(?:<|\/(?:clear|compact|model|help|exit|quit|cost|status|config|log(?:in|out)|resume|memory|context|usage|permissions|hooks|mcp|agents|doctor|fast|effort|rewind|export)\b)/;

const isTask = (text: string): boolean =>
  text.trim() !== '' && isPersonsPrompt(text) && !CLIENT_COMMAND.test(text.trim());

/** A prompt with fewer characters only means something after what was said before. */
const SHORT = 40;

/**
 * Returns whether a prompt goes on with an episode: it names the same work item, is short, comes while the last check of
 * the episode fails, names a file that was changed in it, or shares a word with its prompts.
 */
export function goesOn(prompt: string, unit: Pick<Unit, 'prompts' | 'calls'>): boolean {
  const items = workItemsIn(prompt);
  const known = unit.prompts.flatMap(workItemsIn);
  if (items.length > 0 && known.length > 0) return items.some((item) => known.includes(item));
  if (prompt.trim().length < SHORT || evidenceOf(unit).outcome === 'error') return true;
  if (changedFiles(unit).some((file) => prompt.includes(file.slice(file.lastIndexOf('/') + 1)))) return true;
  const words = new Set(unit.prompts.flatMap(stemsOf));
  return stemsOf(prompt).some((word) => words.has(word));
}

/** Returns the first six letters of each word that has at least four. */
const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []).map((word) => word.slice(0, 6));

/** Returns the files that an episode changed, in the order of their first change. */
export const changedFiles = ({ calls }: Pick<Unit, 'calls'>): string[] => [
  ...new Set(calls.flatMap(({ changed, ok, stopped }) => (ok === false || stopped ? [] : (changed ?? [])))),
];

/** Returns how background tasks ended, according to a notification: the task's id, and whether it went well. */
const backgroundEnds = (text: string): [string, boolean][] =>
  [
    ...text.matchAll(/<task-id>([^<]{1,200})<\/task-id>[\s\S]{0,1000}?<status>(completed|failed)<\/status>/g),
  ].map(([, id = '', status]) => [id, status === 'completed']);

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
    durationMs: event.durationMs,
    at: event.at,
  };
}

/** Programs whose arguments name files and addresses, and do not tell what the command is for. */
const PLAIN = programs('plain-tools');
const INSTALLS = /^(?:install|add|i|ci|get)$/;

/** Returns what a command line is for: a test before a build before a linter, if it is for several things. */
function purposeIn(command: string): string | null {
  const found = readLine(command).parts.flatMap(({ program, args }) => {
    if (PLAIN.has(program) || program === 'git' || program === 'gh') return [];
    if (INSTALLS.test(args.find((arg) => !arg.startsWith('-')) ?? '')) return 'install';
    const purpose = purposeOf({ program, args });
    return purpose === 'check' ? 'build' : purpose === 'format' ? 'lint' : (purpose ?? []);
  });
  return ['test', 'build', 'lint'].find((one) => found.includes(one)) ?? found[0] ?? null;
}
