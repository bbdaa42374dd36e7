import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { transcriptFolder } from '../support/left-behind.ts';
import {
  type Process,
  preparedHome,
  runLore,
  startServerProcess,
  temporaryFolder,
} from '../support/process.ts';
import { tableOf } from '../support/tables.ts';
import { expectRefusal, quoted, request } from './support.ts';

const embedded = !process.env.TEST_DATABASE_URL;

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
    env = { ...(await preparedHome()), LORE_KEY: key, LORE_MASK: 'on' };
    server = await startServerProcess(env);
  });
  afterAll(async () => {
    server.kill('SIGINT');
    expect(await server.finished).toMatchObject({ code: 0, signal: null });
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

  test('shows what it masked, without the file it came from', async () => {
    const line = (n: number) => `${n} all is well in this long line of a log`;
    const text = Array.from({ length: 20_000 }, (_, i) => line(i + 1)).join('\n');
    const folder = join(transcriptFolder(), 'masked');
    const path = join(folder, 'tool-results', 'b1.txt');
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text);
    const stdout = text.slice(0, 30_000);
    const { body } = await request(server.url, key, 'POST', '/v1/hooks', {
      ...event('toolu_masked'),
      session_id: 'masked',
      transcript_path: `${folder}.jsonl`,
      tool_response: { stdout, persistedOutputPath: path, persistedOutputSize: text.length },
    });
    server.kill('SIGKILL');
    await server.finished;
    fs.rmSync(folder, { recursive: true });
    const [, id] = /^\[obs:(\w+)\]/.exec(body.hookSpecificOutput?.updatedToolOutput.stdout) ?? [];
    server = await startServerProcess(env);
    const read = await request(server.url, key, 'GET', `/v1/observations/${id}?from=12345&to=12345`);
    expect(read.body).toMatchObject({ characters: text.length, content: [{ text: line(12_345) }] });
  });

  test('still stops what a person forbade', async () => {
    const lesson = 'Never push to main here, open a pull request from a branch instead.';
    const place = { session_id: 'stopped', cwd: '/home/dev/stopped' };
    const context = 'Publishing work of this project';
    const stated = { project: place.cwd, lesson, context, appliesTo: ['git'] };
    const { body } = await request(server.url, key, 'POST', '/v1/learnings', stated);
    const call = (command: string) => ({ tool: 'Bash', input: { command } });
    const rule = {
      when: [{ kind: 'command', program: 'git push', args: ['main'] }],
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

  test.each(tableOf('starts', { secret: 'hushhush' }))('%s', async (_, says = '', env = '') => {
    const home = join(temporaryFolder(), 'home');
    const finished = await start({ LORE_HOME: home, ...JSON.parse(env) });
    expectRefusal(finished, ...says.split(' '));
    expect(finished.stderr).not.toContain('hushhush');
    expect(fs.existsSync(home)).toBe(false);
  });

  if (embedded) {
    test.each<[string, (pgdata: string) => void]>([
      ['no pg_control', (pgdata) => fs.rmSync(join(pgdata, 'global/pg_control'))],
      ['a cut pg_control', (pgdata) => fs.truncateSync(join(pgdata, 'global/pg_control'), 100)],
      ['no transaction log', (pgdata) => fs.rmSync(join(pgdata, 'pg_xact'), { recursive: true })],
    ])('an embedded database with %s: it says how a backup is restored', async (_, damage) => {
      const { LORE_HOME: home } = await preparedHome();
      fs.writeFileSync(join(home, 'key'), `lore_${'k'.repeat(43)}\n`);
      const pgdata = join(home, 'pgdata');
      damage(pgdata);
      const before = contents(home);
      expectRefusal(await start({ LORE_HOME: home }), quoted(pgdata), 'damaged', 'lore restore <folder>');
      expect(contents(home)).toEqual(before);
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
