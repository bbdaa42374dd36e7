import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { functionOf } from '../../src/server/functions/functions.ts';
import { listen } from '../support/loopback.ts';
import { onPostgres } from '../support/needs.ts';
import { runLore, startServerProcess, temporaryFolder } from '../support/process.ts';
import { admin, project, supabaseCli, withSupabase } from '../support/supabase.ts';

// What looks after a hosted database and project: lore doctor --remote, lore deploy.

vi.setConfig({ testTimeout: 900_000 });

const REF = 'abcdefghijklmnopqrst';
/** What keeps the CLI from asking elsewhere, and a home without anybody's login. */
const quiet = () => ({
  HOME: temporaryFolder(),
  LORE_HOME: join(temporaryFolder(), 'home'),
  SUPABASE_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  SUPABASE_NO_UPDATE_NOTIFIER: '1',
  PGSSLMODE: 'disable',
});

type Check = { name: string; ok: boolean; detail: string };

async function look(
  env: Record<string, string>,
): Promise<{ code: number | null; checks: Record<string, Check> }> {
  const { code, stdout, stderr } = await runLore(['doctor', '--remote', '--json'], { env });
  expect(stderr).toBe('');
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { code, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}
const wrong = (checks: Record<string, Check>) =>
  Object.values(checks).flatMap(({ name, ok }) => (ok ? [] : [name]));

/** The front of a project: of the functions one, as the platform answers for others. */
async function platform(state: { deployed: boolean; verifies: boolean }, databaseUrl: string) {
  const settings = {
    DATABASE_URL: databaseUrl,
    LORE_SECRET: 's'.repeat(40),
    LORE_WAKE_SECRET: 'w'.repeat(40),
  };
  // what the platform says first does not depend on the function; this one looks at nothing but its caller
  const app = getRequestListener(functionOf('work', settings, () => {}));
  const { url, close } = await listen((request, response) => {
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (!request.url?.startsWith('/functions/v1/work') || !state.deployed)
      return say(404, { code: 'NOT_FOUND', message: 'Requested function was not found' });
    if (state.verifies) return say(401, { code: 401, message: 'Missing authorization header' });
    return app(request, response);
  });
  onTestFinished(close);
  return url;
}

test('doctor --remote wants to know which database', async () => {
  expect(await runLore(['doctor', '--remote'], { env: quiet() })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('DATABASE_URL'),
  });
});

