import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withPostgresPrograms } from '../support/needs.ts';
import { type Process, runLore, startServerProcess, temporaryFolder } from '../support/process.ts';
import { admin, project } from '../support/supabase.ts';

// A hosted database, where the role of the server owns nothing: backed up and restored by the role of LORE_MIGRATE_URL.

vi.setConfig({ testTimeout: 900_000 });

const KEY = 'the-key-of-the-owner-of-this-test';
const asking = (server: { url: string }) => async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
  const result = (await answer.json()) as any;
  expect(answer.ok, JSON.stringify(result)).toBe(true);
  return result;
};

const stop = async (server: Process) => {
  server.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
};

withPostgresPrograms.describe('a hosted database', () => {
  test('is dumped by the role that reads everything, and restored into another project and over itself', async () => {
    const [one, other] = [await project(), await project()];
    const home = join(temporaryFolder(), 'home');
    const env = {
      LORE_HOME: home,
      LORE_PORT: '0',
      LORE_KEY: KEY,
      LORE_MODEL: 'none',
      DATABASE_URL: one.loginUrl,
    };
    const grant = ({ superuser, login }: typeof one) =>
      admin(superuser, (client) => client.unsafe(`grant lore_server to ${login}`));
    // the first start migrates, and says what the login lacks
    expect((await runLore(['start'], { env: { ...env, LORE_MIGRATE_URL: one.url } })).stderr).toContain(
      'grant lore_server',
    );
    await grant(one);
    await admin(one.superuser, (client) => client`insert into auth.users (email) values ('ann@example.org')`);

    // a server that knows of no other role cannot read everybody's rows, and says so
    let server = await startServerProcess(env);
    const lore = (args: string[], url: string, more: Record<string, string> = {}) =>
      runLore(args, { env: { ...env, LORE_URL: url, ...more } });
    const folder = join(temporaryFolder(), 'copy');
    const blind = await lore(['backup', folder], server.url);
    expect(blind).toMatchObject({ code: 1, stderr: expect.stringContaining('LORE_MIGRATE_URL') });
    expect(existsSync(folder)).toBe(false);
    await stop(server);

    server = await startServerProcess({ ...env, LORE_MIGRATE_URL: one.url });
    const note = { project: 'app', content: 'Größe 😀 of the emulator' };
    await asking(server)('POST', '/v1/notes', note);
    const made = await lore(['backup', folder, '--json'], server.url);
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ engine: 'postgres' });
    await stop(server);

    const rows = (url: string) => {
      let found: unknown;
      return admin(url, async (client) => {
        const [row] = await client`select (select count(*)::int from profiles) as people,
          (select count(*)::int from notes) as notes, (select count(*)::int from auth.users) as users,
          (select id from lore.instance) as id, (select migration from lore.instance) as migration`;
        found = row;
      }).then(() => found);
    };
    const before = await rows(one.superuser);
    expect(before).toMatchObject({ people: 1, notes: 1, users: 1 });

    // into another project, whose postgres has another name, and where nothing of Lore is
    const into = (at: typeof one) => ({ DATABASE_URL: at.loginUrl, LORE_MIGRATE_URL: at.url });
    const restored = await lore(['restore', folder, '--yes'], 'http://127.0.0.1:9', into(other));
    expect(restored.code, restored.stderr).toBe(0);
    // the platform's own users are no part of it
    expect(await rows(other.superuser)).toEqual({ ...(before as object), users: 0 });
    await grant(other);
    server = await startServerProcess({ ...env, ...into(other) });
    const { notes } = await asking(server)('GET', '/v1/notes');
    expect(notes.map(({ content }: { content: string }) => content)).toEqual([note.content]);
    await stop(server);

    // over itself, as if a newer version had migrated it meanwhile: what that one made is gone
    await admin(one.url, (client) =>
      client.unsafe(`
        create table later (user_id uuid references profiles (user_id), n int);
        alter table later enable row level security;
        create policy "own rows" on later using (true);
        create function later_of(learnings) returns text language sql as $$ select $1.lesson $$;
        create view lore.later_view as select * from notes;
        update lore.instance set migration = '29990101000000';
        delete from notes;`),
    );
    expect((await lore(['restore', folder, '--yes'], 'http://127.0.0.1:9', into(one))).stderr).toBe('');
    expect(await rows(one.superuser)).toEqual(before);
    await admin(one.superuser, async (client) => {
      const [left] =
        await client`select to_regclass('later') as t, to_regproc('later_of') as f, to_regclass('lore.later_view') as v`;
      expect(left).toEqual({ t: null, f: null, v: null });
      const lax = await client`select relname from pg_class c join pg_policy p on p.polrelid = c.oid
        where p.polname = 'own rows' and not relforcerowsecurity`;
      expect(lax).toEqual([]);
    });

    // one that cannot be restored changes nothing: the role may not
    const refused = await lore(['restore', folder, '--yes'], 'http://127.0.0.1:9', {
      DATABASE_URL: one.loginUrl,
    });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('LORE_MIGRATE_URL') });
    expect(await rows(one.superuser)).toEqual(before);
  });
});
