import { createHash } from 'node:crypto';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { query, type Tx } from './open.ts';

// Rows as records that their owner can take along and restore elsewhere. Times stay text: a Date would lose their
// microseconds.

const instant = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
  .refine((text) => {
    const at = new Date(text);
    return at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
  }, 'must lie between 1970 and 9999');
// longer than what the API takes: redaction may have made a text longer
const text = (max: number) => z.string().max(max);

/** What the schemas of records are made of. */
export const field = {
  id: z.guid().transform((given) => given.toLowerCase()),
  project: text(8192).min(1),
  instant,
  share: z.number().min(0).max(1),
  count: z.number().int().min(0).max(2_147_483_647),
  text,
  words: z.array(text(1000)).max(1000).default([]),
};

/** The columns that a table's records are made of: each field's SQL where it is written out and where it is read in. */
export type RecordTable = { name: string; asJson: SQL; insertInto: string; selectFrom: string };

/**
 * Describes how rows of a table become records and records become rows. A field is the column of the same name in the
 * Drizzle table, unless `columns` names another.
 *
 * @param options.outOf SQL for fields that are no column of the row `t`
 * @param options.into SQL for what is stored, where that is not the field `r."name"` as it is
 */
export function recordTable(
  table: PgTable,
  record: z.ZodObject,
  options: { columns?: Record<string, string>; outOf: Record<string, SQL>; into?: Record<string, string> },
): RecordTable {
  const { columns: renamed = {}, outOf, into = {} } = options;
  const columns = getTableColumns(table) as Record<string, PgColumn>;
  const fields = Object.keys(record.shape);
  const stored = fields.flatMap((name) => {
    const column = columns[renamed[name] ?? name];
    return column === undefined ? [] : [{ name, column }];
  });
  const asJson = fields.map((name) => {
    const column = stored.find((s) => s.name === name)?.column;
    const value = column ? sql.raw(`t.${column.name}`) : outOf[name];
    return sql`${sql.raw(`'${name}'`)}, ${value}`;
  });
  const name = getTableName(table);
  return {
    name,
    asJson: sql`json_build_object(${sql.join(asJson, sql`, `)})`,
    insertInto: `insert into ${name} (project_id, ${stored.map(({ column }) => column.name).join(', ')})
      select r."projectId", ${stored.map((s) => into[s.name] ?? `r."${s.name}"`).join(', ')}
      from jsonb_to_recordset(`,
    selectFrom: `::jsonb) as r (ord int, "projectId" uuid, ${stored
      .map((s) => `"${s.name}" ${s.column.getSQLType()}`)
      .join(', ')})
      order by r.ord on conflict do nothing returning id`,
  };
}

type InProject = { project: string };

/**
 * Inserts records in one statement and in their order. Returns the ids of those that no row stood in the way of.
 *
 * @param projectIds the id of each record's project
 */
export async function insertRecords<R extends InProject>(
  tx: Tx,
  into: RecordTable,
  records: R[],
  projectIds: Map<string, string>,
): Promise<string[]> {
  if (records.length === 0) return [];
  const values = records.map(({ project, ...rest }, ord) => ({
    ...rest,
    ord,
    projectId: projectIds.get(project),
  }));
  // flat, so that the driver keeps it prepared (see `query`)
  const statement = sql
    .raw(into.insertInto)
    .append(sql`${JSON.stringify(values)}`)
    .append(sql.raw(into.selectFrom));
  return (await query<{ id: string }>(tx, statement)).map(({ id }) => id);
}

type Restorable = InProject & { id: string; supersedes: string | null };
/** A record with its place among those that came, from 1 on. */
export type Placed<R> = { line: number; record: R };

/**
 * Restores records that the caller does not have yet, under their own ids. An id that another account of the same
 * database holds is replaced by one derived from it and the caller, everywhere the same, so that importing again finds
 * the record; what refers to it is led there. `refused` are those that another row stood in the way of.
 *
 * @param insert returns the ids of the rows that nothing stood in the way of
 * @param there returns the ids of the records that the caller has under another id
 */
export async function restoreRecords<R extends Restorable>(
  tx: Tx,
  userId: string,
  into: RecordTable,
  placed: Placed<R>[],
  insert: (records: R[]) => Promise<string[]>,
  there: (records: R[]) => Promise<string[]> = async () => [],
): Promise<{ imported: number; skipped: number; refused: Placed<R>[] }> {
  if (placed.length === 0) return { imported: 0, skipped: 0, refused: [] };
  const table = sql.raw(into.name);
  const derived = (id: string) => derivedId(userId, id);
  const ids = [...new Set(placed.map(({ record }) => record.id))];
  const mine = new Set(
    (
      await query<{ id: string }>(
        tx,
        sql`select id from ${table} where id in
              (select t::uuid from jsonb_array_elements_text(${JSON.stringify([...ids, ...ids.map(derived)])}::jsonb) t)`,
      )
    ).map(({ id }) => id),
  );
  const known = new Set(await there(placed.map(({ record }) => record)));
  const seen = new Set<string>();
  const fresh = placed.filter(({ record: { id } }) => {
    const has = mine.has(id) || mine.has(derived(id)) || known.has(id) || seen.has(id);
    seen.add(id);
    return !has;
  });
  const kept = new Set(await insert(fresh.map(({ record }) => record)));
  const left = fresh.filter(({ record }) => !kept.has(record.id));
  const moved = new Set(await insert(left.map(({ record }) => ({ ...record, id: derived(record.id) }))));
  await relink(tx, table, derived, [
    ...fresh.flatMap(({ record }) => record.supersedes ?? []),
    ...left.map(({ record }) => record.id),
  ]);
  const refused = left.filter(({ record }) => !moved.has(derived(record.id)));
  return { imported: kept.size + moved.size, skipped: placed.length - fresh.length, refused };
}

/** Leads references to records that got another id to that id. */
async function relink(tx: Tx, table: SQL, derived: (id: string) => string, references: string[]) {
  if (references.length === 0) return;
  const pairs = [...new Set(references)].map((id) => ({ id, derived: derived(id) }));
  await query(
    tx,
    sql`update ${table} t set supersedes = r.derived
        from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r (id uuid, derived uuid)
        where t.supersedes = r.id and not exists (select 1 from ${table} o where o.id = r.id)
          and exists (select 1 from ${table} o where o.id = r.derived)`,
  );
}

/** A UUID (version 8) that only this account gets for this id. */
function derivedId(userId: string, id: string): string {
  const hex = createHash('sha256').update(`${userId} ${id}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** What a room gives, to have its records taken along. */
export type TransferredRoom = {
  record: z.ZodObject<{ type: z.ZodLiteral<string> }>;
  /** where a page ended, as its values */
  cursor: z.ZodType<string[]>;
  /** Returns records in a fixed order, with the cursor of the last; `after` is such a cursor. */
  exportPage(
    tx: Tx,
    page: { after: string[] | null; projectId: string | undefined; limit: number },
  ): Promise<{ records: Record<string, unknown>[]; last: string[] | null }>;
  /** What a record is after it was read and redacted; `given` is how it came. */
  accept?(record: Record<string, unknown>, given: Record<string, unknown>): Record<string, unknown>;
  /** Restores those that the caller does not have. `failed`: refused, with the reason. */
  restore(tx: Tx, userId: string, placed: Placed<Record<string, unknown>>[]): Promise<Imported>;
};

/** What became of records, by their place from 1 on. */
export type Imported = { imported: number; skipped: number; failed: { line: number; reason: string }[] };