onPostgres.describe('lore doctor --remote', () => {
  test('says what is wrong with a database and what to do, and nothing where all is well', async () => {
    const { superuser, url, login, loginUrl } = await project();
    const env = { ...quiet(), DATABASE_URL: url };
    const before = await look(env);
    expect(before.code).toBe(4);
    expect(before.checks.migrations).toMatchObject({
      ok: false,
      detail: expect.stringContaining('supabase db push'),
    });
    expect(before.checks.roles?.ok).toBe(false);

    await admin(superuser, async (client) => {
      // the role of the server owns nothing
      const settings = { LORE_HOME: env.LORE_HOME, LORE_PORT: '0', DATABASE_URL: url, LORE_MODEL: 'none' };
      const server = await startServerProcess(settings);
      server.kill('SIGTERM');
      await server.finished;
      await client.unsafe(`grant lore_server to ${login}`);
    });
    const well = await look({ ...env, DATABASE_URL: loginUrl });
    expect(wrong(well.checks)).toEqual([]);
    expect(well.code).toBe(0);
    expect(well.checks.roles?.detail).toContain('does not look past');
    expect(well.checks.schedule?.detail).toContain('no pg_cron');
    expect(well.checks['wake-up']?.detail).toContain('starts no Edge Functions');

    await admin(superuser, (client) =>
      client.unsafe(`
        grant insert on command_cache to authenticated;
        alter table notes no force row level security;
        alter publication supabase_realtime drop table plans;
        insert into lore.wake (functions_url, secret) values ('https://x.example/functions/v1', '${'w'.repeat(32)}');`),
    );
    const broken = await look({ ...env, DATABASE_URL: loginUrl });
    expect(wrong(broken.checks)).toEqual(['rights', 'realtime', 'wake-up']);
    expect(broken.checks.rights?.detail).toContain('command_cache may be written by authenticated');
    expect(broken.checks.rights?.detail).toContain('notes does not force row level security');
    expect(broken.checks.realtime?.detail).toBe('alter publication supabase_realtime add table plans');
    expect(broken.checks['wake-up']?.detail).toContain('the extension pg_cron');
    // what it says mends it
    await admin(superuser, async (client) => {
      await client.unsafe(broken.checks.realtime?.detail as string);
      await client`delete from lore.wake`;
    });
    expect(wrong((await look({ ...env, DATABASE_URL: loginUrl })).checks)).toEqual(['rights']);

    const away = await look({ ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' });
    expect(away.checks).toMatchObject({
      database: { ok: false, detail: expect.stringContaining('127.0.0.1:9') },
    });
  });

  test('looks whether the functions can be reached', async () => {
    const { url } = await project();
    const state = { deployed: true, verifies: false };
    const SUPABASE_URL = await platform(state, url);
    const env = { ...quiet(), DATABASE_URL: url, SUPABASE_URL, SUPABASE_ANON_KEY: 'public' };
    const name = 'function work';
    expect((await look(env)).checks[name]).toMatchObject({ ok: true });
    const about = async () => (await look(env)).checks[name]?.detail;
    state.verifies = true;
    expect(await about()).toContain('verify_jwt = false');
    state.deployed = false;
    expect(await about()).toContain('404: lore deploy');
  });
});

/** The steps of a deployment, each as its words. */
async function stepsOf(env: Record<string, string>): Promise<{ steps: string[][]; lacking: string[] }> {
  const { stdout, stderr } = await runLore(['deploy', REF, '--json'], { env: { ...quiet(), ...env } });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('deploy shows its steps and what they lack, stops at one that fails, and wants a person', async () => {
  const { steps, lacking } = await stepsOf({ LORE_SUPABASE_CLI: '/nowhere/supabase' });
  expect(lacking).toEqual([
    expect.stringContaining('LORE_SUPABASE_CLI'),
    ...['DATABASE_URL', 'LORE_SECRET', 'LORE_WAKE_SECRET'],
  ]);
  expect(steps.filter((words) => words.includes(`--remote=${REF}`))).toHaveLength(6);
  const set = {
    DATABASE_URL: 'postgres://u:word@127.0.0.1:9/x',
    LORE_SECRET: 's'.repeat(32),
    LORE_WAKE_SECRET: 'w'.repeat(32),
  };
  // a command that takes the first step only
  const file = join(temporaryFolder(), 'supabase');
  writeFileSync(
    file,
    '#!/bin/sh\n[ "$1" = --version ] || echo "ran $@"\n[ "$1" = config ] && exit 1\nexit 0\n',
    { mode: 0o755 },
  );
  const env = { ...quiet(), ...set, LORE_SUPABASE_CLI: file };
  const shown = await runLore(['deploy', REF], { env });
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was changed') });
  expect(shown.stdout).not.toMatch(/word|^ran/m);
  const run = await runLore(['deploy', REF, '--yes'], { env });
  expect([run.code, run.stdout.match(/^ran \w+ \w+/gm)]).toEqual([1, ['ran db push', 'ran config push']]);
  expect(run.stdout).toContain(set.DATABASE_URL);
  expect(run.stderr).toContain('config push');
  const refused = await runLore(['deploy', REF, '--yes'], { env: { ...env, LORE_SECRET: '' } });
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    1,
    '',
    expect.stringContaining('lacks LORE_SECRET.'),
  ]);
  expect(await runLore(['deploy'], { env })).toMatchObject({ code: 2, stdout: '' });
  const agent = await runLore(['deploy', REF], { env: { ...env, CLAUDECODE: '1' } });
  expect(agent).toMatchObject({ code: 1, stderr: expect.stringContaining('Only a person') });
});

withSupabase.test('it runs only what the genuine CLI has', async () => {
  const { steps } = await stepsOf({ LORE_SUPABASE_CLI: 'supabase' });
  for (const [, first = '', second = '', ...rest] of steps.filter(([program]) => program === 'supabase')) {
    const env = { ...process.env, ...quiet() };
    const help = execFileSync(supabaseCli as string, [first, second, '--help'], { env }).toString();
    expect(help, second).toContain(`supabase ${first} ${second} [flags]`);
    for (const word of rest)
      for (const [flag] of word.matchAll(/^--[a-z-]+/g)) expect(help, `${second} ${flag}`).toContain(flag);
  }
});
