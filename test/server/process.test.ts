import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import { rowsOf } from '../support/json-lines.ts';
import {
  emptyDatabase,
  freePort,
  type Process,
  runLore,
  startServerProcess,
  temporaryFolder,
} from '../support/process.ts';
import { expectRefusal, quoted, request } from './support.ts';

const embedded = !process.env.TEST_DATABASE_URL;

const mode = (path: string) => fs.statSync(path).mode & 0o777;

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
    const made = fs.readdirSync(home).filter((name) => name !== 'models');
    for (const name of made) expect([name, mode(join(home, name)) & 0o077]).toEqual([name, 0]);
    expect(key).toMatch(/^lore_[\w-]{43}$/);
    expect((await request(server.url, key, 'GET', '/v1/me')).body).toMatchObject({ role: 'owner' });
    expect(fs.existsSync(join(home, 'pgdata'))).toBe(embedded);
  });

  test('prints where it listens, where the data is and what to do next', () => {
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
    expect(server.stdout()).toMatch(quoted(`Lore ${version}\n`));
    expect(server.stdout()).toMatch(quoted(`http://127.0.0.1:${port}`));
    expect(server.stdout()).toMatch(quoted(home));
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
    const lines = rowsOf(server.stderr());
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
      .poll(() => request(server.url, null, 'GET', '/health').catch(() => 'refused'))
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
