import { expect, test } from 'vitest';
import { codex, runCodex } from '../support/codex.ts';
import { needs } from '../support/needs.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

// The genuine Codex (0.169) speaks the protocol's era of 2025. LORE_CODEX names its binary; its model is scripted.
const server = (codex ? await sharedServer() : undefined) as TestServer;

needs('the genuine Codex (LORE_CODEX)', codex).describe('the genuine Codex that LORE_CODEX names', () => {
  test('searches, and notes what it found out in the project of its key', async () => {
    const { key } = await server.member();
    const made = { name: 'codex', scope: 'hooks', project: 'app' };
    const agent = (await server.request('POST', '/v1/keys', { key, body: made })).body.key;
    const note = { content: 'The ledger is closed on the third working day.', project: 'app' };
    await server.request('POST', '/v1/notes', { key, body: note });
    const requests = await runCodex(
      [
        { namespace: 'mcp__lore', tool: 'search', input: { query: 'when is the ledger closed' } },
        { namespace: 'mcp__lore', tool: 'note', input: { text: 'It was closed on a Thursday.' } },
        { text: 'Done.' },
      ],
      `[mcp_servers.lore]\nurl = "${server.url}/mcp"\nhttp_headers = { Authorization = "Bearer ${agent}" }\n`,
    );
    const results = (n: number) =>
      JSON.stringify(requests[n]?.input.filter(({ type }) => type === 'function_call_output').at(-1));
    expect(requests).toHaveLength(3);
    expect(results(1)).toContain('third working day');
    const { body } = await server.request('GET', '/v1/notes?project=app', { key });
    expect(body.notes[0]).toMatchObject({
      content: 'It was closed on a Thursday.',
      sender: 'codex-mcp-client',
    });
  }, 120_000);
});
