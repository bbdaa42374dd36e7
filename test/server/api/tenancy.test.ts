// Longer than 400 lines because every route and every table has its case here, so that a missing one is noticed.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { asUser } from '../../../src/db/as-user.ts';
import { query, type Tx } from '../../../src/db/open.ts';
import { hookSession, startedSession } from '../../support/hook-session.ts';
import { routesOf } from '../../support/routes.ts';
import { startTestServer } from '../../support/server.ts';
import { played, tableOf } from '../../support/tables.ts';

// Tables, foreign keys and routes are read from the running system. So a new one that is not protected, or has no case
// here, fails.

const server = await startTestServer();

const CWD = '/home/dev/ledger';
/** A word that is in all texts of Ann's sessions and lessons, and in nothing that Bob ever sends. */
const MARK = 'zebrafish';
const ERROR = `Exit code 1
Error: Cannot find module './${MARK}.json'
    at check (${CWD}/check.js:3:9)`;
/** Creates a member who has a row in every table that the API fills. */
async function livingMember(name: string) {
  const { key, userId, ask } = await server.member(name);
  const first = await startedSession(server, { key, cwd: CWD }, `Make the ${MARK} checks pass`);
  // the name, because equal texts have equal ids, and ids of another's rows are tried below
  await first.bashWorks('cat build.log', `${name} ${MARK} builds\n`.repeat(100));
  const asked = { tool_name: 'Read', tool_input: { file_path: 'build.log' } };
  await first.send('PreToolUse', { ...asked, tool_use_id: `toolu_${first.session_id}_asked` });
  await first.bashFails('node check.js', ERROR);
  await first.bashWorks(`npm run gen-${MARK}`, 'written');
  await first.bashWorks('node check.js', '42 checks passed');
  await first.stop(`The ${MARK} pool was too small for the workers, so I raised it to 20 in config.json.`);
  await first.send('PreCompact', { trigger: 'manual' });
  await first.finish();
  const known = { mark: MARK, cwd: CWD, session: first.session_id };
  await played(tableOf('made', known), ask);
  await hookSession(server, { key, cwd: CWD }).start();
  await asUser(server.db, { userId, role: 'member' }, async (tx) => {
    for (const [statement = ''] of tableOf('rows', known)) await tx.execute(sql.raw(statement));
  });
  await server.settled();
  // A night that has ended, with an item; then rows of the next one, which no worker takes while no run is open.
  await server.request('POST', '/v1/consolidation/runs', { key });
  await server.settled();
  await asUser(server.db, { userId, role: 'member' }, async (tx) => {
    await tx.execute(sql`insert into consolidation_items (run_id, action, kind, record_id, reason, changes)
      select r.id, 'closed', 'learning', l.id, ${MARK}, '[]' from consolidation_runs r, learnings l`);
  });
  return { key, userId };
}

const ann = await livingMember('ann');
const bob = await livingMember('bob');
const asBob = <T>(work: (tx: Tx) => Promise<T>) =>
  asUser(server.db, { userId: bob.userId, role: 'member' }, work);

// The server knows this key when it is revoked directly in the database. A later test uses the key again, before any
// key is revoked through the API.
const lost = (await server.request('POST', '/v1/keys', { key: ann.key, body: { name: 'lost phone' } })).body;
await server.request('GET', '/v1/me', { key: lost.key });
await server.settled();
await server.rows(`update api_keys set revoked_at = now() where id = '${lost.id}'`);

const tables: string[] = (
  await server.rows(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
).map((row) => row.relname);

/** Returns all rows of a user in all tables, as text, by one statement: it is asked after each attempt below. */
async function everythingOf(userId: string): Promise<Record<string, string[]>> {
  const rows = await server.rows(
    tables
      .map(
        (table) =>
          `select '${table}' as name, array_agg(to_jsonb(t)::text order by to_jsonb(t)::text) as rows
           from public."${table}" t where user_id = '${userId}'`,
      )
      .join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows ?? []]));
}
const annsRows = await everythingOf(ann.userId);

/** Returns the SQLSTATE with which a statement fails; null when it works. */
async function refusal(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    const code = ((error as Error).cause as { code?: string } | undefined)?.code;
    if (code === undefined) throw error;
    return code;
  }
}
const PERMISSION = '42501';
const FOREIGN_KEY = '23503';
const UNIQUE = '23505';

