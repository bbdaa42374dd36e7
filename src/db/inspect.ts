import { sql } from 'drizzle-orm';
import type { Config } from '../base/config.ts';
import { kindOfFailure } from '../base/errors/database-failure.ts';
import { Problem } from '../base/errors/problem.ts';
import { isMigrated } from './migrate.ts';
import { type Database, openDatabase, query } from './open.ts';
import { checkRights } from './rights.ts';

// Looks at a database of PostgreSQL as a server finds it at its start, and at what the platform around it does. It changes
// nothing.

/** What is well or not about a part of the database, with what to do. */
export type Finding = { name: string; ok: boolean; detail: string };

/** Returns the values of the column `it` of the statement behind it. */
const names =
  ({ drizzle }: Database) =>
  async (...statement: Parameters<typeof sql>): Promise<string[]> =>
    (await query<{ it: string }>(drizzle, sql(...statement))).map(({ it }) => it);

const LOOKS: Record<string, (db: Database) => Promise<[ok: boolean, detail: string]>> = {
  migrations: async ({ drizzle }) =>
    (await isMigrated(drizzle))
      ? [true, 'all applied']
      : [false, 'not all applied: start a server once, or run supabase db push in a clone of Lore'],
  roles: async (db) => {
    await checkRights(db);
    const mighty = await names(db)`
      select rolname as it from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)`;
    return [
      true,
      mighty.length > 0
        ? `${mighty} looks past row level security; a role that does not is safer (docs/tenancy.md)`
        : 'the role does not look past row level security',
    ];
  },
  rights: async (db) => {
    const open = await names(db)`select distinct c.oid::regclass || ' may be written by ' || r.rolname as it
      from pg_policy p join pg_class c on c.oid = p.polrelid, pg_roles r
      where p.polname = 'own rows' and r.rolname in ('anon', 'authenticated')
        and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate')
      union all
      select p.polrelid::regclass || ' does not force row level security'
      from pg_policy p join pg_class c on c.oid = p.polrelid
      where p.polname = 'own rows' and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`;
    const well = 'whoever holds an access token writes nothing past Lore';
    return [open.length === 0, open.slice(0, 4).join('; ') || well];
  },
  realtime: async (db) => {
    const unpublished = await names(db)`select p.polrelid::regclass::text as it from pg_policy p
      where p.polname = 'published rows' and not exists (select from pg_publication_tables t
        where t.pubname = 'supabase_realtime' and format('%I.%I', t.schemaname, t.tablename)::regclass = p.polrelid)
      order by 1`;
    return unpublished.length === 0
      ? [true, 'what live pages hear is in the publication supabase_realtime']
      : [false, `alter publication supabase_realtime add table ${unpublished.join(', ')}`];
  },
  schedule: async (db) => {
    const [cron] = await names(db)`select to_regclass('cron.job')::text as it`;
    if (!cron)
      return [true, 'no pg_cron here: the servers begin the nights, and without a server nobody does'];
    const jobs = await query<{ it: string; ok: boolean }>(db.drizzle)`
      select j.jobname || ' (' || j.schedule || ')' || case when j.active then '' else ' is turned off' end
        || coalesce(' failed last: ' || f.why, '') as it, j.active and f.why is null as ok
      from cron.job j left join lateral (
        select case d.status when 'failed' then coalesce(trim(d.return_message), 'no reason given') end as why
        from cron.job_run_details d
        where d.jobid = j.jobid and d.status in ('failed', 'succeeded') order by d.runid desc limit 1) f on true
      where j.jobname like 'lore-%' and j.database = current_database() order by 1`;
    const none =
      'pg_cron has no job of Lore for this database: enable it before the migrations, or schedule lore.nights() (sql/consolidation/nightly.sql)';
    return [jobs.length > 0 && jobs.every(({ ok }) => ok), jobs.map(({ it }) => it).join(', ') || none];
  },
  // only who has no server needs it, so a database that names no functions is well
  'wake-up': async (db) => {
    const lacks = await names(db)`select lore.wake_lacks() as it`;
    if (lacks.length === 0) return [true, 'pg_cron starts the Edge Functions work and nightly'];
    const known = await names(db)`select 'known' as it from lore.wake_address()`;
    const said = `the database starts no Edge Functions, which do the work where there is no server: it lacks ${lacks.join('; ')}`;
    return [known.length === 0, said];
  },
};

/** Looks at the database of DATABASE_URL. What cannot be looked at is not well, and says why. */
export async function inspectDatabase(
  config: Pick<Config, 'home' | 'databaseUrl' | 'listenUrl'>,
): Promise<Finding[]> {
  const { host, pathname } = new URL(config.databaseUrl as string);
  let db: Database | undefined;
  try {
    db = await openDatabase(config, { connections: { usual: 2, urgent: 1 } });
    const findings: Finding[] = [{ name: 'database', ok: true, detail: `${host}${pathname}` }];
    for (const [name, look] of Object.entries(LOOKS)) {
      const [ok, detail] = await look(db).catch((error): [boolean, string] => [false, saidBy(error)]);
      findings.push({ name, ok, detail });
    }
    return findings;
  } catch (error) {
    return [{ name: 'database', ok: false, detail: saidBy(error) }];
  } finally {
    await db?.close();
  }
}

const saidBy = (error: unknown): string =>
  error instanceof Problem ? `${error.title}. ${error.detail}` : kindOfFailure(error).reason;
