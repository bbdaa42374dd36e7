import { and, asc, eq, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { Problem } from '../errors/problem.ts';
import { metError } from '../incidents/incidents.ts';
import { redactValue } from '../redaction/redact.ts';
import { admitOne } from './answer.ts';
import { type AuditAnswer, INSTRUCTIONS } from './form.ts';
import { readRecord, tellRecord } from './record.ts';
import { sessionAudits } from './schema.ts';

// Where no model is set up, an agent may look back on a session that has ended, if a person has it do so.

/** How many sessions of a user wait for an agent, the newest. */
const MOST_WAITING = 20;
/** Most tokens of a record that an agent reads: its client may cut what is longer. */
const MOST_TOKENS = 8_000;

/** Leaves the sessions of a user that met errors to an agent, the newest of them, and forgets the others. */
export async function leaveToAgents(tx: Tx): Promise<void> {
  await query(
    tx,
    sql`update session_audits a set status = 'waiting'
        where a.status = 'pending' and ${metError(sql`a.session_id`)}`,
  );
  await query(
    tx,
    sql`delete from session_audits
        where status = 'pending' or id in (
          select id from session_audits where status = 'waiting' order by created_at desc offset ${MOST_WAITING})`,
  );
}

/** Returns how many sessions wait for an agent, in a project or in all. */
export async function countWaiting(tx: Tx, projectId: string | undefined): Promise<number> {
  return tx.$count(sessionAudits, waitsIn(projectId));
}

const waitsIn = (projectId: string | undefined) =>
  and(
    eq(sessionAudits.status, 'waiting'),
    projectId === undefined ? undefined : eq(sessionAudits.projectId, projectId),
  );

/** A session that waits to be looked back on: what happened in it, redacted, and what is asked about it. */
export type WaitingAudit = { id: string; instructions: string; record: Record<string, unknown> };

/** Returns how many sessions wait for an agent, and the one that has waited longest; null if none does. */
export async function nextWaiting(
  db: Database,
  claims: Claims,
  projectId: string | undefined,
): Promise<{ waiting: number; next: WaitingAudit | null }> {
  const read = <T>(work: (tx: Tx) => Promise<T>) => asUser(db, claims, work, { readOnly: true });
  const [waiting, [row]] = await read(async (tx) => [
    await countWaiting(tx, projectId),
    await tx
      .select()
      .from(sessionAudits)
      .where(waitsIn(projectId))
      .orderBy(asc(sessionAudits.createdAt), asc(sessionAudits.id))
      .limit(1),
  ]);
  if (row?.sessionId == null) return { waiting, next: null };
  const record = await readRecord(read, { id: row.sessionId, projectId: row.projectId });
  const told = JSON.parse(tellRecord(record, MOST_TOKENS)) as Record<string, unknown>;
  return { waiting, next: { id: row.id, instructions: INSTRUCTIONS, record: told } };
}

/**
 * Takes what an agent found in a session. Its lessons are judged as a model's are, but wait for a person: an agent's word
 * that something lasts makes nothing active.
 *
 * @returns how many sessions wait still, in all projects
 * @throws Problem (404) when no such session waits
 */
export async function answerWaiting(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  id: string,
  { agent, ...given }: AuditAnswer & { agent: string },
): Promise<number> {
  const { db } = services;
  const read = <T>(work: (tx: Tx) => Promise<T>) => asUser(db, claims, work, { readOnly: true });
  const which = and(eq(sessionAudits.id, id), eq(sessionAudits.status, 'waiting'));
  const [row] = await read((tx) => tx.select().from(sessionAudits).where(which));
  if (row?.sessionId == null) {
    throw new Problem({
      status: 404,
      title: 'Audit not found',
      detail: `No session waits as ${id}. It may be answered already.`,
    });
  }
  const record = await readRecord(read, { id: row.sessionId, projectId: row.projectId });
  const answer = redactValue(given);
  const evaluator = `agent:${agent}`;
  for (const learning of answer.learnings) {
    await admitOne(services, claims, learning, record, { by: 'agent', evaluator });
  }
  return asUser(db, claims, async (tx) => {
    const done = { status: 'done', answer, evaluatedBy: evaluator, finishedAt: new Date() } as const;
    await tx.update(sessionAudits).set(done).where(which);
    return countWaiting(tx, undefined);
  });
}
