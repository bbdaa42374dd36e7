import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/**
 * Erases checks of commands, and the model's verdicts that only these checks asked for. A person's verdict is a
 * decision of theirs and no record of a session: it stays, unless the whole project or account is erased.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { folders, before } = erasure;
  const sessions = sql`${sql.param(erasure.sessions)}::uuid[]`;
  const inFolder = (cwd: string) =>
    sql`is_inside(${sql.raw(cwd)}, ${sql.param(folders.own)}::text[], ${sql.param(folders.except)}::text[])`;
  const checkErased = sql`coalesce(k.session_id = any (${sessions}) or k.checked_at < ${before}::timestamptz
    or (k.session_id is null and ${inFolder('k.cwd')}), false)`;
  const verdicts = await query(
    tx,
    sql`delete from command_cache c
        where ${before === 'infinity'} or ${inFolder('c.cwd')}
          or (c.checked_by <> 'person' and (c.checked_at < ${before}::timestamptz or (
            exists (select from command_checks k where k.key = c.key and ${checkErased})
            and not exists (select from command_checks k where k.key = c.key and not ${checkErased}))))
        returning 1`,
  );
  const [checks] = await query<{ n: string }>(
    tx,
    sql`select lore.erase_checks(${sessions}, ${before}::timestamptz, ${sql.param(folders.own)}::text[],
          ${sql.param(folders.except)}::text[]) as n`,
  );
  return { checks: Number(checks?.n), verdicts: verdicts.length };
}
