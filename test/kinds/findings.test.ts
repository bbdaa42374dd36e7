import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const APP = '/home/dev/app';

async function member() {
  const { key, ask } = await server.member();
  const add = async (title: string, fields: object = {}) => {
    const answer = await ask('POST', '/v1/findings', { project: APP, title, ...fields });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const titles = async (query = '') =>
    (await ask('GET', `/v1/findings?${query}`)).body.findings.map((f: { title: string }) => f.title);
  const link = (a: { id: string }, kind: string, b: { id: string }, method = 'PUT') =>
    ask(method, `/v1/findings/${a.id}/links/${kind}/${b.id}`);
  const session = (cwd = APP) => hookSession(server, { key, cwd });
  const atStart = async (cwd = APP) => contextOf(await session(cwd).start());
  return { key, ask, add, titles, link, session, atStart };
}

describe('a finding', () => {
  test('is kept with defaults, changed, closed and opened again', async () => {
    const { ask, add } = await member();
    const finding = await add('The pool leaks');
    expect(finding).toEqual({
      id: expect.any(String),
      project: APP,
      title: 'The pool leaks',
      detail: '',
      severity: 'medium',
      status: 'open',
      resolution: null,
      file: null,
      line: null,
      agent: null,
      writtenBy: 'person',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      closedAt: null,
      proposedStatus: null,
      proposedBy: null,
      solvedBy: null,
      resembles: null,
      blocks: [],
      blockedBy: [],
      relatedTo: [],
    });
    const path = `/v1/findings/${finding.id.slice(0, 8)}`;
    const closed = await ask('PATCH', path, { status: 'resolved', resolution: 'closed in finally' });
    expect(closed.body).toMatchObject({ status: 'resolved', closedAt: expect.any(String) });
    expect((await ask('PATCH', path, { status: 'in_progress' })).body.closedAt).toBeNull();
    expect((await ask('GET', path)).body.resolution).toBe('closed in finally');
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
  });

  test('is listed by filter and page by page', async () => {
    const { ask, add, titles } = await member();
    for (const [title, severity] of [
      ['a', 'low'],
      ['b', 'high'],
      ['c', 'low'],
    ])
      await add(String(title), { severity });
    const other = await add('d', { project: '/home/dev/other', status: 'wont_fix' });
    expect(await titles()).toEqual(['d', 'c', 'b', 'a']);
    expect(await titles('severity=low')).toEqual(['c', 'a']);
    expect(await titles('closed=false&project=app')).toEqual(['c', 'b', 'a']);
    expect(await titles('closed=true')).toEqual(['d']);
    expect(await titles('status=wont_fix')).toEqual(['d']);
    expect(await titles('project=nope')).toEqual([]);
    expect(await titles(`before=${other.id}&limit=2`)).toEqual(['c', 'b']);
    expect((await ask('GET', `/v1/findings?before=${crypto.randomUUID()}`)).body.errors).toMatchObject([
      { field: 'before' },
    ]);
    expect((await ask('GET', '/v1/findings?closed=maybe')).status).toBe(400);
  });
});

describe('links', () => {
  test('are seen from both ends, stored once and taken away', async () => {
    const { add, link, ask } = await member();
    const [a, b] = [await add('a'), await add('b')];
    expect((await link(a, 'blocks', b)).body.blocks).toEqual([{ id: b.id, title: 'b', status: 'open' }]);
    expect((await link(b, 'blocked_by', a)).status).toBe(200);
    expect((await link(b, 'related_to', a)).status).toBe(200);
    expect((await link(a, 'related_to', b)).body.relatedTo).toHaveLength(1);
    expect((await ask('GET', `/v1/findings/${b.id}`)).body).toMatchObject({
      blocks: [],
      blockedBy: [{ id: a.id }],
      relatedTo: [{ id: a.id }],
    });
    expect((await link(b, 'blocked_by', a, 'DELETE')).body.blockedBy).toEqual([]);
    expect((await link(b, 'blocked_by', a, 'DELETE')).status).toBe(200);
    expect((await link(a, 'waits', b)).status).toBe(400);
    expect((await link(a, 'blocks', { id: crypto.randomUUID() })).body.errors).toMatchObject([
      { field: 'other' },
    ]);
    expect((await link({ id: crypto.randomUUID() }, 'blocks', b)).status).toBe(404);
  });
});

test('findings that would block each other in a circle are refused, and nothing is changed', async () => {
  const { add, link, ask } = await member();
  const [a, b, c] = [await add('a'), await add('b'), await add('c')];
  await link(a, 'blocks', b);
  await link(b, 'blocks', c);
  const circle = await link(c, 'blocks', a);
  expect([circle.status, circle.body.errors]).toMatchObject([409, [{ field: 'other' }]]);
  expect((await link(a, 'blocked_by', c)).status).toBe(409);
  expect((await ask('GET', `/v1/findings/${c.id}`)).body.blocks).toEqual([]);
  const [one, other] = [await add('one'), await add('other')];
  const both = await Promise.all([link(one, 'blocks', other), link(other, 'blocks', one)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a finding that resembles a resolved one brings how that was solved, also when it is told', async () => {
  const { add, ask, atStart } = await member();
  const fields = { detail: 'Connections of the pool are not given back when a query times out' };
  const old = await add('The connection pool leaks', fields);
  await ask('PATCH', `/v1/findings/${old.id}`, { status: 'resolved', resolution: 'released in finally' });
  await add('The login button has the wrong colour', { status: 'resolved' });
  await server.settled();
  const again = await add('The connection pool leaks again', { ...fields, severity: 'high' });
  expect(again.resembles).toEqual({
    ...{ id: old.id, title: old.title, resolution: 'released in finally', file: null, episode: null },
  });
  expect(await atStart()).toContain(`solved before: released in finally (lore:${old.id.slice(0, 8)})`);
  await ask('PATCH', `/v1/findings/${old.id}`, { status: 'open' });
  expect(await atStart()).not.toContain('solved before');
});

describe('are offered', () => {
  test('at the start of a session, the severest first', async () => {
    const who = await member();
    const { add, atStart } = who;
    await add('an info', { severity: 'info' });
    await add('a high one', { severity: 'high', file: 'src/pool.ts', line: 7 });
    await add('a critical one', { severity: 'critical' });
    await add('a low one', { severity: 'low' });
    await add('a closed one', { severity: 'critical', status: 'resolved' });
    await add('elsewhere', { project: '/home/dev/other', severity: 'critical' });
    expect(await atStart()).toContain('a critical one');
    const { key } = who;
    const voice = (finding: string) =>
      server.request('PUT', '/v1/settings', { key, body: { voice: { finding } } });
    await voice('none');
    expect(await atStart()).toBe('');
    await voice('all');
    const told = await atStart();
    const order = ['a critical one', 'a high one', 'a low one'].map((title) => told.indexOf(title));
    expect(order[0]).toBeGreaterThan(0);
    expect([...order].sort((x, y) => x - y)).toEqual(order);
    expect(told).toContain('src/pool.ts:7');
    for (const not of ['an info', 'a closed one', 'elsewhere']) expect(told).not.toContain(not);
  });

  test('for a prompt that is about them, once', async () => {
    const { key, add, session } = await member();
    const leak = await add('The connection pool leaks when a query times out', { detail: 'seen in pool.ts' });
    await add('The button of the login page has the wrong colour');
    await server.settled();
    const one = session();
    const told = contextOf(await one.prompt('Fix the connection pool: it leaks when queries time out'));
    expect(told).toContain('The connection pool leaks');
    expect(told).toContain(`lore:${leak.id.slice(0, 8)}`);
    expect(told).not.toContain('button');
    expect(contextOf(await one.prompt('The connection pool still leaks when queries time out'))).toBe('');
    expect(contextOf(await session().prompt('Write a poem about the sea'))).toBe('');
    await add('Main thread Core Data fetch in LibraryView', {
      detail:
        'LibraryStore.loadAll() runs a fetch of all tracks on the view context and hangs for 900 ms with 10k tracks.',
    });
    await server.settled();
    const inOtherWords = 'opening the collection tab freezes for huge collections';
    expect(contextOf(await session().prompt(inOtherWords))).toBe('');
    await server.request('PUT', '/v1/settings', { key, body: { voice: { finding: 'all' } } });
    expect(contextOf(await session().prompt(inOtherWords))).toContain('LibraryView');
  });

  test('for a prompt that names their file, whatever else it says, but not for a question', async () => {
    const { add, session } = await member();
    await add('Retries hammer the mail gateway', { file: 'src/mail/retry.ts', line: 12 });
    await add('A label is cut off', { file: 'src/menu.ts' });
    const named = '1. [finding, medium] Retries hammer the mail gateway src/mail/retry.ts:12 (lore:';
    for (const file of ['src/mail/retry.ts', '@src/mail/retry.ts', 'retry.ts', './src/mail/retry.ts'])
      expect(contextOf(await session().prompt(`rename the constants in ${file}`))).toContain(named);
    for (const prompt of ['rename the constants in src/mail/try.ts', 'what does src/mail/retry.ts do?'])
      expect(contextOf(await session().prompt(prompt))).toBe('');
  });
});
