import type { Tx } from '../db/open.ts';
import { closeOpenIncidents } from '../incidents/incidents.ts';
import { readNow } from '../learnings/readings.ts';
import { type HookEvent, hasBackgroundTasks } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';

/** Has the turn read for lessons. While background tasks run, the turn has not ended. */
export async function endTurn(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  return hasBackgroundTasks(event) ? 0 : readNow(tx, session, 'Stop');
}

/** Has the session read for what a subagent resolved. */
export const endSubagent = (tx: Tx, session: Session): Promise<number> =>
  readNow(tx, session, 'SubagentStop');

/**
 * Settles a session that has ended: errors that nothing answered become unresolved, and it is read: for lessons, and
 * for what became of the lessons that it was offered.
 *
 * @returns how many readings wait
 */
export async function endSession(tx: Tx, session: Pick<Session, 'id' | 'projectId'>): Promise<number> {
  const waiting = await readNow(tx, session, 'SessionEnd');
  await closeOpenIncidents(tx, session.id);
  return waiting;
}
