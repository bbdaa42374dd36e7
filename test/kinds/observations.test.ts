import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { transcriptFolder } from '../support/left-behind.ts';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false, owner: true });

/** Returns a text of so many lines. */
const text = (lines: number, mark = 'line') =>
  Array.from({ length: lines }, (_, i) => `${mark} ${i + 1} of the log`).join('\n');
/** Returns the id of the observation with this text. */
const idOf = (redacted: string) => createHash('sha256').update(redacted).digest('hex').slice(0, 12);

/** Creates a tenant with a session, and ways to read what was kept. */
async function person() {
  const { key, userId } = await server.member();
  const get = async (path: string) => (await server.request('GET', path, { key })).body;
  const list = async () => (await get('/v1/observations')).observations;
  return { key, userId, session: hookSession(server, { key }), get, list };
}

describe('an output', () => {
  test('of 1,000 characters or more is kept whole, under an id that its text gives', async () => {
    const { session, list, get } = await person();
    const long = text(100);
    await session.bashWorks('cat short.log', 'x'.repeat(999));
    await session.bashWorks('cat long.log', long);
    const [one, ...more] = await list();
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      id: idOf(long),
      characters: long.length,
      lines: 100,
      whole: true,
      tool: 'Bash',
      about: 'cat long.log',
      session: session.session_id,
    });
    const read = await get(`/v1/observations/${one.id}?from=1&to=100`);
    expect(read.content.map((line: { text: string }) => line.text).join('\n')).toBe(long);
  });

  test('is stored once and cited by each event that produced it, also across sessions and deliveries', async () => {
    const { key, userId, session, list } = await person();
    const long = text(200);
    await session.bashWorks('make', long);
    await session.bashWorks('make', long);
    for (const _ of [1, 2]) await session.bashWorks('make', long, { tool_use_id: 'toolu_same' });
    await hookSession(server, { key }).bashWorks('make again', long);
    const ids = (await list()).map((one: { id: string }) => one.id);
    expect(ids).toEqual(Array(4).fill(idOf(long)));
    expect(await server.rows(`select id from observations where user_id = '${userId}'`)).toHaveLength(1);
  });

  test('is redacted before it is kept, and its id is that of the redacted text', async () => {
    const { session, list, get } = await person();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const before = text(900);
    await session.bashWorks('env', `${before}\nGITHUB_TOKEN=${secret}\n${before}`);
    const [one] = await list();
    const clean = `${before}\nGITHUB_TOKEN=[redacted:github]\n${before}`;
    expect(clean.length).toBeGreaterThan(16_384);
    expect(one).toMatchObject({ id: idOf(clean), characters: clean.length, whole: true });
    const found = await get(`/v1/observations/${one.id}?q=GITHUB_TOKEN`);
    expect(found.content).toEqual([{ number: 901, text: 'GITHUB_TOKEN=[redacted:github]', match: true }]);
    // the event itself holds the ends only
    const [row] = await server.rows(
      `select payload #>> '{tool_response,stdout}' as stdout from events e
       join sessions s on s.id = e.session_id where s.client_session_id = '${session.session_id}'`,
    );
    expect(row.stdout.length).toBeLessThanOrEqual(16_384);
    expect(row.stdout).toContain('characters cut');
  });

  test('of a failed call, a fetched page, an agent and an MCP tool is kept; what can be read again is not', async () => {
    const { session, list } = await person();
    await session.bashFails('npm test', `Exit code 1\n${text(100, 'failed')}`);
    const { works } = session;
    await works('WebFetch', { url: 'https://example.com/a' }, { result: text(100, 'page'), code: 200 });
    await works('Agent', { description: 'look' }, { content: [{ type: 'text', text: text(100, 'report') }] });
    await works('mcp__db__query', { query: 'select 1' }, [{ type: 'text', text: text(100, 'row') }]);
    await works('Read', { file_path: '/a' }, { file: { content: text(100, 'file') } });
    await works('Write', { file_path: '/a' }, { content: text(100, 'file') });
    await works('Grep', { pattern: 'a' }, { content: text(100, 'hit') });
    await works('Bash', {}, { stdout: `[obs:0123456789ab] lines 1-100 of 100\n${text(100)}` });
    await works('Bash', {}, { stdout: text(100), isImage: true });
    const kept = (await list()).map((one: { tool: string; about: string }) => `${one.tool} ${one.about}`);
    expect(kept.sort()).toEqual([
      'Agent look',
      'Bash npm test',
      'WebFetch https://example.com/a',
      'mcp__db__query select 1',
    ]);
  });
});

