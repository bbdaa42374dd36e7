import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { query } from '../../db/open.ts';
import { ofProject, type TransferredRoom } from '../../db/records.ts';

/** What a part of a cursor must look like, by the type of its column. */
const PARTS = {
  uuid: z.guid(),
  timestamptz: z.iso.datetime({ offset: true }),
  bigint: z.string().regex(/^\d{1,18}$/),
  text: z.string().max(8192),
};

/**
 * Returns how the caller's rows are exported, page by page.
 *
 * @param rows.asJson SQL for the record of a row `t`, or what returns it for the project that is exported (null: all)
 * @param order the columns of `t` that they are ordered by, with their types. They tell the rows from each other
 * @param options.only SQL for which rows `t` are exported, of one project (null: of all)
 * @param options.size SQL for the size of a row `t`; a page ends where it passes `most`, with one row more at most
 */
export function exportBy(
  rows: { name: string; asJson: SQL | ((project: string | null) => SQL) },
  order: Record<string, keyof typeof PARTS>,
  {
    only = ofProject,
    size,
    most = 0,
  }: { only?: (projectId: string | null) => SQL; size?: SQL; most?: number } = {},
): Pick<TransferredRoom, 'cursor' | 'exportPage'> {
  const names = Object.keys(order).map((name) => `t.${name}`);
  const columns = sql.raw(names.join(', '));
  const types = Object.values(order);
  const of = size ?? sql`0`;
  return {
    cursor: z.array(z.string()).superRefine((given, context) => {
      if (given.length !== types.length || !types.every((type, i) => PARTS[type].safeParse(given[i]).success))
        context.addIssue({ code: 'custom', message: 'is no cursor of these records' });
    }),
    async exportPage(tx, { after, projectId, limit }) {
      const asJson = typeof rows.asJson === 'function' ? rows.asJson(projectId ?? null) : rows.asJson;
      const values = types.map((type, i) => sql`${after?.[i] ?? null}::${sql.raw(type)}`);
      const behind = after === null ? sql`true` : sql`(${columns}) > (${sql.join(values, sql`, `)})`;
      const found = await query<{ record: Record<string, unknown>; cursor: string[]; wanted: number }>(
        tx,
        sql`with page as (
              select p.*, sum(p.row_size) over (order by ${sql.raw(names.join(', ').replaceAll('t.', 'p.'))}) - p.row_size as size_before
              from (
                select t.*, ${of} as row_size from ${sql.raw(rows.name)} t
                where t.user_id = auth.uid() and ${only(projectId ?? null)} and ${behind}
                order by ${columns} limit ${limit}) p)
            select ${asJson} as record, (select count(*) from page)::int as wanted,
              json_build_array(${sql.raw(names.map((name) => `to_json(${name}) #>> '{}'`).join(', '))}) as cursor
            from page t where t.size_before <= ${most} order by ${columns}`,
      );
      const last = found.at(-1);
      return {
        records: found.map(({ record }) => record),
        last: last?.cursor ?? null,
        more: found.length < (last?.wanted ?? 0),
      };
    },
  };
}
