// Longer than 400 lines because what a route needs to work is a row here, and all kinds of wrong input are tried on each route.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookSession } from '../../support/hook-session.ts';
import { temporaryFolder } from '../../support/left-behind.ts';
import { routesOf } from '../../support/routes.ts';
import { startTestServer } from '../../support/server.ts';
import { tableOf } from '../../support/tables.ts';

type Any = any;

const server = await startTestServer();
const { document, operations, bodyOf, queryOf, valueFor } = await routesOf(server);
const resolve = (schema: Any): Any =>
  schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;
const named = (some: typeof operations) => some.map((o): [string, typeof o] => [o.name, o]);

const { key } = await server.member('tester');
const APP = '/home/dev/app';

type Request = { headers?: Record<string, string>; body?: RequestInit['body'] };
/** The owner's routes are asked with the owner's key. */
const keyFor = (path: string) => (/^\/v1\/(?:users|owner|sql|journal|backup)/.test(path) ? server.key : key);
async function send(method: string, path: string, { headers, body }: Request = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keyFor(path)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as Any),
  };
}
const made = async (method: string, path: string, body?: object): Promise<Any> =>
  (await send(method, path, body && { body: JSON.stringify(body) })).body;
const post = (path: string, body?: object) => made('POST', path, body);

const LESSON = {
  project: APP,
  lesson: 'Start the emulator with `npm run emulator` before the integration tests of the billing service',
  context: 'when integration tests cannot connect to port 8085',
  appliesTo: ['npm test'],
  keywords: ['emulator'],
};
const { learning } = await post('/v1/learnings', LESSON);
const session = hookSession(server, { key, cwd: APP });
const { session_id } = session;
await session.start();
await session.bashWorks('cat a.log', 'a line of it\n'.repeat(100));
const callId = `toolu_${session_id}_asked`;
const asked = { tool_name: 'Read', tool_input: { file_path: 'a.log' }, tool_use_id: callId };
await session.send('PreToolUse', asked);
await session.bashFails('make', 'Exit code 2\nmake: *** No rule to make target');
await server.settled();
// the session would be read when it has been quiet for a minute, in the middle of these tests
await server.rows(`update learning_requests set run_after = 'infinity' where status = 'pending'`);
const [output] = (await made('GET', '/v1/observations')).observations;

const NOTE = { project: APP, content: 'The emulator listens on port 8085' };
const FINDING = { project: APP, title: 'The emulator hangs' };
const PLAN = { project: APP, goal: 'Mend the emulator', steps: [{ description: 'find it' }] };
const FACT = { type: 'service', key: 'port', value: 8080 };
const EDGE = {
  from: { type: 'service', key: 'web' },
  relation: 'calls',
  to: { type: 'service', key: 'api' },
};
const DECISION = { condition: 'the tests need a database', action: 'run `npm run emulator` first' };
const RULE = {
  when: [{ kind: 'command', program: 'npm run emulator', without: ['--port'] }],
  unless: { program: 'npm test' },
  then: 'ask',
  breaks: [{ tool: 'Bash', input: { command: 'npm run emulator' }, branch: 'main' }],
  keeps: [{ tool: 'Bash', input: { command: 'npm run emulator --port 1' }, branch: 'main' }],
};
const COMMAND = { command: 'frobnicate --all', cwd: APP };
const [note, finding, night, pairing, checked] = [
  await post('/v1/notes', NOTE),
  await post('/v1/findings', FINDING),
  await post('/v1/consolidation/runs'),
  await post('/v1/pairings'),
  await post('/v1/commands/check', COMMAND),
];
await made('PUT', `/v1/guards/${learning.id}`, RULE);
await made('PUT', '/v1/facts', FACT);
await made('PUT', '/v1/relations', EDGE);
const decision = await post('/v1/decisions', DECISION);
await server.settled();

/** Adds a row that no request makes, of the user and project of `finding`. Returns its id. */
const row = async (table: string, columns: string, values: string, more = ''): Promise<string> =>
  (
    await server.rows(`insert into ${table} (user_id, ${columns}) select f.user_id, ${values}
      from findings f join sessions s on s.project_id = f.project_id where f.id = '${finding.id}' ${more} returning id`)
  )[0].id;
const link = await row(
  'amendments',
  'kind, newer_id, older_id, evidence',
  `'note', '${note.id}', '${note.id}', '{"words": "no longer", "similarity": 0.7, "model": "m"}'`,
);
const episode = await row(
  'episodes',
  'project_id, start_key, description, type, started_at',
  `f.project_id, 'start', 'start the emulator', 'feature', now()`,
);
const pattern = await row(
  'patterns',
  'id, project_id, type, form, name, template, episodes, sessions, successes, failures, last_used',
  `gen_random_uuid(), f.project_id, 'tool_sequence', 'a > b', 'a, b',
    '{"steps": ["a", "b"], "commonFiles": [], "typicalTools": []}', 3, 2, 3, 0, now()`,
);
const newId = async (path: string, body: object): Promise<string> => (await post(path, body)).id;
const newPlan = () => newId('/v1/plans', PLAN);
const heldPlan = async () => {
  const id = await newPlan();
  await post(`/v1/plans/${id}/steps/1/claim`, { agent: 'tester' });
  return id;
};
const newLearning = async () => {
  const body = {
    ...LESSON,
    lesson: `${LESSON.lesson} ${randomUUID()}`,
    project: `/home/dev/${randomUUID()}`,
  };
  return (await post('/v1/learnings', body)).learning.id as string;
};
const newSkill = async () => {
  const name = `skill-${randomUUID()}`;
  await made('PUT', `/v1/skills/${name}`, { file: 'npm run emulator' });
  return name;
};

