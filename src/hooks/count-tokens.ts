import { asUser } from '../db/as-user.ts';
import { noteUsage } from '../sessions/sessions.ts';
import { usageIn } from '../sessions/transcript.ts';
import type { Asked, HookServices } from './types.ts';

/**
 * Reads how many tokens a session that has ended used and which model worked in it, and notes them. Only the transcript tells.
 * It is on the machine of the person who runs the server, so only the owner's is read, behind the answer.
 */
export async function countTokens(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  if (claims.role !== 'owner' || !event.transcript_path) return;
  const usage = await usageIn(event.transcript_path);
  const session = await services.sessions.of(claims, event, at);
  await asUser(services.db, claims, (tx) => noteUsage(tx, session.id, usage));
}
