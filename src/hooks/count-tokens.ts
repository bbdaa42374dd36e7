import { asUser } from '../db/as-user.ts';
import { noteTokensUsed } from '../sessions/sessions.ts';
import { tokensUsed } from '../sessions/transcript.ts';
import type { Asked, HookServices } from './types.ts';

/**
 * Notes what a session cost that has ended, as its transcript tells. The transcript is on the machine of the person who
 * runs the server, so only the owner's is read.
 */
export async function countTokens(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  if (claims.role !== 'owner' || !event.transcript_path) return;
  const tokens = await tokensUsed(event.transcript_path);
  if (tokens === null) return;
  const session = await services.sessions.of(claims, event, at);
  await asUser(services.db, claims, (tx) => noteTokensUsed(tx, session.id, tokens));
}
