import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import { field, type Imported, type Placed } from '../db/records.ts';
import { exactInstant } from '../http/schemas.ts';

// Export and import of the links between decisions, because such a link is what ends a decision and can be undone. Links
// between other records only order results, and are found again.

export const record = z.object({
  type: z.literal('amendment'),
  id: field.id,
  kind: z.literal('decision'),
  newerId: field.id,
  olderId: field.id,
  evidence: z.object({
    words: field.text(1000),
    similarity: z.number().min(-1).max(1).nullable(),
    model: field.text(1000).nullable(),
  }),
  createdAt: exactInstant(),
  undoneAt: exactInstant().nullable().default(null),
});
type AmendmentRecord = z.infer<typeof record>;

/** Position in an export: the id of the last link. */
export const cursor = z.tuple([z.guid()]);

/**
 * Returns a page of the caller's links between decisions. `last` is the cursor of the last one; null if there
 * is none.
 */
export async function exportPage(
  tx: Tx,
  page: { after: string[] | null; projectId: string | undefined; limit: number },
): Promise<{ records: Record<string, unknown>[]; last: string[] | null }> {
  const { after, projectId, limit } = page;
  const rows = await query<{ record: Record<string, unknown>; id: string }>(
    tx,
    sql`select a.id, json_build_object('type', 'amendment', 'id', a.id, 'kind', a.kind, 'newerId', a.newer_id,
            'olderId', a.older_id, 'evidence', a.evidence, 'createdAt', a.created_at, 'undoneAt', a.undone_at) as record
        from amendments a
        where a.user_id = auth.uid() and a.kind = 'decision'
          and (${after?.[0] ?? null}::uuid is null or a.id > ${after?.[0] ?? null}::uuid)
          and (${projectId ?? null}::uuid is null or exists (
            select from search_documents d
            where d.user_id = a.user_id and d.kind = a.kind and d.source_id = a.newer_id
              and d.project_id = ${projectId ?? null}::uuid))
        order by a.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.id] : null };
}

/**
 * Restores the links that the caller does not have. One whose records are not there is refused. The id is made anew: it
 * is unique among all users.
 */
export async function restore(tx: Tx, _userId: string, placed: Placed<AmendmentRecord>[]): Promise<Imported> {
  if (placed.length === 0) return { imported: 0, skipped: 0, failed: [] };
  const rows = await query<{ line: number; there: boolean; made: boolean }>(
    tx,
    sql`with given as (
          select r.*, exists (select from searchable s where s.kind = r.kind and s.source_id = r."newerId")
              and exists (select from searchable s where s.kind = r.kind and s.source_id = r."olderId") as there
          from jsonb_to_recordset(${JSON.stringify(placed.map(({ line, record }) => ({ ...record, line })))}::jsonb)
            r (line int, kind text, "newerId" uuid, "olderId" uuid, evidence jsonb, "createdAt" timestamptz,
              "undoneAt" timestamptz)
        ), made as (
          insert into amendments (kind, newer_id, older_id, evidence, created_at, undone_at)
          select g.kind, g."newerId", g."olderId", g.evidence, g."createdAt", g."undoneAt" from given g where g.there
          on conflict (user_id, kind, newer_id, older_id) do nothing
          returning newer_id, older_id
        )
        select g.line, g.there, exists (
          select from made m where m.newer_id = g."newerId" and m.older_id = g."olderId") as made
        from given g`,
  );
  const imported = rows.filter(({ made }) => made).length;
  const failed = rows
    .filter(({ there }) => !there)
    .map(({ line }) => ({ line, reason: 'you do not have both of the decisions that it links' }));
  return { imported, skipped: placed.length - imported - failed.length, failed };
}
