import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import { type Imported, type Placed, restoreRecords } from '../db/records.ts';
import { insertNotes, storableKey } from './notes.ts';
import { NOTE_ROWS, NoteRecord } from './record.ts';

// Export and import of notes.

export const record = NoteRecord;

/** Time and `seq` of a note: the order of an export. */
export const cursor = z.tuple([z.iso.datetime({ offset: true }), z.string().regex(/^\d{1,18}$/)]);

/** Most characters of notes in a page of an export; one note more may be in it. More would hold up hooks. */
const MAX_PAGE = 500_000;

/** Returns up to `limit` of the caller's notes after the cursor `after`, and the cursor of the last one. */
export async function exportPage(
  tx: Tx,
  page: { after: string[] | null; projectId: string | undefined; limit: number },
): Promise<{ records: Record<string, unknown>[]; last: string[] | null; more: boolean }> {
  const { after, projectId, limit } = page;
  type Row = { record: Record<string, unknown>; cursor: string[]; more: boolean };
  const rows = await query<Row>(
    tx,
    sql`with page as (
          select n.id, n.created_at, n.seq,
            sum(length(n.content)) over (order by n.created_at, n.seq) - length(n.content) as before
          from (
            select * from notes n
            where n.user_id = auth.uid()
              and (${projectId ?? null}::uuid is null or n.project_id = ${projectId ?? null}::uuid)
              and ${after === null ? sql`true` : sql`(n.created_at, n.seq) > (${after[0]}::timestamptz, ${after[1]}::bigint)`}
            order by n.created_at, n.seq limit ${limit}) n)
        select ${NOTE_ROWS.asJson} as record, json_build_array(t.created_at, t.seq::text) as cursor,
          exists (select from page where page.before > ${MAX_PAGE}) as more
        from page p join notes t on t.user_id = auth.uid() and t.id = p.id
        where p.before <= ${MAX_PAGE}
        order by p.created_at, p.seq`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last?.cursor ?? null, more: last?.more ?? false };
}

/** Returns the record with its key as stored. It uses the key before redaction, which could make two keys equal. */
export function accept(record: Record<string, unknown>, given: { key?: unknown }): Record<string, unknown> {
  return { ...record, key: typeof given.key === 'string' ? storableKey(given.key) : null };
}

/** Restores the notes that the caller does not have yet, neither by id nor by key. */
export async function restore(tx: Tx, userId: string, placed: Placed<NoteRecord>[]): Promise<Imported> {
  const { imported, skipped, refused } = await restoreRecords(
    tx,
    userId,
    NOTE_ROWS,
    placed,
    (records) => insertNotes(tx, records),
    (records) => knownByKey(tx, records),
  );
  // A note is refused only because a note with the same key exists, so it counts as skipped.
  return { imported, skipped: skipped + refused.length, failed: [] };
}

async function knownByKey(tx: Tx, records: NoteRecord[]): Promise<string[]> {
  const keyed = records.filter((record) => record.key !== null);
  if (keyed.length === 0) return [];
  const rows = await query<{ key: string }>(
    tx,
    sql`select dedup_key as key from notes where dedup_key in
          (select jsonb_array_elements_text(${JSON.stringify(keyed.map(({ key }) => key))}::jsonb))`,
  );
  const there = new Set(rows.map(({ key }) => key));
  return keyed.filter(({ key }) => there.has(key as string)).map(({ id }) => id);
}
