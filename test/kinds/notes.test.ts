import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });

const APP = '/home/dev/app';
/** Creates a member and returns functions that send their requests. */
async function member() {
  const { key, userId, ask } = await server.member();
  const write = async (body: unknown) => {
    const answer = await ask('POST', '/v1/notes', body);
    expect(answer.body).toMatchObject(
      Array.isArray(body) ? { notes: expect.any(Array) } : { id: expect.any(String) },
    );
    return answer.body;
  };
  const list = async (query = '') => (await ask('GET', `/v1/notes?${query}`)).body.notes;
  const contents = async (query = '') => (await list(query)).map((note: { content: string }) => note.content);
  return { key, userId, ask, write, list, contents };
}

const numbered = (n: number, fields: object = {}) =>
  Array.from({ length: n }, (_, i) => ({ project: APP, content: `note ${i}`, ...fields }));

describe('one note', () => {
  test('is stored with defaults and returned whole', async () => {
    const { ask, list } = await member();
    const { status, body } = await ask('POST', '/v1/notes', { project: APP, content: 'Pool raised to 20' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      project: APP,
      channel: `person-notes:${APP}`,
      sender: null,
      senderProject: null,
      writtenBy: 'person',
      content: 'Pool raised to 20',
      confidence: 0.5,
      mentions: [],
      messageType: 'reflection',
      conversation: null,
      key: null,
      supersedes: null,
      metadata: {},
      createdAt: expect.any(String),
      validUntil: null,
      wordCount: 4,
      hasBreadcrumbs: false,
      ageDays: expect.any(Number),
      stale: [],
    });
    const again = (await ask('GET', `/v1/notes/${body.id}`)).body;
    expect(again).toEqual({ ...body, ageDays: expect.any(Number) });
    expect(await list()).toHaveLength(1);
  });

  test.each([
    [{}, 'reflection'],
    [{ channel: 'decisions' }, 'decision'],
    [{ channel: 'patterns' }, 'pattern'],
    [{ channel: 'policies' }, 'policy'],
    [{ channel: 'policies', messageType: 'reflection' }, 'reflection'],
    [{ channel: 'elsewhere' }, 'reflection'],
  ])('%o is a %s', async (fields, messageType) => {
    const { write } = await member();
    expect(await write({ project: APP, content: 'x', ...fields })).toMatchObject({ messageType });
  });
});

describe('many notes', () => {
  test('1,000 are stored in their order, also when they have the same time', async () => {
    const { ask, userId, contents } = await member();
    const notes = numbered(1000).map((note, i) => ({ ...note, project: `/home/dev/${i % 3}` }));
    const { status, body } = await ask('POST', '/v1/notes', notes);
    expect(status).toBe(201);
    expect(body.notes).toHaveLength(1000);
    expect(body.notes[0]).toEqual({ id: expect.any(String), key: null, created: true });
    const rows = await server.rows(
      `select id, content, created_at from notes where user_id = '${userId}' order by seq`,
    );
    expect(rows.map((row) => row.content)).toEqual(notes.map((note) => note.content));
    expect(rows.map((row) => row.id)).toEqual(body.notes.map((note: { id: string }) => note.id));
    expect(new Set(rows.map((row) => String(row.created_at))).size).toBe(1);
    expect(await contents('limit=3')).toEqual(['note 999', 'note 998', 'note 997']);
    const projects = await server.rows(`select name from projects where user_id = '${userId}' order by 1`);
    expect(projects.map((row) => row.name)).toEqual(['/home/dev/0', '/home/dev/1', '/home/dev/2']);
  });
});

describe('a key', () => {
  test('is stored once within an array too, and the answer tells new from old', async () => {
    const { ask, contents } = await member();
    const keyed = (key: string) => ({ project: APP, content: key, key });
    const [a] = (await ask('POST', '/v1/notes', [keyed('a')])).body.notes;
    const { status, body } = await ask('POST', '/v1/notes', [keyed('b'), keyed('a'), keyed('b'), keyed('c')]);
    const [b, , , c] = body.notes;
    expect(status).toBe(201);
    expect(body.notes).toEqual([
      { id: b.id, key: 'b', created: true },
      { id: a.id, key: 'a', created: false },
      { id: b.id, key: 'b', created: false },
      { id: c.id, key: 'c', created: true },
    ]);
    expect(await contents()).toEqual(['c', 'b', 'a']);
    expect((await ask('POST', '/v1/notes', [keyed('a')])).status).toBe(200);
  });

  test('that is a secret is stored as its hash, and is still recognised', async () => {
    const { ask } = await member();
    const secrets = ['AKIAQ7ZX2V4M9K1PB8TD', 'AKIAQ7ZX2V4M9K1PB8TE'];
    for (const expected of [201, 200]) {
      for (const key of secrets) {
        const answer = await ask('POST', '/v1/notes', { project: APP, content: 'x', key });
        expect(answer.status).toBe(expected);
        expect(answer.body.key).toMatch(/^sha256:/);
      }
    }
  });
});

