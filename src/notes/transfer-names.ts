import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { field, type Imported, type Placed, type TransferredRoom } from '../db/records.ts';

// Export and import of channels and agents. They are identified by their names and have no ids. Those that an
// import of notes creates by itself are not exported: only those with a description or without notes are.
// They come before the notes.

const fields = {
  name: field.text(8192).min(1).transform(indexable),
  description: field.text(10_000).nullable().default(null),
  createdAt: field.instant,
};

const ChannelRecord = z.object({ type: z.literal('channel'), ...fields });
const AgentRecord = z.object({ type: z.literal('agent'), ...fields, lastActive: field.instant });

type Named = { table: 'channels' | 'agents'; usedBy: 'channel' | 'sender'; times: Record<string, string> };

/** Returns what exports and restores a table of names. `times` are its fields with times, with their columns. */
const room = (
  record: typeof ChannelRecord | typeof AgentRecord,
  { table, usedBy, times }: Named,
): TransferredRoom => {
  const name = sql.raw(table);
  const columns = Object.values(times);
  return {
    record,
    cursor: z.tuple([z.string().max(8192)]),
    async exportPage(tx, { after, projectId, limit }) {
      const fields = Object.entries(times).map(([field, column]) => `'${field}', t.${column}`);
      const rows = await query<{ record: Record<string, unknown>; name: string }>(
        tx,
        sql`select json_build_object('type', ${record.shape.type.value}::text, 'name', t.name,
              'description', t.description, ${sql.raw(fields.join(', '))}) as record, t.name
            from ${name} t
            where t.user_id = auth.uid()
              and (t.description is not null or not exists (
                select from notes n where n.user_id = t.user_id and n.${sql.raw(usedBy)} = t.name))
              and (${after?.[0] ?? null}::text is null or t.name > ${after?.[0] ?? null})
              and (${projectId ?? null}::uuid is null or exists (
                select from notes n
                where n.project_id = ${projectId ?? null}::uuid and n.${sql.raw(usedBy)} = t.name))
            order by t.name limit ${limit}`,
      );
      const last = rows.at(-1);
      return { records: rows.map((row) => row.record), last: last ? [last.name] : null };
    },
    async restore(tx, _, placed) {
      const known = new Map(placed.map(({ record }) => [record.name, record]));
      const restored = await insertNamed(tx, table, columns, Object.keys(times), [...known.values()]);
      return { imported: restored, skipped: placed.length - restored, failed: [] };
    },
  };
};

/**
 * Stores those that do not exist yet, and adds the description to those that have none. Returns their number.
 */
async function insertNamed(
  tx: Tx,
  table: string,
  columns: string[],
  fields: string[],
  records: Placed<Record<string, unknown>>['record'][],
): Promise<Imported['imported']> {
  if (records.length === 0) return 0;
  const types = fields.map((field) => `"${field}" timestamptz`).join(', ');
  const rows = await query(
    tx,
    sql`insert into ${sql.raw(table)} as t (name, description, ${sql.raw(columns.join(', '))})
        select r.name, r.description, ${sql.raw(fields.map((field) => `r."${field}"`).join(', '))}
        from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (name text, description text, ${sql.raw(types)})
        order by r.name
        on conflict (user_id, name) do update set description = excluded.description
        where t.description is null and excluded.description is not null
        returning 1`,
  );
  return rows.length;
}

export const channels = room(ChannelRecord, {
  table: 'channels',
  usedBy: 'channel',
  times: { createdAt: 'created_at' },
});
export const agents = room(AgentRecord, {
  table: 'agents',
  usedBy: 'sender',
  times: { createdAt: 'created_at', lastActive: 'last_active' },
});