const identifier = (name: string) => sql.raw(`"${name}"`);

describe('every table', () => {
  test.each(tables)(
    '%s has forced row level security, with policies that compare the tenant',
    async (table) => {
      const [row] = await server.rows(
        `select relrowsecurity as enabled, relforcerowsecurity as forced from pg_class
       where oid = 'public."${table}"'::regclass`,
      );
      expect(row).toEqual({ enabled: true, forced: true });
      const policies = await server.rows(
        `select policyname as name, permissive, cmd, coalesce(qual, '') || coalesce(with_check, '') as condition,
         roles::text as roles
       from pg_policies where schemaname = 'public' and tablename = '${table}' and permissive = 'PERMISSIVE'`,
      );
      expect(policies.map(({ name }) => name)).toContain('own rows');
      for (const policy of policies) {
        // whoever signed in with Supabase Auth has an account under another id
        const whose =
          policy.name === 'own rows' ? /auth\.uid\(\).*= user_id/ : /lore\.signed_in\(\).*= user_id/;
        expect(policy.condition).toMatch(whose);
        if (policy.name === 'own rows') expect(policy.roles).toBe('{lore_user}');
        else
          expect([policy.name, policy.cmd, policy.roles]).toEqual([
            'published rows',
            'SELECT',
            '{authenticated}',
          ]);
      }
    },
  );

  // These narrow what the policies above allow, so they open nothing.
  test.each(tables)(
    '%s, if it is of projects, lets the key of one change nothing of another',
    async (table) => {
      const narrowing = await server.rows(
        `select cmd, coalesce(qual, '') || coalesce(with_check, '') as condition, roles::text as roles
       from pg_policies where schemaname = 'public' and tablename = '${table}' and permissive = 'RESTRICTIVE'`,
      );
      for (const { condition, roles } of narrowing)
        expect([condition, roles]).toEqual([expect.stringContaining('own_project()'), '{lore_user}']);
      const changes: string[] = [...new Set(narrowing.map(({ cmd }) => cmd))].sort();
      expect(changes).toEqual(NARROWED[table] ?? (isOfProjects(table) ? ['DELETE', 'INSERT', 'UPDATE'] : []));
    },
  );

  test.each(tables)('%s shows each member only their own rows', async (table) => {
    for (const { userId } of [ann, bob]) {
      const [row] = await asUser(server.db, { userId, role: 'member' }, (tx) =>
        query<{ own: number; others: number }>(
          tx,
          sql`select count(*) filter (where user_id = ${userId})::int as own,
                count(*) filter (where user_id <> ${userId})::int as others from ${identifier(table)}`,
        ),
      );
      // so that mixing them would be noticed
      expect(row?.own, `livingMember() has to make a row of ${table}`).toBeGreaterThan(0);
      expect(row?.others).toBe(0);
    }
  });

  test.each(tables)('%s lets nobody update, delete or take over the rows of another', async (table) => {
    const attempts = [
      sql`update ${identifier(table)} set user_id = user_id where user_id = ${ann.userId} returning 1`,
      sql`update ${identifier(table)} set user_id = ${bob.userId} where user_id <> ${bob.userId} returning 1`,
      sql`delete from ${identifier(table)} where user_id = ${ann.userId} returning 1`,
    ];
    for (const attempt of attempts) {
      let touched: number | undefined;
      const code = await refusal(asBob(async (tx) => (touched = (await query(tx, attempt)).length)));
      expect(code === PERMISSION || touched === 0).toBe(true);
    }
    expect(await everythingOf(ann.userId)).toEqual(annsRows);
  });

  test.each(tables)('%s accepts no row in the name of another', async (table) => {
    const columns = await insertable(table);
    const copy = sql`insert into ${identifier(table)} (${list(columns)})
      select ${list(columns)} from jsonb_populate_record(null::${identifier(table)}, ${annsRows[table]?.[0]}::jsonb)`;
    expect(await refusal(asBob((tx) => tx.execute(copy)))).toBe(PERMISSION);
    expect(await refusal(asBob((tx) => give(tx, table)))).toBe(PERMISSION);
  });

  test.each(tables)('%s is closed to anon, and empty without claims', async (table) => {
    const count = sql`select count(*)::int as n from ${identifier(table)}`;
    const claims = JSON.stringify({ sub: ann.userId, role: 'anon' });
    const asAnon = server.db.drizzle.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('role', 'anon', true), set_config('request.jwt.claims', ${claims}, true)`,
      );
      await tx.execute(count);
    });
    expect(await refusal(asAnon)).toBe(PERMISSION);
    for (const claims of ['', '{}', '{"role":"authenticated"}']) {
      const [row] = await server.db.drizzle.transaction(async (tx) => {
        await tx.execute(
          sql`select set_config('role', 'lore_user', true), set_config('request.jwt.claims', ${claims}, true)`,
        );
        return query<{ n: number }>(tx as unknown as Tx, count);
      });
      expect(row?.n).toBe(0);
    }
  });
});

/** Returns the columns that can be given a value. */
async function insertable(table: string): Promise<string[]> {
  const rows = await server.rows(
    `select attname from pg_attribute where attrelid = 'public."${table}"'::regclass and attnum > 0
       and not attisdropped and attgenerated = '' and attidentity <> 'a' order by attnum`,
  );
  return rows.map((row) => row.attname);
}

const list = (columns: string[]): SQL => sql.raw(columns.map((column) => `"${column}"`).join(', '));

/** Tries to give one of Bob's rows to Ann. */
const give = (tx: Tx, table: string) =>
  tx.execute(sql`update ${identifier(table)} set user_id = ${ann.userId} where user_id = ${bob.userId}`);

type ForeignKey = { name: string; table: string; target: string; columns: string[]; targetColumns: string[] };
const foreignKeys: ForeignKey[] = await server.rows(
  `select c.conname as name, t.relname as table, f.relname as target,
     (select json_agg(a.attname order by k.i) from unnest(c.conkey) with ordinality k(n, i)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n) as columns,
     (select json_agg(a.attname order by k.i) from unnest(c.confkey) with ordinality k(n, i)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n) as "targetColumns"
   from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
   where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1`,
);

const withProject = new Set<string>(
  (
    await server.rows(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'project_id'`,
    )
  ).map((row) => row.name),
);
/** Whether the rows of a table belong to projects, or to what belongs to one. */
const isOfProjects = (table: string): boolean =>
  withProject.has(table) || foreignKeys.some((key) => key.table === table && withProject.has(key.target));
/** Whether a project may be made is asked where it is made; what the page lists of each is derived. */
const NARROWED: Record<string, string[]> = { projects: ['DELETE', 'UPDATE'], dashboard_projects: [] };

describe('every foreign key', () => {
  test('there are some', () => expect(foreignKeys.length).toBeGreaterThan(5));

  test.each(foreignKeys)('$name includes the tenant', ({ columns, targetColumns }) => {
    expect(columns.indexOf('user_id')).toBeGreaterThanOrEqual(0);
    expect(targetColumns[columns.indexOf('user_id')]).toBe('user_id');
  });

  test.each(foreignKeys.filter((key) => key.columns.length > 1))(
    '$name refuses a row of $table that refers to another user’s $target',
    async ({ name, table, target, columns, targetColumns }) => {
      const all = await insertable(table);
      const others = new Set(foreignKeys.filter((k) => k.table === table).flatMap((k) => k.columns));
      const columnsOf = await server.rows(
        `select a.attname, format_type(a.atttypid, null) as type, a.attnotnull, exists (select 1 from pg_index i
           where i.indrelid = a.attrelid and (i.indisunique or i.indisexclusion)
             and a.attnum = any (i.indkey::int2[])) as distinguishes
         from pg_attribute a where a.attrelid = 'public."${table}"'::regclass and a.attnum > 0`,
      );
      const [own] = await server.rows(
        `select to_jsonb(t) as row from "${table}" t where user_id = '${bob.userId}'`,
      );
      const [theirs] = await server.rows(
        `select to_jsonb(t) as row from "${target}" t where user_id = '${ann.userId}'`,
      );
      // A copy of Bob's own row with new values in unique columns, and with one reference to a row of Ann's.
      const row = { ...own.row };
      for (const { attname, type, attnotnull, distinguishes } of columnsOf) {
        if (others.has(attname)) {
          if (!attnotnull) row[attname] = null;
        } else if (distinguishes && (type === 'uuid' || type === 'text')) {
          row[attname] = randomUUID();
        } else if (distinguishes && type === 'integer') {
          row[attname] = 1_000;
        }
      }
      const insert = (values: object) =>
        asBob((tx) =>
          tx.execute(
            sql`insert into ${identifier(table)} (${list(all)})
                select ${list(all)} from jsonb_populate_record(null::${identifier(table)}, ${JSON.stringify(values)}::jsonb)`,
          ),
        );
      const astray = { ...row };
      columns.forEach((column, i) => {
        if (column !== 'user_id') astray[column] = theirs.row[targetColumns[i] as string];
      });
      const failed = await insert(astray).then(
        () => null,
        (error) => error.cause as { code: string; constraint?: string; constraint_name?: string },
      );
      expect(failed?.code).toBe(FOREIGN_KEY);
      expect(failed?.constraint ?? failed?.constraint_name).toBe(name);
      // The reference was the only thing wrong with that row, unless there may be only one of it.
      expect([null, UNIQUE]).toContain(await refusal(insert(row)));
    },
  );
});

describe('roles and history', () => {
  const refused = readFileSync('test/fixtures/refused-to-members.sql', 'utf8').trim().split('\n');
  test.each(refused)('a member may not: %s', async (statement) => {
    expect(await refusal(asBob((tx) => tx.execute(sql.raw(statement))))).toBe(PERMISSION);
  });

  test('no function outside of schema lore has more rights than its caller', async () => {
    const rows = await server.rows(
      `select p.oid::regprocedure::text as f, n.nspname as schema from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')`,
    );
    expect(rows.filter((row) => row.schema !== 'lore')).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('claims and role end with their transaction, also when many run at the same time', async () => {
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const { userId } = i % 2 === 0 ? ann : bob;
        return asUser(server.db, { userId, role: 'member' }, async (tx) => {
          const [row] = await query<{ ok: boolean }>(
            tx,
            sql`select auth.uid() = ${userId} and bool_and(user_id = ${userId}) as ok from projects`,
          );
          if (i % 5 === 0) throw new Error('rolled back');
          return row?.ok;
        }).catch((error: Error) => error.message);
      }),
    );
    expect(seen).toEqual(seen.map((_, i) => (i % 5 === 0 ? 'rolled back' : true)));
    const after = await Promise.all(
      Array.from({ length: 12 }, () => server.rows(`select current_user::text as role, auth.uid() as id`)),
    );
    for (const [row] of after) expect(row).toEqual({ role: 'postgres', id: null });
  });
});

