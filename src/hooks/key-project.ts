import { kindOfFailure } from '../base/errors/database-failure.ts';
import { within } from '../base/timing/within.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { otherProject } from '../sessions/projects.ts';
import { findSession } from '../sessions/sessions.ts';
import { belongsTo, placeOf } from '../sessions/which-project.ts';
import type { HookServices } from './types.ts';

// The key that `lore init` writes into a project is for that project. Nobody can use it to report events of another
// one.

/** An event waits no longer than this for the database, because a verdict is worth more. */
const MAX_MS = 1_000;

/**
 * Refuses an event of another project than its key is for. It does nothing for a key of all projects.
 *
 * @returns the claims for the work on the event: what a lesson of another project was worth here is counted there
 * @throws Problem (403) that names the project of the key
 */
export async function refuseOtherProject(
  { db, log, sessions }: Pick<HookServices, 'db' | 'log' | 'sessions'>,
  claims: Claims,
  event: HookEvent,
): Promise<Claims> {
  const { userId, role, projectId } = claims;
  const hooks = { userId, role, hooksOf: projectId ?? null };
  if (!projectId || sessions.known(claims, event)?.projectId === projectId) return hooks;
  const look = asUser(
    db,
    claims,
    async (tx) => {
      const session = await findSession(tx, event.session_id);
      const isOwn = session
        ? session.projectId === projectId
        : await belongsTo(tx, projectId, placeOf(event));
      return isOwn ? 'own' : otherProject(tx, projectId);
    },
    { readOnly: true, urgent: true },
  );
  // without a database there are verdicts all the same, and they are what an agent waits for
  const other = await within(look, MAX_MS).catch((error) => {
    if (kindOfFailure(error).kind === 'refused') throw error;
    return null;
  });
  if (other === null || other === 'own') return hooks;
  log.warn(
    { session: event.session_id, cwd: event.cwd, projectId },
    'an event of another project than its key',
  );
  throw other;
}
