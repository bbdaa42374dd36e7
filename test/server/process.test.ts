// Longer than 400 lines because starting a server takes seconds, so that tests follow each other on one.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import {
  emptyDatabase,
  type Finished,
  freePort,
  type Process,
  preparedHome,
  runLore,
  startServerProcess,
  temporaryFolder,
} from '../support/process.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const embedded = !process.env.TEST_DATABASE_URL;

const mode = (path: string) => fs.statSync(path).mode & 0o777;

async function request(url: string, key: string | null, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
  return { status: response.status, body: (await response.json()) as any };
}

/** Checks that the output is one line that says what is wrong, without a stack. */
function expectRefusal(finished: Finished, ...says: (string | RegExp)[]) {
  expect(finished).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(finished.stderr).toMatch(/^lore: [A-Z][^\n]*\n$/);
  for (const text of says) expect(finished.stderr).toMatch(text);
}

const quoted = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));

describe('a server from its first start to its end', () => {
  const home = join(temporaryFolder(), 'made', 'by', 'lore');
  let server: Process & { url: string };
  let port: number;
  let key: string;
  let databaseUrl: string | undefined;

  beforeAll(async () => {
    port = await freePort();
    databaseUrl = await emptyDatabase();
    server = await startServerProcess({
      LORE_HOME: home,
      LORE_PORT: String(port),
      LORE_LOG_LEVEL: 'debug',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    });
    key = fs.readFileSync(join(home, 'key'), 'utf8').trim();
  });

  test('creates folder and key so that only this user can read them; the key is the owner’s', async () => {
    expect(mode(home)).toBe(0o700);
    expect(mode(join(home, 'key'))).toBe(0o600);
    expect(mode(join(home, 'server.lock'))).toBe(0o600);
    expect(key).toMatch(/^lore_[\w-]{43}$/);
    expect((await request(server.url, key, 'GET', '/v1/me')).body).toMatchObject({ role: 'owner' });
    expect(fs.existsSync(join(home, 'pgdata'))).toBe(embedded);
  });

  test('prints where it listens, where the data is and what to do next', () => {
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
    expect(server.stdout()).toMatch(quoted(`Lore ${version}\n`));
    expect(server.stdout()).toMatch(quoted(`http://127.0.0.1:${port}`));
    expect(server.stdout()).toMatch(quoted(home));
    expect(server.stdout()).toMatch(/lessons by\s+rules \((no model is set up|LORE_MODEL=none)\)$/m);
    expect(server.stdout()).toContain('lore init');
    expect(server.stdout()).not.toContain(key);
  });

  test('a second server cannot use its folder, and says who has it', async () => {
    const second = await runLore(['start'], { env: { LORE_HOME: home, LORE_PORT: '0' } });
    expectRefusal(second, 'in use', quoted(home), `process ${server.pid} `, `http://127.0.0.1:${port}`);
    expect((await request(server.url, null, 'GET', '/health')).status).toBe(200);
  });

  test('another server cannot use its port, and leaves nothing behind', async () => {
    const other = join(temporaryFolder(), 'other');
    const refused = await runLore(['start'], { env: { LORE_HOME: other, LORE_PORT: String(port) } });
    expectRefusal(refused, `127.0.0.1:${port}`, 'LORE_PORT');
    expect(fs.existsSync(other)).toBe(false);
  });

  test('logs each refusal as a line of JSON, without keys and secrets', async () => {
    const wrong = `lore_${'Wr0ng'.repeat(9)}`;
    const secret = `AKIA${'QWERTYUIOPASDFGH'}`;
    const member = (await request(server.url, key, 'POST', '/v1/users', { name: 'ann' })).body;
    await request(server.url, null, 'GET', '/v1/learnings');
    await request(server.url, wrong, 'GET', '/v1/sessions');
    await request(server.url, member.key, 'GET', `/v1/sessions/${member.key}?project=${member.key}`);
    await request(server.url, key, 'POST', '/v1/sql', { query: `select '${secret}' from nowhere` });
    await request(server.url, key, 'POST', '/v1/sql', { query: `select ${secret}` });
    await request(server.url, key, 'POST', '/v1/hooks', `{"session_id": "${secret}"`);
    await request(server.url, key, 'POST', '/v1/hooks', {
      session_id: randomUUID(),
      hook_event_name: 'UserPromptSubmit',
      prompt: `use ${secret} and ${key}`,
    });
    await request(server.url, key, 'POST', '/v1/keys', { name: 'a\0b' });
    const lines = server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines)
      expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String) });
    const refused = lines.filter((line) => line.msg === 'refused');
    expect(refused).toMatchObject([
      { level: 'warn', path: '/v1/learnings', reason: 'no key' },
      { level: 'warn', path: '/v1/sessions', reason: 'unknown or revoked key' },
    ]);
    expect(lines.filter((line) => line.msg === 'request').length).toBeGreaterThan(5);
    for (const text of [key, member.key, wrong, secret]) expect(server.stderr()).not.toContain(text);
    expect(server.stdout()).not.toContain(secret);
  });

  test('outlives a hang-up and opens no debugger', async () => {
    server.kill('SIGHUP');
    server.kill('SIGUSR1');
    expect((await request(server.url, null, 'GET', '/health')).status).toBe(200);
    expect(server.stderr()).not.toContain('Debugger');
    await expect(fetch('http://127.0.0.1:9229/json')).rejects.toThrow();
  });

  test('on SIGTERM accepts no more requests, answers those it has accepted, and ends with 0', async () => {
    const ids = Array.from({ length: 8 }, () => `toolu_${randomUUID()}`);
    const held = await Promise.all(ids.map((id) => hold(port, key, id)));
    server.kill('SIGTERM');
    await expect
      .poll(() => request(server.url, null, 'GET', '/health').catch(() => 'refused'), { interval: 10 })
      .toBe('refused');
    const answers = await Promise.all(held.map((h) => h.finish()));
    for (const answer of answers) expect(answer).toMatch(/HTTP\/1\.1 200 /);
    expect(await server.finished).toMatchObject({ code: 0, signal: null });

    const db = await openDatabase({ home, databaseUrl });
    const rows = await query<{ id: string }>(
      db.drizzle,
      sql`select tool_use_id as id from events where tool_use_id is not null`,
    );
    await db.close();
    expect(rows.map((row) => row.id).sort()).toEqual(ids.sort());
  });

  /** Begins a request, which the server accepts, and finishes it on demand. */
  async function hold(port: number, key: string, id: string): Promise<{ finish(): Promise<string> }> {
    const body = JSON.stringify({
      session_id: 'held',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: id,
      tool_input: { command: 'npm test' },
      tool_response: { stdout: 'ok' },
    });
    const socket: Socket = connect(port, '127.0.0.1');
    socket.write(
      [
        'POST /v1/hooks HTTP/1.1',
        'host: 127.0.0.1',
        `authorization: Bearer ${key}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        'expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    );
    const [first] = await once(socket, 'data');
    expect(first.toString()).toMatch(/^HTTP\/1\.1 100 /);
    return {
      async finish() {
        let answer = '';
        socket.on('data', (data) => (answer += data.toString()));
        socket.write(body);
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
        socket.end();
        return answer;
      },
    };
  }

  test('when started again with a damaged key file, says so and does not change it', async () => {
    fs.writeFileSync(join(home, 'key'), key.slice(0, 12));
    const env = { LORE_HOME: home, LORE_PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    expectRefusal(await runLore(['start'], { env }), 'Key file is damaged', quoted(join(home, 'key')));
    expect(fs.readFileSync(join(home, 'key'), 'utf8')).toBe(key.slice(0, 12));
  });
});

describe('a server that is killed', () => {
  const key = `an-owner-key-for-tests-${randomUUID()}`;
  let env: Record<string, string>;
  let server: Process & { url: string };
  const sent = new Set<string>();
  const acknowledged = new Set<string>();

  const event = (id: string) => ({
    session_id: `killed-${id.slice(-1)}`,
    cwd: '/home/dev/killed',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: id,
    tool_input: { command: `echo ${id}` },
    tool_response: { stdout: id },
  });

  beforeAll(async () => {
    env = { ...(await preparedHome()), LORE_KEY: key };
    server = await startServerProcess(env);
  });
  afterAll(async () => {
    server.kill('SIGINT');
    expect(await server.finished).toMatchObject({ code: 0, signal: null });
  });

  test('takes LORE_KEY as the owner’s key at its first start', async () => {
    expect((await request(server.url, key, 'GET', '/v1/me')).body).toMatchObject({ role: 'owner' });
    expect(fs.existsSync(join(env.LORE_HOME as string, 'key'))).toBe(false);
  });

  test('has stored every acknowledged event once after an immediate restart', async () => {
    const stream = async (name: number) => {
      for (let i = 0; ; i++) {
        const id = `toolu_${i}_${name}`;
        sent.add(id);
        const answer = await request(server.url, key, 'POST', '/v1/hooks', event(id)).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBe(200);
        acknowledged.add(id);
        if (acknowledged.size === 50) server.kill('SIGKILL');
      }
    };
    const killed = server;
    const streams = [0, 1, 2, 3, 4, 5].map(stream);
    await Promise.all(streams);
    server = await startServerProcess(env);
    expect(await killed.finished).toMatchObject({ signal: 'SIGKILL' });

    const stored = async () => {
      const answer = await request(server.url, key, 'POST', '/v1/sql', {
        query: 'select tool_use_id as id, count(*)::int as n from events group by 1',
      });
      return new Map<string, number>(
        answer.body.rows.map((row: { id: string; n: number }) => [row.id, row.n]),
      );
    };
    const rows = await stored();
    expect(acknowledged.size).toBeGreaterThanOrEqual(50);
    expect([...acknowledged].filter((id) => rows.get(id) !== 1)).toEqual([]);
    expect([...rows].filter(([id, n]) => n !== 1 || !sent.has(id))).toEqual([]);

    // A client repeats the requests that got no answer. This changes nothing else.
    await Promise.all([...sent].map((id) => request(server.url, key, 'POST', '/v1/hooks', event(id))));
    expect(await stored()).toEqual(new Map([...sent].map((id) => [id, 1])));
  });

  test('still stops what a person forbade', async () => {
    const lesson = 'Never push to main here, open a pull request from a branch instead.';
    const place = { session_id: 'stopped', cwd: '/home/dev/stopped' };
    const context = 'Publishing work of this project';
    const stated = { project: place.cwd, lesson, context, appliesTo: ['git'] };
    const { body } = await request(server.url, key, 'POST', '/v1/learnings', stated);
    const call = (command: string) => ({ tool: 'Bash', input: { command } });
    const rule = {
      when: [{ kind: 'command', program: 'git push' }],
      branch: 'main',
      then: 'deny',
      breaks: [call('git push origin main')],
      keeps: [call('git push origin fix/typo')],
    };
    expect((await request(server.url, key, 'PUT', `/v1/guards/${body.learning.id}`, rule)).status).toBe(200);
    const send = (name: string, fields: Record<string, unknown>) =>
      request(server.url, key, 'POST', '/v1/hooks', { ...place, hook_event_name: name, ...fields });
    const push = async (id: string) => {
      const call = { tool_name: 'Bash', tool_use_id: id, tool_input: { command: 'git push origin main' } };
      return (await send('PreToolUse', call)).body.hookSpecificOutput?.permissionDecision;
    };
    await send('SessionStart', { source: 'startup', lore: { root: place.cwd, deliveryId: 'stopped' } });
    expect(await push('stopped-1')).toBe('deny');
    server.kill('SIGKILL');
    await server.finished;
    server = await startServerProcess(env);
    // the first call after a start waits until the rules are read
    expect(await push('stopped-2')).toBe('deny');
  });
});

describe('a start that must fail ends with 1, says why in one line and changes nothing', () => {
  const start = (env: Record<string, string>) =>
    runLore(['start'], { env: { LORE_PORT: '0', LORE_MODEL_DIR: inject('modelDir'), ...env } });

  test.each<[string, string[], Record<string, string>]>([
    ['a port that is no number', ['LORE_PORT'], { LORE_PORT: 'abc' }],
    ['a URL that is not PostgreSQL’s', ['DATABASE_URL', 'postgres://'], { DATABASE_URL: 'foo' }],
    [
      'several wrong variables',
      ['LORE_PORT', 'LORE_KEY', 'LORE_LOG_LEVEL'],
      { LORE_PORT: '-1', LORE_KEY: 'short', LORE_LOG_LEVEL: 'loud' },
    ],
    ['a model that has no time', ['GEMINI_TIMEOUT_MS'], { GEMINI_TIMEOUT_MS: '0' }],
    ['an address of another machine', ['192.0.2.1', 'LORE_HOST'], { LORE_HOST: '192.0.2.1' }],
    [
      'a PostgreSQL that does not answer',
      ['127.0.0.1:9', 'DATABASE_URL'],
      { DATABASE_URL: `postgres://u:${'hush'}hush@127.0.0.1:9/x` },
    ],
  ])('%s', async (_, says, env) => {
    const home = join(temporaryFolder(), 'home');
    const finished = await start({ LORE_HOME: home, ...env });
    expectRefusal(finished, ...says);
    expect(finished.stderr).not.toContain('hushhush');
    expect(fs.existsSync(home)).toBe(false);
  });

  test('a data folder that cannot be created', async () => {
    const file = join(temporaryFolder(), 'file');
    fs.writeFileSync(file, 'mine');
    for (const home of [file, join(file, 'home')]) {
      expectRefusal(await start({ LORE_HOME: home }), quoted(home), 'LORE_HOME');
    }
    expect(fs.readFileSync(file, 'utf8')).toBe('mine');
  });

  if (embedded) {
    const damages: [string, (pgdata: string) => void][] = [
      ['a cut pg_control', (pgdata) => fs.truncateSync(join(pgdata, 'global/pg_control'), 100)],
      [
        'a garbled pg_control',
        (pgdata) => fs.writeFileSync(join(pgdata, 'global/pg_control'), Buffer.alloc(8192, 7)),
      ],
      ['an empty PG_VERSION', (pgdata) => fs.writeFileSync(join(pgdata, 'PG_VERSION'), '')],
      ['no PG_VERSION', (pgdata) => fs.rmSync(join(pgdata, 'PG_VERSION'))],
      ['no pg_wal', (pgdata) => fs.rmSync(join(pgdata, 'pg_wal'), { recursive: true })],
      ['an empty pg_wal', (pgdata) => empty(join(pgdata, 'pg_wal'))],
      ['no transaction log', (pgdata) => fs.rmSync(join(pgdata, 'pg_xact'), { recursive: true })],
      ['no pg_control', (pgdata) => fs.rmSync(join(pgdata, 'global/pg_control'))],
      [
        'only its tables left',
        (pgdata) => {
          for (const name of fs.readdirSync(pgdata).filter((one) => one !== 'base')) {
            fs.rmSync(join(pgdata, name), { recursive: true });
          }
        },
      ],
      ['a lost catalogue', (pgdata) => fs.rmSync(join(pgdata, 'global/pg_filenode.map'))],
    ];
    const empty = (folder: string) => {
      fs.rmSync(folder, { recursive: true });
      fs.mkdirSync(folder);
    };
    test.each(damages)('an embedded database with %s', async (what, damage) => {
      const { LORE_HOME: home } = await preparedHome();
      fs.writeFileSync(join(home, 'key'), `lore_${'k'.repeat(43)}\n`);
      const pgdata = join(home, 'pgdata');
      damage(pgdata);
      const before = contents(home);
      expectRefusal(await start({ LORE_HOME: home }), quoted(pgdata), 'damaged', 'backup');
      // This damage is found only after PostgreSQL's own recovery.
      if (what !== 'a lost catalogue') expect(contents(home)).toEqual(before);
    });
  } else {
    test('a PostgreSQL server without the named database', async () => {
      const home = join(temporaryFolder(), 'home');
      const url = new URL(process.env.TEST_DATABASE_URL as string);
      url.pathname = '/there_is_none';
      expectRefusal(
        await start({ LORE_HOME: home, DATABASE_URL: url.href }),
        'DATABASE_URL',
        'there_is_none',
      );
      expect(fs.existsSync(home)).toBe(false);
    });
  }

  /** Returns each file's hash, except for the lock files of Lore and PostgreSQL, which only say who used the folder. */
  const contents = (folder: string) =>
    Object.fromEntries(
      fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !['server.lock', 'postmaster.pid'].includes(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file, createHash('sha256').update(fs.readFileSync(file)).digest('hex')]),
    );
});

test('npm start ends with its server, also on a signal while it starts', async () => {
  const [port, cwd] = [await freePort(), fileURLToPath(new URL('../..', import.meta.url))];
  const url = `http://127.0.0.1:${port}/health`;
  const prepared = await preparedHome();
  const env = { ...process.env, ...prepared, LORE_PORT: String(port), LORE_MODEL_DIR: '' };
  const starts = async () => fs.existsSync(join(prepared.LORE_HOME, 'server.lock'));
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const isReady of [starts, answers]) {
    const npm = spawn('npm', ['start', '--', '--no-warm-up'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    npm.stdout.resume();
    await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
    npm.kill('SIGTERM');
    // the output ends with the last of npm, its shell and the server
    await once(npm, 'close');
    expect(await answers()).toBe(false);
    fs.rmSync(join(prepared.LORE_HOME, 'server.lock'), { force: true });
  }
});
