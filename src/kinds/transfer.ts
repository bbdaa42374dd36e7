import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query } from '../db/open.ts';
import { field, insertRecords, type Placed, recordTable, type TransferredRoom } from '../db/records.ts';
import { exactInstant } from '../http/schemas.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { StoredAnswer } from './audit-form.ts';
import { storableKey } from './notes.ts';
import { exportBy } from './records/transfer.ts';
import { decisions, facts, findingLinks, findings, notes, relations, sessionAudits } from './schema.ts';
import { JsonValue } from './values.ts';

// Export and import of what is known: a kind's record has the columns of its table, under the names that they have in
// code, and the name of its project. Sessions are not exported, so a record does not contain their ids.

const TYPES: Record<string, z.ZodType> = {
  uuid: field.id,
  'timestamp with time zone': exactInstant(),
  integer: field.count,
  real: field.share,
  boolean: z.boolean(),
  jsonb: z.record(z.string(), z.unknown()),
  'text[]': field.words,
};

/** Returns the schema of a column in a record; what an older export does not have is as in a new row. */
function fieldOf(column: PgColumn): z.ZodType {
  const text = field.text(200_000).min(column.notNull && !column.hasDefault ? 1 : 0);
  const type = column.enumValues?.length ? z.enum(column.enumValues) : (TYPES[column.getSQLType()] ?? text);
  if (!column.notNull) return type.nullable().default(null);
  return column.default === undefined || is(column.default, SQL) ? type : type.default(column.default);
}

/** Columns that a record does not have: the project goes by its name, and where work waits is not exported. */
const NOT_EXPORTED = ['userId', 'projectId', 'sessionId', 'attempts', 'runAfter', 'error'];
const project = projectNameOf(sql`t.project_id`);

type Options = Pick<TransferredRoom, 'accept'> & {
  /** fields that are not simply those of their columns, with their schemas */
  fields?: z.ZodRawShape;
  /** the columns of fields that have another name */
  columns?: Record<string, string>;
  into?: Record<string, string>;
  page?: Parameters<typeof exportBy>[2];
  order?: Parameters<typeof exportBy>[1];
};

const isPeriod = (from: unknown, until: unknown) =>
  !(typeof from === 'string' && typeof until === 'string' && until <= from);

/** Returns how a table's rows are exported, a record each, and restored: those that the caller has are left as they are. */
function transferred(table: PgTable, type: string, options: Options = {}): TransferredRoom {
  const { fields = {}, columns = {}, into = {}, order = { id: 'uuid' }, page, ...more } = options;
  const all = getTableColumns(table) as Record<string, PgColumn>;
  const own = Object.entries(all).filter(
    ([name, { generated, generatedIdentity }]) =>
      ![...NOT_EXPORTED, ...Object.values(columns)].includes(name) &&
      generated === undefined &&
      generatedIdentity === undefined,
  );
  const record = z.object({
    type: z.literal(type),
    project: all.projectId?.notNull ? field.project : field.project.nullable().default(null),
    ...Object.fromEntries(own.map(([name, column]) => [name, fieldOf(column)])),
    ...fields,
  });
  const rows = recordTable(table, record, { columns, outOf: { type: sql.raw(`'${type}'`), project }, into });
  const checked = record.refine((given: Record<string, unknown>) => {
    const { validFrom, validUntil, recordedAt, recordedUntil } = given;
    return isPeriod(validFrom, validUntil) && isPeriod(recordedAt, recordedUntil);
  }, 'validUntil and recordedUntil must be later than validFrom and recordedAt');
  return {
    ...more,
    record: checked as unknown as TransferredRoom['record'],
    ...exportBy(rows, order, page),
    /** Leaves out rows that conflict with one that is there, as a fact does that overlaps another. */
    async restore(tx, placed: Placed<{ project: string | null }>[]) {
      const records = placed.map(({ record }) => record);
      const imported = (await insertRecords(tx, rows, records, await ensureProjects(tx, records))).length;
      return { imported, skipped: placed.length - imported, failed: [] };
    },
  };
}

const LinkRecord = z.object({
  type: z.literal('findingLink'),
  kind: z.enum(findingLinks.kind.enumValues),
  from: field.id,
  to: field.id,
});

/** Links between findings, which are records of their own: one may come long before the other. */
const links: TransferredRoom = {
  record: LinkRecord,
  ...exportBy(
    {
      name: 'finding_links',
      asJson: sql`json_build_object('type', 'findingLink', 'kind', t.kind, 'from', t.from_id, 'to', t.to_id)`,
    },
    { kind: 'text', from_id: 'uuid', to_id: 'uuid' },
    {
      only: (project) => sql`(${project}::uuid is null or 2 = (
        select count(*) from findings f where f.id in (t.from_id, t.to_id) and f.project_id = ${project}::uuid))`,
    },
  ),
  /** Leaves out links that are there, and those of findings that are not. */
  async restore(tx, placed: Placed<object>[]) {
    const records = JSON.stringify(placed.map(({ record }) => record));
    const rows = await query(
      tx,
      sql`insert into finding_links (kind, from_id, to_id)
          select r.kind, a.id, b.id from jsonb_to_recordset(${records}::jsonb) as r (kind text, "from" uuid, "to" uuid)
          join findings a on a.id = r."from" join findings b on b.id = r."to"
          where a.id <> b.id on conflict do nothing returning 1`,
    );
    return { imported: rows.length, skipped: placed.length - rows.length, failed: [] };
  },
};

const since = (name: string) =>
  `case when r."${name}" is not null then greatest(r."${name}", r."createdAt") end`;
const name = field.text(8192).min(1).transform(indexable);

/** A record for each row of a statement, so that both clocks are kept. */
const BOTH_CLOCKS = { id: 'uuid', recorded_at: 'timestamptz' } as const;

/** In the order of an export. */
export const KINDS: TransferredRoom[] = [
  transferred(notes, 'note', {
    columns: { key: 'dedupKey' },
    fields: {
      channel: name,
      sender: name.nullable().default(null),
      key: field.text(1000).nullable().default(null),
    },
    into: { createdAt: `coalesce(r."createdAt", now())`, validUntil: since('validUntil') },
    order: { created_at: 'timestamptz', seq: 'bigint' },
    // more characters in one page would hold up hooks
    page: { size: sql`length(t.content)`, most: 500_000 },
    /** Uses the key before redaction, which could make two keys equal. */
    accept: (record, { key }) => ({ ...record, key: typeof key === 'string' ? storableKey(key) : null }),
  }),
  transferred(findings, 'finding', { into: { closedAt: since('closedAt') } }),
  links,
  transferred(facts, 'fact', {
    order: BOTH_CLOCKS,
    columns: { entityType: 'type' },
    fields: { entityType: field.text(500).min(1), value: JsonValue },
  }),
  transferred(relations, 'relation', { order: BOTH_CLOCKS }),
  transferred(decisions, 'decision', { order: BOTH_CLOCKS }),
  transferred(sessionAudits, 'audit', {
    // what is imported is done, so the model is not asked again
    fields: { answer: StoredAnswer, status: z.unknown().transform(() => 'done') },
    page: { only: (id) => sql`t.answer is not null and (${id}::uuid is null or t.project_id = ${id}::uuid)` },
  }),
];
