import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { ID, routesOf } from '../../support/routes.ts';
import { sharedServer } from '../../support/server.ts';

// What the key of project A can say of project B: nothing. Every route and tool that a key of hooks may use is tried, as
// /openapi.json and tools/list describe it, so a new one is tried too.
type Any = any;

const server = await sharedServer({ model: false });
const [A, B] = ['example.org/acme/a', 'example.org/acme/b'];
const keys: Record<string, string> = {};
/** ids of what there is in B, by the part of the path that they are for */
const inB: Record<string, string> = {};

const { operations, bodyOf, queryOf, valueFor, given, SAID } = await routesOf(server);
type Route = (typeof operations)[number];

function send(route: Route, project: string, ids: Record<string, string> = {}) {
  const { body, query } = given(route, project);
  const kind = route.path.split('/')[2] ?? '';
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_, part) =>
    part === 'number' ? '1' : (ids[kind] ?? ID),
  );
  return server.request(route.method, `${address}?${query}`, { key: keys.a as string, body });
}

beforeAll(async () => {
  for (const [name, project] of [
    ['a', A],
    ['b', B],
  ] as const) {
    const made = await server.request('POST', '/v1/keys', { body: { name, scope: 'hooks', project } });
    keys[name] = made.body.key;
    const session_id = `session-${name}`;
    const start = {
      session_id,
      hook_event_name: 'SessionStart',
      source: 'startup',
      cwd: `/home/dev/${name}`,
    };
    const lore = { root: start.cwd, repo: project, branch: 'main', deliveryId: randomUUID() };
    await server.hook({ ...start, lore }, made.body.key);
  }
  await server.stored();
  const make = async (method: string, path: string, body: object) => {
    const { status, body: made } = await server.request(method, path, { key: keys.b as string, body });
    expect(status, JSON.stringify(made)).toBeLessThan(300);
    return made;
  };
  const steps = [{ description: 'look' }, { description: 'mend' }];
  inB.plans = (await make('POST', '/v1/plans', { project: B, goal: 'mend b', steps })).id;
  inB.notes = (await make('POST', '/v1/notes', { project: B, content: 'b listens on 4040' })).id;
  inB.findings = (await make('POST', '/v1/findings', { project: B, title: 'b hangs' })).id;
  const decision = { project: B, condition: 'b hangs', action: 'restart it' };
  inB.decisions = (await make('POST', '/v1/decisions', decision)).id;
  inB.facts = (await make('PUT', '/v1/facts', { project: B, type: 'port', key: 'b', value: 1 })).id;
  inB.sessions = 'session-b';
});

/** Returns all that is stored of B: its rows, and those that tell one of its ids. */
async function storedOfB(): Promise<Record<string, unknown[]>> {
  const [{ id }] = await server.rows(`select id from projects where name = '${B}'`);
  const ids = [id, ...Object.values(inB).filter((one) => /^[0-9a-f-]{36}$/.test(one))];
  const tables = await server.rows(`select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('api_keys', 'dashboard_projects', 'searches') order by 1`);
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const rows = await server.rows(`select t::text as row from ${name} t
      where t::text like any (array[${ids.map((one) => `'%${one}%'`)}]) order by 1`);
    if (rows.length > 0) all[name] = rows;
  }
  return all;
}

const naming = operations.filter(
  ({ operation }) =>
    queryOf(operation).some((one) => one.name === 'project') || bodyOf(operation)?.properties?.project,
);

