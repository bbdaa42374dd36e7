import { asUser } from '../db/as-user.ts';
import { noteTokensUsed } from '../sessions/sessions.ts';
import { tokensUsed } from '../sessions/transcript.ts';
import type { Asked, HookServices } from './types.ts';

/**
 * Reads from the transcript of a session that has ended how many tokens it used, and notes them. The
 * transcript is on the machine of the person who runs the server, so only the owner's is read.
 */
export async function countTokens(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  if (claims.role !== 'owner' || !event.transcript_path) return;
  const tokens = await tokensUsed(event.transcript_path);
  if (tokens === null) return;
  const session = await services.sessions.of(claims, event, at);
  await asUser(services.db, claims, (tx) => noteTokensUsed(tx, session.id, tokens));
}
