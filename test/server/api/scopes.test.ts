import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ID, routesOf } from '../../support/routes.ts';
import { sharedServer } from '../../support/server.ts';

// Every route of the server with a key of each scope, against the table in docs/tenancy.md.

const server = await sharedServer({ model: false, owner: true });

const { operations } = await routesOf(server);
// what needs no key is open to all
const routes = operations.filter((one) => one.operation.security?.length !== 0).map(({ name }) => name);

const documented = new Map(
  [...readFileSync('docs/tenancy.md', 'utf8').matchAll(/^\| (yes|no) \| (yes|no) \| (.*) \|$/gm)].flatMap(
    ([, hooks, device, names = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(
        ([, route]) => [route, { hooks: hooks === 'yes', device: device === 'yes' }] as const,
      ),
  ),
);

const keys: Record<string, string> = {};
beforeAll(async () => {
  for (const scope of ['hooks', 'device', 'person']) {
    const { status, body } = await server.request('POST', '/v1/keys', { body: { name: scope, scope } });
    expect([status, body.scope]).toEqual([201, scope]);
    keys[scope] = body.key;
  }
});

const send = (route: string, scope: string) => {
  const [method = '', path = ''] = route.split(' ');
  // what a route says about a body that does not fit it is another matter: only 401 and 403 are looked for
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: {} } : {};
  return server.request(method, path.replaceAll(/\{\w+\}/g, ID), { key: keys[scope] ?? '', ...body });
};

test('the table names only routes that exist', () => {
  expect([...documented.keys()].filter((route) => !routes.includes(String(route)))).toEqual([]);
  expect(routes.length).toBeGreaterThan(documented.size);
});

describe.each(routes)('%s', (route) => {
  test.each(['hooks', 'device', 'person'] as const)('with a key of scope %s', async (scope) => {
    const open = documented.get(route);
    const answer = await send(route, scope);
    if (scope === 'person' || open?.[scope]) {
      expect([401, 403]).not.toContain(answer.status);
      return;
    }
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body.title).toBe('Key may not do this');
    const needed = ['person', ...(open?.device ? ['device'] : []), ...(open?.hooks ? ['hooks'] : [])];
    expect(answer.body.detail).toContain(
      `needs a key of scope ${needed.join(' or ')}, and this one has scope ${scope}`,
    );
  });
});

describe('a key for hooks', () => {
  test.each([
    ['HEAD', '/v1/export'],
    ['GET', '/v1/export/'],
    ['GET', '/v1/keys?x=/v1/me'],
    ['POST', '/v1//sql'],
    ['POST', '/v1/%73ql'],
    ['POST', '/v1/commands/overrule/'],
    ['PUT', '/v1/notes'],
    ['GET', '/v1/notes/../keys'],
    ['GET', '/v1/nothing'],
  ])('gets nowhere by %s %s', async (method, path) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${keys.hooks}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && method !== 'HEAD' && { body: '{"query": "select 1"}' }),
    });
    expect(response.status).toBe(403);
  });

  test('is not told the code of what it has checked, and neither is the agent that reads the answer of its hook', async () => {
    const about = { body: { command: 'git push --force', cwd: '/home/dev/app' } };
    const own = await server.request('POST', '/v1/commands/check', about);
    const agents = await server.request('POST', '/v1/commands/check', { ...about, key: keys.hooks ?? '' });
    expect(own.body.code).toMatch(/^[0-9a-f]{16}$/);
    expect([agents.status, agents.body.decision]).toEqual([200, 'deny']);
    expect(JSON.stringify(agents.body)).not.toContain(own.body.code);
    const hook = {
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      cwd: '/home/dev/app',
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_input: { command: 'git push --force' },
    };
    const { hookSpecificOutput: said } = await server.hook(hook, keys.hooks);
    expect(said.permissionDecision).toBe('deny');
    expect(said.permissionDecisionReason).toMatch(
      /Only a person can allow it: lore allow, in a terminal of their own\.$/,
    );
    expect(JSON.stringify(said)).not.toContain(own.body.code);
    // what nobody can allow is not said to be for a person to allow
    const last = { ...hook, tool_use_id: 't2', tool_input: { command: 'rm -rf ~/' } };
    const { hookSpecificOutput: never } = await server.hook(last, keys.hooks);
    expect(never.permissionDecision).toBe('deny');
    expect(never.permissionDecisionReason).not.toContain('lore allow');
  });
});

test('hooks are refused to a device, by the short way as by the long one', async () => {
  const event = { session_id: 's2', hook_event_name: 'Stop', cwd: '/home/dev/app' };
  for (let i = 0; i < 2; i++) {
    const { status } = await server.request('POST', '/v1/hooks', { key: keys.device ?? '', body: event });
    expect(status).toBe(403);
  }
});

test.each([
  ['longer than what is kept', `git reset --hard # ${'x'.repeat(5000)}`],
  ['partly private', 'git reset --hard; echo <private>; frobnicate'],
])('nobody can allow a command that is %s, because nobody can see all of it', async (_, command) => {
  const body = { command, cwd: '/home/dev/app' };
  const { code } = (await server.request('POST', '/v1/commands/check', { body })).body;
  const { checks } = (await server.request('GET', `/v1/commands/checks?code=${code}`)).body;
  expect(checks).toMatchObject([{ code, whole: false }]);
  const answer = await server.request('POST', '/v1/commands/overrule', { body: { code, decision: 'allow' } });
  expect([answer.status, answer.body.title]).toEqual([409, 'Cannot be allowed']);
});
