import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query } from '../db/open.ts';
import { field, type Placed, type TransferredRoom } from '../db/records.ts';
import { exportBy } from '../records/transfer.ts';
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

const asJson = sql`json_build_object('type', 'citation', 'kind', t.kind, 'id', t.source_id, 'ref', t.ref,
  'project', ${projectNameOf(sql`t.project_id`)}, 'head', t.head, 'size', t.size, 'hash', t.hash,
  'state', t.state, 'citedAt', t.cited_at)`;

export const { cursor, exportPage } = exportBy(
  { name: 'citations', asJson },
  { kind: 'text', source_id: 'uuid', ref: 'text' },
  {
    only: (project) =>
      sql`t.hash is not null and (${project}::uuid is null or t.project_id = ${project}::uuid)`,
  },
);

/** Stores the citations that the caller does not have. */
export const restore: TransferredRoom['restore'] = async (tx, _, placed) => {
  const records = (placed as unknown as Placed<z.infer<typeof record>>[]).map(({ record }) => record);
  const projects = await ensureProjects(tx, records);
  const values = records.map(({ project, state, ...rest }) => ({
    ...rest,
    projectId: project === null ? null : projects.get(project),
    state: state === 'waiting' ? 'unknown' : state,
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
