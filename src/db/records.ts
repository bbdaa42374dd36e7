import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { exactInstant } from '../http/schemas.ts';
import { query, type Tx } from './open.ts';

// Export and import: turns rows into records that their owner can restore in another database. Times stay text, because
// a Date would lose their microseconds.

// These limits are above those of the API, because redaction may have made a text longer.
const text = (max: number) => z.string().max(max);

/** The field types of record schemas. */
export const field = {
  id: z.guid().transform((given) => given.toLowerCase()),
  project: text(8192).min(1),
  instant: exactInstant(),
  share: z.number().min(0).max(1),
  count: z.number().int().min(0).max(2_147_483_647),
  text,
  words: z.array(text(1000)).max(1000).default([]),
};

export type RecordOptions = {
  /** the columns of fields that have another name */
  columns?: Record<string, string>;
  /** SQL for the fields that are not simply columns of the row `t` */
  outOf?: Record<string, SQL>;
  /** SQL for the columns that do not simply store the field `r."name"` */
  into?: Record<string, string>;
  /** SQL for which records `r` are stored */
  only?: string;
  /** SQL for what is done with a record whose row `t` is there: nothing by itself */
  conflict?: string;
};

/**
 * Returns the SQL by which rows of a table become records and records become rows. A field belongs to the column of the
 * same name in the Drizzle table, unless `columns` names another one.
 */
export function recordTable(table: PgTable, fields: string[], options: RecordOptions) {
  const { columns: renamed = {}, outOf = {}, into = {}, only = 'true', conflict = 'do nothing' } = options;
  const columns = getTableColumns(table) as Record<string, PgColumn>;
  const stored = fields.flatMap((name) => {
    const column = name in outOf && !(name in into) ? undefined : columns[renamed[name] ?? name];
    return column === undefined ? [] : [{ name, column }];
  });
  const asJson = fields.map((name) => {
    const column = stored.find((s) => s.name === name)?.column;
    const value = outOf[name] ?? sql.raw(`t.${column?.name}`);
    return sql`${sql.raw(`'${name}'`)}, ${value}`;
  });
  const [project, projectId] = columns.projectId ? ['project_id, ', 'r."projectId", '] : ['', ''];
  return {
    asJson: sql`json_build_object(${sql.join(asJson, sql`, `)})`,
    insertInto: `insert into ${getTableName(table)} as t (${project}${stored.map(({ column }) => column.name).join(', ')})
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
 * conflicts with an existing row is left out. Without a project a record belongs to none.
 *
 * @param projectIds project ids by project name
 */
export async function insertRecords(
  tx: Tx,
  into: ReturnType<typeof recordTable>,
  records: OfProject[],
  projectIds: Map<string, string>,
): Promise<string[]> {
  if (records.length === 0) return [];
  const values = records.map(({ project, ...rest }, ord) => ({
    ...rest,
    ord,
    projectId: project == null ? null : projectIds.get(project),
  }));
  // Built from flat pieces, so that `query` can send it straight to the driver, which keeps it prepared.
  const statement = sql
    .raw(into.insertInto)
    .append(sql`${JSON.stringify(values)}`)
    .append(sql.raw(into.selectFrom));
  return (await query<{ id: string }>(tx, statement)).map(({ id }) => id);
}

/** A record, with the name of its project if it has one. */
export type OfProject = { project?: string | null };
