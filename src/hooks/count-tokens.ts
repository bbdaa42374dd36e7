import { asUser } from '../db/as-user.ts';
import { noteModel, noteTokensUsed } from '../sessions/sessions.ts';
import { lastModel, tokensUsed } from '../sessions/transcript.ts';
import type { Asked, HookServices } from './types.ts';

// What only the client's transcript tells. It is on the machine of the person who runs the server, so only the owner's is
// read, behind the answer.

/** Reads how many tokens a session that has ended used, and notes them. */
export async function countTokens(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  if (claims.role !== 'owner' || !event.transcript_path) return;
  const tokens = await tokensUsed(event.transcript_path);
  if (tokens === null) return;
  const session = await services.sessions.of(claims, event, at);
  await asUser(services.db, claims, (tx) => noteTokensUsed(tx, session.id, tokens));
}

/** Notes which model works in a session. */
export async function noteModelOf(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  if (claims.role !== 'owner' || !event.transcript_path) return;
  const model = await lastModel(event.transcript_path);
  const session = await services.sessions.of(claims, event, at);
  if (model === null || model === session.model) return;
  await asUser(services.db, claims, (tx) => noteModel(tx, session.id, model));
  session.model = model;
}
