import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { played, tableOf } from '../support/tables.ts';

const server = await sharedServer({ model: false });
const elsewhere = await sharedServer();

type Rec = Record<string, unknown> & { type: string; id: string };

async function member(on: TestServer) {
  const { key, userId, ask } = await on.member();
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
  return { ask, key, userId, exported, restore };
}

async function lived() {
  const who = await member(server);
  const { ask } = who;
  await played(tableOf('lived'), ask);
  await server.rows(`update citations set hash = 'present', state = 'gone' where user_id = '${who.userId}'`);
  // what sessions and nights make
  const step = { action: 'npm test', tool: 'Bash', targetKind: 'test', ok: true };
  const template = { steps: ['run make'], commonFiles: [] };
  const rows = {
    episodes: {
      start_key: 'k',
      description: 'Fix it',
      type: 'bugfix',
      steps: [step],
      files_modified: ['a.ts'],
    },
    patterns: {
      ...{ type: 'error_recovery', form: 'f', name: 'n', template, signature: 's', episodes: 2, sessions: 2 },
      ...{ successes: 2, failures: 0 },
    },
    session_audits: {
      ...{ status: 'done', evaluated_by: 'audit:m' },
      answer: { verdict: 'partial', learnings: [], errorsFound: [], recommendedNextSteps: ['Measure'] },
    },
  };
  for (const [table, row] of Object.entries(rows)) {
    const values = Object.values(row).map((one) => {
      if (Array.isArray(one) && typeof one[0] === 'string') return `array['${one.join("','")}']`;
      return typeof one === 'object' ? `'${JSON.stringify(one)}'::jsonb` : `'${one}'`;
    });
    const times =
      { episodes: ['started_at', 'ended_at'], patterns: ['id', 'last_used', 'valid_from'] }[table] ?? [];
    await server.rows(`insert into ${table} (user_id, project_id, ${[...Object.keys(row), ...times].join(', ')})
      select user_id, id, ${[...values, ...times.map((name) => (name === 'id' ? 'gen_random_uuid()' : 'now()'))].join(', ')}
      from projects where user_id = '${who.userId}' and name = 'app'`);
  }
  return who;
}

const comparable = (records: Rec[]) => records.map((record) => JSON.stringify(record)).sort();

test('all that is known is exported in pages and restored once; a link that was restored can be undone', async () => {
  const ann = await lived();
  const records = await ann.exported();
  expect(await ann.exported(500)).toEqual(records);
  const types =
    'channel agent citation note finding findingLink fact relation decision audit episode skill pattern learning amendment';
  expect(new Set(records.map(({ type }) => type))).toEqual(new Set(types.split(' ')));
  expect(JSON.stringify(records)).not.toContain(ann.userId);
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
  const of = (type: string) => records.find((record) => record.type === type) as Rec;
  const nowhere = { ...of('findingLink'), to: crypto.randomUUID() };
  // one version of a skill holds at a time
  const clash = { ...records.findLast(({ type }) => type === 'skill'), id: crypto.randomUUID() };
  const old = { type: 'rated-search', ratedAt: '2026-01-01T00:00:00Z' };
  const createdAt = '2026-01-01T00:00:00.123456+00:00';
  const exact = { ...of('note'), id: crypto.randomUUID(), key: null, createdAt };
  const answer = await other.restore([nowhere, clash, old, exact]);
  expect(answer).toEqual({ imported: 1, skipped: 3, failed: [] });
  expect((await other.exported()).map((record) => record.createdAt)).toContain(createdAt);
  // another account may have the same ids
  expect(await (await member(server)).restore(records)).toMatchObject({
    imported: records.length,
    failed: [],
  });
  const { erased } = (await ann.ask('POST', '/v1/erase', { project: 'app' })).body;
  const gone = { notes: 1, findings: 2, skills: 1, episodes: 1, patterns: 1, audits: 1 };
  expect(erased).toMatchObject(gone);
  expect((await ann.exported()).filter(({ project }) => project === 'app')).toEqual([]);
});

test('long outputs are exported if they are asked for, and redacted again where they are restored', async () => {
  const ann = await member(server);
  const long = 'a line of the log\n'.repeat(200);
  await hookSession(server, { key: ann.key, cwd: '/home/dev/app' }).bashWorks('make', long);
  const outputs = async (query: string) => {
    const { records } = (await ann.ask('GET', `/v1/export?limit=500${query}`)).body;
    return records.filter(({ type }: Rec) => type.startsWith('observation')) as Rec[];
  };
  expect(await outputs('')).toEqual([]);
  expect(await outputs('&observations=true&project=app')).toHaveLength(2);
  const records = await outputs('&observations=true');
  expect(records.map(({ type }) => type)).toEqual(['observation', 'observationSource']);
  const other = await member(elsewhere);
  expect(await other.restore(records)).toEqual({ imported: 2, skipped: 0, failed: [] });
  expect(await other.restore(records)).toEqual({ imported: 0, skipped: 2, failed: [] });
  const [one] = (await other.ask('GET', '/v1/observations')).body.observations;
  expect(one).toMatchObject({ about: 'make', lines: 200, project: '/home/dev/app' });
  expect((await other.ask('GET', `/v1/observations/${one.id}?from=1&to=1`)).body.content).toMatchObject([
    { text: 'a line of the log' },
  ]);
  // as exports before 0.7 had it, and with what is a secret
  const secret = deflateSync(`key AKIAQ7ZX2V4M9K1PB8TD\n${long}`).toString('base64');
  const old = { type: 'observation', id: '1a2b3c4d5e6f', whole: true, content: secret, sources: [] };
  const answer = await other.restore([old, { ...old, content: 'no text' }]);
  expect(answer).toMatchObject({
    imported: 1,
    failed: [{ line: 2, reason: expect.stringMatching(/^content:/) }],
  });
  const stored = await elsewhere.rows(`select id from observations where user_id = '${other.userId}'`);
  expect(stored).toHaveLength(2);
  for (const { id } of stored)
    expect(JSON.stringify((await other.ask('GET', `/v1/observations/${id}`)).body)).not.toContain('Q7ZX2V4M');
});
