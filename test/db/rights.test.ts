import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, type Tx } from '../../src/db/open.ts';
import { testDatabase } from '../support/server.ts';

// The roles `anon` and `authenticated` belong to whoever holds a public key or an access token of a Supabase project:
// PostgREST enters them for a request. Here somebody tries with them all that there is.

const db = await (await testDatabase()).open();
afterAll(() => db.close());

const all = <T extends Record<string, unknown>>(statement: string) =>
  query<T>(db.drizzle, sql.raw(statement));
const OWN = (oid: string) =>
  `not exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`;
const SCHEMAS = `('public'::regnamespace, 'lore'::regnamespace)`;

const ann = '00000000-0000-4000-8000-00000000000a';
const bob = '00000000-0000-4000-8000-00000000000b';

/** What Supabase's Realtime tells, each with the condition under which a row counts. */
const PUBLISHED: Record<string, string> = {
  learnings: 'true',
  incidents: 'true',
  consolidation_runs: 'true',
  command_checks: `decision = 'deny'`,
  command_cache: `checked_by = 'person'`,
  notes: 'true',
  dashboard_projects: 'true',
  plans: 'true',
  plan_steps: 'true',
};

/** Runs a statement as PostgREST does: a login without rights of its own enters `role` with Ann's claims. */
async function as(role: string, statement: string): Promise<unknown[]> {
  const claims = JSON.stringify({ sub: ann, role, aud: role });
  const work = db.drizzle.transaction(async (tx) => {
    const run = (text: SQL) => query(tx as unknown as Tx, text);
    await run(sql`set local session authorization lore_test_postgrest`);
    await run(
      sql`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true)`,
    );
    return run(sql.raw(statement));
  });
  // PGlite keeps the session's user after an error
  return work.finally(() => (db.engine === 'pglite' ? all('reset session authorization') : undefined));
}

/** Returns the statements of these that do something else than fail for want of rights. */
async function allowed(role: string, statements: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const statement of statements) {
    const code = await as(role, statement).then(
      () => 'allowed',
      (error) => (error.cause as { code?: string } | undefined)?.code ?? String(error),
    );
    if (code !== '42501') found.push(`${statement}: ${code}`);
  }
  return found;
}

beforeAll(async () => {
  await all(`do $$ begin
    if to_regrole('lore_test_postgrest') is null then create role lore_test_postgrest noinherit; end if;
    grant anon, authenticated to lore_test_postgrest;
  exception when unique_violation or internal_error then null; end $$`);
  for (const user of [ann, bob]) {
    await all(`insert into profiles (user_id, name, role) values ('${user}', '${user}', 'member')`);
    for (const [key, by] of [
      ['one', 'person'],
      ['two', 'rules'],
    ]) {
      await all(`insert into command_cache (user_id, key, code, command, cwd, decision, reason, checked_by)
        values ('${user}', '${key}', '${key}', 'ls', '/', 'allow', 'because', '${by}')`);
    }
  }
});

/** `column`: one that can be written to; null for a view */
const tables = await all<{ name: string; column: string | null }>(
  `select c.oid::regclass::text as name,
     (select quote_ident(a.attname) from pg_attribute a where c.relkind <> 'v' and a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' and a.attidentity = '' limit 1) as column
   from pg_class c where c.relnamespace in ${SCHEMAS} and c.relkind in ('r', 'p', 'v') and ${OWN('c.oid')} order by 1`,
);

const functions = await all<{ name: string; call: string }>(
  `select p.oid::regprocedure::text as name, format('select %s.%I(%s)', p.pronamespace::regnamespace, p.proname,
     (select string_agg(case when p.provariadic <> 0 and n = p.pronargs then 'variadic ' else '' end || 'null::' || format_type(t, null), ', ' order by n)
      from unnest(p.proargtypes) with ordinality a(t, n))) as call
   from pg_proc p where p.pronamespace in ${SCHEMAS} and ${OWN('p.oid')} order by 1`,
);