test('secrets are redacted before anything is stored', async () => {
  const { write, key, userId } = await member();
  const secret = 'AKIAQ7ZX2V4M9K1PB8TD';
  const long = 'x '.repeat(20_000);
  await write({
    project: APP,
    agent: secret,
    content: `${long} export AWS_ACCESS_KEY_ID=${secret} <private>quokka</private>`,
    mentions: [secret],
    metadata: { breadcrumbs: { logs: [`key ${secret}`] }, [secret]: 1, password: 'hunter2hunter2' },
  });
  const [row] = await server.rows(`select to_jsonb(n)::text as all from notes n where user_id = '${userId}'`);
  const documents = await server.rows(
    `select to_jsonb(d)::text as all from search_documents d where user_id = '${userId}'`,
  );
  const answer = await server.request('GET', '/v1/notes', { key });
  for (const text of [row.all, ...documents.map((d) => d.all), JSON.stringify(answer.body)]) {
    expect(text).not.toMatch(/Q7ZX2V4M|quokka|hunter2/i);
  }
  expect(answer.body.notes[0].content).toContain(long);
});

test('metadata may hold anything, but breadcrumbs, task and hints have their form', async () => {
  const { ask, write } = await member();
  const metadata = {
    breadcrumbs: { commits: ['4f2c1aa'], seen: 1 },
    task_context: { type: 'bugfix', minutes: 7 },
    extraction_hints: { key_decision: 'NATS', other: [] },
    mine: { any: null },
  };
  expect(await write({ project: APP, content: 'x', metadata })).toMatchObject({
    metadata,
    hasBreadcrumbs: true,
  });
  for (const [field, wrong] of [
    ['metadata.breadcrumbs.commits', { breadcrumbs: { commits: '4f2c1aa' } }],
    ['metadata.task_context', { task_context: 'bugfix' }],
    ['metadata.extraction_hints.key_decision', { extraction_hints: { key_decision: ['NATS'] } }],
  ] as const) {
    const answer = await ask('POST', '/v1/notes', { project: APP, content: 'x', metadata: wrong });
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
  }
});

