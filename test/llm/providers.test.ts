import { afterAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GEMINI_MODEL } from '../../src/base/config.ts';
import { type Provider, schemaOf } from '../../src/llm/ask.ts';
import { createClaude } from '../../src/llm/claude.ts';
import { createGemini } from '../../src/llm/gemini.ts';
import { createOpenAI } from '../../src/llm/openai.ts';
import { fakeClaude } from '../support/claude.ts';
import { fakeGemini } from '../support/gemini.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { fakeOpenAI } from '../support/openai.ts';

// How each provider is asked and what its answers mean, against servers and a program that speak its protocol.

const [gemini, openai, claude] = [await fakeGemini(), await fakeOpenAI(), fakeClaude()];
// as in a server that somebody started from a session
vi.stubEnv('CLAUDECODE', '1');
vi.stubEnv('LORE_KEY', 'k'.repeat(20));
vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
afterAll(() => vi.unstubAllEnvs());

const form = z.object({ verdict: z.enum(['safe', 'unsafe']), why: z.string().max(50).default('') });
const request = { purpose: 'x', instructions: 'You judge.', prompt: '{"n":1}', form, maxOutputTokens: 50 };
const SAFE = { verdict: 'safe', why: '' } as const;

const byGemini = (model = GEMINI_MODEL) =>
  createGemini({ apiKey: 'k', model, baseUrl: gemini.url, timeoutMs: 1_000 });
const byOpenAI = (url = openai.url) =>
  createOpenAI({ url, model: 'qwen3:8b', key: 'sk-local', timeoutMs: 1_000 });
const byClaude = () => createClaude({ home: temporaryFolder(), model: 'haiku', timeoutMs: 2_000 });
const ask = (provider: Provider) => provider.call(request);

test.each([
  [GEMINI_MODEL, { thinkingLevel: 'minimal' }, undefined],
  ['gemini-3-pro-preview', { thinkingLevel: 'low' }, undefined],
  ['gemini-2.5-flash', { thinkingBudget: 0 }, 0],
  ['gemini-2.5-pro', { thinkingBudget: 128 }, 0],
  ['some-other-model', undefined, undefined],
])('%s is kept from thinking in the way of its family', async (model, thinkingConfig, temperature) => {
  gemini.reply = { answer: SAFE };
  expect(await ask(byGemini(model))).toMatchObject({ answer: SAFE });
  const { generationConfig } = gemini.calls.at(-1)?.body ?? {};
  expect(generationConfig?.thinkingConfig).toEqual(thinkingConfig);
  expect(generationConfig?.temperature).toBe(temperature);
});

test('Claude Code gets no tools, no hooks and no settings of its person, and one call waits for the other', async () => {
  claude.reply = { answer: SAFE };
  const provider = byClaude();
  expect(await Promise.all([ask(provider), ask(provider)])).toMatchObject([
    { answer: SAFE },
    { answer: SAFE },
  ]);
  const [one, two] = claude.runs();
  expect(two?.from).toBeGreaterThanOrEqual(one?.to ?? Number.POSITIVE_INFINITY);
  const { args = [], env = [] } = one ?? {};
  const behind = (flag: string) => args[args.indexOf(flag) + 1];
  expect(args.slice(0, 2)).toEqual(['-p', '{"n":1}']);
  expect(args).toEqual(
    expect.arrayContaining(['--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence']),
  );
  expect(['--model', '--tools', '--setting-sources'].map(behind)).toEqual(['haiku', '', '']);
  expect(JSON.parse(behind('--settings') ?? '')).toEqual({ disableAllHooks: true });
  expect(JSON.parse(behind('--json-schema') ?? '')).toMatchObject({ required: ['verdict', 'why'] });
  expect(one).toMatchObject({ files: [], stdin: '/dev/null' });
  expect(env).toContain('ANTHROPIC_BASE_URL');
  expect(env.filter((name) => /^(CLAUDECODE|LORE_)/.test(name))).toEqual([]);
});

