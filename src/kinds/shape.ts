import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { time } from '../http/schemas.ts';
import { projectNameOf } from '../sessions/projects.ts';

// What goes over HTTP of a kind of record is what its table has, under the names that its columns have in code.

const TYPES: Record<string, z.ZodType> = {
  'timestamp with time zone': time,
  integer: z.number(),
  real: z.number(),
  boolean: z.boolean(),
  jsonb: z.unknown(),
  'text[]': z.array(z.string()),
};

/**
 * Returns the schema of a table's row as it is shown, and the SQL that reads it of a row `t`: the columns and the name of
 * the project. Times are text, because a Date would lose their microseconds.
 *
 * @param hidden columns that are not shown
 * @param more further fields, or other ones in place of columns
 */
export function shapeOf(
  table: PgTable,
  hidden: string[],
  more: Record<string, { as: z.ZodType; sql: SQL }> = {},
): { shape: Record<string, z.ZodType>; columns: SQL } {
  const all = getTableColumns(table) as Record<string, PgColumn>;
  const own = Object.entries(all).filter(([name]) => ![...hidden, 'userId', 'projectId'].includes(name));
  const project = all.projectId?.notNull ? z.string() : z.string().nullable();
  const fields = own.map(([name, column]) => {
    const type = column.enumValues?.length ? z.enum(column.enumValues) : TYPES[column.getSQLType()];
    const path = type === time ? `to_json(t.${column.name}) #>> '{}'` : `t.${column.name}`;
    const as = type ?? z.string();
    return [name, { as: column.notNull ? as : as.nullable(), sql: sql.raw(path) }] as const;
  });
  const shown = Object.entries({
    ...Object.fromEntries(fields),
    project: { as: project, sql: projectNameOf(sql`t.project_id`) },
    ...more,
  });
  return {
    shape: Object.fromEntries(shown.map(([name, { as }]) => [name, as])),
    columns: sql.join(
      shown.map(([name, { sql: value }]) => sql`${value} as ${sql.identifier(name)}`),
      sql`, `,
    ),
  };
}