describe('channels and agents', () => {
  const named = (rows: { name: string }[]) => rows.map(({ name }) => name);

  test('are records that say what they are for, and stay while somebody described them', async () => {
    const { ask, write } = await member();
    const own = await write({ project: APP, agent: 'lib:planner', content: 'a' });
    await write({ project: '/home/dev/other', channel: 'decisions', content: 'b' });
    const channels = async (query = '') => (await ask('GET', `/v1/channels?${query}`)).body.channels;
    expect(named(await channels())).toEqual(['decisions', own.channel]);
    expect(named(await channels('project=app'))).toEqual([own.channel]);
    expect(named(await channels('type=standard'))).toEqual(['decisions']);
    expect(await channels('owner=lib:planner')).toEqual([
      {
        ...{ name: own.channel, type: 'agent', owner: 'lib:planner', description: null, notes: 1 },
        ...{ createdAt: expect.any(String), lastActivity: own.createdAt, agents: ['lib:planner'] },
      },
    ]);
    const path = `/v1/channels/${encodeURIComponent(own.channel)}`;
    const told = { description: 'What the planner thinks, key AKIAQ7ZX2V4M9K1PB8TD' };
    expect((await ask('PATCH', path, told)).body.description).toMatch(
      /^What the planner thinks, key \[redacted/,
    );
    const agent = await ask('PATCH', '/v1/agents/lib:planner', { description: 'Plans' });
    expect(agent.body).toMatchObject({ description: 'Plans', notes: 1, projects: [APP] });
    expect((await ask('PATCH', '/v1/channels/nowhere', told)).status).toBe(404);
    await ask('DELETE', `/v1/notes/${own.id}`);
    expect((await channels('owner=lib:planner'))[0]).toMatchObject({ notes: 0, lastActivity: null });
    await ask('PATCH', path, { description: null });
    expect((await ask('GET', '/v1/agents')).body.agents).toMatchObject([{ name: 'lib:planner', notes: 0 }]);
  });
});

test('the channel of an agent has the name of its project, however that was given', async () => {
  const { write, key } = await member();
  await server.request('POST', '/v1/hooks', {
    key,
    body: {
      hook_event_name: 'SessionStart',
      session_id: randomUUID(),
      cwd: '/home/dev/shop',
      source: 'startup',
    },
  });
  await server.settled();
  const note = await write({ project: 'shop', agent: 'backend-eng', content: 'by its last part' });
  expect(note.channel).toBe(`agent-notes:backend-eng:${note.project}`);
  expect(
    (await write({ project: '/home/dev/shop/', agent: 'backend-eng', content: 'by its folder' })).channel,
  ).toBe(note.channel);
});

test('a search takes every filter that the list takes, and finds the same', async () => {
  const { ask, write, key } = await member();
  await write([
    { project: APP, agent: 'a', content: 'heron @ann', createdAt: '2026-01-03T00:00:00Z' },
    { project: APP, agent: 'b', channel: 'decisions', content: 'a heron' },
    { project: '/home/dev/other', agent: 'a', channel: 'x', content: 'one heron' },
    { project: APP, channel: 'agent-notes:a:x', content: 'herons' },
  ]);
  const { body: document } = await server.request('GET', '/openapi.json', { key });
  const filters = document.paths['/v1/notes'].get.parameters.map(({ name }: { name: string }) => name);
  const given: Record<string, string | number> = {
    ...{ project: APP, channel: 'decisions', channelType: 'agent', owner: 'a', agent: 'a' },
    ...{ messageType: 'decision', mention: 'Ann', maxAgeDays: 7, limit: 3 },
  };
  expect(Object.keys(given).sort()).toEqual(filters.filter((name: string) => name !== 'before').sort());
  for (const [name, value] of Object.entries(given)) {
    const listed = (await ask('GET', `/v1/notes?${name}=${value}`)).body.notes;
    const found = await ask('POST', '/v1/search', { query: 'heron herons', kinds: ['note'], [name]: value });
    const ids = (rows: { id: string }[]) =>
      name === 'limit' ? rows.length : rows.map(({ id }) => id).sort();
    expect([name, ids(found.body.results)]).toEqual([name, ids(listed)]);
    expect(found.body.filtered).toBeUndefined();
    for (const { project } of found.body.results) expect([APP, '/home/dev/other']).toContain(project);
  }
});

test('an explained search says what its filters left out', async () => {
  const { ask, write } = await member();
  await write([{ project: APP, agent: 'a', content: 'heron' }, ...numbered(3)]);
  const asked = { query: 'heron', project: 'app', onlyAgent: 'a', explain: true };
  expect((await ask('POST', '/v1/search', asked)).body.filtered).toEqual({
    inScope: 4,
    leftOut: 3,
    share: 0.75,
  });
});

test('the list can be filtered and read page by page', async () => {
  const { ask, write, list, contents } = await member();
  await write([
    { project: APP, agent: 'a', content: '1', createdAt: '2026-01-03T00:00:00Z' },
    { project: APP, agent: 'b', channel: 'decisions', content: '2', createdAt: '2026-01-01T00:00:00Z' },
    { project: '/home/dev/other', agent: 'a', content: '3', createdAt: '2026-01-01T00:00:00Z' },
    { project: APP, content: '4', createdAt: '2026-01-02T00:00:00Z' },
  ]);
  expect(await contents('project=other')).toEqual(['3']);
  expect(await contents('project=nope')).toEqual([]);
  const seen: string[] = [];
  for (let before = ''; ; ) {
    const [note] = await list(`limit=1${before}`);
    if (!note) break;
    seen.push(note.content);
    before = `&before=${note.id}`;
  }
  expect(seen).toEqual(['1', '4', '3', '2']);
  expect((await ask('GET', `/v1/notes?before=${randomUUID()}`)).body).toMatchObject({
    errors: [{ field: 'before' }],
  });
});
