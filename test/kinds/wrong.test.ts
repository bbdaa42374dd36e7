import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

// What a schema says of each field is tried on every route by test/server/api/requests.test.ts. Here is what it does not say.

const server = await sharedServer();
const FACT = { type: 'service', key: 'port', value: 1 };
const EDGE = { from: { type: 'a', key: 'b' }, relation: 'calls', to: { type: 'c', key: 'd' } };
const DECISION = { condition: 'a', action: 'b' };
const FINDING = { project: 'app', title: 'x' };
const NOTE = { project: 'app', content: 'x' };
const [JAN, FEB] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
const NOBODY = '00000000-0000-4000-8000-000000000000';
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const cited = { kind: 'note', id: NOBODY, ref: 'file:a', state: 'gone' };

test.each<[route: string, body: unknown, field: string]>([
  ['PUT /v1/facts', { ...FACT, value: null }, 'value'],
  ['PUT /v1/facts', { ...FACT, value: 'x'.repeat(20_000) }, 'value'],
  ['PUT /v1/facts', { ...FACT, value: nested(200) }, 'value'],
  ['PUT /v1/facts', { ...FACT, value: { 'a\0': ['\ud800'] } }, 'value'],
  ['PUT /v1/facts', { ...FACT, value: 2 ** 60 }, 'value'],
  ['PUT /v1/facts', '{"type":"a","key":"b","value":{"n":1e400}}', 'value'],
  ['PUT /v1/facts', { ...FACT, key: 'a\0' }, 'key'],
  ['PUT /v1/facts', { ...FACT, validFrom: '+010000-01-01T00:00:00Z' }, 'validFrom'],
  ['PUT /v1/facts', { ...FACT, validFrom: FEB, validUntil: FEB }, 'validUntil'],
  ['PUT /v1/facts', { ...FACT, validUntil: JAN }, 'validUntil'],
  ['PUT /v1/facts', { ...FACT, project: 'a\0' }, 'project'],
  ['PUT /v1/facts', { ...FACT, session: 'a\0b' }, 'session'],
  ['PUT /v1/relations', { ...EDGE, from: { type: 'a', key: 'a\0' } }, 'from.key'],
  ['PUT /v1/relations', { ...EDGE, attributes: { a: 'x'.repeat(20_000) } }, 'attributes'],
  ['PUT /v1/relations', { ...EDGE, validFrom: FEB, validUntil: JAN }, 'validUntil'],
  ['POST /v1/decisions', { ...DECISION, supersedes: NOBODY }, 'supersedes'],
  ['POST /v1/decisions', { ...DECISION, supersedes: 'no-such-id' }, 'supersedes'],
  ['POST /v1/decisions', { ...DECISION, validUntil: JAN }, 'validUntil'],
  ['POST /v1/findings', { ...FINDING, line: 0 }, 'line'],
  ['POST /v1/notes', [NOTE, { ...NOTE, colour: 'red' }], '1'],
  ['POST /v1/notes', [NOTE, { ...NOTE, supersedes: NOBODY }], '1.supersedes'],
  ['POST /v1/notes', { content: 'x' }, 'project'],
  ['POST /v1/freshness', { head: 'main', looked: [cited] }, 'head'],
  ['POST /v1/freshness', { looked: [{ ...cited, state: 'there', hash: 'x' }] }, 'looked.0.hash'],
  ['POST /v1/erase', { session: 'a', project: 'b' }, '(body)'],
  ['GET /v1/facts?asof=2026-01-01T00:00:00Z', undefined, '(body)'],
  ['GET /v1/facts?project=%00', undefined, ''],
])('%s refuses %j, and nothing is kept', async (route, body, field) => {
  const { key } = await server.member();
  const [method = '', path = ''] = route.split(' ');
  const answer = await server.request(method, path, { key, body });
  expect([answer.status, answer.body.errors?.[0]?.field ?? '']).toEqual([400, field]);
  for (const kind of ['facts', 'relations', 'decisions', 'findings', 'notes'])
    expect((await server.request('GET', `/v1/${kind}`, { key })).body[kind]).toEqual([]);
});
