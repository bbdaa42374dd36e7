import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query } from '../db/open.ts';
import { field, type TransferredRoom } from '../db/records.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { STATES } from './schema.ts';

// Export and import of baselines. They follow the records that cite. What has no baseline is not exported.

export const record = z.object({
  type: z.literal('citation'),
  kind: z.enum(['note', 'learning']),
  id: field.id,
  ref: field.text(8192).min(1).transform(indexable),
  project: field.project.nullable().default(null),
  head: field.text(64).nullable().default(null),
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().default(null),
  hash: field.text(64).nullable().default(null),
  state: z.enum(STATES),
  citedAt: field.instant,
});

type CitationRecord = z.infer<typeof record>;

export const cursor = z.tuple([z.string(), z.guid(), z.string()]);

/** Returns a page of the caller's citations behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  type Row = { record: Record<string, unknown>; kind: string; id: string; ref: string };
  const rows = await query<Row>(
    tx,
    sql`select json_build_object('type', 'citation', 'kind', t.kind, 'id', t.source_id, 'ref', t.ref,
            'project', ${projectNameOf(sql`t.project_id`)}, 'head', t.head, 'size', t.size, 'hash', t.hash,
            'state', t.state, 'citedAt', t.cited_at) as record, t.kind, t.source_id as id, t.ref
        from citations t
        where t.user_id = auth.uid() and t.hash is not null
          and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and ${after === null ? sql`true` : sql`(t.kind, t.source_id, t.ref) > (${after[0]}, ${after[1]}::uuid, ${after[2]})`}
        order by t.kind, t.source_id, t.ref limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.kind, last.id, last.ref] : null };
};

/** Stores the citations that the caller does not have. */
export const restore: TransferredRoom['restore'] = async (tx, _, placed) => {
  if (placed.length === 0) return { imported: 0, skipped: 0, failed: [] };
  const records = placed.map((one) => one.record as CitationRecord);
  const projects = await ensureProjects(tx, records);
  const values = records.map(({ project, ...rest }) => ({
    ...rest,
    projectId: project === null ? null : projects.get(project),
    state: rest.state === 'waiting' ? 'unknown' : rest.state,
  }));
  const rows = await query(
    tx,
    sql`insert into citations (kind, source_id, ref, project_id, head, size, hash, state, cited_at)
        select r.kind, r.id, r.ref, r."projectId", r.head, r.size, r.hash, r.state, r."citedAt"
        from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r (kind text, id uuid, ref text,
          "projectId" uuid, head text, size bigint, hash text, state text, "citedAt" timestamptz)
        on conflict do nothing returning 1`,
  );
  return { imported: rows.length, skipped: placed.length - rows.length, failed: [] };
};
