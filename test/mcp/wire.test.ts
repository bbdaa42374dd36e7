import { request } from 'node:http';
import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

// What the protocol's own conformance suite asks of a server in the era of 2025, in its six scenarios that need no tools
// of its own: server-initialize, ping, tools-list, resources-list, prompts-list and dns-rebinding-protection. The suite
// sends no key and does not start on Node 20, so the same is sent here.
const server = await sharedServer({ model: false });

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];

/** Sends a message as the suite does, and returns the status and the one message of the answer. */
function send(message: object, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(server.url);
  return new Promise<{ status: number; type: string; body: Answer }>((resolve, reject) => {
    const asked = request(
      {
        hostname,
        port,
        path: '/mcp',
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      async (response) => {
        let text = '';
        for await (const piece of response.setEncoding('utf8')) text += piece;
        // a stream holds the message in its one `data` line
        const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, type, body: json === '' ? {} : JSON.parse(json) });
      },
    );
    asked.once('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}
type Answer = { id?: unknown; result?: Record<string, unknown>; error?: unknown };

const hello = (protocolVersion: string) => ({
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'wire', version: '1' } },
});

test.each(VERSIONS)(
  'server-initialize: %s is agreed on, with name, version and what there is',
  async (version) => {
    const { status, body } = await send(hello(version));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 1,
      result: {
        protocolVersion: version,
        serverInfo: { name: 'lore', version: expect.any(String) },
        capabilities: { tools: {} },
      },
    });
    const ready = await send({ method: 'notifications/initialized' }, { 'mcp-protocol-version': version });
    expect(ready).toMatchObject({ status: 202, body: {} });
  },
);

test('server-initialize: an unknown version is answered with one that is known', async () => {
  const { body } = await send(hello('1999-01-01'));
  expect(VERSIONS).toContain(body.result?.protocolVersion);
});

test('ping: is answered with an empty result', async () => {
  const { status, body } = await send({ id: 'p', method: 'ping' }, { 'mcp-protocol-version': '2025-11-25' });
  expect([status, body.id, body.result]).toEqual([200, 'p', {}]);
});

test.each([
  ['tools', { name: expect.any(String), description: expect.any(String), inputSchema: { type: 'object' } }],
])('%s-list: each has what the protocol asks for, and a name of its own', async (kind, form) => {
  const { status, body } = await send(
    { id: 2, method: `${kind}/list`, params: {} },
    { 'mcp-protocol-version': '2025-11-25' },
  );
  expect(status).toBe(200);
  const listed = body.result?.[kind] as { name: string }[];
  expect(listed.length).toBeGreaterThan(0);
  for (const one of listed) expect(one).toMatchObject(form);
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
});

test('dns-rebinding-protection: a name that is not the server’s is refused before anything is done, its own is not', async () => {
  const stranger = { host: 'evil.example.com', origin: 'http://evil.example.com' };
  expect((await send(hello('2025-11-25'), stranger)).status).toBe(421);
  const own = new URL(server.url).host;
  expect((await send(hello('2025-11-25'), { host: own, origin: `http://${own}` })).status).toBe(200);
});

test.each([
  ['an empty body', '', {}],
  ['a project that is not encoded', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'x-lore-project': '%' }],
])('%s is a fault of the request', async (_, body, headers) => {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ status: 400, title: expect.any(String) });
});
