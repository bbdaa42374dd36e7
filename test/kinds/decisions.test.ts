import { describe, expect, test } from 'vitest';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

async function member(scope?: 'hooks') {
  const { key: owner, keyOf } = await server.member();
  const key = scope ? await keyOf(scope) : owner;
  const ask = (method: string, path: string, body?: unknown, as = key) =>
    server.request(method, path, { key: as, body });
  const decide = (condition: string, action: string, more: object = {}, as = key) =>
    ask('POST', '/v1/decisions', { project: 'app', condition, action, ...more }, as);
  const list = async (query = '') => (await ask('GET', `/v1/decisions${query}`)).body.decisions;
  const actions = async (query = '') => (await list(query)).map(({ action }: { action: string }) => action);
  const show = async (id: string) => ask('GET', `/v1/decisions/${id}`);
  const links = async () => (await ask('GET', '/v1/amendments', undefined, owner)).body.amendments;
  const link = async (id: string, what: 'undo' | 'restore') =>
    ask('POST', `/v1/amendments/${id}/${what}`, undefined, owner);
  return { owner, key, ask, decide, list, actions, show, links, link };
}

const EMULATOR = ['the integration tests cannot reach the database', 'run `npm run emulator` first'] as const;

describe('a decision', () => {
  test('is in force until it is ended; the same again confirms it', async () => {
    const { ask, decide, actions, show } = await member();
    const made = await decide(...EMULATOR, { learnedFrom: 'the outage in May' });
    expect([made.status, made.body.tier, made.body.learnedFrom]).toEqual([
      201,
      'person',
      'the outage in May',
    ]);
    expect((await decide(...EMULATOR)).body).toMatchObject({
      outcome: 'confirmed',
      id: made.body.id,
      confirmations: 1,
    });
    expect(await actions('?project=app')).toEqual([EMULATOR[1]]);
    const { id } = made.body;
    expect((await ask('POST', `/v1/decisions/${id}/end`, { at: '2020-01-01T00:00:00Z' })).status).toBe(409);
    const ended = await ask('POST', `/v1/decisions/${id.slice(0, 8)}/end`, {});
    expect([ended.status, ended.body.validUntil]).toEqual([200, expect.any(String)]);
    expect(await actions()).toEqual([]);
    expect(await actions(`?asOf=${encodeURIComponent(made.body.validFrom)}`)).toEqual([EMULATOR[1]]);
    const then = (at: string) => ask('GET', `/v1/decisions/${made.body.id}?asOf=${encodeURIComponent(at)}`);
    expect((await then(made.body.validFrom)).body.action).toBe(EMULATOR[1]);
    expect((await then('2001-01-01T00:00:00Z')).status).toBe(404);
    expect((await show(id)).body.history.map((row: { closedBy: string }) => row.closedBy)).toEqual([
      'end',
      null,
    ]);
    expect((await decide(...EMULATOR)).body).toMatchObject({ outcome: 'opened' });
  });

  test('ends the one that it supersedes; undoing the link lets that hold again', async () => {
    const { decide, actions, links, link, show } = await member();
    const a = (await decide('sessions expire', 'refresh them after ten minutes')).body;
    const b = (
      await decide('sessions expire', 'refresh them after an hour', { supersedes: a.id.slice(0, 8) })
    ).body;
    expect(await actions()).toEqual(['refresh them after an hour']);
    expect((await show(a.id)).body.validUntil).toBe(b.validFrom);
    const [made] = await links();
    expect(made).toMatchObject({
      kind: 'decision',
      newer: { id: b.id },
      older: { id: a.id },
      evidence: { words: 'stated', similarity: null },
    });
    expect((await link(made.id, 'undo')).status).toBe(200);
    expect((await actions()).sort()).toEqual(
      ['refresh them after an hour', 'refresh them after ten minutes'].sort(),
    );
    await link(made.id, 'restore');
    expect(await actions()).toEqual(['refresh them after an hour']);
    expect((await show(a.id)).body.history.map((row: { openedBy: string }) => row.openedBy)).toEqual([
      'put',
      'amendment',
      'amendment',
      'amendment',
    ]);
    // its own end stays, whatever becomes of a link
    const c = (await decide('c', 'c', { validUntil: '2090-01-01T00:00:00Z' })).body;
    await decide('d', 'd', { supersedes: c.id });
    await link((await links()).find((l: { older: { id: string } }) => l.older.id === c.id).id, 'undo');
    expect((await show(c.id)).body.validUntil).toMatch(/^2090/);
  });

  test('that says that something changed supersedes the one next to it, and a person can undo that', async () => {
    const { ask, decide, actions, links, link } = await member();
    const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
    const rate = 'limit each API key to 300 requests a minute for reads and 60 for writes';
    await decide('a client calls the gateway', rate, { validFrom: day(1) });
    await decide('a list is long', 'paginate by opaque cursor, never by offset', { validFrom: day(2) });
    await decide('a webhook is sent', 'sign the raw body with HMAC-SHA256', { validFrom: day(3) });
    await server.settled();
    const newer = 'limit each API key to 600 requests a minute for reads, no longer to 300';
    await decide('a client calls the gateway', newer, { validFrom: day(9) });
    await server.settled();
    const [made, ...others] = await links();
    expect([made.evidence.words, others]).toEqual(['no longer', []]);
    expect((await actions()).includes(rate)).toBe(false);
    expect(await actions(`?asOf=${day(5)}`)).toContain(rate);
    // deciding again, as after a rebuild of the index, finds the same
    await ask('POST', '/v1/index/rebuild');
    await server.settled();
    expect((await links()).map(({ id }: { id: string }) => id)).toEqual([made.id]);
    expect((await actions()).includes(rate)).toBe(false);
    await link(made.id, 'undo');
    expect(await actions()).toContain(rate);
  });

  test('of an agent does not end a person’s, neither stated nor found', async () => {
    const { owner, ask, decide, actions, links } = await member('hooks');
    const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
    const rate = 'limit each API key to 300 requests a minute for reads and 60 for writes';
    const persons = (await decide('a client calls the gateway', rate, { validFrom: day(1) }, owner)).body;
    await server.settled();
    const newer = 'limit each API key to 600 requests a minute for reads, no longer to 300';
    const refused = await decide('a client calls the gateway', newer, { supersedes: persons.id });
    expect([refused.status, refused.body.title]).toEqual([409, 'Outranked']);
    expect((await ask('POST', `/v1/decisions/${persons.id}/end`, {})).status).toBe(409);
    expect((await decide('x', 'y', { tier: 'person' })).status).toBe(403);
    expect((await decide('a client calls the gateway', newer)).body.tier).toBe('agent');
    await server.settled();
    expect(await links()).toEqual([]);
    expect(await actions()).toContain(rate);
    // a person who says the same as an agent makes it a person's
    expect((await decide('a client calls the gateway', newer, {}, owner)).body).toMatchObject({
      tier: 'person',
      outcome: 'confirmed',
    });
  });
});

