import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import {
  field,
  type Imported,
  insertRecords,
  type Placed,
  type RecordTable,
  recordTable,
  type TransferredRoom,
} from '../db/records.ts';
import { exactInstant } from '../http/schemas.ts';
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

type Clocks = {
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
};
/** Whether a record ends after it begins, in both clocks. */
const inOrder = (record: Clocks) =>
  (record.validUntil === null || record.validFrom < record.validUntil) &&
  (record.recordedUntil === null || record.recordedAt < record.recordedUntil);
const notInOrder = 'validUntil and recordedUntil must be later than validFrom and recordedAt';

const name = field.text(500).min(1);
const key = field.text(8192).min(1);

export const factRecord = z
  .object({ type: z.literal('fact'), entityType: name, key, value: JsonValue, ...temporal })
  .refine(inOrder, notInOrder);
export const relationRecord = z
  .object({
    type: z.literal('relation'),
    fromType: name,
    fromKey: key,
    relation: name,
    toType: name,
    toKey: key,
    attributes: JsonObject.default({}),
    ...temporal,
  })
  .refine(inOrder, notInOrder);
export const decisionRecord = z
  .object({
    type: z.literal('decision'),
    condition: field.text(20_000).min(1),
    action: field.text(40_000).min(1),
    confidence: field.share,
    statedUntil: exactInstant().nullable().default(null),
    ...temporal,
  })
  .refine(inOrder, notInOrder);

const project = projectNameOf(sql`t.project_id`);

export const transferredFacts = transferred(
  factRecord,
  // the column `type` is the entity's; that of a record says that it is a fact
  recordTable(facts, factRecord, {
    columns: { type: '', entityType: 'type' },
    outOf: { type: sql`'fact'`, project },
  }),
);
export const transferredRelations = transferred(
  relationRecord,
  recordTable(relations, relationRecord, { outOf: { type: sql`'relation'`, project } }),
);
export const transferredDecisions = transferred(
  decisionRecord,
  recordTable(decisions, decisionRecord, { outOf: { type: sql`'decision'`, project } }),
);

function transferred(record: TransferredRoom['record'], rows: RecordTable): TransferredRoom {
  const table = sql.raw(rows.name);
  return {
    record,
    /** Position in an export: id and time of record of the last row. */
    cursor: z.tuple([z.guid(), z.iso.datetime({ offset: true })]),
    async exportPage(tx, { after, projectId, limit }) {
      const behind =
        after === null
          ? sql`true`
          : sql`(t.id, t.recorded_at) > (${after[0]}::uuid, ${after[1]}::timestamptz)`;
      const found = await query<{ record: Record<string, unknown>; cursor: string[] }>(
        tx,
        sql`select ${rows.asJson} as record, json_build_array(t.id, t.recorded_at) as cursor
            from ${table} t
            where t.user_id = auth.uid() and ${behind}
              and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
            order by t.id, t.recorded_at limit ${limit}`,
      );
      return { records: found.map((row) => row.record), last: found.at(-1)?.cursor ?? null };
    },
    restore: (tx, _userId, placed) => restore(tx, rows, placed as unknown as Placed<TemporalRecord>[]),
  };
}

/** Restores the rows that the caller does not have. Refuses those that overlap another row of their subject. */
async function restore(tx: Tx, rows: RecordTable, placed: Placed<TemporalRecord>[]): Promise<Imported> {
  if (placed.length === 0) return { imported: 0, skipped: 0, failed: [] };
  const nameOf = ({ record }: Placed<TemporalRecord>) => `${record.id} ${record.recordedAt}`;
  const ids = sql.param([...new Set(placed.map(({ record }) => record.id))]);
  const there = async () =>
    new Set(
      (await query<{ name: string }>(tx, sql`${namesOf(rows)} where t.id = any (${ids}::uuid[])`)).map(
        ({ name }) => name,
      ),
    );
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
}

/** SQL for what distinguishes the rows of a table, as a record says it. */
const namesOf = (rows: RecordTable): SQL =>
  sql`select t.id || to_char(t.recorded_at at time zone 'utc', ' YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as name
      from ${sql.raw(rows.name)} t`;
