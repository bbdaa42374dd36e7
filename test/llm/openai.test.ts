import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ModelUnavailable } from '../../src/llm/ask.ts';
import { createOpenAI } from '../../src/llm/openai.ts';
import { learn, learnings } from '../learnings/mend.ts';
import { CHAT_USAGE, fakeOpenAI } from '../support/openai.ts';
import { startTestServer } from '../support/server.ts';

vi.setConfig({ testTimeout: 60_000 });

const openai = await fakeOpenAI();
const server = await startTestServer({
  LORE_MODEL_URL: openai.url,
  LORE_MODEL_NAME: 'qwen3:8b',
  LORE_MODEL_KEY: 'sk-local-key',
  LORE_MODEL_DAILY_CALLS: '1',
});
const form = z.object({ verdict: z.enum(['safe', 'unsafe']), why: z.string().max(50).default('') });
const request = {
  purpose: 'safety',
  instructions: 'You judge.',
  prompt: '{"n":1}',
  form,
  maxOutputTokens: 50,
};
const made = () => createOpenAI({ url: openai.url, model: 'qwen3:8b', key: undefined, timeoutMs: 2_000 });

const LESSON = {
  error: "Cannot find module './config.json'",
  cause: 'Two connections are not enough for the parallel workers.',
  do: 'Set `pool` in config.json to at least 20: node check.js opens one connection for each worker.',
  applies_when: 'Running node check.js with parallel workers',
};

test('a server that speaks the protocol writes lessons, is told the form, and is counted', async () => {
  const { key, userId } = await server.member();
  openai.reply = {
    content: JSON.stringify({ remember: [LESSON], rules: [] }),
  };
  await learn(server, { key });
  expect(await learnings(server, key)).toMatchObject([{ lesson: LESSON.do, evaluatedBy: 'qwen3:8b' }]);
  const [call] = openai.calls;
  expect(call).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-local-key' },
  });
  expect(call?.body).toMatchObject({
    model: 'qwen3:8b',
    stream: false,
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'distil', schema: { type: 'object' } } },
    messages: [{ role: 'system' }, { role: 'user' }],
  });
  expect(call?.body.messages[0]?.content).toContain('"applies_when":{"type":"string"');
  expect(JSON.parse(call?.body.messages[1]?.content ?? '')).toMatchObject({ task: 'Make the checks pass' });
  expect(
    await server.rows(`select model, requests, input_tokens from llm_usage where user_id = '${userId}'`),
  ).toEqual([{ model: 'qwen3:8b', requests: 1, input_tokens: CHAT_USAGE.prompt_tokens }]);

  // the calls of a day are a budget too
  await learn(server, { key, cwd: '/home/dev/other' });
  expect(openai.calls).toHaveLength(1);
  expect((await server.request('GET', '/v1/model', { key })).body).toMatchObject({
    provider: 'openai',
    model: 'qwen3:8b',
    state: 'budget',
    advice: expect.stringContaining('LORE_MODEL_DAILY_CALLS'),
    callsToday: 1,
    dailyCalls: 1,
  });
});

describe('an answer', () => {
  test.each([
    ['is plain JSON', '{"verdict":"safe","why":"it lists"}'],
    ['stands in a fence', '```json\n{"verdict":"safe","why":"it lists"}\n```'],
    [
      'has words around its fence',
      'Here it is:\n```\n{"verdict":"safe","why":"it lists"}\n```\nAnything else?',
    ],
    ['follows a thought', '<think>\n{"verdict": hm}\n</think>\n\n{"verdict":"safe","why":"it lists"}'],
  ])('is read if it %s', async (_name, content) => {
    openai.reply = { content };
    expect(await made().call(request)).toEqual({
      answer: { verdict: 'safe', why: 'it lists' },
      inputTokens: CHAT_USAGE.prompt_tokens,
      outputTokens: CHAT_USAGE.completion_tokens,
    });
  });

  test.each([
    ['is cut off', { content: '{"verdict":"safe","why":"it li' }, 'form', /JSON/],
    ['is no JSON', { content: 'It is safe.' }, 'form', /JSON/],
    ['has another form', { content: '{"verdict":"maybe"}' }, 'form', /verdict/],
    [
      'is a refusal of the key',
      { status: 401, body: '{"error":{"message":"bad key"}}' },
      'refused',
      /401 bad key/,
    ],
    [
      'names no such model',
      { status: 404, body: '{"error":"model \\"qwen3:8b\\" not found"}' },
      'unknown model',
      /LORE_MODEL_NAME/,
    ],
    ['is a limit', { status: 429, body: '{"error":{"message":"slow down"}}' }, 'limited', /slow down/],
    ['is a broken server', { status: 502, body: '<html>Bad gateway</html>' }, 'failed', /502/],
    ['does not come', 'hang', 'late', /none within 2000 ms/],
  ] as const)('that %s is a failure with its reason', async (_name, reply, fault, reason) => {
    openai.reply = reply;
    const outcome = await made().call(request);
    const { failure } = outcome as { failure: ModelUnavailable };
    expect(failure).toMatchObject({ fault, asked: true });
    expect(failure.message).toMatch(reason);
  });

  test('of a server that is not there is a failure that says so', async () => {
    const nobody = createOpenAI({
      url: 'http://127.0.0.1:9/v1',
      model: 'm',
      key: undefined,
      timeoutMs: 2_000,
    });
    expect(await nobody.call(request)).toMatchObject({
      failure: { fault: 'failed', message: expect.stringMatching(/127\.0\.0\.1:9.*(ECONNREFUSED|bad port)/) },
    });
  });
});

test('what a server refuses to be told is left out from then on', async () => {
  const refuse = (field: string) => ({
    status: 400,
    body: JSON.stringify({ error: { message: `Unsupported parameter: '${field}'` } }),
  });
  openai.reply = ({ body }) =>
    body.max_tokens !== undefined
      ? refuse('max_tokens')
      : body.temperature !== undefined
        ? refuse('temperature')
        : { content: '{"verdict":"unsafe"}' };
  const provider = made();
  const before = openai.calls.length;
  expect(await provider.call(request)).toMatchObject({ answer: { verdict: 'unsafe', why: '' } });
  expect(openai.calls).toHaveLength(before + 3);
  expect(await provider.call(request)).toMatchObject({ answer: { verdict: 'unsafe' } });
  expect(openai.calls).toHaveLength(before + 4);
  expect(openai.calls.at(-1)?.body.response_format).toBeDefined();
});
