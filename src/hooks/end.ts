import { wasOnlyStopped } from '../commands/stopped.ts';
import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { closeOpenIncidents } from '../incidents/incidents.ts';
import { queueAudit } from '../kinds/audits.ts';
import { askToCut } from '../kinds/episodes/cut.ts';
import { settleRuns } from '../kinds/skills/runs.ts';
import { readNow } from '../learnings/distil/read-turn.ts';
import { measureSession } from '../metrics/metrics.ts';
import { endAgent, giveBack } from '../plans/session-steps.ts';
import { hasBackgroundTasks } from '../sessions/hook-event.ts';
import { keepTurns, noteUsage, type Session, settleStatus } from '../sessions/sessions.ts';
import { usageIn } from '../sessions/transcript.ts';
import type { Asked, HookServices, Stored } from './types.ts';

/**
 * Keeps the turn for search, and notes how the skills that ran in it ended. Then the turn is read for lessons
 * and queued to be cut into episodes. While background tasks run, the turn has not ended, so it is only kept
 * for search.
 *
 * @returns how many readings wait
 */
export async function endTurn(tx: Tx, { session, event, at }: Stored): Promise<number> {
  await keepTurns(tx, session.id, 'last');
  if (hasBackgroundTasks(event)) return 0;
  await settleRuns(tx, session.id, { at, agentId: null });
  await askToCut(tx, session.id);
  // the steps of subagents; a task on the agent's own list goes on with the next turn
  await giveBack(
    tx,
    session.id,
    'The turn ended, and its agent did not say how the step went.',
    ({ toolUseId }) => toolUseId !== null,
  );
  return readNow(tx, session, 'Stop');
}

/**
 * Notes how the skills and the step of a subagent ended. Its session is queued to be cut into episodes; what the subagent
 * resolved is read with the turn.
 */
export async function endSubagent(tx: Tx, { session, event, at }: Stored): Promise<void> {
  await settleRuns(tx, session.id, { at, agentId: event.agent_id ?? null });
  await askToCut(tx, session.id);
  await endAgent(tx, session, {
    agentId: event.agent_id ?? null,
    agentType: event.agent_type ?? null,
    message: event.last_assistant_message ?? '',
  });
}

/**
 * Settles a session that has ended. Its turns are kept, also those that no Stop ended. Errors that nothing
 * answered become unresolved. If Lore stopped all of its calls, it is stopped: neither completed nor failed. The
 * session is read for lessons, and for what became of the lessons that it was offered. It is queued to be cut into
 * episodes.
 *
 * How the session went is counted, and a model may be asked to look back on it.
 *
 * @returns how many readings wait
 */
export async function endSession(tx: Tx, session: Pick<Session, 'id' | 'projectId'>): Promise<number> {
  await settleRuns(tx, session.id);
  if (await wasOnlyStopped(tx, session.id, 'session')) await settleStatus(tx, session.id, 'stopped');
  await giveBack(tx, session.id, 'The session ended, and its agent did not say how the step went.');
  await keepTurns(tx, session.id, 'all');
  const waiting = await readNow(tx, session, 'SessionEnd');
  await closeOpenIncidents(tx, session.id);
  await queueAudit(tx, session, await measureSession(tx, session.id));
  await askToCut(tx, session.id);
  return waiting;
}

/**
 * Reads how many tokens a session that has ended used and which model worked in it, and notes them. Only the transcript tells.
 * It is on the machine of the person who runs the server, so only the owner's is read, behind the answer.
 */
export async function countTokens(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  if (claims.role !== 'owner' || !event.transcript_path) return;
  const usage = await usageIn(event.transcript_path, event.hook_event_name === 'Stop');
  const session = await services.sessions.of(claims, event, at);
  await asUser(services.db, claims, (tx) => noteUsage(tx, session.id, usage));
}
