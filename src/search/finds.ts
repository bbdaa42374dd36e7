import { sql } from 'drizzle-orm';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';

export type Finds = ReturnType<typeof createFinds>;

/** Collects which notes are found, so that a search writes nothing. A kill loses what was not stored yet. */
export function createFinds(db: Database) {
  let waiting = new Map<string, Set<string>>();
  return {
    /** remembers that notes of a user were found now; nothing waits for it */
    found(userId: string, notes: string[]) {
      if (notes.length === 0) return;
      const known = waiting.get(userId) ?? new Set();
      for (const id of notes) known.add(id);
      waiting.set(userId, known);
    },
    /** stores what was found since the last call */
    async store() {
      const taken = waiting;
      waiting = new Map();
      for (const [userId, ids] of taken) {
        const store = (tx: Tx) => query(tx)`
          insert into note_finds as f (note_id, found_at)
          select n, now() from unnest(${sql.param([...ids].sort())}::uuid[]) n
          on conflict (user_id, note_id) do update set found_at = excluded.found_at
          -- once a day is enough
          where f.found_at < excluded.found_at - interval '1 day'`;
        await asUser(db, { userId, role: 'member' }, store);
      }
    },
  };
}
