import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import {
  exportById,
  field,
  type Imported,
  idCursor,
  type Placed,
  recordTable,
  type TransferredRoom,
} from '../db/records.ts';
import { WRITERS } from '../http/key-scope.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { restoreInProjects } from '../sessions/restore.ts';
import { addLink, lockLinks } from './links.ts';
import { findings, SEVERITIES, STATUSES, STORED_LINKS } from './schema.ts';

// Export and import of findings, and of the links between them, which are records of their own: a finding may come long
// before the one that it is linked to.

export const record = z.object({
  type: z.literal('finding'),
  id: field.id,
  project: field.project,
  title: field.text(10_000).min(1),
  detail: field.text(200_000).default(''),
  severity: z.enum(SEVERITIES).default('medium'),
  status: z.enum(STATUSES).default('open'),
  resolution: field.text(200_000).nullable().default(null),
  file: field.text(8192).nullable().default(null),
  line: field.count.nullable().default(null),
  agent: field.text(1000).nullable().default(null),
  writtenBy: z.enum(WRITERS).nullable().default(null),
  createdAt: field.instant,
  updatedAt: field.instant,
  closedAt: field.instant.nullable().default(null),
  proposedStatus: z.enum(STATUSES).nullable().default(null),
  proposedBy: field.id.nullable().default(null),
  solvedBy: field.id.nullable().default(null),
  resembles: field.id.nullable().default(null),
});
type FindingRecord = z.infer<typeof record>;

const FINDING_ROWS = recordTable(findings, record, {
  outOf: { type: sql`'finding'`, project: projectNameOf(sql`t.project_id`) },
  into: { closedAt: `case when r."closedAt" is not null then greatest(r."closedAt", r."createdAt") end` },
});

export const cursor = idCursor;
export const exportPage = exportById(FINDING_ROWS);

/** Stores the findings that the caller does not have. */
export const restore = (tx: Tx, userId: string, placed: Placed<FindingRecord>[]): Promise<Imported> =>
  restoreInProjects(tx, userId, FINDING_ROWS, placed);

const LinkRecord = z.object({
  type: z.literal('findingLink'),
  kind: z.enum(STORED_LINKS),
  from: field.id,
  to: field.id,
});

export const links: TransferredRoom = {
  record: LinkRecord,
  cursor: z.tuple([z.enum(STORED_LINKS), z.guid(), z.guid()]),
  async exportPage(tx, { after, projectId, limit }) {
    const rows = await query<{ kind: string; from: string; to: string }>(
      tx,
      sql`select t.kind, t.from_id as "from", t.to_id as "to" from finding_links t
          where t.user_id = auth.uid()
            and ${after === null ? sql`true` : sql`(t.kind, t.from_id, t.to_id) > (${after[0]}, ${after[1]}::uuid, ${after[2]}::uuid)`}
            and (${projectId ?? null}::uuid is null or 2 = (
              select count(*) from findings f
              where f.id in (t.from_id, t.to_id) and f.project_id = ${projectId ?? null}::uuid))
          order by t.kind, t.from_id, t.to_id limit ${limit}`,
    );
    const last = rows.at(-1);
    const records = rows.map((row) => ({ type: 'findingLink', ...row }));
    return { records, last: last ? [last.kind, last.from, last.to] : null };
  },
  /** Stores the links whose findings are there. One that would close a circle is refused. */
  async restore(tx, _, placed) {
    const result: Imported = { imported: 0, skipped: 0, failed: [] };
    if (placed.length > 0) await lockLinks(tx);
    for (const { line, record } of placed as Placed<z.infer<typeof LinkRecord>>[]) {
      const refused = await addLink(tx, record.kind, record.from, record.to);
      if (refused === 'added') result.imported += 1;
      else if (refused === 'there') result.skipped += 1;
      else result.failed.push({ line, reason: refused.reason });
    }
    return result;
  },
};
