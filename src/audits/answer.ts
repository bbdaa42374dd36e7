import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { type Giver, keepLesson } from '../distil/hand-in.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { AuditAnswer } from './form.ts';
import type { SessionRecord } from './record.ts';

/** Keeps one lesson of an answer as all that is handed in, unless it holds for its task only. */
export async function admitOne(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  learning: AuditAnswer['learnings'][number],
  { session, errors }: SessionRecord,
  by: Pick<Giver, 'by' | 'evaluator'>,
): Promise<void> {
  const { error, lasting, ...lesson } = learning;
  if (lasting !== 'lasting') return;
  const { id: sessionId, projectId } = session;
  const incidentId = error === null ? null : (errors[error]?.id ?? null);
  const giver: Giver = { ...by, projectId, sessionId, agentId: null, event: 'audit' };
  await keepLesson(services, claims, { ...lesson, why: null, incidentId }, giver);
}
