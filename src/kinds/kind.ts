import { z } from '@hono/zod-openapi';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import type { Caller } from '../http/env.ts';
import { limit, time } from '../http/schemas.ts';
import type { Route } from '../http/serve.ts';
import { listInProject, projectNameOf } from '../sessions/projects.ts';

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
 * @param at the column with the time by which a list is ordered
 */
export function kindOf<R extends Row = Row>(
  name: string,
  table: PgTable,
  hidden: string[],
  more: Record<string, { as: z.ZodType; sql: SQL }> = {},
  at = 'created_at',
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
    ...(all.projectId &&
      !hidden.includes('projectId') && { project: { as: project, sql: projectNameOf(sql`t.project_id`) } }),
    ...more,
  });
  const columns = sql.join(
    shown.map(([name, { sql: value }]) => sql`${value} as ${sql.identifier(name)}`),
    sql`, `,
  );
  /** Returns the caller's rows `t` that fit, in an order. */
  const read = (tx: Tx, where: SQL, order = sql``): Promise<R[]> =>
    query<R>(tx)`select ${columns} from ${table} t where t.user_id = auth.uid() and ${where} ${order}`;
  return {
    name,
    many: `${name}s`,
    table,
    shape: Object.fromEntries(shown.map(([name, { as }]) => [name, as])) as Record<string, z.ZodType>,
    columns,
    read,
    /**
     * Returns a row by its id or the beginning of it, as records are cited.
     *
     * @param then SQL for which rows `t` count, of several with one id the first in this order
     * @throws Problem (404) when there is none, (409) when the beginning is that of several
     */
    async get(tx: Tx, given: string, then = sql`true`, order = sql``): Promise<R> {
      const digits = idPrefix(given)?.replaceAll('-', '');
      const end = (filler: '0' | 'f') => sql`${digits?.slice(0, 32).padEnd(32, filler) ?? null}::uuid`;
      const found = await query<R>(tx)`
        select distinct on (t.id) ${columns} from ${table} t
        where t.user_id = auth.uid() and t.id between ${end('0')} and ${end('f')} and ${then}
        order by t.id ${order} limit 2`;
      return theOne(found, name, given);
    },
    /**
     * Returns a page of rows, the newest first; of the conditions, what is not asked for is undefined.
     *
     * @param then the column that orders rows of the same time
     * @throws Problem (400) when `before` is not a row of the caller
     */
    async list(
      tx: Tx,
      where: (SQL | '' | false | undefined)[],
      { before, limit }: { before?: string | undefined; limit: number },
      then = 'id',
    ): Promise<R[]> {
      const order = (row: string) => sql.raw(`${row}.${at}, ${row}.${then}`);
      const asked = where.flatMap((one) => one || []);
      if (before !== undefined) {
        const [last] = await read(tx, sql`t.id = ${before}::uuid`);
        if (!last) throw badRequest('before', `you have no ${name} ${before}`);
        asked.push(
          sql`(${order('t')}) < (select ${order('b')} from ${table} b where b.user_id = auth.uid() and b.id = ${before}::uuid)`,
        );
      }
      const all = sql.join([sql`true`, ...asked], sql` and `);
      return read(tx, all, sql`order by ${sql.raw(`t.${at} desc, t.${then}`)} desc limit ${limit}::int`);
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

/** What the routes that list a kind, and show one of it, have of their own. */
type Reads<F extends z.ZodRawShape> = {
  /** one, and how it is shown in a list if it is shorter there */
  shown: z.ZodObject;
  listed?: { kind: Kind; shown: z.ZodObject };
  /** what a list may be asked for, besides a page and a project */
  filters: F;
  where(asked: z.output<z.ZodObject<F>>): (SQL | '' | false | undefined)[];
  /** the column that orders rows of the same time */
  then?: string;
  /** adds what is not in the row */
  more?(caller: Caller, rows: Row[]): Promise<Row[]>;
};

/** Adds the routes that list a kind, the newest first, and show one by its id or the beginning of it. */
export function addReads<F extends z.ZodRawShape>(
  route: Route,
  kind: Kind,
  { shown, listed = { kind, shown }, filters, where, then, more = async (_, rows) => rows }: Reads<F>,
): void {
  const { many } = kind;
  route(
    `GET /v1/${many}`,
    `The ${many}, the newest first`,
    { query: z.strictObject({ ...page, ...filters }), answer: z.object({ [many]: z.array(listed.shown) }) },
    async ({ as, caller, query }) => {
      const asked = query as unknown as z.output<z.ZodObject<typeof page>>;
      const found = await as((tx) =>
        listInProject(tx, asked.project, (id) => {
          const all = [id && sql`t.project_id = ${id}::uuid`, ...where(asked as never)];
          return listed.kind.list(tx, all, asked, then);
        }),
      );
      return { [many]: await more(caller, found) } as never;
    },
  );
  route(
    `GET /v1/${many}/{id}`,
    `A ${kind.name} by its id or the beginning of it`,
    { params: reference, answer: shown, problems: references },
    async ({ as, caller, params }) =>
      (await more(caller, [await as((tx) => kind.get(tx, params.id))]))[0] as never,
  );
}

/** Adds the route that permanently erases a record. `erase` is given SQL for its row `t`. */
export const addErase = (route: Route, kind: Kind, erase: (tx: Tx, where: SQL) => Promise<unknown>): void =>
  route(
    `DELETE /v1/${kind.many}/{id}`,
    `Permanently erase a ${kind.name}`,
    { params: reference, problems: references },
    ({ as, params }) =>
      as(async (tx) => {
        await erase(tx, sql`t.id = ${(await kind.get(tx, params.id)).id}::uuid`);
      }),
  );

/** What is said of a field, unless another one is wrong by itself: that is named alone then. */
export const alone = (field: string, message: string) => ({
  ...{ message, path: [field] },
  when: ({ issues }: { issues: unknown[] }) => issues.length === 0,
});

/** Returns what a field of a request names. If there is none, the request is at fault (400), not its path (404). */
export const inField = <T>(field: string, found: Promise<T>): Promise<T> =>
  found.catch((error) => {
    throw error instanceof Problem ? badRequest(field, error.detail) : error;
  });
