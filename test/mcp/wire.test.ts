import { request } from 'node:http';
import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

// What the official client does not try.
const server = await sharedServer({ model: false });

const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'wire', version: '1' },
  },
};

/** Says hello under these headers, and returns the status of the answer. */
const greet = (headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const usual = {
      authorization: `Bearer ${server.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const asked = request(
      `${server.url}/mcp`,
      { method: 'POST', headers: { ...usual, ...headers } },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      },
    );
    asked.once('error', reject).end(JSON.stringify(hello));
  });

test('dns-rebinding-protection: a name that is not the server’s is refused before anything is done, its own is not', async () => {
  const stranger = { host: 'evil.example.com', origin: 'http://evil.example.com' };
  expect(await greet(stranger)).toBe(421);
  const own = new URL(server.url).host;
  expect(await greet({ host: own, origin: `http://${own}` })).toBe(200);
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
