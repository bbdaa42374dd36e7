import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { query, type Tx } from '../../db/open.ts';
import { field, insertRecords, type OfProject, type RecordOptions, recordTable } from '../../db/records.ts';
import { exactInstant } from '../../http/schemas.ts';
import { ensureProjects, projectNameOf } from '../../sessions/projects.ts';

/** What a part of a cursor must look like, by the type of its column. */
const PARTS = {
  uuid: z.guid(),
  timestamptz: z.iso.datetime({ offset: true }),
  bigint: z.string().regex(/^\d{1,18}$/),
  text: z.string().max(8192),
};

const TYPES: Record<string, z.ZodType> = {
  uuid: field.id,
  'timestamp with time zone': exactInstant(),
  integer: field.count,
  bigint: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
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
const NOT_EXPORTED = ['userId', 'projectId', 'sessionId', 'attempts', 'runAfter'];
const project = projectNameOf(sql`t.project_id`);

type Options = RecordOptions & {
  /** further columns that a record does not have */
  hidden?: string[];
  /** fields that are not simply those of their columns, with their schemas */
  fields?: z.ZodRawShape;
  /** the columns of `t` that an export is ordered by, with their types. They tell the rows from each other */
  order?: Record<string, keyof typeof PARTS>;
  /** SQL for which rows `t` are exported at all, and which ones are of a project */
  which?: SQL;
  ofProject?: (id: string) => SQL;
  /** most rows of a page, of a kind with long texts: more would hold up hooks */
  rows?: number;
  /** Returns the record to store. `record` has been checked and redacted, `given` is the record before that. */
  accept?(record: Given, given: Given): Given | Promise<Given>;
};
type Given = Record<string, unknown>;
/** How a room's records are exported and imported. */
export type TransferredRoom = ReturnType<typeof transferred>;

const isPeriod = (from: unknown, until: unknown) =>
  !(typeof from === 'string' && typeof until === 'string' && until <= from);

/**
 * Returns how a table's rows are exported, a record each, page by page, and restored. A record has the columns of its table,
 * under the names that they have in code, and the name of its project. Sessions are not exported, so it does not contain
 * their ids.
 */
export function transferred(table: PgTable, type: string, options: Options = {}) {
  const { hidden = [], fields, columns = {}, order = { id: 'uuid' }, accept } = options;
  const {
    which = sql`true`,
    ofProject = (id: string) => sql`t.project_id = ${id}::uuid`,
    rows = 1_000,
  } = options;
  const all = getTableColumns(table) as Record<string, PgColumn>;
  const own = Object.entries(all).filter(
    ([name, { generated, generatedIdentity }]) =>
      ![...NOT_EXPORTED, ...hidden, ...Object.values(columns)].includes(name) &&
      generated === undefined &&
      generatedIdentity === undefined,
  );
  const record = z.object({
    type: z.literal(type),
    ...(all.projectId && {
      project: all.projectId.notNull ? field.project : field.project.nullable().default(null),
    }),
    ...Object.fromEntries(own.map(([name, column]) => [name, fieldOf(column)])),
    ...fields,
  });
  const checked = record.refine((given: Given) => {
    const { validFrom, validUntil, recordedAt, recordedUntil } = given;
    // of a kind with one clock, the end is put right
    if (options.into && 'validUntil' in options.into) return true;
    return isPeriod(validFrom, validUntil) && isPeriod(recordedAt, recordedUntil);
  }, 'validUntil and recordedUntil must be later than validFrom and recordedAt');
  const outOf = { type: sql.raw(`'${type}'`), project, ...options.outOf };
  const stored = recordTable(table, Object.keys(record.shape), { ...options, outOf });
  const ordered = Object.keys(order).map((name) => `t.${name}`);
  const by = sql.raw(ordered.join(', '));
  const types = Object.values(order);
  const cursor = sql.raw(
    `json_build_array(${ordered.map((name) => `to_json(${name}) #>> '{}'`).join(', ')})`,
  );
  return {
    accept,
    record: checked as unknown as z.ZodObject<{ type: z.ZodLiteral<string> }>,
    /** the values that say where a page ended */
    cursor: z.array(z.string()).superRefine((given, context) => {
      if (given.length !== types.length || !types.every((type, i) => PARTS[type].safeParse(given[i]).success))
        context.addIssue({ code: 'custom', message: 'is no cursor of these records' });
    }),
    /** Returns records in a fixed order, and the cursor of the last one if there may be more; `after` an earlier cursor. */
    async exportPage(
      tx: Tx,
      { after, projectId, limit }: { after: string[] | null; projectId: string | undefined; limit: number },
    ) {
      const wanted = projectId === undefined ? which : sql`${which} and ${ofProject(projectId)}`;
      const values = types.map((type, i) => sql`${after?.[i] ?? null}::${sql.raw(type)}`);
      const behind = after === null ? sql`true` : sql`(${by}) > (${sql.join(values, sql`, `)})`;
      const most = Math.min(limit, rows);
      const found = await query<{ record: Given; cursor: string[] }>(tx)`
        select ${stored.asJson} as record, ${cursor} as cursor from ${table} t
        where t.user_id = auth.uid() and ${wanted} and ${behind} order by ${by} limit ${most}`;
      const last = found.length === most ? (found.at(-1)?.cursor ?? null) : null;
      return { records: found.map(({ record }) => record), last };
    },
    /**
     * Stores, under their own ids, the records that the caller does not have, and returns the ids of these. It leaves out
     * those that conflict with a row that is there, as a fact does that overlaps another.
     *
     * @param projects ids of the projects by the names in the records, where these are known already
     */
    restore: async (tx: Tx, records: OfProject[], projects?: Map<string, string>): Promise<string[]> =>
      insertRecords(tx, stored, records, projects ?? (await ensureProjects(tx, records))),
  };
}

/** SQL for an end that is not before its beginning. */
export const since = (name: string, from = 'createdAt') =>
  `case when r."${name}" is not null then greatest(r."${name}", r."${from}") end`;
/** For kinds with one clock. */
export const ended = { validUntil: since('validUntil', 'validFrom') };