describe('an output that the client put into a file', async () => {
  const folder = transcriptFolder();
  const results = (id: string) => join(folder, id, 'tool-results');
  const whole = text(20_000, 'filed');

  /** Sends a call whose output is in this file, and returns the characters that were kept. */
  async function keptOf(path: string, { id = randomUUID() as string, key = server.key } = {}) {
    const transcript = join(folder, `${id}.jsonl`);
    const filed = { persistedOutputPath: path, persistedOutputSize: whole.length };
    const response = { stdout: whole.slice(0, 30_000), stderr: '', ...filed };
    await hookSession(server, { key, sessionId: id, transcript }).works('Bash', { command: 'seq' }, response);
    const { body } = await server.request('GET', `/v1/observations?session=${id}`, { key });
    return body.observations[0]?.characters;
  }
  const write = (path: string, content = whole) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    return path;
  };

  const linked = (id: string, link: (from: string, to: string) => void) => {
    mkdirSync(results(id), { recursive: true });
    link(write(join(folder, `${id}.secret`)), join(results(id), 'b1.txt'));
    return join(results(id), 'b1.txt');
  };
  test.each<[string, (id: string) => string]>([
    ['in another folder', (id) => write(join(folder, id, 'other', 'b1.txt'))],
    ['by a way around', (id) => `${results(id)}/../../${write(join(folder, 'x.txt')).split('/').at(-1)}`],
    ['that is a link', (id) => linked(id, symlinkSync)],
    ['that has another name', (id) => linked(id, linkSync)],
  ])('%s is not read', async (_, path) => {
    const id = randomUUID();
    expect(await keptOf(path(id), { id })).toBeLessThanOrEqual(30_000);
  });

  test('is read for the owner, and not for a member, who may be elsewhere: what the event holds is kept', async () => {
    const id = randomUUID();
    const { key } = await server.member();
    expect(await keptOf(write(join(results('own'), 'b1.txt')), { id: 'own' })).toBe(whole.length);
    expect(await keptOf(write(join(results(id), 'b1.txt')), { id, key })).toBe(30_000);
  });
});

describe('an observation is read', async () => {
  const { key, session, get } = await person();
  const log = Array.from({ length: 1_000 }, (_, i) =>
    i % 100 === 7 ? `${i + 1} ERROR pool exhausted (code E${i})` : `${i + 1} ok`,
  ).join('\n');
  await session.bashWorks('cat app.log', log);
  const id = idOf(log);
  const numbers = (body: { content: { number: number }[] }) => body.content.map(({ number }) => number);

  test('by lines', async () => {
    const part = await get(`/v1/observations/${id}?from=5&to=7`);
    expect(part).toMatchObject({ lines: 1_000, matches: null, next: null });
    expect(part.content).toEqual([5, 6, 7].map((n) => ({ number: n, text: `${n} ok`, match: false })));
    expect(numbers(await get(`/v1/observations/${id}`))).toHaveLength(200);
    expect(numbers(await get(`/v1/observations/[obs:${id}]?from=999&to=9999999`))).toEqual([999, 1000]);
    expect(numbers(await get(`/v1/observations/${id}?from=5000`))).toEqual([]);
  });

  test('by words, with the lines around', async () => {
    const words = await get(`/v1/observations/${id}?q=error%20POOL&from=100&to=400`);
    expect(words).toMatchObject({ matches: 3 });
    expect(numbers(words)).toEqual([108, 208, 308]);
    expect(numbers(await get(`/v1/observations/${id}?q=E107&context=2`))).toEqual([106, 107, 108, 109, 110]);
    // a pattern is only text
    expect(numbers(await get(`/v1/observations/${id}?q=E[12]07`))).toEqual([]);
  });

  test('by `lore obs`', async () => {
    const env = { LORE_URL: server.url, LORE_KEY: key };
    const shown = await runLore(['obs', id, '--lines', '107-109'], { env });
    expect(shown).toMatchObject({
      code: 0,
      stdout: `[obs:${id}] lines 107-109 of 1000\n107\t107 ok\n108\t108 ERROR pool exhausted (code E107)\n109\t109 ok\n`,
    });
    const found = await runLore(['obs', id, '--grep', 'error e207', '-C', '1'], { env });
    expect(found.stdout).toBe(
      `[obs:${id}] lines 207-209 of 1000, 1 match\n207\t207 ok\n208:\t208 ERROR pool exhausted (code E207)\n209\t209 ok\n`,
    );
    expect((await runLore(['obs'], { env })).stdout).toContain(id);
    expect(await runLore(['obs', id, '--lines', 'x'], { env })).toMatchObject({ code: 2, stdout: '' });
    expect((await runLore(['obs', 'ffffffffffff'], { env })).stderr).toContain('Observation not found');
    // reading an observation makes no other one
    await session.bashWorks(`lore obs ${id}`, shown.stdout.padEnd(2_000, 'x'));
    expect((await get('/v1/observations')).observations).toHaveLength(1);
  });
});

test('the same text of two users makes two rows, and an id of another user is unknown', async () => {
  const [ann, bob] = [await person(), await person()];
  const long = text(100, randomUUID());
  await ann.session.bashWorks('make', long);
  expect((await server.request('GET', `/v1/observations/${idOf(long)}`, { key: bob.key })).status).toBe(404);
  expect(await bob.list()).toEqual([]);
  expect((await bob.get(`/v1/observations?session=${ann.session.session_id}`)).observations).toEqual([]);
  await bob.session.bashWorks('make', long);
  const rows = await server.rows(`select user_id from observations where id = '${idOf(long)}'`);
  expect(rows.map((row) => row.user_id).sort()).toEqual([ann.userId, bob.userId].sort());
});
