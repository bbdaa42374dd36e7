import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query } from '../db/open.ts';
import { field, type Placed, restoreRecords, type TransferredRoom } from '../db/records.ts';
import { exportBy } from '../records/transfer.ts';
import { idsOfKeys, insertNotes, storableKey } from './notes.ts';
import { NOTE_ROWS, NoteRecord } from './record.ts';

// Export and import of notes, and of channels and agents. These are identified by their names and have no ids. Those
// that an import of notes creates by itself are not exported: only those with a description or without notes are.

const notes: TransferredRoom = {
  record: NoteRecord,
  // more characters in one page would hold up hooks
  ...exportBy(
    NOTE_ROWS,
    { created_at: 'timestamptz', seq: 'bigint' },
    { size: sql`length(t.content)`, most: 500_000 },
  ),
  /** Uses the key before redaction, which could make two keys equal. */
  accept: (record, { key }) => ({ ...record, key: typeof key === 'string' ? storableKey(key) : null }),
  /** Restores the notes that the caller does not have yet, neither by id nor by key. */
  async restore(tx, userId, placed) {
    const { imported, skipped, refused } = await restoreRecords(
      tx,
      userId,
      NOTE_ROWS,
      placed as unknown as Placed<NoteRecord>[],
      (records) => insertNotes(tx, records),
      async (records) => {
        const there = await idsOfKeys(tx, records);
        return records.filter(({ key }) => key !== null && there.has(key)).map(({ id }) => id);
      },
    );
    // A note is refused only because a note with the same key exists, so it counts as skipped.
    return { imported, skipped: skipped + refused.length, failed: [] };
  },
};

const named = {
  name: field.text(8192).min(1).transform(indexable),
  description: field.text(10_000).nullable().default(null),
  createdAt: field.instant,
};
const times = { createdAt: 'created_at', lastActive: 'last_active' };

/** Returns what exports and restores a table of names; `usedBy` is the column of notes that holds them. */
function names(
  record: TransferredRoom['record'],
  table: 'channels' | 'agents',
  usedBy: 'channel' | 'sender',
): TransferredRoom {
  const own = Object.entries(times).filter(([field]) => field in record.shape);
  const columns = own.map(([, column]) => column).join(', ');
  const ofNotes = sql`from notes n where n.user_id = t.user_id and n.${sql.raw(usedBy)} = t.name`;
  const asJson = sql`json_build_object('type', ${record.shape.type.value}::text, 'name', t.name, 'description', t.description,
    ${sql.raw(own.map(([field, column]) => `'${field}', t.${column}`).join(', '))})`;
  return {
    record,
    ...exportBy(
      { name: table, asJson },
      { name: 'text' },
      {
        only: (project) =>
          sql`(t.description is not null or not exists (select ${ofNotes}))
          and (${project}::uuid is null or exists (select ${ofNotes} and n.project_id = ${project}::uuid))`,
      },
    ),
    /** Stores those that do not exist yet, and adds the description to those that have none. */
    async restore(tx, _, placed) {
      const known = [...new Map(placed.map(({ record }) => [record.name, record])).values()];
      const rows = await query(
        tx,
        sql`insert into ${sql.raw(table)} as t (name, description, ${sql.raw(columns)})
            select r.name, r.description, ${sql.raw(own.map(([field]) => `r."${field}"`).join(', '))}
            from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as r (name text, description text,
              ${sql.raw(own.map(([field]) => `"${field}" timestamptz`).join(', '))})
            order by r.name
            on conflict (user_id, name) do update set description = excluded.description
            where t.description is null and excluded.description is not null
            returning 1`,
      );
      return { imported: rows.length, skipped: placed.length - rows.length, failed: [] };
    },
  };
}

/** In the order of an export: channels and agents before the notes that would make them. */
export const noteTransfer: TransferredRoom[] = [
  names(z.object({ type: z.literal('channel'), ...named }), 'channels', 'channel'),
  names(z.object({ type: z.literal('agent'), ...named, lastActive: field.instant }), 'agents', 'sender'),
  notes,
];
