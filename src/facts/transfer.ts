import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query } from '../db/open.ts';
import { field, insertRecords, type Placed, recordTable, type TransferredRoom } from '../db/records.ts';
import { exactInstant } from '../http/schemas.ts';
import { exportBy } from '../records/transfer.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { CHANGES, decisions, facts, relations, TIERS } from './schema.ts';
import { JsonObject, JsonValue } from './values.ts';

// Export and import of facts, relations and decisions. There is a record for each row, so both clocks are
// kept. Sessions are not exported, so a record does not contain their ids.

const temporal = {
  id: field.id,
  project: field.project.nullable().default(null),
  validFrom: exactInstant(),
  validUntil: exactInstant().nullable().default(null),
  recordedAt: exactInstant(),
  recordedUntil: exactInstant().nullable().default(null),
  openedBy: z.enum(CHANGES).default('put'),
  closedBy: z.enum(CHANGES).nullable().default(null),
  tier: z.enum(TIERS),
  source: field.text(10_000).nullable().default(null),
  evidence: field.text(20_000).nullable().default(null),
  agent: field.text(1000).nullable().default(null),
  confirmedAt: exactInstant(),
  confirmations: field.count.default(0),
};
type TemporalRecord = { id: string; project: string | null; recordedAt: string };

const name = field.text(500).min(1);
const key = field.text(8192).min(1);
const project = projectNameOf(sql`t.project_id`);

// the column `type` is the entity's; that of a record says that it is a fact
export const transferredFacts = transferred(
  facts,
  { type: z.literal('fact'), entityType: name, key, value: JsonValue },
  { type: '', entityType: 'type' },
);
export const transferredRelations = transferred(relations, {
  type: z.literal('relation'),
  fromType: name,
  fromKey: key,
  relation: name,
  toType: name,
  toKey: key,
  attributes: JsonObject.default({}),
});
export const transferredDecisions = transferred(decisions, {
  type: z.literal('decision'),
  condition: field.text(20_000).min(1),
  action: field.text(40_000).min(1),
  confidence: field.share,
  statedUntil: exactInstant().nullable().default(null),
});

function transferred(
  table: typeof facts | typeof relations | typeof decisions,
  shape: z.ZodRawShape & { type: z.ZodLiteral<'fact' | 'relation' | 'decision'> },
  columns: Record<string, string> = {},
): TransferredRoom {
  const record = z.object({ ...shape, ...temporal });
  const rows = recordTable(table, record, {
    columns,
    outOf: { type: sql.raw(`'${shape.type.value}'`), project },
  });
  const nameOf = ({ record }: Placed<TemporalRecord>) => `${record.id} ${record.recordedAt}`;
  return {
    record: record.refine(
      (of) =>
        (of.validUntil === null || of.validFrom < of.validUntil) &&
        (of.recordedUntil === null || of.recordedAt < of.recordedUntil),
      'validUntil and recordedUntil must be later than validFrom and recordedAt',
    ) as TransferredRoom['record'],
    ...exportBy(rows, { id: 'uuid', recorded_at: 'timestamptz' }),
    /** Restores the rows that the caller does not have. Refuses those that overlap another row of their subject. */
    async restore(tx, _userId, given) {
      const placed = given as unknown as Placed<TemporalRecord>[];
      if (placed.length === 0) return { imported: 0, skipped: 0, failed: [] };
      const ids = sql.param([...new Set(placed.map(({ record }) => record.id))]);
      const there = async () => {
        const found = await query<{ name: string }>(
          tx,
          sql`select t.id || to_char(t.recorded_at at time zone 'utc', ' YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as name
              from ${table} t where t.id = any (${ids}::uuid[])`,
        );
        return new Set(found.map(({ name }) => name));
      };
      const known = await there();
      const fresh = new Map(placed.filter((one) => !known.has(nameOf(one))).map((one) => [nameOf(one), one]));
      const records = [...fresh.values()].map(({ record }) => record);
      const named = records.flatMap(({ project }) => (project === null ? [] : { project }));
      await insertRecords(tx, rows, records, await ensureProjects(tx, named));
      const now = await there();
      const refused = [...fresh].filter(([name]) => !now.has(name));
      return {
        imported: fresh.size - refused.length,
        skipped: placed.length - fresh.size,
        failed: refused.map(([, { line }]) => ({
          line,
          reason: 'another value of the same key holds in this period, as believed at the same time',
        })),
      };
    },
  };
}
