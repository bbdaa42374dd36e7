import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { insisting } from '../support/asking.ts';
import { onPostgres } from '../support/needs.ts';
import { runLore, startServerProcess, temporaryFolder } from '../support/process.ts';
import { admin, project, supabase, supabaseOnPostgres } from '../support/supabase.ts';

// A database as a hosted project has it, on PostgreSQL 17. What needs the CLI says so when it is not there.

const versions: string[] = JSON.parse(readFileSync('drizzle/meta/_journal.json', 'utf8')).entries.map(
  ({ tag }: { tag: string }) => tag.split('_')[0],
);

const ledger = async (url: string) => {
  let found: { supabase: string[]; lore: boolean } | undefined;
  await admin(url, async (client) => {
    const rows = await client`select version from supabase_migrations.schema_migrations order by 1`;
    const [lore] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as there`;
    found = { supabase: rows.map(({ version }) => version), lore: lore?.there };
  });
  return found;
};

const settings = (databaseUrl: string) => ({
  LORE_HOME: join(temporaryFolder(), 'home'),
  LORE_PORT: '0',
  DATABASE_URL: databaseUrl,
});

async function startAndStop(databaseUrl: string) {
  const server = await startServerProcess(settings(databaseUrl));
  expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ database: { ok: true } });
  server.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
}

const push = (url: string) => supabase(['db', 'push', '--yes', `--remote=${url}`]);

onPostgres.describe('on a project of Supabase', () => {
  test('what Lore migrates stands in Supabase’s ledger; what then is missing there is Supabase’s to migrate', async () => {
    const { url } = await project();
    await startAndStop(url);
    expect(await ledger(url)).toEqual({ supabase: versions, lore: true });
    await startAndStop(url);
    // as if this version were newer than the database, and had not been the first to migrate it
    const last = versions.at(-1) as string;
    await admin(url, async (client) => {
      await client`delete from supabase_migrations.schema_migrations where version = ${last}`;
      await client`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`;
    });
    const refused = await runLore(['start'], { env: settings(url) });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Database is migrated by Supabase');
    expect(refused.stderr).toMatch(new RegExp(`lacks ${last}_\\w+.*supabase db push --remote`, 's'));
    expect((await ledger(url))?.supabase).toEqual(versions.slice(0, -1));
  });

  test('the role of the server owns nothing and does not look past row level security', async () => {
    const { superuser, url, login, loginUrl } = await project();
    const home = settings(loginUrl);
    const LORE_KEY = 'the-key-of-the-owner-of-this-test';
    const early = await runLore(['start'], { env: home });
    expect(early.stderr).toMatch(/needs migrations, and this role may not make them.*LORE_MIGRATE_URL/s);
    const bare = await runLore(['start'], { env: { ...home, LORE_MIGRATE_URL: url } });
    expect(bare.stderr).toContain(`grant lore_server to ${login}`);
    await admin(superuser, (client) => client.unsafe(`grant lore_server to ${login}`));

    const server = await startServerProcess({ ...home, LORE_MIGRATE_URL: url, LORE_KEY });
    const ask = insisting(server.url, LORE_KEY);
    await ask('POST', '/v1/notes', {
      agent: 'cook',
      content: 'The kettle boils over when the lid is shut.',
    });
    await ask('PUT', '/v1/facts', { type: 'kettle', key: 'colour', value: 'red' });
    const found = async () =>
      (await ask('POST', '/v1/search', { query: 'a teapot overflows' })).results.map(
        ({ content }: { content: string }) => content,
      );
    await expect.poll(found).toContain('The kettle boils over when the lid is shut.');
    const index = postgres(url, { max: 1 });
    const [role] =
      await index`select rolsuper or rolbypassrls as mighty from pg_roles where rolname = ${login}`;
    expect(role).toEqual({ mighty: false });
    await index.end();
    server.kill('SIGTERM');
    expect((await server.finished).code).toBe(0);

    // now that it is migrated, the role needs nobody else's address
    await startAndStop(loginUrl);
    const alone = postgres(loginUrl, { max: 1 });
    await expect(alone`select * from api_keys`).rejects.toMatchObject({ code: '42501' });
    await expect(alone`create table mine (n int)`).rejects.toMatchObject({ code: '42501' });
    await alone.end();
  });
});

supabaseOnPostgres.describe('the Supabase CLI', () => {
  test('pushes, then a server starts and finds nothing to do, and another push neither', async () => {
    const { superuser, url } = await project();
    const first = await push(url);
    expect(first.stdout + first.stderr).not.toContain('Skipping');
    await startAndStop(url);
    expect(await ledger(url)).toEqual({ supabase: versions, lore: false });
    expect((await push(url)).stdout).toContain('up to date');

    // checks nothing that is not Lore's: this role may not read it
    const lint = await supabase([
      'db',
      'lint',
      `--remote=${superuser}`,
      '--fail-on',
      'error',
      '--schema',
      'public,lore',
    ]);
    expect(lint.stdout).not.toContain('"level": "error"');
    const advice = await supabase(['db', 'advisors', `--remote=${superuser}`, '--output-format', 'json']);
    const { results } = JSON.parse(advice.stdout.slice(advice.stdout.indexOf('{"results"')));
    expect(results.map(({ name, detail }: { name: string; detail: string }) => `${name}: ${detail}`)).toEqual(
      [],
    );
  });

  test('describes the tables as supabase/types.ts does (made anew with --update)', async () => {
    const { superuser, url } = await project();
    await push(url);
    const { stdout } = await supabase(['gen', 'types', `--remote=${superuser}`, '--schema', 'public']);
    const types = stdout.slice(stdout.indexOf('export type Json'));
    await expect(types).toMatchFileSnapshot('../../supabase/types.ts');
  });

  test('knows each key of supabase/config.toml, whose functions are there, and seeds a demo', async () => {
    const folder = join(temporaryFolder(), 'supabase');
    cpSync('supabase', folder, { recursive: true, filter: (path) => !path.includes('.temp') });
    rmSync(join(folder, 'migrations'));
    symlinkSync(resolve('drizzle'), join(folder, 'migrations'));
    const { url } = await project();
    const seeded = async () =>
      supabase(['db', 'push', '--yes', '--include-seed', `--remote=${url}`, '--workdir', dirname(folder)]);
    const said = await seeded();
    expect(said.stdout + said.stderr).not.toContain('does not recognize');
    const config = readFileSync(join(folder, 'config.toml'), 'utf8');
    const files = [...config.matchAll(/^(?:entrypoint|import_map) = "(.+)"$/gm)].map(
      ([, path]) => path as string,
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(join('supabase', file)), file).toBe(true);
    // a wrong key would have been told
    appendFileSync(join(folder, 'config.toml'), '\n[lore]\nno_such_key = true\n');
    const warned = await seeded();
    expect(warned.stdout + warned.stderr).toContain('does not recognize');

    const LORE_KEY = 'the-key-of-the-owner-of-the-demo';
    const server = await startServerProcess({ ...settings(url), LORE_KEY });
    const read = insisting(server.url, LORE_KEY);
    expect((await read('GET', '/v1/plans?project=demo')).plans).toMatchObject([
      { goal: 'Dead letters for the worker' },
    ]);
    const found = async () => {
      const { results } = await read('POST', '/v1/search', {
        query: 'which package manager',
        project: 'demo',
      });
      return results.map(({ content }: { content: string }) => content).join();
    };
    await expect.poll(found).toContain('Use pnpm here');
    server.kill('SIGTERM');
    expect((await server.finished).code).toBe(0);
  });
});
