import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';
import { decision, fact, type Kind, relation } from './kinds.ts';
import { getStatement, sameSubject } from './statements.ts';

/**
 * Erases facts, relations and decisions: those of a project, those learned in the erased sessions, and those that were
 * first recorded before an instant. With `keepLearned` all stay, without their references to the sessions.
 */
export async function erase(tx: Tx, { sessions, projectId, before, keepLearned }: Erasure): Promise<Erased> {
  const inSessions = sql`t.session_id = any (${sql.param(sessions)}::uuid[])`;
  const total: Erased = {};
  for (const kind of [fact, relation, decision]) {
    const table = sql.raw(`${kind.name}s`);
    if (keepLearned) await query(tx, sql`update ${table} t set session_id = null where ${inSessions}`);
    const which = keepLearned
      ? sql`false`
      : sql`${inSessions} or t.project_id = ${projectId}::uuid or t.recorded_at < ${before}::timestamptz`;
    const erased = await eraseStatements(tx, kind, which);
    for (const [name, n] of Object.entries(erased)) total[name] = (total[name] ?? 0) + n;
  }
  return total;
}

/** Erases the statements of which a row `t` fits, with all their rows, in the index too, and the offers made of them. */
async function eraseStatements(tx: Tx, kind: Kind, which: ReturnType<typeof sql>): Promise<Erased> {
  const table = sql.raw(`${kind.name}s`);
  const rows = await query<{ id: string }>(tx, sql`select distinct t.id from ${table} t where ${which}`);
  const ids = rows.map(({ id }) => id);
  const searchDocuments = await eraseDocuments(tx, kind.name, ids);
  const offers = kind.name === 'decision' ? await eraseOffers(tx, ids) : 0;
  await query(tx, sql`delete from ${table} where id = any (${sql.param(ids)}::uuid[])`);
  return { [`${kind.name}s`]: ids.length, searchDocuments, offers };
}

/** Erases the decisions that came from these notes, unless a weightier tier has taken one over. */
export const eraseDecisionsOf = (tx: Tx, notes: string[]): Promise<Erased> =>
  eraseStatements(
    tx,
    decision,
    sql`t.recorded_until is null and t.evidence = any (${sql.param(notes.map((id) => `note:${id}`))}::text[])`,
  );

/**
 * Erases what a statement is about at a person's request, with all that was ever recorded of it.
 *
 * @throws Problem (404) when the caller has no such statement
 */
export async function eraseStatement(tx: Tx, kind: Kind, reference: string): Promise<void> {
  const { id } = await getStatement(tx, kind, reference);
  await eraseStatements(tx, kind, sql`t.user_id = auth.uid() and ${sameSubject(kind, id)}`);
}
