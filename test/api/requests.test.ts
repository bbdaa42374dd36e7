// Longer than 400 lines because every route has its example here, and all kinds of wrong input are tried on each route.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CODES } from '../../src/errors/codes.ts';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

// biome-ignore lint/suspicious/noExplicitAny: read from a document; using it checks it
type Any = any;

const document: Any = (await server.request('GET', '/openapi.json', { key: null })).body;
const operations: { name: string; method: string; path: string; operation: Any }[] = Object.entries<Any>(
  document.paths,
).flatMap(([path, item]) =>
  Object.entries<Any>(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);
const named = (some: typeof operations) => some.map((o): [string, typeof o] => [o.name, o]);

const resolve = (schema: Any): Any =>
  schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;
/** Returns the schema of the object where a body may be one object or a list of them. */
const bodySchema = (operation: Any) => {
  const schema = resolve(operation.requestBody?.content['application/json'].schema);
  return schema?.anyOf ? resolve(schema.anyOf[0]) : schema;
};

const { key } = await server.member('tester');

const LESSON = {
  project: '/home/dev/app',
  lesson: 'Start the emulator with `npm run emulator` before the integration tests of the billing service',
  context: 'when integration tests cannot connect to port 8085',
  appliesTo: ['npm test'],
  keywords: ['emulator'],
};
const learning = (await server.request('POST', '/v1/learnings', { key, body: LESSON })).body.learning;
const session = hookSession(server, { key, cwd: '/home/dev/app' });
await session.start();
await session.bashWorks('cat a.log', 'a line of it\n'.repeat(100));
const callId = `toolu_${session.session_id}_asked`;
await session.send('PreToolUse', {
  tool_name: 'Read',
  tool_input: { file_path: 'a.log' },
  tool_use_id: callId,
});
await session.bashFails('make', 'Exit code 2\nmake: *** No rule to make target');
await server.settled();
// the session would be read when it has been quiet for a minute, in the middle of these tests
await server.rows(`update learning_requests set run_after = 'infinity' where status = 'pending'`);

const newAudit = async () =>
  (
    await server.rows(`insert into session_audits (user_id, project_id, session_id, status)
      select user_id, project_id, id, 'waiting' from sessions where client_session_id = '${session.session_id}'
      on conflict (user_id, session_id) do update set status = 'waiting', answer = null returning id`)
  )[0].id;
const AUDIT = {
  agent: 'tester',
  verdict: 'partial',
  learnings: [{ lesson: 'Call `make all`', context: 'building', confidence: 0.7, appliesTo: ['make'] }],
  errorsFound: [{ type: 'make', description: 'there is no such rule' }],
  recommendedNextSteps: ['Write the rule'],
};

const [output] = (await server.request('GET', '/v1/observations', { key })).body.observations;

const NOTE = { project: '/home/dev/app', content: 'The emulator listens on port 8085' };
const note = (await server.request('POST', '/v1/notes', { key, body: NOTE })).body;

const [{ id: link }] = await server.rows(`insert into amendments (user_id, kind, newer_id, older_id, evidence)
  select user_id, 'note', id, id, '{"words": "no longer", "similarity": 0.7, "model": "m"}' from notes
  where id = '${note.id}' returning id`);

const FINDING = { project: '/home/dev/app', title: 'The emulator hangs' };
const { id: nightId } = (await server.request('POST', '/v1/consolidation/runs', { key })).body;
await server.settled();
const finding = (await server.request('POST', '/v1/findings', { key, body: FINDING })).body;
const [{ id: episode }] =
  await server.rows(`insert into episodes (user_id, project_id, start_key, description, type,
    started_at)
  select user_id, project_id, 'start', 'start the emulator', 'feature', now() from findings
  where id = '${finding.id}' returning id`);
const newFinding = async () => (await post('/v1/findings', FINDING)).body.id;
const PLAN = { project: '/home/dev/app', goal: 'Mend the emulator', steps: [{ description: 'find it' }] };
const plan = (await server.request('POST', '/v1/plans', { key, body: PLAN })).body;
const newPlan = async () => (await post('/v1/plans', PLAN)).body.id;
const heldPlan = async () => {
  const id = await newPlan();
  await post(`/v1/plans/${id}/steps/1/claim`, { agent: 'tester' });
  return id;
};
const [{ id: pattern }] =
  await server.rows(`insert into patterns (user_id, id, project_id, type, form, name, template,
    episodes, sessions, successes, failures, last_used)
  select user_id, gen_random_uuid(), project_id, 'tool_sequence', 'a > b', 'a, b',
    '{"steps": ["a", "b"], "commonFiles": [], "typicalTools": []}', 3, 2, 3, 0, now()
  from findings where id = '${finding.id}' returning id`);
const FACT = { type: 'service', key: 'port', value: 8080, validFrom: '2026-01-01T00:00:00Z' };
const RELATION = {
  from: { type: 'service', key: 'web' },
  relation: 'calls',
  to: { type: 'service', key: 'api' },
  attributes: { port: 443 },
};
const DECISION = { condition: 'the tests need a database', action: 'run `npm run emulator` first' };
const put = async (path: string, body: object) =>
  (await server.request(path === '/v1/decisions' ? 'POST' : 'PUT', path, { key, body })).body.id as string;
const fact = await put('/v1/facts', FACT);
const relation = await put('/v1/relations', RELATION);
const decision = await put('/v1/decisions', DECISION);

const RULE = {
  when: [{ kind: 'command', program: 'npm run emulator', without: ['--port'] }],
  unless: { program: 'npm test' },
  then: 'ask',
  breaks: [{ tool: 'Bash', input: { command: 'npm run emulator' }, branch: 'main' }],
  keeps: [{ tool: 'Bash', input: { command: 'npm run emulator --port 1' }, branch: 'main' }],
};
const guard = (await server.request('PUT', `/v1/guards/${learning.id}`, { key, body: RULE })).body;

/** those of the example in RFC 8291 */
const BROWSER_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const pairing = (await server.request('POST', '/v1/pairings', { key })).body;

const COMMAND = { command: 'frobnicate --all', cwd: '/home/dev/app' };
const checked = (await server.request('POST', '/v1/commands/check', { key, body: COMMAND })).body;

/** A valid body for each route that takes one. */
const bodies: Record<string, object> = {
  'POST /v1/hooks': { session_id: 'example', hook_event_name: 'Stop', cwd: '/home/dev/app' },
  'POST /v1/search': {
    query: 'emulator',
    project: 'app',
    kinds: ['learning'],
    limit: 5,
    asOf: '2030-01-01T00:00:00+01:00',
  },
  'POST /v1/search/{id}/feedback': { useful: [learning.id] },
  'POST /v1/learnings': LESSON,
  'POST /v1/learnings/{id}/feedback': { helpful: true },
  'PUT /v1/guards/{id}': RULE,
  'PATCH /v1/guards/{id}': { state: 'on' },
  'POST /v1/notes': {
    ...NOTE,
    channel: 'decisions',
    agent: 'tester',
    createdAt: '2026-01-01T00:00:00Z',
    supersedes: note.id,
    metadata: { breadcrumbs: { commits: ['abc1234'] } },
  },
  'POST /v1/findings': FINDING,
  'PATCH /v1/findings/{id}': { status: 'in_progress', line: 3 },
  'POST /v1/plans': { ...PLAN, constraints: ['none'] },
  'PATCH /v1/plans/{id}': { goal: 'Mend it', status: 'planning' },
  'POST /v1/plans/{id}/steps': { description: 'try it', dependencies: [1], proposed: false },
  'PATCH /v1/plans/{id}/steps/{number}': { description: 'look for it', dependencies: [], waitingFor: 'Ann' },
  'POST /v1/plans/{id}/steps/{number}/claim': { agent: 'tester' },
  'POST /v1/plans/{id}/steps/{number}/complete': { agent: 'tester', outcome: 'done' },
  'POST /v1/plans/{id}/steps/{number}/fail': { agent: 'tester', outcome: 'no access' },
  'POST /v1/plans/{id}/steps/{number}/release': { agent: 'tester' },
  'POST /v1/plans/{id}/steps/{number}/notes': { agent: 'tester', text: 'it listens' },
  'PATCH /v1/patterns/{id}': { status: 'rejected' },
  'POST /v1/projects': { name: 'app' },
  'POST /v1/projects/which': { cwd: '/home/dev/app/src', root: '/home/dev/app', repo: 'example.org/a/b' },
  'POST /v1/projects/join': { from: 'app', into: 'other', dryRun: true },
  'POST /v1/projects/first-commit': { session: session.session_id, commit: 'a'.repeat(40) },
  'POST /v1/transcripts': {
    file: `${session.session_id}.jsonl`,
    cwd: session.cwd,
    from: 0,
    to: 2,
    text: '{}\n',
    turn: { promptId: null, from: null },
  },
  'POST /v1/freshness': { looked: [{ kind: 'note', id: note.id, ref: 'file:a.ts', state: 'gone' }] },
  'PUT /v1/skills/{name}': { project: 'app', file: '# Emulator', base: null },
  'POST /v1/proposals': {
    project: 'app',
    agent: 'planner',
    session: session.session_id,
    do: 'Name the folder before the pattern.',
    applies_when: 'searching',
  },
  'POST /v1/proposals/rules': {
    project: 'app',
    agent: 'planner',
    session: session.session_id,
    words: 'never delete the emulator',
    about: [{ program: 'emulate' }],
    then: 'ask',
    breaks: ['emulate rm'],
    keeps: ['ls'],
  },
  'POST /v1/audits/{id}/answer': AUDIT,
  'POST /v1/import': {
    records: [{ ...note, type: 'note', id: randomUUID() }],
  },
  'PUT /v1/facts': {
    ...FACT,
    project: 'app',
    tier: 'observed',
    source: 'compose.yaml',
    validUntil: '2030-01-01T00:00:00Z',
  },
  'POST /v1/facts/end': { type: 'service', key: 'port' },
  'POST /v1/facts/undo': { type: 'service', key: 'port' },
  'PUT /v1/relations': { ...RELATION, project: 'app' },
  'POST /v1/relations/end': { from: RELATION.from, relation: 'calls', to: RELATION.to },
  'POST /v1/relations/undo': { from: RELATION.from, relation: 'calls', to: RELATION.to },
  'POST /v1/decisions': { ...DECISION, action: 'use the one in compose.yaml', supersedes: decision },
  'POST /v1/decisions/{id}/end': { at: '2090-01-01T00:00:00Z' },
  'POST /v1/keys': { name: 'tablet' },
  'PATCH /v1/keys/{id}': { project: 'github.com/acme/shop' },
  'POST /v1/pairings/redeem': { code: pairing.code, name: 'phone' },
  'PATCH /v1/learnings/{id}': {
    context: 'when the emulator is not there',
    why: null,
    keywords: ['emulator'],
  },
  'POST /v1/users': { name: 'friend' },
  'PUT /v1/owner/sign-in': { authId: randomUUID() },
  'POST /v1/backup': { folder: join(temporaryFolder(), 'copy') },
  'POST /v1/erase': { before: '2000-01-01T00:00:00Z', keepLearned: false, dryRun: true },
  'POST /v1/sql': { query: 'select 1 as a', write: false },
  'POST /v1/commands/check': COMMAND,
  'POST /v1/commands/stops': {
    commands: ['git push'],
    project: 'app',
    cwd: '/tmp',
    root: '/tmp',
    branch: 'main',
  },
  'PUT /v1/commands/checks/{code}/judgement': { judged: 'right' },
  'POST /v1/commands/overrule': { code: checked.code, decision: 'allow', once: false },
  'PUT /v1/push': { endpoint: 'https://push.example/to/a-phone', keys: BROWSER_KEYS },
  'PUT /v1/settings': { modelSpending: 'on' },
};
/** Puts an id, or a name, into a path. What is linked is linked to `finding`. */
const fill = (path: string, id: string): string =>
  path
    .replace(/\{(?:id|name|code)\}/, () => id)
    .replace('{kind}', 'related_to')
    .replace('{number}', '1')
    .replace('{other}', finding.id);
/** The parameters that a route cannot do without. */
const needed: Record<string, string> = {
  'GET /v1/facts/history': 'type=service&key=port',
  'GET /v1/relations/neighbourhood': 'type=service&key=web',
};
const keyFor = (path: string) =>
  /^\/v1\/(?:users|owner|sql|journal|workers|backup|index\/model)/.test(path) ? server.key : key;

type Request = { headers?: Record<string, string>; body?: RequestInit['body']; key?: string | null };

async function send(method: string, path: string, request: Request = {}) {
  const used = request.key === undefined ? keyFor(path) : request.key;
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(used !== null && { authorization: `Bearer ${used}` }),
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body !== undefined && { body: request.body }),
    ...(request.body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as Any),
  };
}
const post = (path: string, body: unknown) => send('POST', path, { body: JSON.stringify(body) });

