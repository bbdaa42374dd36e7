import { isObject } from '../base/text/json.ts';
import { noteRan } from '../commands/written.ts';
import type { Tx } from '../db/open.ts';
import { errorSignatureOf, openIncident } from '../incidents/incidents.ts';
import { citationsOf, staleLines } from '../kinds/citations.ts';
import { recoveryFor } from '../kinds/offers.ts';
import { logSkillCall } from '../kinds/skills/runs.ts';
import { noteError } from '../learnings/asking/open-errors.ts';
import { requestReading } from '../learnings/requests.ts';
import type { Offer } from '../offers/frame.ts';
import { offerLesson } from '../offers/recall/offer-lesson.ts';
import { recallForFailure } from '../offers/recall/recall.ts';
import { keepSteps } from '../plans/session-steps.ts';
import { takeTaskList } from '../plans/task-list.ts';
import { CHANGES_FILES, MAX_PASSED } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { askAfterCall } from './asking.ts';
import { type KnownSession, readFirst, stillOffered } from './known-sessions.ts';
import { bindAgent, planNews, startsAgent } from './plans.ts';
import { errorOf, lineOf, targetOf } from './read-event.ts';
import type { Asked, HookServices, Stored } from './types.ts';
import { learnYes } from './yes.ts';

// an offer made before a call counts too: the model reads it together with the result of the call
const FAILURE_EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];

/**
 * Offers what may fix the error of a failed call: the lesson of exactly this error, what answered it before, or the lesson of
 * another project.
 */
export async function offerAfterCall(services: HookServices, asked: Asked): Promise<Offer[]> {
  // read from memory, because most calls go well and must not wait for anything
  const news = planNews(services, asked);
  const error = errorOf(asked.event);
  if (asked.session) noteCall(asked.session, asked.event, error !== null);
  if (asked.event.hook_event_name === 'PostToolUse') learnYes(services, asked);
  return [
    ...news,
    ...(await (error === null ? askAfterCall(services, asked) : offerFixes(services, asked, error))),
  ];
}

async function offerFixes(services: HookServices, asked: Asked, error: string): Promise<Offer[]> {
  const { claims, event, session } = asked;
  const signature = session && errorSignatureOf(event, { target: targetOf(event, session), error });
  if (!signature) return [];
  // so that the agent can be asked when the call passes
  if (!event.agent_id) noteError(session.asking, signature, lineOf(event));
  // a lesson that was offered at the start or for a prompt may be repeated, because now its error has happened
  const offered = stillOffered(session, event, FAILURE_EVENTS);
  const { lesson, from, recovery, citations } = await readFirst(services, claims, async (tx) => {
    const { projectId } = session;
    const found = await recallForFailure(tx, projectId, signature.id, offered);
    // only without a lesson, which says more than a mere count of what answered the error
    const recovery = found.known ? [] : await recoveryFor(tx, projectId, signature.id, offered);
    const citations = found.lesson === null ? [] : await citationsOf(tx, [found.lesson.id]);
    return { ...found, recovery, citations };
  });
  if (recovery.length > 0) return recovery;
  if (lesson === null) return [];
  const stale = staleLines(services, claims, citations);
  return [offerLesson(lesson, from === null ? undefined : `the same error in ${from}`, stale(lesson.id))];
}

/**
 * Notes how a call went, for the rules of persons: which commands passed since the last change of a file, and which branch
 * is checked out.
 *
 * @param failed whether the call failed, or its output shows an error
 */
function noteCall(session: KnownSession, event: HookEvent, failed: boolean): void {
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

/**
 * Logs a call of a skill. If a call failed, opens an incident for it and queues its session to be read,
 * because a later call may answer the error.
 */
export async function recordCall(tx: Tx, stored: Stored): Promise<void> {
  const { session, event, target, at, leaseSeconds } = stored;
  await logSkillCall(tx, { session, event, at });
  if (startsAgent(event)) await bindAgent(tx, session, event);
  if (event.agent_id && leaseSeconds) await keepSteps(tx, session.id, event, leaseSeconds);
  await takeTaskList(tx, session, event);
  const error = errorOf(event);
  const signature = error === null ? null : errorSignatureOf(event, { target, error });
  if (error === null || signature === null) return;
  await openIncident(tx, session, signature, { event, target, at });
  await requestReading(tx, session);
}
