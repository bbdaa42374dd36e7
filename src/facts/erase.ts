import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { notFound } from '../errors/codes.ts';
import { Problem } from '../errors/problem.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';
import type { Kind } from './statements.ts';

const KINDS: Kind[] = ['fact', 'relation', 'decision'];

/**
 * Erases facts, relations and decisions: those of a project, those learned in the erased sessions, and those that were
 * first recorded before an instant. With `keepLearned` all stay, without their references to the sessions.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, projectId, before, keepLearned } = erasure;
  const total: Erased = { searchDocuments: 0, offers: 0 };
  for (const kind of KINDS) {
    const table = sql.raw(`${kind}s`);
    const inSessions = sql`t.session_id = any (${sql.param(sessions)}::uuid[])`;
    if (keepLearned) await query(tx, sql`update ${table} t set session_id = null where ${inSessions}`);
    const rows = keepLearned
      ? []
      : await query<{ id: string }>(
          tx,
          sql`select distinct t.id from ${table} t
              where ${inSessions} or t.project_id = ${projectId}::uuid or t.recorded_at < ${before}::timestamptz`,
        );
    const erased = await eraseIds(
      tx,
      kind,
      rows.map(({ id }) => id),
    );
    for (const [name, n] of Object.entries(erased)) total[name] = (total[name] ?? 0) + n;
  }
  return total;
}

/** Erases statements with all their rows, in the index too, and the offers that were made of them. */
async function eraseIds(tx: Tx, kind: Kind, ids: string[]): Promise<Erased> {
  const searchDocuments = await eraseDocuments(tx, kind, ids);
  const offers = kind === 'decision' ? await eraseOffers(tx, ids) : 0;
  await query(tx, sql`delete from ${sql.raw(`${kind}s`)} where id = any (${sql.param(ids)}::uuid[])`);
  return { [`${kind}s`]: ids.length, searchDocuments, offers };
}

/**
 * Erases the decisions whose evidence is one of these. If a weightier tier has taken one over, its evidence
 * is another.
 */
export async function eraseDecisionsBy(tx: Tx, evidences: string[]): Promise<Erased> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select distinct id from decisions where recorded_until is null and evidence = any (${sql.param(evidences)}::text[])`,
  );
  return rows.length === 0
    ? {}
    : eraseIds(
        tx,
        'decision',
        rows.map(({ id }) => id),
      );
}

/**
 * Erases the subject of a statement at a person's request, with all that was ever recorded about it.
 *
 * @throws Problem (404) when the caller has no such statement
 */
export async function eraseStatement(tx: Tx, kind: Kind, id: string): Promise<void> {
  const table = sql.raw(`${kind}s`);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  const rows = !isId
    ? []
    : await query<{ id: string }>(
        tx,
        sql`select distinct t.id from ${table} t
            where t.user_id = auth.uid()
              and (t.scope_id, t.subject) in (
                select o.scope_id, o.subject from ${table} o where o.user_id = auth.uid() and o.id = ${id}::uuid)`,
      );
  if (rows.length === 0) {
    const detail = `You have no ${kind} ${id}.`;
    throw new Problem({ status: 404, title: notFound(kind), detail });
  }
  await eraseIds(
    tx,
    kind,
    rows.map((row) => row.id),
  );
}