const Problem = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().min(3),
  code: z.enum(Object.values(CODES)),
  status: z.number(),
  detail: z.string().min(5),
  requestId: z.string().min(1),
  errors: z.array(z.strictObject({ field: z.string().min(1), message: z.string().min(1) })).optional(),
});

/** Checks that an answer is a refusal as documented, and returns the fields that it names. */
function expectProblem(answer: Awaited<ReturnType<typeof send>>, status: number | number[] = 400): string[] {
  expect([status].flat()).toContain(answer.status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = Problem.parse(answer.body);
  expect(problem.status).toBe(answer.status);
  expect(problem.requestId).toBe(answer.headers.get('x-request-id'));
  return [...new Set(problem.errors?.map((error) => error.field))];
}

const tables: string[] = (
  await server.rows(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
).map((row) => row.relname);

/** Asks for a number of rows and a hash of each table, in one statement. */
const STORED = tables
  .map(
    (table) => `select '${table}' as name,
        count(*) || ' ' || md5(coalesce(string_agg(row, ' ' order by row), '')) as state
      from (select (to_jsonb(t) - 'last_used_at')::text as row from "${table}" t) r`,
  )
  .join(' union all ');

/** Returns what is stored for all users. */
async function stored(): Promise<Record<string, string>> {
  await server.settled();
  const rows = await server.rows<{ name: string; state: string }>(STORED);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** Returns the number of the next transaction that writes. If it stays the same, no row of any table has changed. */
async function nextTransaction(): Promise<string> {
  const [row] = await server.rows<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  return row?.next ?? '';
}

describe('wrong input is refused, is named in the answer, and changes nothing', () => {
  let before: Record<string, string>;
  let next: string;
  beforeAll(async () => {
    before = await stored();
    next = await nextTransaction();
  });
  afterEach(async () => {
    const now = await nextTransaction();
    // to read all tables costs much, and usually nothing was even tried
    if (now !== next) expect(await stored()).toEqual(before);
    next = now;
    expect((await send('GET', '/health', { key: null })).body).toMatchObject({
      status: 'ok',
      database: { ok: true },
    });
  });
  // what a request left for later would have been done by now
  afterAll(async () => expect(await stored()).toEqual(before));

  const writing = operations.filter((o) => o.operation.requestBody);
  const bad: [what: string, status: number, Request][] = [
    ['no body', 400, {}],
    ['an empty body', 400, { body: '' }],
    ['white space', 400, { body: '  ' }],
    ['half an object', 400, { body: '{"query": "x"' }],
    ['a form', 400, { body: 'query=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['single quotes', 400, { body: "{'query': 'x'}" }],
    ['two objects', 400, { body: '{}{}' }],
    ['NaN', 400, { body: '{"limit": NaN}' }],
    ['null', 400, { body: 'null' }],
    ['a string', 400, { body: '"x"' }],
    ['a number', 400, { body: '1' }],
    ['an array', 400, { body: '[]' }],
    ['an empty object', 400, { body: '{}' }],
    ['bytes that are not UTF-8', 400, { body: Buffer.from('{"query": "\xff\xfe"}', 'latin1') }],
    ['a cut UTF-8 character', 400, { body: Buffer.from('{"query": "é"}').subarray(0, 12) }],
    ['UTF-16', 400, { body: Buffer.from('{"query": "x"}', 'utf16le') }],
    ['JSON named text', 415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['JSON named bytes', 415, { body: '{}', headers: { 'content-type': 'application/octet-stream' } }],
    ['JSON without a name', 415, { body: Buffer.from('{}'), headers: { 'content-type': '' } }],
  ];
  describe.each(named(writing))('%s', (name, { method, path, operation }) => {
    // a code that nothing has
    const url = fill(path, path.includes('{code}') ? '0123456789abcdef' : learning.id);
    const schema = bodySchema(operation);

    test('bodies', async () => {
      for (const [what, status, request] of bad) {
        // where every field may be left out, only the id leads nowhere
        if (
          url !== path &&
          !schema.required &&
          ['no body', 'an empty body', 'an empty object'].includes(what)
        ) {
          expectProblem(await send(method, url, request), [400, 404]);
          continue;
        }
        const answer = await send(method, url, request);
        expect({ what, status: answer.status }).toEqual({ what, status });
        expectProblem(answer, status);
      }
    });

    test('fields of the wrong type', async () => {
      for (const [field, property] of Object.entries<Any>(schema.properties)) {
        const types: string[] = [resolve(property).type].flat();
        if (types[0] === undefined) continue;
        const wrong = [12, 'x', true, {}, [], ['x'], [{}], null].filter(
          (value) => !types.some((type) => is(type, value)),
        );
        for (const value of wrong) {
          const fields = expectProblem(await send(method, url, { body: JSON.stringify({ [field]: value }) }));
          expect(fields.map((f) => f.split('.')[0])).toContain(field);
        }
      }
    });

    test('fields that are missing, too long or out of range', async () => {
      const body = bodies[name];
      for (const field of schema.required ?? []) {
        const { [field]: _, ...rest } = { ...body } as Record<string, unknown>;
        expect(expectProblem(await send(method, url, { body: JSON.stringify(rest) }))).toEqual([field]);
      }
      for (const [field, property] of Object.entries<Any>(schema.properties)) {
        const { maxLength, minLength, minimum, maximum, maxItems, format, ...rest } = resolve(property);
        const wrong: unknown[] = [];
        if (format === 'uuid') wrong.push('', 'x', '0', randomUUID().slice(1));
        if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1));
        if (minLength === 1) wrong.push('');
        if (minimum !== undefined) wrong.push(minimum - 1, -1e308);
        if (maximum !== undefined) wrong.push(maximum + 1, 1e308);
        if (maxItems !== undefined) wrong.push(Array(maxItems + 1).fill('x'));
        if (rest.type === 'integer') wrong.push(1.5);
        if (format === 'date-time') wrong.push(...BAD_TIMES);
        for (const value of wrong) {
          expect(
            expectProblem(await send(method, url, { body: JSON.stringify({ ...body, [field]: value }) })),
          ).toEqual([field]);
        }
        if (minimum !== undefined) {
          const huge = JSON.stringify({ ...body, [field]: 12345 }).replace('12345', '1e999');
          expect(expectProblem(await send(method, url, { body: huge }))).toEqual([field]);
        }
      }
    });

    if (path !== '/v1/hooks') {
      test('unknown fields', async () => {
        const body = bodies[name];
        const text = JSON.stringify(body);
        for (const more of [
          '"surprise": 1',
          '"__proto__": {"limit": 1}',
          '"constructor": {"prototype": {"limit": 1}}',
          '"": 1',
        ]) {
          const answer = await send(method, url, { body: text.replace('{', `{${more},`) });
          expectProblem(answer);
          expect(answer.body.detail).toContain(JSON.parse(`{${more}}`) && (more.split('"')[1] as string));
        }
        expect(({} as Any).limit).toBeUndefined();
      });
    }

    test('50 MB with a content-length', async () => {
      expect(await announce(method, url)).toMatch(/^HTTP\/1\.1 413 /);
    });
  });

  // every route reads its body in the same way
  test.each(named(writing.filter(({ path }) => ['/v1/notes', '/v1/import', '/v1/search'].includes(path))))(
    '%s: 100,000 levels',
    async (_, { method, path, operation }) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      const [known] = Object.keys(bodySchema(operation).properties);
      expectProblem(await send(method, path, { body: `{"${known}": ${deep}}` }));
      expectProblem(await send(method, path, { body: `{"surprise": ${objects}}` }));
      expectProblem(await send(method, path, { body: deep }));
      expectProblem(await send(method, path, { body: '['.repeat(100_000) }));
    },
  );

  test('50 MB sent at once or in chunks without a content-length', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    expectProblem(await send('POST', '/v1/hooks', { body: Buffer.alloc(50 * megabyte.length, 'x') }), 413);
    let left = 50;
    const body = new ReadableStream({
      pull: (stream) => (left-- > 0 ? stream.enqueue(megabyte) : stream.close()),
    });
    expectProblem(await send('POST', '/v1/hooks', { body }), 413);
  });

  /** Returns the answer to a request that announces 50 MB and then sends little. */
  function announce(method: string, path: string): Promise<string> {
    const { hostname, port } = new URL(server.url);
    return new Promise((done, failed) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 52428800\r\n\r\n{`,
        ),
      );
      socket.once('data', (data) => {
        socket.destroy();
        done(data.toString());
      });
      socket.once('error', failed);
    });
  }

  const BAD_TIMES = [
    'yesterday',
    '',
    '-1',
    '0',
    '1700000000',
    '1700000000000',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-02-30T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:00:00+99:00',
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-23:00',
    '999999-01-01T00:00:00Z',
    '+999999-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    'infinity',
    'now()',
  ];
  const asking = operations.filter((o) => o.operation.parameters?.some((p: Any) => p.in === 'query'));

  test.each(named(asking))('%s: parameters', async (route, { method, path, operation }) => {
    const ask = (field: string, ...values: string[]) => {
      const query = new URLSearchParams(needed[route]);
      query.delete(field);
      for (const value of values) query.append(field, value);
      return send(method, `${path.replace(/\{\w+\}/, learning.id)}?${query}`);
    };
    for (const { name, schema, ...parameter } of operation.parameters) {
      if (parameter.in !== 'query') continue;
      const { type, format, enum: values, minLength, maxLength, pattern } = resolve(schema);
      const wrong: string[] = [];
      if (type === 'integer')
        wrong.push(
          '0',
          '-1',
          'abc',
          '1.5',
          '',
          '1e9',
          '1e400',
          'NaN',
          '99999999999999999999',
          '\0',
          '1 or 1=1',
        );
      if (format === 'date-time') wrong.push(...BAD_TIMES);
      if (format === 'uuid') wrong.push('', 'x', '0', randomUUID().slice(1));
      if (values) wrong.push('nonsense', '', values.join());
      if (pattern) wrong.push('', 'nonsense', '\0');
      if (minLength) wrong.push('');
      if (maxLength) wrong.push('x'.repeat(maxLength + 1));
      expect(wrong.length).toBeGreaterThan(0);
      for (const value of wrong) {
        expect({ value, fields: expectProblem(await ask(name, value)) }).toEqual({ value, fields: [name] });
      }
      // A parameter given twice is refused.
      expect(expectProblem(await ask(name, '1', '2'))).toEqual([name]);
    }
  });

  const byId = operations.filter((o) => o.path.includes('{id}'));
  test.each(named(byId))('%s: ids that lead nowhere', async (name, { method, path }) => {
    const body = bodies[name];
    const odd = [
      ...[
        "' or '1'='1",
        "'; drop table learnings; --",
        '../../health',
        '..',
        '*',
        '%',
        '%%%%%%%%',
        '________',
        '\0',
        'a\0bcdefgh',
      ],
      ...[
        'null',
        'undefined',
        '{}',
        '[object Object]',
        '0',
        '-1',
        '1e9',
        ' ',
        '\n',
        'é',
        '🦉🦉🦉🦉🦉🦉🦉🦉',
        '\u202e',
        'x'.repeat(46),
      ],
      ...[
        'x'.repeat(201),
        '00000000-0000-0000-0000-000000000000',
        randomUUID(),
        '/',
        '\\',
        '?',
        '#',
        'lore:',
        '--------',
      ],
    ];
    const raw = ['%', '%zz', '%E0%A4%A', '%ff', '%c0%ae%c0%ae', '%2e%2e%2f', '..%5c..%5c', '%2500', ';', '&'];
    for (const id of [...odd.map(encodeURIComponent), ...raw]) {
      const answer = await send(
        method,
        fill(path, id),
        body === undefined ? {} : { body: JSON.stringify(body) },
      );
      expectProblem(answer, [400, 404]);
    }
  });

  test('routes and methods that do not exist', async () => {
    for (const path of [
      '/nope',
      '/v1',
      '/v1/',
      '/v1/nope',
      '/v1/learnings/',
      '/V1/learnings',
      '//v1/learnings',
      '/v1/hooks/x',
      '/health/',
      '/mcp/../nope',
    ]) {
      const answer = await send('GET', path);
      expectProblem(answer, 404);
      expect(answer.body.detail).toContain('GET');
    }
    for (const path of Object.keys(document.paths)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (document.paths[path][method.toLowerCase()]) continue;
        expectProblem(await send(method, fill(path, learning.id)), 404);
      }
    }
  });

  const texts = writing.filter((o) => o.path !== '/v1/hooks');
  test.each(named(texts))(
    '%s: NUL is refused wherever a text would be looked up or stored unchanged',
    async (name, { method, path, operation }) => {
      const body = bodies[name];
      for (const [field, property] of Object.entries<Any>(bodySchema(operation).properties)) {
        const type = resolve(property).type;
        // These are redacted, and redaction removes NUL.
        if (
          /^\/v1\/(learnings|notes|import|findings|plans|patterns|audits|episodes|channels|agents|skills\/[^/]+)\b/.test(
            path,
          )
        )
          continue;
        if (type !== 'string' && type !== 'array') continue;
        const value = type === 'array' ? ['a\0b'] : 'a\0b';
        expectProblem(
          await send(method, fill(path, learning.id), {
            body: JSON.stringify({ ...body, [field]: value }),
          }),
        );
      }
    },
  );

  test('a NUL in a query parameter', async () => {
    for (const { path } of asking) {
      expectProblem(await send('GET', `${fill(path, 'a%00b')}?project=a%00b`), [400, 404]);
    }
  });
});

function is(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return typeof value === 'number';
  return typeof value === type;
}

async function newLearning() {
  const body = {
    ...LESSON,
    lesson: `${LESSON.lesson} ${randomUUID()}`,
    project: `/home/dev/${randomUUID()}`,
  };
  return (await post('/v1/learnings', body)).body.learning.id as string;
}

async function newSkill() {
  const name = randomUUID();
  const body = JSON.stringify({ file: 'npm run emulator' });
  await send('PUT', `/v1/skills/${name}`, { body });
  return name;
}

/** What each route needs, apart from its body, to work. */
const examples: Record<string, () => Promise<{ id?: string; query?: string }>> = {
  'GET /health': async () => ({}),
  'POST /v1/hooks': async () => ({}),
  'GET /v1/hooks/unchecked': async () => ({}),
  'POST /v1/search': async () => ({}),
  'POST /v1/search/{id}/feedback': async () => ({
    id: (await post('/v1/search', { query: LESSON.lesson, kinds: ['learning'] })).body.id,
  }),
  'GET /v1/amendments': async () => ({ query: `?project=app&record=${note.id}&limit=5` }),
  'POST /v1/amendments/{id}/undo': async () => ({ id: link }),
  'POST /v1/amendments/{id}/restore': async () => ({ id: link }),
  'GET /v1/index': async () => ({}),
  'POST /v1/index/rebuild': async () => ({}),
  'GET /v1/index/model': async () => ({}),
  'POST /v1/index/model': async () => ({}),
  'GET /v1/learnings': async () => ({
    query: `?project=app&status=active&limit=5&asOf=2030-01-01T00:00:00Z&q=emulator&before=${learning.id}`,
  }),
  'PATCH /v1/learnings/{id}': async () => ({ id: await newLearning() }),
  'POST /v1/learnings': async () => ({}),
  'GET /v1/learnings/{id}': async () => ({ id: learning.id }),
  'DELETE /v1/learnings/{id}': async () => ({ id: await newLearning() }),
  'POST /v1/learnings/{id}/approve': async () => ({ id: learning.id }),
  'POST /v1/learnings/{id}/retire': async () => ({ id: await newLearning(), query: '?reason=wrong' }),
  'POST /v1/learnings/{id}/feedback': async () => ({ id: learning.id }),
  'GET /v1/guards': async () => ({ query: `?project=/home/dev/app&lesson=${learning.id}&limit=5` }),
  'GET /v1/guards/{id}': async () => ({ id: guard.id }),
  'PUT /v1/guards/{id}': async () => ({ id: learning.id }),
  'PATCH /v1/guards/{id}': async () => ({ id: guard.id }),
  'POST /v1/notes': async () => ({}),
  'GET /v1/notes': async () => ({ query: `?project=app&messageType=reflection&limit=5&before=${note.id}` }),
  'GET /v1/notes/{id}': async () => ({ id: note.id }),
  'DELETE /v1/notes/{id}': async () => ({ id: (await post('/v1/notes', NOTE)).body.id }),
  'GET /v1/skills': async () => ({ query: '?limit=5' }),
  'GET /v1/skills/{name}': async () => ({ id: await newSkill() }),
  'PUT /v1/skills/{name}': async () => ({ id: 'emulate' }),
  'DELETE /v1/skills/{name}': async () => ({ id: await newSkill() }),
  'POST /v1/skills/{name}/activate': async () => ({
    id: await newSkill(),
    query: `?session=${session.session_id}`,
  }),
  'GET /v1/skills/{name}/history': async () => ({ id: await newSkill() }),
  'POST /v1/skills/{name}/retire': async () => ({ id: await newSkill() }),
  'POST /v1/proposals': async () => ({}),
  'POST /v1/proposals/rules': async () => ({}),
  'GET /v1/calls/{id}': async () => ({ id: callId }),
  'GET /v1/audits/waiting': async () => ({ query: '?project=app' }),
  'POST /v1/audits/{id}/answer': async () => ({ id: await newAudit() }),
  'GET /v1/sessions/{id}/offers': async () => ({ id: session.session_id, query: '?limit=10' }),
  'GET /v1/channels': async () => ({ query: '?project=app' }),
  'GET /v1/agents': async () => ({}),
  'GET /v1/findings': async () => ({
    query: '?project=app&closed=false&severity=medium&status=open&limit=5',
  }),
  'POST /v1/findings': async () => ({}),
  'GET /v1/patterns': async () => ({
    query: `?project=${encodeURIComponent('/home/dev/app')}&type=tool_sequence`,
  }),
  'GET /v1/patterns/{id}': async () => ({ id: pattern }),
  'PATCH /v1/patterns/{id}': async () => ({ id: pattern }),
  'GET /v1/findings/{id}': async () => ({ id: finding.id }),
  'PATCH /v1/findings/{id}': async () => ({ id: finding.id }),
  'DELETE /v1/findings/{id}': async () => ({ id: await newFinding() }),
  'PUT /v1/findings/{id}/links/{kind}/{other}': async () => ({ id: await newFinding() }),
  'DELETE /v1/findings/{id}/links/{kind}/{other}': async () => ({ id: await newFinding() }),
  'GET /v1/episodes': async () => ({ query: '?project=app&outcome=unknown&limit=5' }),
  'GET /v1/episodes/{id}': async () => ({ id: episode }),
  'GET /v1/plans': async () => ({ query: '?project=app&closed=false&limit=5' }),
  'POST /v1/plans': async () => ({}),
  'GET /v1/plans/{id}': async () => ({ id: plan.id }),
  'GET /v1/plans/{id}/history': async () => ({ id: plan.id, query: '?before=9&limit=5' }),
  'PATCH /v1/plans/{id}': async () => ({ id: plan.id }),
  'POST /v1/plans/{id}/steps': async () => ({ id: await newPlan() }),
  'PATCH /v1/plans/{id}/steps/{number}': async () => ({ id: await newPlan() }),
  'POST /v1/plans/{id}/steps/{number}/claim': async () => ({ id: await newPlan() }),
  'POST /v1/plans/{id}/steps/{number}/complete': async () => ({ id: await heldPlan() }),
  'POST /v1/plans/{id}/steps/{number}/fail': async () => ({ id: await heldPlan() }),
  'POST /v1/plans/{id}/steps/{number}/release': async () => ({ id: await heldPlan() }),
  'POST /v1/plans/{id}/steps/{number}/notes': async () => ({ id: await newPlan() }),
  'GET /v1/freshness': async () => ({ query: '?project=app&limit=5' }),
  'POST /v1/projects/join': async () => {
    await post('/v1/notes', { project: 'other', content: 'a project to join' });
    return {};
  },
  'POST /v1/projects': async () => ({}),
  'POST /v1/projects/which': async () => ({}),
  'POST /v1/projects/first-commit': async () => ({}),
  'POST /v1/transcripts': async () => ({}),
  'POST /v1/freshness': async () => ({}),
  'PUT /v1/facts': async () => ({}),
  'GET /v1/facts': async () => ({
    query: `?type=service&project=app&asOf=2026-06-01T00:00:00Z&limit=5`,
  }),
  'GET /v1/facts/history': async () => ({
    query: '?type=service&key=port&recordedAsOf=2090-01-01T00:00:00Z',
  }),
  'GET /v1/facts/{id}': async () => ({ id: fact.slice(0, 8) }),
  'POST /v1/facts/end': async () => ({}),
  'POST /v1/facts/undo': async () => ({}),
  'DELETE /v1/facts/{id}': async () => ({ id: await put('/v1/facts', { ...FACT, key: 'gone' }) }),
  'PUT /v1/relations': async () => ({}),
  'GET /v1/relations': async () => ({ query: '?fromType=service&toKey=api&limit=5' }),
  'GET /v1/relations/neighbourhood': async () => ({ query: '?type=service&key=web&hops=3&direction=out' }),
  'GET /v1/relations/{id}': async () => ({ id: relation }),
  'POST /v1/relations/end': async () => ({}),
  'POST /v1/relations/undo': async () => ({}),
  'DELETE /v1/relations/{id}': async () => ({
    id: await put('/v1/relations', { ...RELATION, relation: 'gone' }),
  }),
  'POST /v1/decisions': async () => ({}),
  'GET /v1/decisions': async () => ({ query: '?project=app&limit=5' }),
  'GET /v1/decisions/{id}': async () => ({ id: decision.slice(0, 8) }),
  'DELETE /v1/decisions/{id}': async () => ({
    id: await put('/v1/decisions', { ...DECISION, action: 'gone' }),
  }),
  'POST /v1/decisions/{id}/end': async () => ({
    id: await put('/v1/decisions', { ...DECISION, action: 'to end' }),
  }),
  'GET /v1/observations': async () => ({ query: `?session=${session.session_id}&project=app&limit=5` }),
  'GET /v1/observations/{id}': async () => ({ id: output.id, query: '?from=2&to=9&q=LINE&context=1' }),
  'GET /v1/commands/checks': async () => ({ query: '?decision=ask&limit=1' }),
  'GET /v1/export': async () => ({ query: '?limit=1' }),
  'GET /v1/journal': async () => ({}),
  'GET /v1/workers': async () => ({}),
  'POST /v1/journal/retry': async () => ({}),
  'GET /v1/consolidation/runs': async () => ({ query: '?limit=5' }),
  'POST /v1/consolidation/runs': async () => ({}),
  'GET /v1/consolidation/runs/{id}': async () => ({ id: nightId }),
  'POST /v1/consolidation/runs/{id}/undo': async () => ({ id: nightId }),
  'GET /v1/dead-letters': async () => ({}),
  'POST /v1/dead-letters/retry': async () => ({}),
  'POST /v1/import': async () => ({}),
  'GET /v1/incidents': async () => ({ query: `?status=open&session=${session.session_id}` }),
  'GET /v1/projects': async () => ({}),
  'GET /v1/sessions': async () => ({ query: '?project=/home/dev/app&status=active' }),
  'GET /v1/sessions/{id}': async () => ({ id: session.session_id, query: '?events=5000' }),
  'GET /v1/me': async () => ({}),
  'POST /v1/token': async () => ({}),
  'GET /v1/keys': async () => ({}),
  'POST /v1/keys': async () => ({}),
  'PATCH /v1/keys/{id}': async () => ({
    id: (await post('/v1/keys', { name: 'hooks', scope: 'hooks' })).body.id,
  }),
  'DELETE /v1/keys/{id}': async () => ({ id: (await post('/v1/keys', { name: 'old' })).body.id }),
  'POST /v1/pairings': async () => ({}),
  'POST /v1/pairings/redeem': async () => ({}),
  'GET /v1/dashboard': async () => ({ query: '?timeZone=Europe/Berlin' }),
  'GET /v1/users': async () => ({}),
  'POST /v1/users': async () => ({}),
  'PUT /v1/owner/sign-in': async () => ({}),
  'POST /v1/backup': async () => ({}),
  'DELETE /v1/users/{id}': async () => ({ id: (await server.member('leaver')).userId, query: '?erase=true' }),
  'POST /v1/erase': async () => ({}),
  'POST /v1/sql': async () => ({}),
  'POST /v1/commands/check': async () => ({}),
  'POST /v1/commands/overrule': async () => ({}),
  'POST /v1/commands/stops': async () => ({}),
  'PUT /v1/commands/checks/{code}/judgement': async () => {
    await server.rows(`update command_checks set source = 'lesson' where code = '${checked.code}'`);
    return { id: checked.code };
  },
  'GET /v1/commands/rules': async () => ({ query: '?project=app' }),
  'GET /v1/commands/verdicts': async () => ({ query: '?limit=500' }),
  'DELETE /v1/commands/verdicts/{code}': async () => {
    await post('/v1/commands/overrule', { code: checked.code, decision: 'deny' });
    return { id: checked.code };
  },
  'GET /v1/push': async () => ({}),
  'PUT /v1/push': async () => ({}),
  'DELETE /v1/push': async () => ({}),
  'GET /v1/settings': async () => ({}),
  'PUT /v1/settings': async () => ({}),
  'GET /v1/metrics': async () => ({ query: '?days=30' }),
  'GET /v1/model': async () => ({}),
};

describe('/openapi.json', () => {
  test('is OpenAPI 3.1 and resolves all its references', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: 'Lore',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        description: expect.any(String),
      },
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    });
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of new Set(references)) {
      const [, pointer] = /"#\/([^"]+)"/.exec(reference) ?? [];
      expect(pointer?.split('/').reduce((at, part) => at?.[part], document)).toBeDefined();
    }
  });

  test.each(named(operations))('%s documents its input and its answers', (_, { path, operation }) => {
    expect(operation.summary).toEqual(expect.any(String));
    const answers = Object.entries<Any>(operation.responses);
    expect(answers.some(([status]) => status.startsWith('2'))).toBe(true);
    for (const [status, answer] of answers) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      expect(answer.description.length).toBeGreaterThan(0);
      const types = Object.keys(answer.content ?? {});
      expect(types).toEqual(
        status === '204' || status === '304'
          ? []
          : [status < '400' || path === '/health' ? 'application/json' : 'application/problem+json'],
      );
    }
    if (operation.security?.length !== 0)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401']));
    const inPath = (operation.parameters ?? []).filter((p: Any) => p.in === 'path');
    expect(inPath.map((p: Any) => `{${p.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    for (const parameter of operation.parameters ?? []) {
      expect(parameter.schema).toBeDefined();
      if (parameter.in === 'path') expect(parameter.required).toBe(true);
    }
    if (operation.requestBody) {
      expect(operation.requestBody.required).toBe(true);
      expect(bodySchema(operation).type).toBe('object');
      expect(bodySchema(operation).additionalProperties).toEqual(path === '/v1/hooks' ? {} : false);
    }
  });

  test('this file has an example of every route', () => {
    expect(Object.keys(examples).sort()).toEqual(operations.map((o) => o.name).sort());
    const withBody = operations.filter((o) => o.operation.requestBody);
    expect(Object.keys(bodies).sort()).toEqual(withBody.map((o) => o.name).sort());
  });

  test.each(named(operations))('%s answers as documented', async (name, { method, path, operation }) => {
    const { id = '', query = '' } = (await examples[name]?.()) ?? {};
    const body = bodies[name];
    const answer = await send(
      method,
      fill(path, id) + query,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    const documented = operation.responses[answer.status];
    // a dump needs the client programs of the server's version, which test/backup looks for
    if (name === 'POST /v1/backup' && process.env.TEST_DATABASE_URL && answer.status === 500)
      return expect(answer.body.detail).toContain('pg_dump');
    expect(answer.status).toBeLessThan(300);
    expect(documented).toBeDefined();
    if (answer.status === 204) return expect(answer.body).toBeNull();
    expect(answer.headers.get('content-type')).toContain('application/json');
    const schema = JSON.stringify({
      ...documented.content['application/json'].schema,
      $defs: document.components.schemas,
    }).replaceAll('#/components/schemas/', '#/$defs/');
    const checked = z.fromJSONSchema(JSON.parse(schema)).safeParse(answer.body);
    expect(checked.error?.issues ?? []).toEqual([]);
  });
});

describe('x-request-id', () => {
  const requests: [string, string, string | null][] = [
    ['GET', '/health', null],
    ['GET', '/v1/me', key],
    ['GET', '/v1/me', null],
    ['GET', '/v1/nope', key],
    ['GET', '/nope', null],
    ['POST', '/v1/search', key],
  ];
  test.each(requests)(
    '%s %s is answered with the caller’s request id, or with a new one',
    async (method, path, as) => {
      const ask = async (id?: string) => {
        const answer = await send(method, path, {
          key: as,
          ...(id !== undefined && { headers: { 'x-request-id': id } }),
        });
        if (answer.status >= 400) expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
        return answer.headers.get('x-request-id');
      };
      for (const id of ['a', 'req_1-2.3', 'x'.repeat(100)]) expect(await ask(id)).toBe(id);
      const made = await Promise.all(
        [undefined, '', 'a b', '<script>', 'x'.repeat(101), 'a,b', '../x', 'é'].map(ask),
      );
      for (const id of made)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Set(made).size).toBe(made.length);
    },
  );
});

describe('unusual but valid input is accepted', () => {
  /** Sends one event of a new session and returns what is stored of it. */
  async function storedEvent(json: string) {
    const id = randomUUID();
    const answer = await send('POST', '/v1/hooks', { body: json.replace('{', `{"session_id": "${id}",`) });
    expect(answer.status).toBe(200);
    const rows = await server.rows(
      `select e.event, e.payload from events e join sessions s on s.id = e.session_id where s.client_session_id = '${id}'`,
    );
    expect(rows.length).toBe(1);
    return rows[0];
  }

  test('unknown events, and unknown fields of known ones, are kept', async () => {
    const event = {
      hook_event_name: 'FutureEvent',
      fresh: { deep: [1, 'two', null, { three: true }] },
      tool_response: 5,
    };
    expect((await storedEvent(JSON.stringify(event))).payload).toMatchObject(event);
    const stop = { hook_event_name: 'Stop', effort: { level: 'medium' }, session_crons: [], fresh: false };
    expect((await storedEvent(JSON.stringify(stop))).payload).toMatchObject(stop);
  });

  test('NUL is removed and lone surrogates are replaced, in values, keys and names', async () => {
    const { event, payload } = await storedEvent(
      '{"hook_event_name": "Odd\\u0000Event\\ud800", "prompt": "a\\u0000b\\udfffc", "x": {"k\\u0000e\\ud83dy": ["\\u0000", "\\ude00"]}}',
    );
    expect(event).toBe('OddEvent\ufffd');
    expect(payload).toMatchObject({ prompt: 'ab\ufffdc', x: { 'ke\ufffdy': ['', '\ufffd'] } });
  });

  test('NUL and lone surrogates in fields that refer to other rows', async () => {
    const odd = 'a\\u0000b\\ud800';
    const fields = ['cwd', 'agent_id', 'tool_use_id', 'source', 'reason', 'error', 'prompt'];
    const all = [...fields, 'last_assistant_message', 'transcript_path'].map(
      (field) => `"${field}": "${odd}"`,
    );
    // a new one each time: events that name the same prompt belong to the same session
    const prompt = () => `"prompt_id": "${odd}${randomUUID()}"`;
    const input = `"tool_input": {"command": "x ${odd}", "file_path": "${odd}", "content": "${odd}"}`;
    for (const tool of ['Bash', 'Write', odd]) {
      for (const name of [
        'SessionStart',
        'UserPromptSubmit',
        'PostToolUse',
        'PostToolUseFailure',
        'SubagentStop',
      ]) {
        const what = `"hook_event_name": "${name}", "tool_name": "${tool}"`;
        await storedEvent(`{${what}, ${input}, ${prompt()}, ${all}}`);
      }
    }
  });

  test('NUL is removed from a lesson', async () => {
    const answer = await post('/v1/learnings', {
      ...LESSON,
      project: '/home/dev/nul',
      lesson: LESSON.lesson.replaceAll(' ', ' \0'),
    });
    expect(answer.body.learning).toMatchObject({ lesson: LESSON.lesson, project: '/home/dev/nul' });
  });

  test('100,000 levels are cut', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const field of ['fresh', 'tool_response']) {
      const { payload } = await storedEvent(`{"hook_event_name": "Deep", "${field}": ${deep}}`);
      expect(JSON.stringify(payload[field])).toContain('[too deep]');
      expect(JSON.stringify(payload).length).toBeLessThan(10_000);
    }
    const list = '['.repeat(100_000) + ']'.repeat(100_000);
    await storedEvent(
      `{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "x", "tool_input": {"edits": ${list}}}`,
    );
  });

  test('of 700,000 fields is refused, and of 60,000 not', async () => {
    const fields = (count: number, from = 0) =>
      Array.from({ length: count }, (_, i) => `"k${from + i}":${i}`).join(',');
    const event = (count: number) =>
      `{"hook_event_name":"Many","session_id":"many","tool_input":{${fields(count)}}}`;
    const refused = await server.request('POST', '/v1/hooks', { body: event(700_000) });
    expect(refused).toMatchObject({ status: 413, body: { title: 'Body too large' } });
    const list = `{"hook_event_name":"Many","session_id":"many","x":[${'1,'.repeat(700_000)}1]}`;
    expect((await server.request('POST', '/v1/hooks', { body: list })).status).toBe(413);
    // commas and colons of a text are none of the body
    const text = `{"hook_event_name":"Many","session_id":"many","prompt":"${':,\\"'.repeat(300_000)}"}`;
    for (const body of [event(60_000), text])
      expect((await server.request('POST', '/v1/hooks', { body })).status).toBe(200);
  });

  test('__proto__ is an ordinary name and changes no object', async () => {
    await storedEvent(
      '{"hook_event_name": "P", "__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "tool_input": {"__proto__": {"polluted": 1}}}',
    );
    expect(({} as Any).polluted).toBeUndefined();
  });

  test('tool responses of unexpected shapes', async () => {
    for (const tool of ['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', '__proto__']) {
      for (const odd of ['null', '5', '"text"', '[null]', '{"a": {"b": []}}']) {
        const input = `{"command": ${odd}, "file_path": ${odd}, "edits": ${odd}, "content": ${odd}, "old_string": ${odd}}`;
        const tools = `"tool_name": "${tool}", "tool_use_id": "t", "tool_input": ${input}`;
        await storedEvent(`{"hook_event_name": "PostToolUse", ${tools}, "tool_response": ${odd}}`);
      }
      await storedEvent(
        `{"hook_event_name": "PostToolUseFailure", "tool_name": "${tool}", "tool_use_id": "t", "error": ""}`,
      );
    }
  });

  test('an output of several megabytes, of which a part is kept', async () => {
    const stdout = 'All is well here. '.repeat(400_000);
    const { payload } = await storedEvent(
      JSON.stringify({
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_use_id: 't',
        tool_response: { stdout },
      }),
    );
    expect(payload.tool_response.stdout).toContain('characters cut');
    expect(payload.tool_response.stdout.length).toBeLessThan(20_000);
  });

  test('a body with a byte order mark, or with another spelling of the content type', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset=UTF-8',
    ]) {
      const answer = await send('POST', '/v1/search', {
        body: '\ufeff{"query": "x"}',
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(200);
    }
  });
});

describe('recorded hooks', () => {
  const folder = new URL('../fixtures/hooks/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const Output = z.strictObject({
    hookSpecificOutput: z
      .strictObject({
        hookEventName: z.string(),
        additionalContext: z.string().max(10_000).optional(),
        permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
        permissionDecisionReason: z.string().max(299).optional(),
      })
      .optional(),
  });

  test('there are some', () => expect(files.length).toBeGreaterThan(10));

  test.each(files)('%s is accepted, answered and stored whole', async (file) => {
    const { key: own, userId } = await server.member(file);
    const event = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const output = Output.parse(await server.hook(event, own));
    if (output.hookSpecificOutput)
      expect(output.hookSpecificOutput.hookEventName).toBe(event.hook_event_name);
    const [row] = await server.rows(`select event, source, payload from events where user_id = '${userId}'`);
    expect(row).toMatchObject({ event: event.hook_event_name, source: 'hook', payload: event });
  });

  const recorded = readFileSync(new URL('session.jsonl', folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

  const stateOf = async (userId: string) => {
    await server.settled();
    const state: Record<string, unknown> = {};
    for (const table of tables.filter((name) => name !== 'api_keys')) {
      const rows = await server.rows(
        `select to_jsonb(t)::text as row from "${table}" t where user_id = '${userId}' order by 1`,
      );
      state[table] = rows.map((row) => row.row);
    }
    return state;
  };

  test('a session that is sent again changes nothing and gets the same answers', async () => {
    const { key: own, userId } = await server.member('replay');
    const replay = async () => {
      const outputs: unknown[] = [];
      for (const event of recorded) outputs.push(Output.parse(await server.hook(event, own)));
      return outputs;
    };
    const answers = await replay();
    const state = await stateOf(userId);
    expect(state.sessions).toHaveLength(1);
    expect((state.events as unknown[]).length).toBeGreaterThan(recorded.length - 3);
    expect(await replay()).toEqual(answers);
    expect(await stateOf(userId)).toEqual(state);
    // The order of repeated deliveries does not matter.
    for (const event of recorded.toReversed()) await server.hook(event, own);
    expect(await stateOf(userId)).toEqual(state);
  });

  test('simultaneous deliveries of one event are stored as one event', async () => {
    const { key: own, userId } = await server.member('echo');
    for (const event of recorded) await Promise.all([1, 2, 3, 4].map(() => server.hook(event, own)));
    const echoed = await stateOf(userId);
    const { key: once, userId: onceId } = await server.member('once');
    for (const event of recorded) await server.hook(event, once);
    const single = await stateOf(onceId);
    for (const table of ['sessions', 'events', 'incidents', 'learnings', 'learning_requests', 'offers']) {
      expect((echoed[table] as unknown[]).length).toBe((single[table] as unknown[]).length);
    }
    const counters = ['errors_encountered', 'tools_used', 'starts', 'status', 'files_modified'];
    const pick = (rows: unknown) => counters.map((name) => JSON.parse((rows as string[])[0] as string)[name]);
    expect(pick(echoed.sessions)).toEqual(pick(single.sessions));
  });
});

test('many long notes at once are refused with what to do, and the longest single ones are stored', async () => {
  const long = { project: 'long', content: 'ü🚀 '.repeat(25_000) };
  const before = await server.request('GET', '/v1/index', { key });
  for (const [path, body] of [
    ['/v1/notes', Array.from({ length: 10 }, () => long)],
    ['/v1/import', { records: Array.from({ length: 10 }, () => ({ type: 'note', ...long })) }],
  ] as const) {
    const { status, body: problem } = await server.request('POST', path, { key, body });
    expect({ status, problem }).toMatchObject({
      status: 413,
      problem: { detail: expect.stringContaining('in several requests') },
    });
  }
  expect((await server.request('GET', '/v1/index', { key })).body).toEqual(before.body);
  expect((await server.request('POST', '/v1/notes', { key, body: long })).status).toBe(201);
});
