import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { type hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// The official client talks to `/mcp` and to `lore mcp`, in both eras of the protocol.

const server = await sharedServer();
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

type Era = 'legacy' | { pin: string };
const ERAS: [string, Era][] = [
  ['2025', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

async function connected(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: Era,
): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const overHttp = (key: string, mode: Era = { pin: '2026-07-28' }) =>
  connected(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
    mode,
  );

const overStdio = (key: string, mode: Era) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '../../bin/lore.js'), 'mcp', '-p', 'app'],
      env: { PATH: process.env.PATH ?? '', LORE_URL: server.url, LORE_KEY: key, LORE_HOME: server.home },
    }),
    mode,
  );

/** Calls a tool and returns what the model reads; fails if the tool failed. */
async function use(client: Client, name: string, args: object, toolUseId?: string) {
  const result = await client.callTool({
    name,
    arguments: args as Record<string, unknown>,
    ...(toolUseId && { _meta: { 'claudecode/toolUseId': toolUseId } }),
  });
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  return result.structuredContent as any;
}

const faultOf = async (client: Client, name: string, args: object): Promise<string> => {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  expect(result.isError).toBe(true);
  return (result.content as { text: string }[])[0]?.text ?? '';
};

describe.each(ERAS)('in the era of %s', (_, mode) => {
  test('over HTTP the tools are listed, called and described to the client', async () => {
    const { key } = await server.member();
    const client = await overHttp(key, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search');
    await use(client, 'note', { text: 'The cache is emptied at midnight.', project: 'app' });
    const { results } = await use(client, 'search', { query: 'when is the cache emptied', project: 'app' });
    expect(results[0].line).toContain('midnight');
    const { records } = await use(client, 'read', { ids: [results[0].id] });
    expect(records[0].record.content).toBe('The cache is emptied at midnight.');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['retrieve', 'reflect', 'audit']);
    const asked = await client.getPrompt({ name: 'retrieve', arguments: { task: 'empty the cache' } });
    expect(asked.messages[0]?.content).toMatchObject({
      text: expect.stringContaining('this: empty the cache.'),
    });
    expect((await client.getPrompt({ name: 'audit' })).messages).toHaveLength(1);
    const plan = { project: 'app', goal: 'Empty the cache', steps: [{ description: 'stop it' }] };
    await server.request('POST', '/v1/plans', { key, body: plan });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['lore://rules', 'lore://plans']);
    const [read] = (await client.readResource({ uri: 'lore://plans' })).contents;
    expect(JSON.parse((read as { text: string }).text).plans).toMatchObject([{ goal: plan.goal }]);
    expect(await client.readResource({ uri: 'lore://rules' })).toMatchObject({
      contents: [{ uri: 'lore://rules' }],
    });
  });

  test('over stdio they ask the running server, in the project of the folder', async () => {
    const { key } = await server.member();
    const client = await overStdio(key, mode);
    await use(client, 'note', { text: 'Releases are cut on Tuesdays.' });
    const { body } = await server.request('GET', '/v1/notes?project=app', { key });
    expect(body.notes[0]).toMatchObject({ content: 'Releases are cut on Tuesdays.', project: 'app' });
  });
});

test('the list of all tools, with everything that a client gets of it, takes at most 2,500 tokens', async () => {
  const { key } = await server.member();
  const client = await overHttp(key);
  const { tools } = await client.listTools();
  expect(tools.length).toBe(14);
  expect(estimateTokens(JSON.stringify(tools))).toBeLessThanOrEqual(2500);
});

test('what a tool may do, the key may do: an agent cannot speak as a person', async () => {
  const { key, keyOf } = await server.member();
  const client = await overHttp(await keyOf('hooks', 'app'));
  const { id } = await use(client, 'remember', {
    error: 'pb.go: undefined: Order',
    do: 'Run `make proto` before `go build`, because the stubs are not in git.',
    applies_when: 'running `go build` in this repository',
  });
  const { body } = await server.request('GET', `/v1/learnings/${id.replace('learning:', '')}`, { key });
  expect(body).toMatchObject({
    status: 'proposed',
    evaluatedBy: expect.stringMatching(/^agent:/),
    project: 'app',
    // a person has to judge it, so they see what it is for
    sourceError: 'pb.go: undefined: Order',
    missing: expect.stringMatching(/^Told to nobody/),
  });
  await server.request('POST', `/v1/learnings/${body.id}/approve`, { key });
  const { results } = await use(client, 'search', { query: 'make proto', project: 'app' });
  expect(results[0].line).toBe('Run `make proto` before `go build`, because the stubs are not in git.');
  const stated = await use(client, 'remember', { type: 'port', key: 'web', value: 3000 });
  expect(stated.state).toBe('inferred');
  const { facts } = await use(client, 'facts', { type: 'port', key: 'web' });
  expect(facts).toMatchObject([{ value: 3000, tier: stated.state }]);
});

test('wrong input is refused with the field that is wrong, and changes nothing', async () => {
  const { key } = await server.member();
  const client = await overHttp(key);
  expect(await faultOf(client, 'remember', { applies_when: 'x', project: 'app' })).toContain('do');
  expect(await faultOf(client, 'note', { text: '', project: 'app' })).toContain('text');
  expect(await faultOf(client, 'plan_step', { plan: 'abcdef01', step: 1, action: 'claim' })).toMatch(/plan/i);
  const { body } = await server.request('GET', '/v1/notes', { key });
  expect(body.notes).toEqual([]);
});

describe('a call that hooks reported', () => {
  /** Reports a call of one of Lore's tools as the client's hooks do, and returns its id. */
  async function reported(session: ReturnType<typeof hookSession>, name: string, agentId?: string) {
    const toolUseId = `toolu_mcp_${Math.random().toString(36).slice(2)}`;
    await session.send('PreToolUse', {
      tool_name: `mcp__plugin_lore_http__${name}`,
      tool_input: { text: 'Run `make proto` first.' },
      tool_use_id: toolUseId,
      ...(agentId && { agent_id: agentId, agent_type: 'Explore' }),
    });
    return toolUseId;
  }

  test('is of its session, project and agent, without the agent saying so', async () => {
    const { key } = await server.member();
    const session = await startedSession(server, { key });
    const client = await overHttp(key);
    await use(
      client,
      'note',
      { text: 'The queue drains slowly.' },
      await reported(session, 'note', 'agent-7'),
    );
    const { body } = await server.request('GET', '/v1/notes', { key });
    expect(body.notes[0]).toMatchObject({ project: session.cwd, sender: 'agent-7' });
    const { plan } = await use(
      client,
      'plan_propose',
      {
        goal: 'Drain the queue faster',
        steps: [{ description: 'Measure' }, { description: 'Mend', after: [1] }],
      },
      await reported(session, 'plan_propose'),
    );
    const { step } = await use(
      client,
      'plan_step',
      { plan: plan.id, step: 1, action: 'claim' },
      await reported(session, 'plan_step', 'agent-7'),
    );
    expect(step).toMatchObject({ status: 'in_progress', by: 'agent-7' });
    const done = await use(
      client,
      'plan_step',
      {
        plan: plan.id,
        step: 1,
        action: 'complete',
        text: 'It waits for the disk.',
      },
      await reported(session, 'plan_step', 'agent-7'),
    );
    expect(done.step).toMatchObject({ status: 'completed', outcome: 'It waits for the disk.' });
  });
});
