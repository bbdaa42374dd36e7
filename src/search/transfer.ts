import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import { field, type Imported, type Placed } from '../db/records.ts';
import { exactInstant } from '../http/schemas.ts';
import { exportBy } from '../kinds/records/transfer.ts';

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

const asJson = sql`json_build_object('type', 'amendment', 'id', t.id, 'kind', t.kind, 'newerId', t.newer_id,
  'olderId', t.older_id, 'evidence', t.evidence, 'createdAt', t.created_at, 'undoneAt', t.undone_at)`;
const only = (project: string | null) => sql`t.kind = 'decision' and (${project}::uuid is null or exists (
  select from search_documents d
  where d.user_id = t.user_id and d.kind = t.kind and d.source_id = t.newer_id and d.project_id = ${project}::uuid))`;

export const { cursor, exportPage } = exportBy({ name: 'amendments', asJson }, { id: 'uuid' }, { only });

/**
 * Restores the links that the caller does not have. One whose records are not there is refused. The id is made anew: it
 * is unique among all users.
 */
export async function restore(tx: Tx, placed: Placed<z.infer<typeof record>>[]): Promise<Imported> {
  const given = JSON.stringify(placed.map(({ line, record }) => ({ ...record, line })));
  const rows = await query<{ line: number; there: boolean; made: boolean }>(
    tx,
    sql`with given as (
          select r.*, exists (select from searchable s where s.kind = r.kind and s.source_id = r."newerId")
              and exists (select from searchable s where s.kind = r.kind and s.source_id = r."olderId") as there
          from jsonb_to_recordset(${given}::jsonb) r (line int, kind text, "newerId" uuid, "olderId" uuid,
            evidence jsonb, "createdAt" timestamptz, "undoneAt" timestamptz)
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
