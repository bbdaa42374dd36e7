import type { Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { findProject } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';

/**
 * Returns the session that a request names, by Lore's id or the client's, and the project: the one that is named, else
 * the session's. If Lore does not know the named project, it is null.
 *
 * @throws Problem (400) when the caller has no such session
 */
export async function sessionNamed(
  tx: Tx,
  { session, project }: { session?: string | undefined; project?: string | undefined },
): Promise<{ sessionId: string | null; projectId: string | null }> {
  const named = project === undefined ? undefined : await findProject(tx, project);
  if (session === undefined) return { sessionId: null, projectId: named?.id ?? null };
  const found = await getSession(tx, session);
  if (!found) {
    const message = `you have no session ${session}`;
    const errors = [{ field: 'session', message }];
    throw new Problem({ status: 400, title: 'Bad request', detail: `session: ${message}`, errors });
  }
  const own = named ?? (await findProject(tx, found.project));
  return { sessionId: found.id, projectId: own?.id ?? null };
}
