import { describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

type Fact = {
  id: string;
  value: unknown;
  project: string | null;
  tier: string;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  confirmations: number;
};

async function member(scope?: 'hooks' | 'device') {
  const { key: owner, keyOf } = await server.member();
  const key = scope ? await keyOf(scope) : owner;
  const ask = (method: string, path: string, body?: unknown, as = key) =>
    server.request(method, path, { key: as, body });
  const put = (value: unknown, more: object = {}, as = key) =>
    ask('PUT', '/v1/facts', { type: 'service', key: 'gateway.port', value, ...more }, as);
  const list = async (query = ''): Promise<Fact[]> => (await ask('GET', `/v1/facts${query}`)).body.facts;
  const now = async (query = '') =>
    (await list(`?type=service&key=gateway.port${query}`)).map(({ value }) => value);
  const history = async (query = ''): Promise<Fact[]> =>
    (await ask('GET', `/v1/facts/history?type=service&key=gateway.port${query}`)).body.facts;
  const undo = (more: object = {}) =>
    ask('POST', '/v1/facts/undo', { type: 'service', key: 'gateway.port', ...more });
  const end = (more: object = {}) =>
    ask('POST', '/v1/facts/end', { type: 'service', key: 'gateway.port', ...more });
  return { owner, key, ask, put, list, now, history, undo, end };
}
/** The periods that are believed now. */
const periods = (facts: Fact[]) =>
  facts
    .filter(({ recordedUntil }) => recordedUntil === null)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
    .map((f) => [f.value, f.validFrom.slice(0, 10), f.validUntil?.slice(0, 10) ?? null]);

const JAN = '2026-01-01T00:00:00Z';
const FEB = '2026-02-01T00:00:00Z';
const MAR = '2026-03-01T00:00:00Z';
const DEC = '2090-12-01T00:00:00Z';

describe('a value', () => {
  test('closes the one before it; the same again confirms it', async () => {
    const { put, now, history } = await member();
    const first = await put(8080);
    expect([first.status, first.body.value, first.body.outcome, first.body.tier]).toEqual([
      201,
      8080,
      'opened',
      'person',
    ]);
    const second = await put(9090);
    expect(second.body).toMatchObject({
      value: 9090,
      outcome: 'opened',
      replaced: first.body.id,
      validUntil: null,
    });
    expect(await now()).toEqual([9090]);
    const again = await put(9090);
    expect([again.status, again.body.outcome, again.body.id]).toEqual([200, 'confirmed', second.body.id]);
    expect(again.body.confirmations).toBe(1);
    expect(again.body.confirmedAt > second.body.confirmedAt).toBe(true);
    expect(again.body.recordedAt).toBe(second.body.recordedAt);
    const rows = (await history()).map((f) => [f.value, f.validUntil !== null, f.recordedUntil !== null]);
    expect(rows).toEqual([
      [8080, false, true],
      [8080, true, false],
      [9090, false, false],
    ]);
    expect(await now(`&asOf=${encodeURIComponent(first.body.validFrom)}`)).toEqual([8080]);
    expect(await now(`&asOf=${encodeURIComponent(second.body.validFrom)}`)).toEqual([9090]);
    expect(await now(`&asOf=${JAN}`)).toEqual([]);
  });

  test('ends without a successor, by validUntil or by the end route', async () => {
    const { put, now, end, history } = await member();
    await put('a', { validFrom: JAN });
    await put('b', { validUntil: DEC });
    expect(await now()).toEqual(['b']);
    expect(await now(`&asOf=${DEC}`)).toEqual([]);
    const ended = await end();
    expect([ended.status, ended.body.fact.value]).toEqual([200, 'b']);
    expect(await now()).toEqual([]);
    expect((await end()).status).toBe(404);
    expect((await end({ at: FEB })).body.fact).toMatchObject({
      value: 'a',
      validUntil: expect.stringMatching(/^2026-02/),
    });
    expect(periods(await history()).map(([value]) => value)).toEqual(['a', 'b']);
  });

  test('is found from every project if it belongs to none; a project’s own comes first', async () => {
    const { put, now, list } = await member();
    await put('mine');
    expect(await now('&project=never-seen')).toEqual(['mine']);
    await put('app’s', { project: 'app' });
    await put('other’s', { project: '/home/dev/other' });
    expect(await now('&project=app')).toEqual(['app’s', 'mine']);
    expect((await now()).sort()).toEqual(['app’s', 'mine', 'other’s']);
    expect((await list('?project=app&type=service')).map(({ project }) => project).sort()).toEqual([
      'app',
      null,
    ]);
  });
});

describe('two clocks', () => {
  test('tell what was believed on one day about another', async () => {
    const { put, now, history } = await member();
    const monday = encodeURIComponent((await put('blue', { validFrom: JAN })).body.recordedAt);
    await put('green', { validFrom: FEB });
    expect(await now(`&asOf=${MAR}`)).toEqual(['green']);
    expect(await now(`&asOf=${MAR}&recordedAsOf=${monday}`)).toEqual(['blue']);
    expect(await now(`&asOf=${MAR}&recordedAsOf=${JAN}`)).toEqual([]);
    expect((await history(`&recordedAsOf=${monday}`)).map((f) => f.value)).toEqual(['blue']);
    expect((await history(`&asOf=${MAR}`)).map((f) => f.value)).toEqual(['blue', 'green']);
  });
});

describe('undo', () => {
  test('of a change that later ones were built on is refused', async () => {
    const { put, undo, now } = await member();
    const first = (await put('a')).body;
    const second = (await put('b')).body;
    await put('c');
    const refused = await undo({ id: second.id });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('Later changes of service gateway.port (1)');
    expect((await undo({ id: first.id })).body.detail).toContain('(2)');
    expect(await now()).toEqual(['c']);
    await undo();
    expect((await undo({ id: second.id })).body.facts).toMatchObject([{ value: 'a', validUntil: null }]);
    expect((await undo({ id: second.id })).body.title).toBe('Undone before');
    expect((await undo({ id: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
  });
});

describe('tiers', () => {
  test('an agent’s key states as an agent, and never as a person', async () => {
    const { put, ask } = await member('hooks');
    expect((await put('x')).body.tier).toBe('agent');
    expect((await put('y', { tier: 'observed' })).body.tier).toBe('observed');
    const refused = await put('z', { tier: 'person' });
    expect([refused.status, refused.body.errors[0].field]).toEqual([403, 'tier']);
    const end = { type: 'service', key: 'gateway.port', tier: 'person' };
    expect((await ask('POST', '/v1/facts/end', end)).status).toBe(403);
    expect((await ask('POST', '/v1/facts/undo', { type: 'service', key: 'gateway.port' })).status).toBe(403);
  });

  test('a lighter one does not replace, end or cut a weightier one, and is told so', async () => {
    const { owner, put, end, now, history, ask } = await member('hooks');
    await put('person’s', { validFrom: JAN }, owner);
    for (const more of [
      {},
      { tier: 'inferred' },
      { validFrom: MAR },
      { validFrom: '2025-01-01T00:00:00Z', validUntil: MAR },
    ]) {
      const refused = await put('agent’s', more);
      expect([refused.status, refused.body.title]).toEqual([409, 'Outranked']);
      expect(refused.body.detail).toContain('tier person');
    }
    expect((await end()).status).toBe(409);
    expect(await now()).toEqual(['person’s']);
    expect(await history()).toHaveLength(1);
    // before it, and when it has ended
    expect((await put('agent’s', { validFrom: '2025-01-01T00:00:00Z' })).status).toBe(201);
    expect((await put('person’s')).body).toMatchObject({ outcome: 'confirmed', tier: 'person' });
    await ask('POST', '/v1/facts/end', { type: 'service', key: 'gateway.port' }, owner);
    expect((await put('agent’s')).status).toBe(201);
    expect((await put('inferred', { tier: 'inferred' })).status).toBe(409);
    expect((await put('observed', { tier: 'observed' })).status).toBe(201);
  });
});

test('20 writers of one key leave one unbroken history', async () => {
  const { put, history, ask } = await member();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put(n)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const rows = (await history()).filter(({ recordedUntil }) => recordedUntil === null);
  rows.sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
  expect(rows.map(({ value }) => value).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, n) => n),
  );
  expect(rows.map(({ validUntil }) => validUntil)).toEqual([
    ...rows.slice(1).map(({ validFrom }) => validFrom),
    null,
  ]);
  const same = await Promise.all(
    Array.from({ length: 10 }, () => ask('PUT', '/v1/facts', { type: 't', key: 'k', value: 1 })),
  );
  expect(same.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
});

describe('secrets', () => {
  test('are redacted in values, and refused in keys', async () => {
    const { ask, put } = await member();
    const token = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;
    expect((await put(`use ${token}`)).body.value).not.toContain(token);
    const refused = await ask('PUT', '/v1/facts', { type: 'x', key: token, value: 1 });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'key']);
    expect(JSON.stringify(refused.body)).not.toContain(token);
  });
});
