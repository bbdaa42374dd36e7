import { sql } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { isMigrated } from './migrate.ts';
import { type Database, openDatabase, query } from './open.ts';
import { checkRights } from './rights.ts';

// Looks at a database of PostgreSQL as a server finds it at its start, and at what a server does not look at: what the
// platform around it does. It changes nothing.

/** What is well or not about a part of the database, with what to do. */
export type Finding = { name: string; ok: boolean; detail: string };

type Look = (db: Database) => Promise<[ok: boolean, detail: string]>;

const LOOKS: Record<string, Look> = {
  connection: async ({ way }) => {
    if (way.hears)
      return [
        true,
        `${way.pooled ? 'through a transaction pooler' : 'direct or in session mode'}; notifications arrive`,
      ];
    return [
      true,
      'through a transaction pooler, so no notification arrives: a server looks once a second instead. Set LORE_LISTEN_URL to an address in session mode (port 5432)',
    ];
  },
  migrations: async ({ drizzle }) =>
    (await isMigrated(drizzle))
      ? [true, 'all applied']
      : [false, 'not all applied: start a server once, or run supabase db push in a clone of Lore'],
  extensions: async ({ drizzle }) => {
    const found = await query<{ name: string; place: string }>(
      drizzle,
      sql`select extname as name, extnamespace::regnamespace::text as place from pg_extension order by 1`,
    );
    const missing = ['btree_gist', 'vector'].filter((name) => !found.some((one) => one.name === name));
    const there = found.filter(({ name }) =>
      /^(?:btree_gist|vector|pg_cron|pg_net|supabase_vault)$/.test(name),
    );
    const said = there.map(({ name, place }) => `${name} in ${place}`).join(', ');
    return [
      missing.length === 0,
      missing.length === 0 ? said : `${missing.join(', ')} missing; ${said || 'none there'}`,
    ];
  },
  roles: async (db) => {
    await checkRights(db);
    const [me] = await query<{ name: string; mighty: boolean }>(
      db.drizzle,
      sql`select rolname::text as name, rolsuper or rolbypassrls as mighty from pg_roles where rolname = current_user`,
    );
    return [
      true,
      `${me?.name} ${me?.mighty ? 'looks past row level security; a role that does not is safer (docs/tenancy.md)' : 'does not look past row level security'}`,
    ];
  },
  rights: async ({ drizzle }) => {
    const open = await query<{ name: string }>(
      drizzle,
      sql`select distinct c.oid::regclass::text || ' to ' || r.rolname as name
          from pg_class c, pg_roles r
          where c.relnamespace in ('public'::regnamespace, to_regnamespace('lore')) and c.relkind = 'r'
            and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'own rows')
            and r.rolname in ('anon', 'authenticated')
            and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate') order by 1`,
    );
    const bare = await query<{ name: string }>(
      drizzle,
      sql`select p.polrelid::regclass::text as name from pg_policy p join pg_class c on c.oid = p.polrelid
          where p.polname = 'own rows' and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`,
    );
    const said = [
      ...(open.length > 0 ? [`open to be written: ${first(open)}`] : []),
      ...(bare.length > 0 ? [`without forced row level security: ${first(bare)}`] : []),
    ];
    return [said.length === 0, said.join('; ') || 'whoever holds an access token writes nothing past Lore'];
  },
  realtime: async ({ drizzle }) => {
    const unpublished = await query<{ name: string }>(
      drizzle,
      sql`select p.polrelid::regclass::text as name from pg_policy p
          where p.polname = 'published rows' and not exists (select from pg_publication_tables t
            where t.pubname = 'supabase_realtime' and format('%I.%I', t.schemaname, t.tablename)::regclass = p.polrelid)
          order by 1`,
    );
    return unpublished.length === 0
      ? [true, 'what live pages hear is in the publication supabase_realtime']
      : [
          false,
          `alter publication supabase_realtime add table ${unpublished.map(({ name }) => name).join(', ')}`,
        ];
  },
  schedule: async ({ drizzle }) => {
    if (!(await there(drizzle, 'cron.job')))
      return [true, 'no pg_cron here: the servers begin the nights, and without a server nobody does'];
    const jobs = await query<{ name: string; schedule: string; active: boolean; failure: string | null }>(
      drizzle,
      sql`select j.jobname as name, j.schedule, j.active,
            (select case d.status when 'failed' then coalesce(d.return_message, 'no reason given') end
             from cron.job_run_details d
             where d.jobid = j.jobid and d.status in ('failed', 'succeeded') order by d.runid desc limit 1) as failure
          from cron.job j where j.jobname like 'lore-%' and j.database = current_database() order by 1`,
    );
    if (jobs.length === 0)
      return [
        false,
        'pg_cron has no job of Lore for this database: enable it before the migrations, or schedule lore.nights() (sql/consolidation/nightly.sql)',
      ];
    const said = jobs.map(
      ({ name, schedule, active, failure }) =>
        `${name} (${schedule})${active ? '' : ' is turned off'}${failure === null ? '' : ` failed last: ${failure.trim()}`}`,
    );
    return [jobs.every(({ active, failure }) => active && failure === null), said.join(', ')];
  },
  // only who has no server needs it, so a database that names no functions is well
  'wake-up': async ({ drizzle }) => {
    if (!(await there(drizzle, 'lore.wake'))) return [true, 'not made by the migrations yet'];
    const lacks = (await query<{ it: string }>(drizzle, sql`select lore.wake_lacks() as it`)).map(
      ({ it }) => it,
    );
    const [row] = await query<{ known: boolean }>(
      drizzle,
      sql`select exists (select from lore.wake_address()) as known`,
    );
    if (lacks.length === 0) return [true, 'pg_cron starts the Edge Functions work and nightly'];
    const said = `the database starts no Edge Functions, which do the work where there is no server: it lacks ${lacks.join('; ')}`;
    return [!row?.known, said];
  },
};

const first = (names: { name: string }[]) =>
  `${names
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;

const there = async (tx: Database['drizzle'], name: string): Promise<boolean> =>
  (await query<{ ok: boolean }>(tx, sql`select to_regclass(${name}) is not null as ok`))[0]?.ok ?? false;

/** Looks at the database of DATABASE_URL. What cannot be looked at is not well, and says why. */
export async function inspectDatabase(
  config: Pick<Config, 'home' | 'databaseUrl' | 'listenUrl'>,
): Promise<Finding[]> {
  const { host, pathname } = new URL(config.databaseUrl as string);
  let db: Database;
  try {
    db = await openDatabase(config, { connections: { usual: 2, urgent: 1 } });
  } catch (error) {
    return [{ name: 'database', ok: false, detail: saidBy(error) }];
  }
  const findings: Finding[] = [{ name: 'database', ok: true, detail: `${host}${pathname}` }];
  try {
    for (const [name, look] of Object.entries(LOOKS)) {
      const [ok, detail] = await look(db).catch((error): [boolean, string] => [false, saidBy(error)]);
      findings.push({ name, ok, detail });
    }
  } finally {
    await db.close();
  }
  return findings;
}

function saidBy(error: unknown): string {
  if (error instanceof Problem) return `${error.title}. ${error.detail}`;
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