test('a server that speaks the protocol of OpenAI is told the form', async () => {
  openai.reply = { content: JSON.stringify(SAFE) };
  expect(await ask(byOpenAI())).toMatchObject({ answer: SAFE });
  expect(openai.calls.at(-1)).toMatchObject({
    headers: { authorization: 'Bearer sk-local' },
    body: { model: 'qwen3:8b', response_format: { type: 'json_schema' } },
  });
  expect(openai.calls.at(-1)?.body.messages[0]?.content).toContain('"enum":["safe","unsafe"]');
});

test.each([
  ['in a fence', '```json\n{"verdict":"safe"}\n```'],
  ['with words around its fence', 'Here it is:\n```\n{"verdict":"safe"}\n```\nAnything else?'],
  ['behind a thought', '<think>\n{"verdict": hm}\n</think>\n\n{"verdict":"safe"}'],
])('an answer %s is read', async (_name, content) => {
  openai.reply = { content };
  expect(await ask(byOpenAI())).toMatchObject({ answer: SAFE });
});

describe('what is no answer says why:', () => {
  test.each([
    ['a model that is switched off', { status: 404, message: 'not found' }, 'unknown model', /GEMINI_MODEL/],
    ['a spent quota', { status: 429, message: 'exhausted' }, 'limited', /exhausted/],
    ['words', { text: 'Sure! It is safe.' }, 'form', /JSON/],
    ['a hanging Gemini', 'hang', 'late', /1000 ms/],
  ] as const)('%s', async (_name, reply, fault, reason) => {
    gemini.reply = reply;
    expect(await ask(byGemini())).toMatchObject({
      failure: { fault, message: expect.stringMatching(reason), asked: true },
    });
  });

  test.each([
    ['half an answer', { content: '{"verdict":"safe","why":"it li' }, 'form', /JSON/],
    ['a wrong key', { status: 401, body: '{"error":{"message":"bad key"}}' }, 'refused', /401 bad key/],
    ['no such model', { status: 404, body: '{"error":"none"}' }, 'unknown model', /LORE_MODEL_NAME/],
    ['a hanging server', 'hang', 'late', /1000 ms/],
  ] as const)('%s', async (_name, reply, fault, reason) => {
    openai.reply = reply;
    expect(await ask(byOpenAI())).toMatchObject({
      failure: { fault, message: expect.stringMatching(reason) },
    });
  });

  // `runs`: 1 if the next call would fail too, so that it is not made for some minutes
  test.each([
    ['no login', { failure: 'Not logged in · Please run /login' }, 'no login', /Not logged in/, 1],
    ['a limit', { failure: 'API Error: Request rejected (429)', status: 429 }, 'limited', /429/, 1],
    ['words of Claude', { answer: 'It is safe.' }, 'form', /JSON/, 2],
    ['an unknown flag', { text: "error: unknown option '--json-schema'" }, 'failed', /unknown option/, 2],
    ['nothing', { text: '' }, 'failed', /ended with 0/, 2],
    ['a hanging Claude', { hang: true }, 'late', /2000 ms/, 2],
  ] as const)('%s', async (_name, reply, fault, reason, runs) => {
    const provider = byClaude();
    const before = claude.runs().length;
    claude.reply = reply;
    expect(await ask(provider)).toMatchObject({
      failure: { fault, message: expect.stringMatching(reason), asked: true },
    });
    claude.reply = { answer: SAFE };
    const next = await ask(provider);
    expect(claude.runs()).toHaveLength(before + runs);
    expect(next).toMatchObject(runs === 1 ? { failure: { fault } } : { answer: SAFE });
  });

  test('no claude', async () => {
    vi.stubEnv('PATH', '/nonexistent');
    expect(await ask(byClaude())).toMatchObject({ failure: { fault: 'no binary', asked: false } });
  });
});

test('a form is told as a schema that all providers understand', () => {
  const told = schemaOf(
    z.object({
      kind: z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('a'), name: z.string().max(9) })]),
      words: z.array(z.string().min(1)).default([]),
      n: z.number().int().nullable(),
    }),
  );
  const properties = { kind: { type: 'string', enum: ['a'] }, name: { type: 'string' } };
  expect(told).toEqual({
    type: 'object',
    properties: {
      kind: {
        anyOf: [{ type: 'object', properties, required: ['kind', 'name'], additionalProperties: false }],
      },
      words: { type: 'array', items: { type: 'string' } },
      n: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    },
    required: ['kind', 'n', 'words'],
  });
});