describe.each(['anon', 'authenticated'])('%s', (role) => {
  test('writes to no table', async () => {
    expect(tables.length).toBeGreaterThan(50);
    for (const { name: table, column } of tables.filter(({ column }) => column !== null)) {
      const attempts = [
        `insert into ${table} default values`,
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table}`,
      ];
      expect(await allowed(role, attempts)).toEqual([]);
    }
  });

  test('reads only what is published, and of that only its own rows', async () => {
    const readable = await allowed(
      role,
      tables.map(({ name }) => `select * from ${name}`),
    );
    const published = Object.keys(PUBLISHED).map((table) => `select * from ${table}: allowed`);
    expect(readable).toEqual(role === 'anon' ? [] : published.toSorted());
    if (role === 'anon') return;
    for (const [table, counts] of Object.entries(PUBLISHED)) {
      const [row] = await as(
        role,
        `select count(*)::int as n from ${table} where user_id <> '${ann}' or not (${counts})`,
      );
      expect(row).toEqual({ n: 0 });
    }
    expect(await as(role, 'select key from command_cache')).toEqual([{ key: 'one' }]);
  });

  test('calls no function', async () => {
    expect(functions.length).toBeGreaterThan(150);
    expect(
      await allowed(
        role,
        functions.map(({ call }) => call),
      ),
    ).toEqual([]);
  });

  test('neither takes a number from a sequence, nor becomes somebody else, nor makes anything', async () => {
    const sequences = await all<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relkind = 'S' and c.relnamespace in ${SCHEMAS}`,
    );
    expect(sequences.length).toBeGreaterThan(0);
    const attempts = [
      ...sequences.map(({ name }) => `select nextval('${name}')`),
      'set local role lore_user',
      'set local role lore_server',
      'create table public.mine (n int)',
      'create table lore.mine (n int)',
      `select * from drizzle.__drizzle_migrations`,
      'alter table learnings disable row level security',
    ];
    expect(await allowed(role, attempts)).toEqual([]);
  });
});

describe('every table, sequence and function has its rights by name', () => {
  const lacking = async (statement: string) =>
    (await all<{ name: string }>(statement)).map(({ name }) => name);

  test('a table or view is Lore’s own role’s to read, or the server’s', async () => {
    expect(
      await lacking(`select c.oid::regclass::text as name from pg_class c
        where c.relnamespace in ${SCHEMAS} and c.relkind in ('r', 'p', 'v') and ${OWN('c.oid')}
          and not has_table_privilege(
            case when c.relnamespace = 'lore'::regnamespace then 'lore_server' else 'lore_user' end, c.oid, 'select')`),
    ).toEqual([]);
  });

  test('a function is executable by who needs it, and has a search path', async () => {
    expect(
      await lacking(`select p.oid::regprocedure::text as name from pg_proc p
        where p.pronamespace in ${SCHEMAS} and ${OWN('p.oid')} and p.prorettype <> 'trigger'::regtype
          and not has_function_privilege(
            case when p.pronamespace = 'lore'::regnamespace then 'lore_server' else 'lore_user' end, p.oid, 'execute')`),
    ).toEqual([]);
    expect(
      await lacking(`select p.oid::regprocedure::text as name from pg_proc p
        where p.pronamespace in ${SCHEMAS} and ${OWN('p.oid')}
          and not exists (select from unnest(p.proconfig) c where c like 'search_path=%')`),
    ).toEqual([]);
  });

  test('nothing is open to everybody', async () => {
    expect(
      await lacking(`select c.oid::regclass::text as name from pg_class c, aclexplode(c.relacl) a
        where c.relnamespace in ${SCHEMAS} and ${OWN('c.oid')} and a.grantee = 0
        union all
        select p.oid::regprocedure::text from pg_proc p,
          aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        where p.pronamespace in ${SCHEMAS} and ${OWN('p.oid')} and a.grantee = 0`),
    ).toEqual([]);
  });
});
