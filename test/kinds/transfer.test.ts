import { expect, test } from 'vitest';
import { sharedServer, startTestServer, type TestServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const elsewhere = await startTestServer({ LORE_MODEL_DIR: '' });

type Rec = Record<string, unknown> & { type: string; id: string };

async function member(on: TestServer) {
  const { key } = await on.member();
  const ask = (method: string, path: string, body?: unknown) =>
    on.request(method, path, { key, ...(body !== undefined && { body }) });
  const exported = async (limit = 3): Promise<Rec[]> => {
    const records: Rec[] = [];
    for (let after = ''; ; ) {
      const { body } = await ask('GET', `/v1/export?limit=${limit}${after}`);
      records.push(...body.records);
      if (body.next === null) return records;
      after = `&after=${body.next}`;
    }
  };
  const restore = async (records: unknown[]) => (await ask('POST', '/v1/import', { records })).body;
  return { ask, exported, restore };
}

async function lived() {
  const who = await member(server);
  const { ask } = who;
  const fact = { type: 'service', key: 'port' };
  for (const value of [8080, { a: 'text' }, 'x']) await ask('PUT', '/v1/facts', { ...fact, value });
  await ask('PUT', '/v1/facts', {
    ...fact,
    value: 'app’s',
    project: 'app',
    validFrom: '2026-01-01T00:00:00Z',
  });
  await ask('POST', '/v1/facts/undo', fact);
  const entity = (key: string) => ({ type: 'service', key });
  await ask('PUT', '/v1/relations', {
    from: entity('a'),
    relation: 'calls',
    to: entity('b'),
    attributes: { n: 1 },
  });
  await ask('POST', '/v1/relations/end', { from: entity('a'), relation: 'calls', to: entity('b') });
  const older = (await ask('POST', '/v1/decisions', { condition: 'c', action: 'a' })).body;
  await ask('POST', '/v1/decisions', {
    condition: 'c',
    action: 'b',
    supersedes: older.id,
    learnedFrom: 'us',
    project: 'app',
  });
  return { ...who, older };
}

/** Everything but the id of a link, which is made anew. */
const comparable = (records: Rec[]) =>
  records.map(({ id, ...rest }) => JSON.stringify(rest.type === 'amendment' ? rest : { id, ...rest })).sort();

test('every row of both clocks is exported and restored, and a link that was restored can be undone', async () => {
  const ann = await lived();
  const records = await ann.exported();
  expect(new Set(records.map(({ type }) => type))).toEqual(
    new Set(['fact', 'relation', 'decision', 'amendment']),
  );
  expect(records.filter(({ type }) => type === 'fact').length).toBeGreaterThan(6);
  const other = await member(elsewhere);
  expect(await other.restore(records)).toEqual({ imported: records.length, skipped: 0, failed: [] });
  expect(comparable(await other.exported())).toEqual(comparable(records));
  expect(await other.restore(records)).toEqual({ imported: 0, skipped: records.length, failed: [] });
  // what is believed now, and what was
  const values = async (query: string) =>
    (await other.ask('GET', `/v1/facts?type=service&key=port${query}`)).body.facts.map(
      (f: { value: unknown }) => f.value,
    );
  expect(await values('')).toEqual(['app’s', { a: 'text' }]);
  const learned = records.filter(({ value }) => value === 'x').map(({ recordedAt }) => String(recordedAt))[0];
  expect(await values(`&recordedAsOf=${encodeURIComponent(learned as string)}`)).toContain('x');
  const [link] = (await other.ask('GET', '/v1/amendments')).body.amendments;
  const actions = async () =>
    (await other.ask('GET', '/v1/decisions')).body.decisions
      .map(({ action }: { action: string }) => action)
      .sort();
  expect(await actions()).toEqual(['b']);
  await other.ask('POST', `/v1/amendments/${link.id}/undo`);
  expect(await actions()).toEqual(['a', 'b']);
  // a restored key goes on
  expect(
    (await other.ask('POST', '/v1/facts/undo', { type: 'service', key: 'port' })).body.facts,
  ).toMatchObject([{ value: 8080 }]);
  // another account may have the same ids
  expect(await (await member(server)).restore(records)).toMatchObject({
    imported: records.length,
    failed: [],
  });
});