test('a key revoked through another connection is refused when it is no longer trusted', async () => {
  await expect.poll(async () => (await server.request('GET', '/v1/me', { key: lost.key })).status).toBe(401);
});

const { operations, given } = await routesOf(server);
const routes = operations.map((one) => ({ ...one, open: one.operation.security?.length === 0 }));

/** All in these tables that could lead to something of Ann's: ids of her rows, codes and keys of commands, names. */
const idsIn = (tables: string[]) => [
  ...new Set(
    tables
      .flatMap((table) => (annsRows[table] ?? []).slice(0, 1))
      .flatMap((row) => Object.entries(JSON.parse(row) as Record<string, unknown>))
      .filter(([column]) => /^(?:id|code|client_session_id|name|agent|channel)$/.test(column))
      .map(([, value]) => String(value)),
  ),
];
const annsIds = idsIn(tables);

/** Those for a path: of the tables that are named like its records, or of all if none is. */
function idsFor(path: string): string[] {
  const kind = path.split('/')[2]?.replace(/s$/, '') ?? '';
  const named = tables.filter((table) => table.includes(kind));
  return named.length > 0 ? idsIn(named) : annsIds;
}

describe('every route', () => {
  test.each(routes)(
    '$name shows a member nothing of another member and changes nothing of theirs',
    async (route) => {
      const { method, path } = route;
      const { key } = await server.member();
      const { body, query } = given(route, CWD);
      const ids = path.includes('{') ? idsFor(path) : [''];
      for (const id of ids) {
        const address = path.replace('{number}', '1').replace(/\{\w+\}/g, encodeURIComponent(id));
        const answer = await server.request(method, `${address}?${query}`, { key, body });
        const said = JSON.stringify(answer.body);
        // what was sent comes back, and so does a path in a refusal
        if (answer.status < 400 && !id.includes(MARK)) expect(said).not.toContain(MARK);
        expect(said).not.toContain(ann.userId);
      }
      await server.stored();
      expect(await everythingOf(ann.userId)).toEqual(annsRows);
    },
  );

  const wrongKeys: Record<string, string | null> = {
    'no key': null,
    'a wrong key': `Bearer lore_${'x'.repeat(43)}`,
  };
  const key = server.key;
  const oddKeys: typeof wrongKeys = {
    ...wrongKeys,
    'no scheme': key,
    'another scheme': `Basic ${Buffer.from(`owner:${key}`).toString('base64')}`,
    'two keys': `Bearer ${key} ${key}`,
    'the beginning of a key': `Bearer ${key.slice(0, -1)}`,
    'a key and more': `Bearer ${key}A`,
  };
  const closed = routes.filter((route) => !route.open);

  test('only /health is open, and where a code is worth a key', () => {
    const open = routes.filter((route) => route.open).map((route) => route.name);
    expect(open.sort()).toEqual(['GET /health', 'POST /v1/pairings/redeem']);
  });

  test.each(closed)('$name needs a key', async ({ name, method, path }) => {
    for (const [what, authorization] of Object.entries(name === 'GET /v1/me' ? oddKeys : wrongKeys)) {
      const response = await fetch(`${server.url}${path.replace(/\{\w+\}/, annsIds[0] as string)}`, {
        method,
        headers: authorization === null ? {} : { authorization },
      });
      const body = (await response.json()) as object;
      expect({ what, status: response.status }).toEqual({ what, status: 401 });
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="lore"${/^Bearer \S/.test(authorization ?? '') ? ', error="invalid_token"' : ''}`,
      );
      expect(body).toMatchObject({
        status: 401,
        title: 'Not authenticated',
        code: 'not-authenticated',
        requestId: expect.any(String),
      });
    }
  });

  test('a key revoked through the API is refused at once, everywhere', async () => {
    const { key } = await server.member('mallory');
    const made = (await server.request('POST', '/v1/keys', { key, body: { name: 'tablet' } })).body;
    expect((await server.request('GET', '/v1/me', { key: made.key })).status).toBe(200);
    expect((await server.request('DELETE', `/v1/keys/${made.id}`, { key })).status).toBe(204);
    for (const { method, path } of closed) {
      expect(
        (await server.request(method, path.replace(/\{\w+\}/, annsIds[0] as string), { key: made.key }))
          .status,
      ).toBe(401);
    }
    // A key can be revoked only once. A key may revoke itself.
    expect((await server.request('DELETE', `/v1/keys/${made.id}`, { key })).status).toBe(404);
    const [own] = (await server.request('GET', '/v1/keys', { key })).body.keys.filter(
      (k: { revokedAt: string | null }) => k.revokedAt === null,
    );
    expect((await server.request('DELETE', `/v1/keys/${own.id}`, { key })).status).toBe(204);
    expect((await server.request('GET', '/v1/me', { key })).status).toBe(401);
  });
});

describe('the SQL console', () => {
  const ask = (query: string) => server.request('POST', '/v1/sql', { body: { query } });

  test('shows the owner only their own rows', async () => {
    const { userId } = (await server.request('GET', '/v1/me')).body;
    await hookSession(server, { cwd: '/home/dev/own' }).start();
    for (const table of tables) {
      const answer = await ask(`select count(*) from "${table}" where user_id <> '${userId}'`);
      expect(answer.body.rows.map((row: { count: unknown }) => Number(row.count))).toEqual([0]);
    }
    expect((await ask('select name from projects')).body.rows).toEqual([{ name: '/home/dev/own' }]);
  });

  const names = `(select string_agg(name, ',') from public.profiles)`;
  const leak = `do $$ begin reset role; raise exception 'got %', ${names}; end $$`;
  const known = {
    ...{ names, leak, split: leak.replace('(select', '(\nselect'), claims: `'{"sub":"${ann.userId}"}'` },
    ...{ nbsp: '\u00a0', cr: '\r', nul: '\0' },
  };
  test.each(tableOf('console', known))('refuses %j', async (statement) => {
    const answer = await ask(statement);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body.detail).toEqual(expect.any(String));
    expect(JSON.stringify(answer.body)).not.toMatch(/ann,|,ann|zebrafish/);
    expect(await everythingOf(ann.userId)).toEqual(annsRows);
  });
});