describe('decisions act', () => {
  const REVIEW = ['user asks for code review', 'activate code-review skill'] as const;
  const told = (context: string) => [...context.matchAll(/When .+(?= \(lore:[0-9a-f]{8}\))/g)].map(String);

  test('those that hold are told at a start, and what is decided meanwhile with the next work; each once', async () => {
    const { key, ask, decide } = await member();
    const { cwd, start: before } = hookSession(server, { key });
    await before();
    const here = { project: cwd };
    await decide(...REVIEW, here);
    const gone = (await decide('tests need a database', 'mock it', here)).body;
    await ask('POST', `/v1/decisions/${gone.id}/end`, {});
    await decide('doubtful', 'do not tell it', { ...here, confidence: 0.3 });
    await ask('POST', '/v1/projects', { name: 'elsewhere' });
    await decide('in another project', 'do something else', { project: 'elsewhere' });

    const later = hookSession(server, { key, cwd });
    const start = contextOf(await later.start());
    expect(start).toContain('Records, not instructions');
    expect(start).toContain('\nDecisions that hold here:\n1. ');
    expect(told(start)).toEqual([`When ${REVIEW[0]}: ${REVIEW[1]}`]);
    expect(contextOf(await later.prompt('Please do a code review of src/retry.ts and fix it'))).toBe('');
    await decide(...EMULATOR, here);
    expect(told(contextOf(await later.prompt('what does src/retry.ts do?')))).toEqual([]);
    expect(told(contextOf(await later.prompt('Rename the colour of the button to teal')))).toEqual([
      `When ${EMULATOR[0]}: ${EMULATOR[1]}`,
    ]);
    expect(contextOf(await later.prompt('Rename it to azure'))).toBe('');
    // a subagent has a context of its own
    const agent = await later.send('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' });
    expect(told(contextOf(agent))).toHaveLength(2);
    await ask('PUT', '/v1/settings', { voice: { decision: 'none' } });
    expect(contextOf(await hookSession(server, { key, cwd }).start())).toBe('');
  });

  test('of many as many are told as fit, a person’s first', async () => {
    const { key, owner, decide } = await member('hooks');
    const session = await startedSession(server, { key });
    const here = { project: session.cwd };
    for (let n = 0; n < 20; n++)
      await decide(`the agent meets case ${n} of the long list`, 'do what the list says of it', here);
    await decide(...REVIEW, here, owner);
    const start = told(contextOf(await hookSession(server, { key, cwd: session.cwd }).start()));
    expect(start[0]).toBe(`When ${REVIEW[0]}: ${REVIEW[1]}`);
    expect(start.length).toBeGreaterThan(10);
    expect(start.length).toBeLessThan(20);
  });
});
