import { relativeTo } from '../files/relative-to.ts';
import { isExpectedExit } from '../incidents/detect.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import type { WorkEvent } from '../sessions/work.ts';
import { readLine } from '../shell/line.ts';
import { isShellTool } from '../shell/shell-tools.ts';
import { filesTouched } from '../shell/tool-target.ts';
import type { Matter } from './boundary.ts';

// Goes through what happened in a session and assigns each prompt and call to an episode, of the session's
// own agent or of a subagent. It reads nothing else, so it can be repeated.

/** A call of a tool. */
export type WorkCall = {
  toolUseId: string;
  tool: string;
  target: string | null;
  command: string | null;
  /** the file that it read or changed, relative to the work tree if it lies in it */
  file: string | null;
  changes: boolean;
  /** what a subagent was to do, or the name of a skill */
  about: string | null;
  /** null: not known, or it never ran */
  ok: boolean | null;
  /** whether Lore did not let it run */
  stopped: boolean;
  /** the lines of its error that matter */
  error: string | null;
  /** the call that answered its error; null if none is known */
  resolvedBy: string | null;
  backgroundId: string | null;
  durationMs: number | null;
  at: Date;
};

/** What belongs to one episode. */
export type Unit = {
  startKey: string;
  agentId: string | null;
  agentType: string | null;
  parent: Unit | null;
  /** prompts with their keys; for a subagent, what it was told to do, with an empty key */
  prompts: { key: string; text: string }[];
  calls: WorkCall[];
  /** what its agent said at the ends of turns */
  said: { text: string; at: Date }[];
  /** its subagents */
  children: Unit[];
  branch: string | null;
  startedAt: Date;
  lastAt: Date;
  /** whether it has ended: another one follows, or its agent or session has stopped */
  closed: boolean;
};

export type Walked = {
  /** the session's errors by the id of the call: the text, and the call that resolved it */
  errors: ReadonlyMap<string, { text: string; resolvedBy: string | null }>;
  /** the ids of the calls that Lore stopped */
  stopped: ReadonlySet<string>;
  root: string | null;
  branch: string | null;
  /** whether the session has ended */
  ended: boolean;
  /** Returns whether a prompt begins a new matter. */
  isNew(prompt: { key: string; text: string }, matter: Matter): Promise<boolean>;
};

/** Commands of the client itself. They are no task. */
const CLIENT_COMMAND =
  /^\/(?:clear|compact|model|help|exit|quit|cost|status|config|login|logout|resume|memory|context|usage|permissions|hooks|mcp|agents|doctor|vim|theme|fast|effort|rewind|export|ide|add-dir|terminal-setup)\b/;

/** How much of an answer is kept to compare the next prompt with, in characters. */
const MAX_SAID = 1000;

/** Returns the episodes of a session, in the order in which they began. */
export async function walk(events: WorkEvent[], session: Walked): Promise<Unit[]> {
  const units: Unit[] = [];
  const agents = new Map<string, Unit>();
  const starts = startsOf(events);
  const done = new Set(events.flatMap((e) => (e.event.startsWith('PostToolUse') ? (e.toolUseId ?? []) : [])));
  const background = new Map<string, WorkCall>();
  const calls = new Map<string, WorkCall>();
  let { branch } = session;
  let current: Unit | null = null;
  const begin = (event: WorkEvent, fields: Pick<Unit, 'startKey' | 'agentId' | 'agentType' | 'prompts'>) => {
    const unit: Unit = {
      ...fields,
      parent: event.agentId === null ? null : current,
      calls: [],
      said: [],
      children: [],
      branch,
      startedAt: event.at,
      lastAt: event.at,
      closed: false,
    };
    units.push(unit);
    return unit;
  };
  const unitOf = (event: WorkEvent): Unit | null => {
    if (event.agentId === null) return current;
    let unit = agents.get(event.agentId);
    if (!unit) {
      const start = starts.get(event.agentId);
      unit = begin(event, {
        startKey: `SubagentStart:${event.agentId}`,
        agentId: event.agentId,
        agentType: event.agentType ?? start?.taskType ?? null,
        // a description of one word says less than the beginning of the task itself
        prompts: [start?.task, start?.taskPrompt]
          .flatMap((text) => (text ? { key: '', text } : []))
          .sort((a, b) => Number(b.text.includes(' ')) - Number(a.text.includes(' '))),
      });
      agents.set(event.agentId, unit);
      unit.parent?.children.push(unit);
    }
    unit.agentType ??= event.agentType;
    unit.closed = event.event === 'SubagentStop';
    return unit;
  };

  for (const event of events) {
    if (event.event === 'SessionStart') {
      branch = event.branch ?? branch;
      continue;
    }
    if (event.event === 'UserPromptSubmit' && event.agentId === null) {
      const text = event.prompt ?? '';
      for (const [id, ok] of backgroundEnds(event.notice ?? '')) {
        const call = background.get(id);
        if (call) call.ok ??= ok;
      }
      if (!isTask(text)) continue;
      const prompt = { key: event.key, text };
      if (current === null || (await session.isNew(prompt, matterOf(current)))) {
        if (current) current.closed = true;
        current = begin(event, { startKey: event.key, agentId: null, agentType: null, prompts: [] });
      }
      current.prompts.push(prompt);
      current.lastAt = event.at;
      continue;
    }
    const unit = unitOf(event);
    if (!unit) continue;
    unit.lastAt = event.at;
    if ((event.event === 'Stop' || event.event === 'SubagentStop') && event.said) {
      unit.said.push({ text: event.said, at: event.at });
    }
    // a stopped call has no result, unless the client ran it all the same
    const stopped =
      event.event === 'PreToolUse' &&
      session.stopped.has(event.toolUseId ?? '') &&
      !done.has(event.toolUseId ?? '');
    if (!event.event.startsWith('PostToolUse') && !stopped) continue;
    if (event.toolUseId !== null && calls.has(event.toolUseId)) continue;
    const call = toCall(event, session, stopped);
    unit.calls.push(call);
    calls.set(call.toolUseId, call);
    if (call.backgroundId) background.set(call.backgroundId, call);
  }
  if (session.ended) for (const unit of units) unit.closed = true;
  return units;
}

