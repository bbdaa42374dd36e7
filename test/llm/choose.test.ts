import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { GEMINI_MODEL, readConfig } from '../../src/config.ts';
import type { Problem } from '../../src/errors/problem.ts';
import { schemaOf } from '../../src/llm/ask.ts';
import { createModels } from '../../src/llm/choose.ts';
import { createGemini } from '../../src/llm/gemini.ts';
import { fakeGemini } from '../support/gemini.ts';
import { startTestServer } from '../support/server.ts';

const gemini = await fakeGemini();
const server = await startTestServer({ LORE_MODEL_DIR: '' });
const form = z.object({ ok: z.boolean() });
const request = { purpose: 'x', instructions: 'Answer.', prompt: '{}', form, maxOutputTokens: 10 };
const made = (model: string) =>
  createGemini({ apiKey: 'k', model, baseUrl: gemini.url, timeoutMs: 5_000 }).call(request);

describe('Gemini is kept from thinking in the way of its family:', () => {
  test.each([
    [GEMINI_MODEL, { thinkingLevel: 'minimal' }, undefined],
    ['gemini-3-pro-preview', { thinkingLevel: 'low' }, undefined],
    ['gemini-2.5-flash', { thinkingBudget: 0 }, 0],
    ['gemini-2.5-flash-lite', { thinkingBudget: 0 }, 0],
    ['gemini-2.5-pro', { thinkingBudget: 128 }, 0],
    ['some-other-model', undefined, undefined],
  ])('%s', async (model, thinkingConfig, temperature) => {
    gemini.reply = { answer: { ok: true } };
    expect(await made(model)).toMatchObject({ answer: { ok: true } });
    const { generationConfig } = gemini.calls.at(-1)?.body ?? {};
    expect(generationConfig?.thinkingConfig).toEqual(thinkingConfig);
    expect(generationConfig?.temperature).toBe(temperature);
  });

  test('a model that is switched off is named, with what to do', async () => {
    gemini.reply = { status: 404, message: 'models/gemini-2.5-flash is not found for API version v1beta' };
    expect(await made('gemini-2.5-flash')).toMatchObject({
      failure: {
        fault: 'unknown model',
        message: expect.stringMatching(/no model gemini-2\.5-flash.*GEMINI_MODEL.*gemini-3\.5-flash-lite/),
      },
    });
  });
});

test('a form is told as a schema that all providers understand', () => {
  const told = schemaOf(
    z.object({
      kind: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a'), pattern: z.string().max(9) }),
      ]),
      words: z
        .array(z.string().min(1))
        .default([])
        .transform((list) => list.slice(0, 2)),
      n: z.number().int().nullable(),
      guard: z.boolean().nullable().catch(null),
      input: z.record(z.string(), z.unknown()),
      maybe: z.string().optional(),
    }),
  );
  expect(told).toEqual({
    type: 'object',
    properties: {
      kind: {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', enum: ['a'] }, pattern: { type: 'string' } },
            required: ['kind', 'pattern'],
            additionalProperties: false,
          },
        ],
      },
      words: { type: 'array', items: { type: 'string' } },
      n: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      guard: { type: ['boolean', 'null'] },
      input: { type: 'object', additionalProperties: true },
      maybe: { type: 'string' },
    },
    required: ['kind', 'n', 'guard', 'input', 'words'],
  });
});

describe('the configuration chooses', () => {
  const KEY = { GEMINI_API_KEY: 'k' };
  const ENDPOINT = { LORE_MODEL_URL: 'http://127.0.0.1:11434/v1', LORE_MODEL_NAME: 'qwen3:8b' };
  const owner = { userId: '00000000-0000-4000-8000-000000000001', role: 'owner' as const };
  const chosen = async (env: Record<string, string>) => {
    const models = createModels(readConfig({ LORE_HOME: server.home, ...env }), server.db, owner.userId);
    const { provider, model } = await models.status(owner);
    return [provider, model, models.fast !== null];
  };

  test.each([
    [{}, ['none', null, false]],
    [KEY, ['gemini', GEMINI_MODEL, true]],
    [ENDPOINT, ['openai', 'qwen3:8b', true]],
    [{ ...KEY, ...ENDPOINT }, ['gemini', GEMINI_MODEL, true]],
    [{ ...KEY, ...ENDPOINT, LORE_MODEL: 'openai' }, ['openai', 'qwen3:8b', true]],
    [{ ...KEY, LORE_MODEL: 'claude' }, ['claude', 'claude:haiku', false]],
    [{ LORE_MODEL: 'claude', LORE_MODEL_NAME: 'sonnet' }, ['claude', 'claude:sonnet', false]],
    [{ ...KEY, ...ENDPOINT, LORE_MODEL: 'none' }, ['none', null, false]],
  ])('%j', async (env, expected) => {
    expect(await chosen(env)).toEqual(expected);
  });

  test.each([
    [{ LORE_MODEL: 'gemini' }, 'GEMINI_API_KEY', 'must be set with LORE_MODEL=gemini'],
    [{ LORE_MODEL: 'openai' }, 'LORE_MODEL_URL', 'must be set with LORE_MODEL=openai'],
    [{ LORE_MODEL_URL: 'http://127.0.0.1:1/v1' }, 'LORE_MODEL_NAME', 'must be set with LORE_MODEL_URL'],
    [{ LORE_MODEL: 'clippy' }, 'LORE_MODEL', ''],
  ])('but not with %j', (env, field, message) => {
    let thrown: Problem | undefined;
    try {
      readConfig(env);
    } catch (error) {
      thrown = error as Problem;
    }
    expect(thrown?.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
  });

  test('and a budget under its old name still holds', () => {
    const budget = (env: Record<string, string>) => readConfig(env).model.dailyTokens;
    expect(budget({ GEMINI_DAILY_TOKENS: '7' })).toBe(7);
    expect(budget({ GEMINI_DAILY_TOKENS: '7', LORE_MODEL_DAILY_TOKENS: '9' })).toBe(9);
    expect(readConfig({ GEMINI_TIMEOUT_MS: '77' }).model.timeoutMs.gemini).toBe(77);
  });
});
