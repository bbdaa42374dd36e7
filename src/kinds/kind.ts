import { z } from '@hono/zod-openapi';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { limit, time } from '../http/schemas.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Route } from './records/serve.ts';

// A kind of record is described by its table: what goes over HTTP has its columns, under the names that they have in
// code, and the name of the project. Times are text, because a Date would lose their microseconds.

const TYPES: Record<string, z.ZodType> = {
  'timestamp with time zone': time,
  integer: z.number(),
  real: z.number(),
  boolean: z.boolean(),
  jsonb: z.record(z.string(), z.unknown()),
  'text[]': z.array(z.string()),
};

/** A row as it is shown. */
export type Row = Record<string, unknown> & { id: string };
export type Kind = ReturnType<typeof kindOf>;

/**
 * Returns how a table's rows are shown and read.
 *
 * @param hidden columns that are not shown
 * @param more further fields of a row `t`, or other ones in place of columns
 */
export function kindOf<R extends Row = Row>(
  name: string,
  table: PgTable,
  hidden: string[],
  more: Record<string, { as: z.ZodType; sql: SQL }> = {},
) {
  const all = getTableColumns(table) as Record<string, PgColumn>;
  const own = Object.entries(all).filter(([name]) => ![...hidden, 'userId', 'projectId'].includes(name));
  const project = all.projectId?.notNull ? z.string() : z.string().nullable();
  const shown = Object.entries({
    ...Object.fromEntries(
      own.map(([name, column]) => {
        const type = column.enumValues?.length ? z.enum(column.enumValues) : TYPES[column.getSQLType()];
        const path = type === time ? `to_json(t.${column.name}) #>> '{}'` : `t.${column.name}`;
        const as = type ?? z.string();
        return [name, { as: column.notNull ? as : as.nullable(), sql: sql.raw(path) }] as const;
      }),
    ),
    project: { as: project, sql: projectNameOf(sql`t.project_id`) },
    ...more,
  });
  const columns = sql.join(
    shown.map(([name, { sql: value }]) => sql`${value} as ${sql.identifier(name)}`),
    sql`, `,
  );
  /** Returns the caller's rows `t` that fit, in an order. */
  const read = (tx: Tx, where: SQL, order = sql``): Promise<R[]> =>
    query<R>(tx, sql`select ${columns} from ${table} t where t.user_id = auth.uid() and ${where} ${order}`);
  return {
    name,
    table,
    shape: Object.fromEntries(shown.map(([name, { as }]) => [name, as])) as Record<string, z.ZodType>,
    columns,
    read,
    /**
     * Returns a row by its id or the beginning of it, as records are cited.
     *
     * @throws Problem (404) when there is none, (409) when the beginning is that of several
     */
    async get(tx: Tx, given: string): Promise<R> {
      const prefix = idPrefix(given);
      if (prefix === null) return theOne([], name, given);
      const is = prefix.length === 36 ? sql`t.id = ${prefix}::uuid` : sql`starts_with(t.id::text, ${prefix})`;
      return theOne(await read(tx, is, sql`limit 2`), name, given);
    },
    /**
     * Returns a page of rows, the newest first; of the conditions, what is not asked for is undefined.
     *
     * @param then the column that orders rows of the same time
     * @throws Problem (400) when `before` is not a row of the caller
     */
    async list(
      tx: Tx,
      where: (SQL | '' | undefined)[],
      { before, limit }: { before?: string | undefined; limit: number },
      then = 'id',
    ): Promise<R[]> {
      const order = (row: string) => sql.raw(`${row}.created_at, ${row}.${then}`);
      const asked = where.flatMap((one) => one || []);
      if (before !== undefined) {
        const [last] = await read(tx, sql`t.id = ${before}::uuid`);
        if (!last) throw badRequest('before', `you have no ${name} ${before}`);
        asked.push(
          sql`(${order('t')}) < (select ${order('b')} from ${table} b where b.user_id = auth.uid() and b.id = ${before}::uuid)`,
        );
      }
      const all = sql.join([sql`true`, ...asked], sql` and `);
      return read(tx, all, sql`order by t.created_at desc, ${sql.raw(`t.${then}`)} desc limit ${limit}::int`);
    },
  };
}

/** The parameter of a path that names a record by its id or the beginning of it. */
export const reference = z.object({ id: z.string().min(8).max(45) });
/** What may be wrong with it. */
export const references = { 404: 'No such record', 409: 'The id is ambiguous' };
/** Parameters of a list. `before`: the last id of the previous page */
export const page = {
  project: z.string().min(1).max(4096).optional(),
  before: z.guid().optional(),
  limit: limit(500, 50),
};

/** Adds the route that permanently erases a record. */
export const addErase = (route: Route, kind: Kind, erase: (tx: Tx, where: SQL) => Promise<unknown>): void =>
  route(
    `DELETE /v1/${kind.name}s/{id}`,
    `Permanently erase a ${kind.name}`,
    { params: reference, problems: references },
    ({ as, params }) =>
      as(async (tx) => {
        await erase(tx, sql`t.id = ${(await kind.get(tx, params.id)).id}::uuid`);
      }),
  );

/** Returns what a field of a request names. If there is none, the request is at fault (400), not its path (404). */
export const inField = <T>(field: string, found: Promise<T>): Promise<T> =>
  found.catch((error) => {
    throw error instanceof Problem ? badRequest(field, error.detail) : error;
  });
