import { isObject } from '../base/text/json.ts';
import { noteRan } from '../commands/written.ts';
import { noteSpoken, noteTurnEnd } from '../learnings/asking/open-errors.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import { CHANGES_FILES, MAX_PASSED } from '../sessions/calls.ts';
import { type HookEvent, hasBackgroundTasks } from '../sessions/hook-event.ts';
import { type KnownSession, sessionInTime } from './known-sessions.ts';
import { lineOf } from './read-event.ts';
import type { Asked, HookServices } from './types.ts';

// What the server notes of a session for the rules of persons: which commands passed since the last change of a file, and
// which branch is checked out.

/** Notes something of a session. The client does not wait for it, even if the session must be read first. */
export function note(services: HookServices, asked: Asked, update: (session: KnownSession) => void): void {
  services.inBackground('note', async () => {
    const session = await sessionInTime(services, asked);
    if (session) update(session);
  });
}

/**
 * Notes how a call went.
 *
 * @param failed whether the call failed, or its output shows an error
 */
export function noteCall(session: KnownSession, event: HookEvent, failed: boolean): void {
  if (event.tool_use_id && hasRun(event)) noteRan(session.seen, event.tool_use_id);
  const line = lineOf(event);
  if (line !== null) {
    session.passed = session.passed.filter((one) => one.line.text !== line.text);
    // a command in the background has only begun
    if (failed || event.tool_input?.run_in_background === true || event.tool_name === 'Monitor') return;
    session.passed.push({ line, cwd: event.cwd ?? null });
    if (session.passed.length > MAX_PASSED) session.passed.shift();
    session.branch = branchSwitchedTo(event) ?? session.branch;
  } else if (!failed && CHANGES_FILES.has(event.tool_name ?? '')) session.passed = [];
}

/** Whether a call ran, however it ended; a person who refuses a call or interrupts it has not let it pass. */
const hasRun = ({ hook_event_name: name, error, is_interrupt: stopped }: HookEvent): boolean =>
  name === 'PostToolUse' || (!stopped && /^Exit code /.test(error ?? ''));

/** Returns the branch that git says it has switched to; null if it says nothing. */
function branchSwitchedTo({ tool_response: response }: HookEvent): string | null {
  if (!isObject(response)) return null;
  const said = `${response.stdout ?? ''}\n${response.stderr ?? ''}`.slice(-2_000);
  return /^Switched to (?:a new )?branch '([^'\n]+)'/m.exec(said)?.[1] ?? null;
}

/** Notes that a person spoke. */
export function notePromptOf(services: HookServices, asked: Asked): void {
  if (isPersonsPrompt(asked.event)) note(services, asked, ({ asking }) => noteSpoken(asking));
}

/** Notes the end of a turn. */
export function noteStopOf(services: HookServices, asked: Asked): void {
  if (!hasBackgroundTasks(asked.event)) note(services, asked, ({ asking }) => noteTurnEnd(asking));
}
