import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';

import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// A night redacts what older rules have stored. The old rules are played by SQL that puts a secret into rows.

const SECRET = 'k7Q2xV9pL4wT8nB1sY6dR3mZ5hJ0gC2f';
const server = await sharedServer({ model: false });

test('a night redacts what older rules have stored, in every table, and says so once', async () => {
  const { key, userId } = await server.member();
  const session = await startedSession(server, { key });
  await session.bashWorks('echo PLACE', 'PLACE');
  await session.bashWorks('seq 9000', Array.from({ length: 9000 }, (_, n) => `PLACE line ${n}`).join('\n'));
  await session.stop('It is done.');
  const note = { project: session.cwd, content: 'The key stands in PLACE.', agent: 'ada' };
  const { id } = (await server.request('POST', '/v1/notes', { key, body: note })).body;
  const fact = { type: 'env', key: 'deploy', value: { line: 'PLACE' }, project: session.cwd };
  await server.request('PUT', '/v1/facts', { key, body: fact });
  await server.settled();
  const old = `STRIPE_KEY=${SECRET}`;
  const columns = await server.rows<{ name: string; column: string; type: string }>(
    `select c.relname as name, a.attname as column, a.atttypid::regtype::text as type
     from pg_policy p join pg_class c on c.oid = p.polrelid join pg_attribute a on a.attrelid = c.oid
     where p.polname = 'own rows' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and a.atttypid in ('text'::regtype, 'jsonb'::regtype)`,
  );
  const holding = async (text: string) => {
    const found: string[] = [];
    for (const { name, column } of columns) {
      const [row] = await server.rows(
        `select from ${name} where user_id = '${userId}' and ${column}::text like '%${text}%' limit 1`,
      );
      if (row) found.push(`${name}.${column}`);
    }
    return found;
  };
  const places = await holding('PLACE');
  expect(places).toEqual(expect.arrayContaining(['events.payload', 'notes.content', 'facts.value']));
  for (const { name, column, type } of columns) {
    if (!places.includes(`${name}.${column}`)) continue;
    await server.rows(
      `update ${name} set ${column} = replace(${column}::text, 'PLACE', '${old}')::${type}
       where user_id = '${userId}' and ${column}::text like '%PLACE%'`,
    );
  }
  expect(await holding(SECRET)).toEqual(
    expect.arrayContaining(['events.payload', 'notes.content', 'facts.value']),
  );

  const long = deflateSync(`first\n${old}\nlast`).toString('hex');
  await server.rows(`update observations set content = '\\x${long}' where user_id = '${userId}'`);
  const [observation] = await server.rows(`select id from observations where user_id = '${userId}'`);

  const night = async () => {
    const begun = await server.request('POST', '/v1/consolidation/runs', { key });
    expect(begun.status).toBe(200);
    await server.settled();
    return (await server.request('GET', `/v1/consolidation/runs/${begun.body.id}`, { key })).body;
  };
  const first = await night();
  expect(first).toMatchObject({ stage: 'done', error: null });
  expect(first.counts.redacted).toBeGreaterThanOrEqual(3);
  expect(await holding(SECRET)).toEqual([]);
  const { body } = await server.request('GET', `/v1/notes/${id}`, { key });
  expect(body.content).toBe('The key stands in STRIPE_KEY=[redacted].');
  const output = (await server.request('GET', `/v1/observations/${observation.id}`, { key })).body;
  expect(output.content.map(({ text }: { text: string }) => text)).toEqual([
    'first',
    'STRIPE_KEY=[redacted]',
    'last',
  ]);
  expect((await night()).counts.redacted).toBeUndefined();
});