describe('with the key of A', () => {
  test.each(naming)('$name cannot name B', async (route) => {
    const answer = await send(route, B);
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([
      403,
      expect.stringMatching(/^key-(?:of-another-project|may-not-do-this)$/),
    ]);
    const own = await send(route, A);
    expect(own.body?.code, JSON.stringify(own.body)).not.toBe('key-of-another-project');
    if (answer.body.code === 'key-of-another-project') expect(own.body?.code).not.toBe('bad-request');
  });

  test('no route changes what is of B, by whichever id', async () => {
    const before = await storedOfB();
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['plans', 'plan_steps', 'notes', 'findings']));
    const done: string[] = [];
    for (const route of operations.filter(({ method }) => method !== 'GET'))
      for (const session of [ID, inB.sessions as string]) {
        SAID.session = session;
        if ((await send(route, A, inB)).status < 300) done.push(route.name);
      }
    SAID.session = 'session-a';
    await server.settled();
    expect(await storedOfB()).toEqual(before);
    // the requests are good ones
    expect(done).toEqual(expect.arrayContaining(['POST /v1/notes', 'POST /v1/plans', 'PUT /v1/facts']));
  });

  test('what names no project is of A', async () => {
    for (const [method, path, body] of [
      ['POST', '/v1/notes', { agent: 'me', content: 'a listens on 4041' }],
      ['PUT', '/v1/facts', { type: 'port', key: 'a', value: 2 }],
      ['POST', '/v1/decisions', { condition: 'a hangs', action: 'restart it' }],
    ] as const) {
      const made = await server.request(method, path, { key: keys.a as string, body });
      expect([made.status, made.body.project], JSON.stringify(made.body)).toEqual([201, A]);
    }
  });

  describe('tools', async () => {
    const message = (method: string, params: object, headers = {}) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys.a}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }).then(async (answer) => {
        const text = await answer.text();
        return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result as Any;
      });

    test('none can name B, and a header does not either', async () => {
      const { tools } = await message('tools/list', {});
      // what these take is said only where Lore asks for it
      const asked: Record<string, object> = {
        remember: { do: 'Call `make all`' },
        rule: { then: 'ask', project: B },
      };
      const takers = tools.filter(
        ({ name, inputSchema }: Any) => asked[name] || inputSchema.properties?.project,
      );
      expect(takers.length).toBeGreaterThan(5);
      // a call that the hooks of A reported
      const call = { tool_name: 'mcp__lore__rule', tool_input: {}, tool_use_id: 'toolu_a' };
      const event = { session_id: 'session-a', cwd: '/home/dev/a', hook_event_name: 'PreToolUse' };
      await server.hook({ ...event, ...call }, keys.a);
      const _meta = { 'claudecode/toolUseId': call.tool_use_id };
      for (const { name, inputSchema } of takers) {
        const given = { ...(valueFor(inputSchema, '', B) as object), ...asked[name] };
        const { isError, content } = await message('tools/call', { name, arguments: given, _meta });
        expect([name, isError, content[0].text]).toEqual([
          name,
          true,
          expect.stringContaining('Key of another project'),
        ]);
      }
      const note = { name: 'note', arguments: { text: 'written under the header of b' } };
      await message('tools/call', note, { 'x-lore-project': encodeURIComponent(B) });
      const { body } = await server.request('GET', `/v1/notes?project=${encodeURIComponent(A)}`);
      expect(JSON.stringify(body.notes)).toContain('under the header of b');
    });
  });
});

describe('a start with the key of A', () => {
  const start = (name: 'a' | 'b', cwd: string, lore: object) =>
    server.request('POST', '/v1/hooks', {
      key: keys[name] as string,
      body: {
        session_id: randomUUID(),
        hook_event_name: 'SessionStart',
        source: 'startup',
        cwd,
        lore: { branch: 'main', deliveryId: randomUUID(), ...lore },
      },
    });
  const [a, b] = ['/home/dev/a', '/home/dev/b'];

  test.each<[string, string, object, number]>([
    ['in the folder of B', b, { root: b, repo: A }, 403],
    ['in the folder of B, without a remote', b, { root: b }, 403],
    ['in the folder of B, as a linked tree', b, { root: b, main: a, repo: A }, 200],
    ['in a linked tree of B', `${b}-linked`, { root: `${b}-linked`, repo: A }, 200],
    ['in a linked tree of B, told as such', `${b}-other`, { root: `${b}-other`, main: b, repo: A }, 403],
    ['with the remote of B', a, { root: a, repo: B }, 403],
    ['below the folder of B', `${b}/src`, {}, 403],
  ])('%s claims nothing of B, and locks it out of nothing', async (_, cwd, lore, status) => {
    expect((await start('a', cwd, lore)).status).toBe(status);
    await server.stored();
    expect((await start('b', b, { root: b, repo: B })).status).toBe(200);
    expect((await start('b', `${b}/src`, {})).status).toBe(200);
    const linked = cwd.startsWith(`${b}-`) ? cwd : `${b}/.claude/worktrees/f`;
    expect((await start('b', linked, { root: linked, main: b, repo: B })).status).toBe(200);
    const { body } = await server.request('GET', '/v1/projects');
    expect(body.projects.map(({ name }: { name: string }) => name).sort()).toEqual([A, B]);
  });
});
