import { GoogleGenerativeAI, GoogleGenerativeAIAbortError, type ResponseSchema } from '@google/generative-ai';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import { redactText } from '../redaction/redact.ts';
import { llmUsage } from './schema.ts';

/** Why there is no answer; the caller goes on without one. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

type JsonRequest<T> = {
  /** what it is for, as counted in `llm_usage` */
  purpose: string;
  instructions: string;
  /** the data to judge; redacted once more before it leaves */
  prompt: string;
  schema: ResponseSchema;
  /** what the answer is held to: the model may ignore `schema` */
  form: z.ZodType<T>;
  maxOutputTokens: number;
  /** shorter than the configured limit, for what cannot wait */
  timeoutMs?: number;
};

/** Calls Gemini as a user and gives the answer. */
export type AskModel = <T>(claims: Claims, request: JsonRequest<T>) => Promise<{ answer: T; model: string }>;

/**
 * Gemini over `@google/generative-ai`, with a response schema, a time limit and each user's daily token budget.
 * Null when no key is configured.
 *
 * The returned function rejects with ModelUnavailable on a spent budget, a timeout, an HTTP error, a refusal or an
 * answer that is not JSON of the wanted form; every call is counted, failed ones too.
 */
export function createGemini(config: Config['gemini'], db: Database): AskModel | null {
  if (config.apiKey === undefined) return null;
  const client = new GoogleGenerativeAI(config.apiKey);
  return async (claims, request) => {
    const prompt = redactText(request.prompt);
    const timeout = Math.min(config.timeoutMs, request.timeoutMs ?? config.timeoutMs);
    await checkBudget(db, claims, config.dailyTokens);
    const model = client.getGenerativeModel(
      {
        model: config.model,
        systemInstruction: request.instructions,
        generationConfig: {
          responseMimeType: 'application/json',
          responseSchema: request.schema,
          temperature: 0,
          maxOutputTokens: request.maxOutputTokens,
        },
      },
      { timeout, ...(config.baseUrl !== undefined && { baseUrl: config.baseUrl }) },
    );
    let usage = { promptTokenCount: 0, candidatesTokenCount: 0 };
    let failed = true;
    try {
      const { response } = await model.generateContent(prompt);
      usage = response.usageMetadata ?? usage;
      const answer = request.form.parse(JSON.parse(response.text()));
      failed = false;
      return { answer, model: config.model };
    } catch (error) {
      const detail = redactText(explain(error, timeout)).slice(0, 300);
      throw new ModelUnavailable(`Gemini gave no usable answer: ${detail}`);
    } finally {
      await countUsage(db, claims, {
        purpose: request.purpose,
        model: config.model,
        failures: failed ? 1 : 0,
        inputTokens: usage.promptTokenCount ?? 0,
        outputTokens: usage.candidatesTokenCount ?? 0,
      });
    }
  };
}

function explain(error: unknown, timeoutMs: number): string {
  if (error instanceof z.ZodError) {
    return `wrong form: ${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;
  }
  if (!(error instanceof Error)) return String(error);
  // the library's own error while it waits for the answer to begin, fetch's when it stops half-way
  const late = error instanceof GoogleGenerativeAIAbortError || error.name === 'AbortError';
  return late ? `none within ${timeoutMs} ms` : error.message;
}

async function checkBudget(db: Database, claims: Claims, dailyTokens: number) {
  const [spent] = await asUser(db, claims, (tx) =>
    query<{ tokens: number }>(
      tx,
      sql`select coalesce(sum(input_tokens + output_tokens), 0)::int as tokens from llm_usage
          where day = (now() at time zone 'UTC')::date`,
    ),
  );
  if ((spent?.tokens ?? 0) >= dailyTokens) {
    throw new ModelUnavailable(`the daily budget of ${dailyTokens} tokens is spent`);
  }
}

type Spent = { purpose: string; model: string; failures: number; inputTokens: number; outputTokens: number };

async function countUsage(db: Database, claims: Claims, spent: Spent) {
  const today = sql`(now() at time zone 'UTC')::date`;
  await asUser(db, claims, (tx) =>
    tx
      .insert(llmUsage)
      .values({ ...spent, day: today as unknown as string, requests: 1 })
      .onConflictDoUpdate({
        target: [llmUsage.userId, llmUsage.day, llmUsage.purpose, llmUsage.model],
        set: {
          requests: sql`${llmUsage.requests} + 1`,
          failures: sql`${llmUsage.failures} + excluded.failures`,
          inputTokens: sql`${llmUsage.inputTokens} + excluded.input_tokens`,
          outputTokens: sql`${llmUsage.outputTokens} + excluded.output_tokens`,
        },
      }),
  );
}
