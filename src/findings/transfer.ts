import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, type Imported, type Placed, recordTable, type TransferredRoom } from '../db/records.ts';
import { WRITERS } from '../http/key-scope.ts';
import { exportBy } from '../records/transfer.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { restoreInProjects } from '../sessions/restore.ts';
import { addLink } from './findings.ts';
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

const ROWS = recordTable(findings, record, {
  outOf: { type: sql`'finding'`, project: projectNameOf(sql`t.project_id`) },
  into: { closedAt: `case when r."closedAt" is not null then greatest(r."closedAt", r."createdAt") end` },
});
export const { cursor, exportPage } = exportBy(ROWS, { id: 'uuid' });
/** Stores the findings that the caller does not have. */
export const restore: TransferredRoom['restore'] = (tx, userId, placed) =>
  restoreInProjects(tx, userId, ROWS, placed as unknown as Placed<z.infer<typeof record>>[]);

const LinkRecord = z.object({
  type: z.literal('findingLink'),
  kind: z.enum(STORED_LINKS),
  from: field.id,
  to: field.id,
});
const asJson = sql`json_build_object('type', 'findingLink', 'kind', t.kind, 'from', t.from_id, 'to', t.to_id)`;

export const links: TransferredRoom = {
  record: LinkRecord,
  ...exportBy(
    { name: 'finding_links', asJson },
    { kind: 'text', from_id: 'uuid', to_id: 'uuid' },
    {
      only: (project) =>
        sql`(${project}::uuid is null or 2 = (
          select count(*) from findings f
          where f.id in (t.from_id, t.to_id) and f.project_id = ${project}::uuid))`,
    },
  ),
  /** Stores the links whose findings are there. One that would close a circle is refused. */
  async restore(tx, _, placed) {
    const result: Imported = { imported: 0, skipped: 0, failed: [] };
    for (const { line, record } of placed as unknown as Placed<z.infer<typeof LinkRecord>>[]) {
      const { added, refused } = await addLink(tx, record.kind, record.from, record.to);
      if (refused !== null) result.failed.push({ line, reason: refused });
      else if (added) result.imported += 1;
      else result.skipped += 1;
    }
    return result;
  },
};
