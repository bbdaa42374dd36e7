import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { query, type Tx } from './open.ts';

// Export and import: turns rows into records that their owner can restore in another database. Times stay text, because
// a Date would lose their microseconds.

const instant = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
  .refine((text) => {
    const at = new Date(text);
    return at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
  }, 'must lie between 1970 and 9999');
// These limits are above those of the API, because redaction may have made a text longer.
const text = (max: number) => z.string().max(max);

/** The field types of record schemas. */
export const field = {
  id: z.guid().transform((given) => given.toLowerCase()),
  project: text(8192).min(1),
  instant,
  share: z.number().min(0).max(1),
  count: z.number().int().min(0).max(2_147_483_647),
  text,
  words: z.array(text(1000)).max(1000).default([]),
};

/** The SQL that exports the rows of a table as records and inserts records as rows. */
export type RecordTable = { name: string; asJson: SQL; insertInto: string; selectFrom: string };

/**
 * Returns the SQL by which rows of a table become records and records become rows. A field belongs to the column of the
 * same name in the Drizzle table, unless `columns` names another one.
 *
 * @param options.outOf SQL for the fields that are not simply columns of the row `t`
 * @param options.into SQL for the columns that do not simply store the field `r."name"`
 * @param options.only SQL for which records `r` are stored
 * @param options.conflict SQL for what is done with a record whose row `t` is there: nothing by itself
 */
export function recordTable(
  table: PgTable,
  record: z.ZodObject,
  options: {
    columns?: Record<string, string>;
    outOf: Record<string, SQL>;
    into?: Record<string, string>;
    only?: string | undefined;
    conflict?: string | undefined;
  },
): RecordTable {
  const { columns: renamed = {}, outOf, into = {}, only = 'true', conflict = 'do nothing' } = options;
  const columns = getTableColumns(table) as Record<string, PgColumn>;
  const fields = Object.keys(record.shape);
  const stored = fields.flatMap((name) => {
    const column = name in outOf && !(name in into) ? undefined : columns[renamed[name] ?? name];
    return column === undefined ? [] : [{ name, column }];
  });
  const asJson = fields.map((name) => {
    const column = stored.find((s) => s.name === name)?.column;
    const value = outOf[name] ?? sql.raw(`t.${column?.name}`);
    return sql`${sql.raw(`'${name}'`)}, ${value}`;
  });
  const name = getTableName(table);
  const [project, projectId] = columns.projectId ? ['project_id, ', 'r."projectId", '] : ['', ''];
  return {
    name,
    asJson: sql`json_build_object(${sql.join(asJson, sql`, `)})`,
    insertInto: `insert into ${name} as t (${project}${stored.map(({ column }) => column.name).join(', ')})
      select ${projectId}${stored.map((s) => into[s.name] ?? `r."${s.name}"`).join(', ')}
      from jsonb_to_recordset(`,
    selectFrom: `::jsonb) as r (ord int, "projectId" uuid, ${stored
      .map((s) => `"${s.name}" ${s.column.getSQLType()}`)
      .join(', ')})
      where ${only} order by r.ord on conflict ${conflict}
      returning ${columns.id ? 'id' : '1 as id'}`,
  };
}

/**
 * Inserts records in one statement, in their order. Returns the ids of those that were inserted: a record that
 * conflicts with an existing row is left out. `project` null: the record belongs to no project.
 *
 * @param projectIds project ids by project name
 */
export async function insertRecords<R extends { project: string | null }>(
  tx: Tx,
  into: RecordTable,
  records: R[],
  projectIds: Map<string, string>,
): Promise<string[]> {
  if (records.length === 0) return [];
  const values = records.map(({ project, ...rest }, ord) => ({
    ...rest,
    ord,
    projectId: project === null ? null : projectIds.get(project),
  }));
  // Built from flat pieces, so that `query` can send it straight to the driver, which keeps it prepared.
  const statement = sql
    .raw(into.insertInto)
    .append(sql`${JSON.stringify(values)}`)
    .append(sql.raw(into.selectFrom));
  return (await query<{ id: string }>(tx, statement)).map(({ id }) => id);
}

/** What a room provides so that its records are exported and imported. */
export type TransferredRoom = {
  record: z.ZodObject<{ type: z.ZodLiteral<string> }>;
  /** the values that say where a page ended */
  cursor: z.ZodType<string[]>;
  /**
   * Returns records in a fixed order, and the cursor of the last one if there may be more. `after` is the cursor of an
   * earlier page.
   */
  exportPage(
    tx: Tx,
    page: { after: string[] | null; projectId: string | undefined; limit: number },
  ): Promise<{ records: Record<string, unknown>[]; last: string[] | null }>;
  /** Returns the record to store. `record` has been checked and redacted, `given` is the record before that. */
  accept?(
    record: Record<string, unknown>,
    given: Record<string, unknown>,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Restores, under their own ids, the records that the caller does not have; an id is unique only for its user. Returns
   * how many these were. */
  restore(tx: Tx, records: never[]): Promise<number>;
};
