import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Log } from '../log.ts';
import { type Database, query } from './open.ts';

// A folder of an embedded database can lose files, or parts of them, and open as if nothing were wrong. PostgreSQL's
// checksums show that a page was changed, and not that pages are gone. So what is there is compared at a start with
// what was there when the server stopped.

/** The tables whose rows nobody wants to lose, and which nothing shortens while no server runs. */
const COUNTED = [
  'profiles',
  'projects',
  'sessions',
  'learnings',
  'guards',
  'notes',
  'facts',
  'relations',
  'decisions',
  'findings',
  'plans',
  'skills',
  'episodes',
];
const FILE = 'rows.json';

type Noted = { database: string; rows: Record<string, number> };

/**
 * Looks what an embedded database lost since it was closed. Indexes that lost pages are made anew.
 *
 * @returns a sentence for a person about rows or pages that are gone; null if there are none
 */
export async function findLoss(db: Database, home: string, log: Log): Promise<string | null> {
  if (db.engine !== 'pglite') return null;
  const short = await shorter(db);
  for (const { name, kind } of short.filter(({ kind }) => kind === 'i')) {
    log.warn({ index: name, kind }, 'an index of the database lost pages, and is made anew');
    await db.drizzle.execute(sql.raw(`reindex index ${name}`));
  }
  const tables = short.filter(({ kind }) => kind !== 'i').map(({ name }) => `${name} lost pages`);
  const noted = takeNoted(home);
  const now = noted && (await rowsNow(db));
  const lost =
    noted && now && noted.database === now.database
      ? Object.entries(noted.rows).flatMap(([table, before]) => {
          const after = now.rows[table] ?? 0;
          return after < before ? [`${table} has ${after} rows, and had ${before}`] : [];
        })
      : [];
  if (tables.length + lost.length === 0) return null;
  const loss = `${[...tables, ...lost].join('; ')} when the server stopped. Stop the server and restore a backup (lore restore; the daily copies lie in ${join(home, 'backups')}), or go on without`;
  log.error({ tables, lost }, 'the database lost rows while no server ran');
  return loss;
}

/** Notes how many rows there are, to be compared at the next start. */
export async function noteRows(db: Database, home: string): Promise<void> {
  if (db.engine !== 'pglite') return;
  writeAtomically(join(home, FILE), JSON.stringify(await rowsNow(db)), { mode: 0o600 });
}

/** Forgets what was noted, because another database takes the place of this one. */
export const forgetRows = (home: string): void => rmSync(join(home, FILE), { force: true });

/** Returns what was noted, once: a server that is killed notes nothing, and rows are deleted while one runs. */
function takeNoted(home: string): Noted | null {
  const file = join(home, FILE);
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Noted;
  } catch {
    return null;
  } finally {
    forgetRows(home);
  }
}

async function rowsNow(db: Database): Promise<Noted> {
  const counts = COUNTED.map((table) => sql.raw(`'${table}', (select count(*) from public.${table})`));
  const [row] = await query<Noted>(
    db.drizzle,
    sql`select id as database, json_build_object(${sql.join(counts, sql`, `)}) as rows from lore.instance`,
  );
  return row as Noted;
}

/** Returns the tables and indexes whose files are shorter than they were when PostgreSQL last measured them. */
const shorter = (db: Database) =>
  query<{ name: string; kind: string }>(
    db.drizzle,
    sql`select format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'lore') and c.relkind in ('r', 'i') and c.relpersistence = 'p'
          -- an index has one page at least
          and coalesce(pg_relation_size(c.oid), 0)
            < greatest(c.relpages, case c.relkind when 'i' then 1 else 0 end) * current_setting('block_size')::bigint
        order by 1`,
  );