const isTask = (text: string): boolean =>
  text.trim() !== '' && isPersonsPrompt(text) && !/^\s*</.test(text) && !CLIENT_COMMAND.test(text.trim());

const matterOf = (unit: Unit): Matter => ({
  prompts: unit.prompts.map(({ text }) => text),
  files: changedFiles(unit),
  said: unit.said.at(-1)?.text.slice(0, MAX_SAID) ?? null,
});

/** Returns the files that an episode changed, those of its subagents included, in the order of their first change. */
export const changedFiles = (unit: Unit): string[] => [
  ...new Set(
    withChildren(unit)
      .filter(({ changes, ok, stopped }) => changes && ok !== false && !stopped)
      .flatMap(({ file }) => file ?? []),
  ),
];

/** Returns the calls of an episode and its subagents, in their order. */
export const withChildren = (unit: Unit): WorkCall[] =>
  [unit, ...unit.children].flatMap(({ calls }) => calls).sort((a, b) => a.at.getTime() - b.at.getTime());

/** Returns what the session's agent told each subagent to do, by the subagent's id. */
function startsOf(events: WorkEvent[]): Map<string, WorkEvent> {
  const starts = new Map<string, WorkEvent>();
  const isStart = ({ tool }: WorkEvent) => tool === 'Agent' || tool === 'Task';
  for (const event of events) if (isStart(event) && event.startedAgent) starts.set(event.startedAgent, event);
  // without the client's word, the call before the subagent's first event started it
  const taken = new Set([...starts.values()].map(({ toolUseId }) => toolUseId));
  for (const [i, event] of events.entries()) {
    if (event.agentId === null || starts.has(event.agentId)) continue;
    const call = events
      .slice(0, i)
      .findLast(
        (one) =>
          isStart(one) &&
          one.event === 'PreToolUse' &&
          !taken.has(one.toolUseId) &&
          (event.agentType === null || one.taskType === null || one.taskType === event.agentType),
      );
    if (!call) continue;
    starts.set(event.agentId, call);
    taken.add(call.toolUseId);
  }
  return starts;
}

/**
 * Returns how background tasks ended, according to a notification: the task's id, and whether it went well.
 */
const backgroundEnds = (text: string): [string, boolean][] =>
  [
    ...text.matchAll(/<task-id>([^<]{1,200})<\/task-id>[\s\S]{0,1000}?<status>(completed|failed)<\/status>/g),
  ].map(([, id = '', status]) => [id, status === 'completed']);

function toCall(event: WorkEvent, { errors, root }: Walked, stopped: boolean): WorkCall {
  const id = event.toolUseId ?? event.key;
  const tool = event.tool ?? '';
  const found = errors.get(id);
  const file = event.file;
  return {
    toolUseId: id,
    tool,
    target: event.target,
    command: isShellTool(tool) ? event.command : null,
    file: file === null ? null : relativeTo(root, file),
    changes: filesTouched(tool, file === null ? null : { file_path: file }).length > 0,
    about: event.skill ?? event.task,
    ok: stopped ? null : okOf(event, found !== undefined),
    stopped,
    error: found?.text ?? null,
    resolvedBy: found?.resolvedBy ?? null,
    backgroundId: event.backgroundId,
    durationMs: event.durationMs,
    at: event.at,
  };
}

function okOf(event: WorkEvent, hasError: boolean): boolean | null {
  if (hasError) return false;
  if (event.interrupted || event.backgroundId) return null;
  if (event.event === 'PostToolUse') return true;
  // `grep` without a match did not fail
  return isShellTool(event.tool) && isExpectedExit(readLine(event.command ?? ''), event.error ?? '');
}
