import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { tableOf } from '../support/tables.ts';

// What a schema says of each field is tried on every route by test/server/api/requests.test.ts. Here is what it does not say.

const server = await sharedServer();
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const known = { long: 'x'.repeat(20_000), nested: JSON.stringify(nested(200)) };

test.each(tableOf('wrong', known))(
  '%s refuses a wrong %s, and nothing is kept',
  async (route = '', field, body) => {
    const { key } = await server.member();
    const [method = '', path = ''] = route.split(' ');
    const answer = await server.request(method, path, { key, body: body || undefined });
    expect([answer.status, answer.body.errors?.[0]?.field ?? '-']).toEqual([400, field]);
    for (const kind of ['facts', 'relations', 'decisions', 'findings', 'notes', 'skills'])
      expect((await server.request('GET', `/v1/${kind}`, { key })).body[kind]).toEqual([]);
  },
);
