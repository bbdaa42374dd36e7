import { sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { redactContent } from '../kinds/outputs.ts';
import { redactLarge } from '../redaction/large.ts';
import { RULES_VERSION, WHOLE } from '../redaction/redact.ts';

/** Pages of a table that are read at once. The embedded engine answers nothing else meanwhile. */
const PAGES = { pglite: 8, postgres: 64 };

/**
 * Redacts what older rules have stored for the caller. The open run notes the version of the rules, so it is done once for
 * each version. Ended before, it begins anew the next time: to redact a text again changes nothing.
 */
export async function redactStored(
  { db, log }: { db: Database; log: Log },
  claims: Claims,
  signal: AbortSignal,
): Promise<void> {
  const [row] = await asUser(
    db,
    claims,
    (tx) =>
      query<{ done: boolean }>(tx)`select exists (select from consolidation_runs
          where (counts ->> 'redactionRules')::int >= ${RULES_VERSION}) as done`,
    { readOnly: true },
  );
  if (row?.done) return;
  const changed = new Map<string, number>();
  let left = 0;
  const tables = await askSystem<{ name: string; pages: number; columns: string[] }>(db)`
    select name, pages::int as pages, columns from lore.text_columns()`;
  for (const { name, pages, columns } of tables) {
    for (let page = 0; page < pages; page += PAGES[db.engine]) {
      if (signal.aborted) return;
      for (const { place, texts } of await readTexts(db, claims, name, columns, page)) {
        const clean = await redactTexts(name, texts);
        if (Object.keys(clean).length === 0) continue;
        const [put] = await askSystem<{ ok: boolean }>(db)`
          select lore.put_redacted(${claims.userId}::uuid, ${name}, ${place}::tid, ${JSON.stringify(clean)}::jsonb) as ok`;
        if (put?.ok) changed.set(name, (changed.get(name) ?? 0) + 1);
        else left += 1;
      }
    }
  }
  const rows = [...changed.values()].reduce((sum, n) => sum + n, 0);
  if (rows > 0 && db.engine === 'pglite') {
    // frees the room of the old rows, so that new ones are written over them
    for (const name of changed.keys()) await db.drizzle.execute(sql.raw(`vacuum public.${name}`));
    await db.drizzle.execute(sql`checkpoint`);
  }
  await asUser(
    db,
    claims,
    (tx) =>
      query(tx)`update consolidation_runs set counts = counts || ${JSON.stringify({
        redactionRules: RULES_VERSION,
        ...(rows > 0 && { redacted: rows }),
      })}::jsonb where finished_at is null`,
  );
  if (rows + left === 0) return;
  log.warn(
    {
      userId: claims.userId,
      rows,
      left,
      tables: Object.fromEntries(changed),
    },
    'secrets that older rules had stored were redacted; backups made before still hold them',
  );
}

/** Returns the texts of the rows in some pages of a table, and where each row is. */
const readTexts = (db: Database, claims: Claims, name: string, columns: string[], page: number) =>
  asUser(
    db,
    claims,
    (tx) =>
      query<{ place: string; texts: Record<string, unknown> }>(tx)`
        select t.ctid::text as place, jsonb_build_object(${sql.join(
          columns.map((one) => sql`${one}::text, t.${sql.identifier(one)}`),
          sql`, `,
        )}) as texts
    from ${sql.identifier(name)} t
    where t.ctid >= ${`(${page},0)`}::tid and t.ctid < ${`(${page + PAGES[db.engine]},0)`}::tid`,
    { readOnly: true },
  );

/** Returns the texts that change when they are redacted. */
async function redactTexts(table: string, texts: Record<string, unknown>): Promise<Record<string, unknown>> {
  const clean: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(texts)) {
    if (text === null) continue;
    const redacted =
      table === 'observations' && column === 'content'
        ? await redactContent(String(text))
        : await redactLarge(text, WHOLE);
    if (JSON.stringify(redacted) !== JSON.stringify(text)) clean[column] = redacted;
  }
  return clean;
}
