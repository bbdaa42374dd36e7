import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
// the one that can describe a schema to the API, whoever is loaded first
import { z } from '@hono/zod-openapi';
import { clip } from '../base/text/clip.ts';
import { ownCall } from '../shell/own-call.ts';

/**
 * A hook call as the client sends it. Only the fields that Lore reads are typed; all others are kept. A field of an
 * unexpected type is refused, except `tool_response`, whose shape depends on the tool.
 */
export const HookEvent = z.looseObject({
  hook_event_name: z.string().min(1).max(100),
  session_id: z
    .string()
    .min(1)
    .max(200)
    // what a program makes of an id that is not there
    .refine((id) => !/^(?:undefined|null|NaN|None|\[object \w+\])$/.test(id), 'is no id of a session'),
  transcript_path: z.string().max(4096).nullish(),
  cwd: z.string().max(4096).nullish(),
  prompt_id: z.string().max(200).nullish(),
  /** in which of the client's modes the call is made; in `default`, a person is asked */
  permission_mode: z.string().max(100).nullish(),
  agent_id: z.string().max(200).nullish(),
  agent_type: z.string().max(200).nullish(),
  source: z.string().max(100).nullish(),
  reason: z.string().max(200).nullish(),
  prompt: z.string().nullish(),
  tool_name: z.string().max(300).nullish(),
  tool_use_id: z.string().max(300).nullish(),
  tool_input: z.record(z.string(), z.unknown()).nullish(),
  tool_response: z.unknown().optional(),
  error: z.string().nullish(),
  is_interrupt: z.boolean().nullish(),
  last_assistant_message: z.string().nullish(),
  background_tasks: z.array(z.unknown()).nullish(),
  /** added by hooks/session-start.cjs */
  lore: z
    .looseObject({
      root: z.string().max(4096).nullish(),
      repo: z.string().max(500).nullish(),
      /** the main work tree of the repository, if `root` is a linked one */
      main: z.string().max(4096).nullish(),
      branch: z.string().max(500).nullish(),
      deliveryId: z.string().max(100).nullish(),
      /** whether the hook can look at files when it is asked to (see `src/freshness`) */
      looks: z.boolean().nullish(),
      /** the skills in the client's own folders, which it lists by itself */
      skills: z.array(z.string().max(200)).max(1000).nullish(),
      /** the subjects of the last commits in the work tree, the newest first */
      commits: z.array(z.string().max(1000)).max(20).nullish(),
      /** what the client calls the tool, if Lore has another name for it (see `withOwnCall`) */
      tool: z.string().max(300).nullish(),
      /** the shell that reads the command, if it is neither bash nor PowerShell */
      shell: z.enum(['cmd']).nullish(),
      /** who wrote the prompt, if no person did (see `author.ts`) */
      by: z.string().max(20).nullish(),
      /** the prompt as it came, if the client had put something around what a person typed */
      whole: z.string().nullish(),
    })
    .nullish(),
});
export type HookEvent = z.infer<typeof HookEvent>;

/** Returns whether background work still runs. A Stop is not the end of the turn then. */
export const hasBackgroundTasks = (event: HookEvent) => (event.background_tasks?.length ?? 0) > 0;

/** Two equal events without an id are one event that was delivered twice if they are at most this far apart. */
export const REPEATED_WITHIN_MS = 10_000;

/**
 * Returns whether an event has no id, so that only its content tells it from others of its session. The
 * client gives no id to prompts and ends of turns, and older clients do not name the turn either. A person
 * may well write the same prompt twice.
 */
export const isNameless = ({ hook_event_name: name, prompt_id: id }: HookEvent): boolean =>
  !id && (name === 'UserPromptSubmit' || name === 'Stop');

/**
 * Returns the key by which two deliveries of one event are recognised within a session. It is the same whether the
 * event arrived by hook or was read from the transcript. For a nameless event it is not enough (see `isNameless`).
 *
 * @param starts how often the session has been started so far: a session that was resumed can end again
 * @example dedupKey({ hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1', … }, 1) // 'PostToolUse:toolu_1'
 */
export function dedupKey(event: HookEvent, starts: number): string {
  const name = event.hook_event_name;
  const turn = event.prompt_id ?? '';
  switch (name) {
    case 'UserPromptSubmit':
      return `${name}:${event.prompt_id ?? digest(event.prompt ?? '')}`;
    case 'SessionStart':
      return `${name}:${event.lore?.deliveryId ?? digest(event)}`;
    case 'SessionEnd':
      return `${name}:${event.reason ?? ''}:${starts}`;
    case 'Stop':
      return `${name}:${turn}:${digest(event.last_assistant_message ?? '')}:${hasBackgroundTasks(event)}`;
    case 'SubagentStop':
      return `${name}:${event.agent_id ?? ''}:${turn}:${digest(event.last_assistant_message ?? '')}`;
    default:
      return event.tool_use_id ? `${name}:${event.tool_use_id}` : `${name}:${digest(event)}`;
  }
}

const digest = (value: unknown) =>
  createHash('sha256')
    .update(typeof value === 'string' ? value : JSON.stringify(value))
    .digest('hex')
    .slice(0, 32);

/**
 * Returns an event whose call of a tool is in Lore's own words (see `ownCall`), with paths from the folder that it runs
 * in. What the client calls the tool is kept in `lore.tool`.
 */
export function withOwnCall(event: HookEvent): HookEvent {
  const own = ownCall(event.tool_name, event.tool_input);
  if (own === null) return event;
  const cwd = own.cwd === undefined ? event.cwd : from(event.cwd, own.cwd);
  const withWholePath = <T>(one: T): T => {
    const file = (one as { file_path?: unknown } | null)?.file_path;
    return typeof file === 'string' ? { ...one, file_path: from(cwd, file) } : one;
  };
  const { files } = own.tool_input;
  return {
    ...event,
    ...(cwd && { cwd }),
    tool_name: own.tool_name,
    tool_input: {
      ...withWholePath(own.tool_input),
      ...(Array.isArray(files) && { files: files.map(withWholePath) }),
    },
    lore: { ...event.lore, tool: own.tool, ...(own.shell && { shell: own.shell }) },
  };
}

/** Returns a path from the folder that a call runs in. One of Windows, or of a person's own folder, stays as it is. */
const from = (cwd: string | null | undefined, path: string): string =>
  !cwd?.startsWith('/') || /^(?:~|[a-z]:|\\\\|[a-z]+:\/\/)/i.test(path) ? path : resolve(cwd, path);

/** Longest description of a call that waits, in UTF-16 units. */
const MAX_WHAT = 200;

/** Returns what a person is to do before the call of an event goes on; null if the event does not say that it waits. */
export function waitsFor({
  hook_event_name: name,
  tool_name: tool = 'a tool',
  tool_input: input,
}: HookEvent) {
  const asks = tool === 'AskUserQuestion' && (name === 'PreToolUse' || name === 'PermissionRequest');
  if (!asks && name !== 'PermissionRequest') return null;
  const questions = input?.questions;
  const about = asks
    ? (Array.isArray(questions) ? questions[0] : null)?.question
    : input?.command || input?.file_path;
  const what = asks ? 'a person to answer' : `a person to permit ${tool}`;
  return typeof about === 'string' && about.trim() ? `${what}: ${clip(about.trim(), MAX_WHAT)}` : what;
}