/** Bodies that work, where one made of the schema alone does not. */
const known = {
  ...{ app: APP, session: session_id, learning: learning.id, note: note.id, decision: decision.id },
  ...{ pairing: pairing.code, checked: checked.code, uuid: randomUUID() },
  copy: join(temporaryFolder(), 'copy'),
  record: JSON.stringify({ ...note, type: 'note', id: randomUUID() }),
};
const bodies: Record<string, object> = Object.fromEntries(
  tableOf('bodies', known).map(([name, body = '']) => [name, JSON.parse(body)]),
);
const bodyFor = ({ name, operation }: (typeof operations)[number]): Any =>
  bodies[name] ?? valueFor(bodyOf(operation), '', APP);

/** Something of each kind whose id, name or code may stand in a path: a new one, where that is easily made. */
const one: Record<string, (name: string) => Promise<string> | string> = {
  search: () => newId('/v1/search', { query: LESSON.lesson, kinds: ['learning'] }),
  amendments: () => link,
  audits: async () =>
    (
      await server.rows(`insert into session_audits (user_id, project_id, session_id, status)
        select user_id, project_id, id, 'waiting' from sessions where client_session_id = '${session_id}'
        on conflict (user_id, session_id) do update set status = 'waiting', answer = null returning id`)
    )[0].id,
  learnings: newLearning,
  guards: () => learning.id,
  notes: () => newId('/v1/notes', NOTE),
  skills: newSkill,
  calls: () => callId,
  sessions: () => session_id,
  patterns: () => pattern,
  findings: () => newId('/v1/findings', FINDING),
  episodes: () => episode,
  channels: async () => (await post('/v1/notes', { ...NOTE, channel: randomUUID() })).channel,
  agents: async () => (await post('/v1/notes', { ...NOTE, agent: 'planner' })).sender,
  plans: (name) => (/complete|fail|release/.test(name) ? heldPlan() : newPlan()),
  facts: async () => (await made('PUT', '/v1/facts', { ...FACT, key: randomUUID() })).id,
  relations: async () => (await made('PUT', '/v1/relations', { ...EDGE, relation: randomUUID() })).id,
  decisions: () => newId('/v1/decisions', { ...DECISION, action: randomUUID() }),
  observations: () => output.id,
  consolidation: () => night.id,
  keys: () => newId('/v1/keys', { name: 'hooks', scope: 'hooks' }),
  users: async () => (await server.member('leaver')).userId,
  commands: async () => {
    await server.rows(`update command_checks set source = 'lesson' where code = '${checked.code}'`);
    await post('/v1/commands/overrule', { code: checked.code, decision: 'deny' });
    return checked.code;
  },
};
/** Parameters for which what fits the schema does not do; undefined: they are left out. */
const GIVEN: Record<string, string | undefined> = {
  ...{ key: 'port', session: session_id, lesson: learning.id, record: note.id, code: checked.code },
  ...{
    asOf: '2090-01-01T00:00:00Z',
    recordedAsOf: '2090-01-01T00:00:00Z',
    timeZone: 'Europe/Berlin',
    erase: 'true',
  },
  ...{
    before: undefined,
    after: undefined,
    changeModel: undefined,
    base: undefined,
    item: undefined,
    user: undefined,
  },
};
const queryFor = ({ path, operation }: (typeof operations)[number]): string => {
  const query = new URLSearchParams();
  for (const { name, schema } of queryOf(operation)) {
    // a skill here is of no project
    if (name === 'project' && path.includes('/skills/')) continue;
    const value = name in GIVEN ? GIVEN[name] : valueFor(schema, name, APP);
    if (value !== undefined)
      query.set(name, name === 'type' && !/patterns|channels/.test(path) ? 'service' : String(value));
  }
  return query.size > 0 ? `?${query}` : '';
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

const Problem = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().min(3),
  code: z.string().regex(/^[a-z]+(?:-[a-z0-9]+)*$/),
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

describe('wrong input is refused, is named in the answer, and changes nothing', () => {
  const writing = operations.filter((o) => o.operation.requestBody);
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await stored();
  });
  /** What is no JSON text: one middleware refuses it on all routes. */
  const bad: [what: string, status: number, Request][] = [
    ['white space', 400, { body: '  ' }],
    ['half an object', 400, { body: '{"query": "x"' }],
    ['null', 400, { body: 'null' }],
    ['an array', 400, { body: '[]' }],
    ['bytes that are not UTF-8', 400, { body: Buffer.from('{"query": "\xff\xfe"}', 'latin1') }],
    ['JSON named text', 415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['too many bytes', 413, { body: Buffer.alloc(17 * 1024 * 1024, 'x') }],
    ['100,000 levels', 400, { body: '['.repeat(100_000) }],
  ];
  test.each(bad)('%s: %i', async (_, status, request) => {
    for (const path of ['/v1/hooks', '/v1/notes', '/v1/users'])
      expectProblem(await send('POST', path, request), status);
  });

  test.each(named(writing))('%s: bodies and their fields', async (_, route) => {
    const { method, path, operation } = route;
    const good: Record<string, unknown> = { ...bodyFor(route) };
    // a code that nothing has
    const url = fill(path, path.includes('{code}') ? '0123456789abcdef' : learning.id);
    const schema = bodyOf(operation);
    const refused = async (body: object | string) =>
      expectProblem(
        await send(method, url, { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      );
    await refused('[]');
    for (const field of schema.required ?? []) {
      const { [field]: _, ...rest } = good;
      expect(await refused(rest)).toEqual([field]);
    }
    for (const [field, property] of Object.entries<Any>(schema.properties)) {
      const { type, maxLength, minimum, maximum, maxItems, format } = resolve(property);
      const types = [type].flat();
      const wrong: unknown[] = [12, 'x', true, {}, [{}]].filter(
        (value) => type !== undefined && !types.some((one) => is(one, value)),
      );
      if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1));
      if (minimum !== undefined) wrong.push(minimum - 1);
      if (maximum !== undefined) wrong.push(maximum + 1);
      if (maxItems !== undefined) wrong.push(Array(maxItems + 1).fill('x'));
      if (format === 'date-time') wrong.push('yesterday', '2026-02-30T00:00:00Z', 'infinity');
      for (const value of wrong) {
        const fields = await refused({ ...good, [field]: value });
        expect(fields.map((one) => one.split('.')[0])).toEqual([field]);
      }
    }
    if (path !== '/v1/hooks')
      await refused(JSON.stringify(good).replace('{', '{"__proto__": {"limit": 1}, "surprise": 1,'));
    expect(await stored()).toEqual(before);
  });

  const asking = operations.filter((o) => o.operation.parameters?.some((p: Any) => p.in === 'query'));
  test.each(named(asking))('%s: parameters', async (route, { method, path, operation }) => {
    const ask = (field: string, value: string) => {
      const query = new URLSearchParams(needed[route]);
      query.set(field, value);
      return send(method, `${path.replace(/\{\w+\}/, learning.id)}?${query}`);
    };
    for (const { name, schema, ...parameter } of operation.parameters) {
      if (parameter.in !== 'query') continue;
      const { type, format, enum: values, maxLength } = resolve(schema);
      const wrong = [
        ...(type === 'integer' ? ['0', '-1', 'abc', '1 or 1=1'] : []),
        ...(format === 'date-time' || format === 'uuid' || values ? ['nonsense', ''] : []),
        ...(maxLength ? ['x'.repeat(maxLength + 1)] : []),
      ];
      for (const value of wrong)
        expect({ value, fields: expectProblem(await ask(name, value)) }).toEqual({ value, fields: [name] });
    }
  });

  const byId = operations.filter((o) => o.path.includes('{id}'));
  test.each(named(byId))('%s: ids that lead nowhere', async (_, route) => {
    const { method, path, operation } = route;
    const body = operation.requestBody ? { body: JSON.stringify(bodyFor(route)) } : {};
    const odd = [
      "'; drop table learnings; --",
      '../../health',
      '%',
      '\0',
      'x'.repeat(201),
      randomUUID(),
      '🦉',
    ];
    for (const id of [...odd.map(encodeURIComponent), '%zz', '%2e%2e%2f'])
      expectProblem(await send(method, fill(path, id), body), [400, 404]);
  });

  test('routes and methods that do not exist', async () => {
    for (const path of ['/nope', '/v1', '/v1/nope', '/v1/learnings/', '/health/'])
      expectProblem(await send('GET', path), 404);
    for (const [path, item] of Object.entries<Any>(document.paths))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        if (!item[method.toLowerCase()]) expectProblem(await send(method, fill(path, learning.id)), 404);
  });
});

function is(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return typeof value === 'number';
  return typeof value === type;
}

describe('/openapi.json', () => {
  test('the rows here are of routes that there are', () => {
    const names = operations.map((o) => o.name);
    expect(Object.keys(bodies).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(named(operations))('%s answers as documented', async (name, route) => {
    const { method, path, operation } = route;
    if (name === 'POST /v1/projects/join') await post('/v1/notes', { ...NOTE, project: '/home/dev/other' });
    const id = path.includes('{') ? await one[path.split('/')[2] ?? '']?.(name) : '';
    const address = fill(path, id ?? 'nothing makes one of these') + queryFor(route);
    const body = operation.requestBody ? { body: JSON.stringify(bodyFor(route)) } : {};
    const answer = await send(method, address, body);
    const documented = operation.responses[answer.status];
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
