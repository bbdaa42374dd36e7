import { sql } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { createCall, type JsonRequest, ModelUnavailable } from './call-gemini.ts';
import { llmUsage } from './schema.ts';

/**
 * Asks Gemini on a user's budget and returns the answer with the model's name.
 *
 * @throws ModelUnavailable on a spent budget, a timeout, an HTTP error, a refusal, or an answer that is not JSON of the
 *   wanted form
 */
export type AskModel = <T>(
  claims: Claims,
  request: JsonRequest<T>,
) => Promise<{ answer: T; model: string; tokens: number }>;

/**
 * Returns a function that asks Gemini within each user's daily budget of tokens; null when no key is configured. Every
 * call is counted in `llm_usage`, failed ones too.
 */
export function createGemini(config: Config['gemini'], db: Database): AskModel | null {
  const call = createCall(config);
  if (call === null) return null;
  return async (claims, request) => {
    await checkBudget(db, claims, config.dailyTokens);
    const outcome = await call(request);
    const { inputTokens, outputTokens } = outcome;
    await countUsage(db, claims, {
      purpose: request.purpose,
      model: config.model,
      failures: 'failure' in outcome ? 1 : 0,
      inputTokens,
      outputTokens,
    });
    const tokens = inputTokens + outputTokens;
    if ('failure' in outcome) throw Object.assign(outcome.failure, { tokens });
    return { answer: outcome.answer, model: config.model, tokens };
  };
}

async function checkBudget(db: Database, claims: Claims, dailyTokens: number) {
  const { tokens, off } = await asUser(db, claims, spentToday);
  if (off) {
    const failure = new ModelUnavailable('a person has turned spending on the model off');
    throw Object.assign(failure, { overBudget: true });
  }
  if (tokens >= dailyTokens) {
    const failure = new ModelUnavailable(`the daily budget of ${dailyTokens} tokens is spent`);
    throw Object.assign(failure, { overBudget: true });
  }
}

/** Returns the tokens that were spent today, and whether a person has turned spending off. */
async function spentToday(tx: Tx): Promise<{ tokens: number; off: boolean }> {
  const [spent] = await query<{ tokens: number; off: boolean }>(
    tx,
    sql`select coalesce(sum(input_tokens + output_tokens), 0)::int as tokens,
          exists (select from settings where not model_spending) as off
        from llm_usage where user_id = auth.uid() and day = (now() at time zone 'UTC')::date`,
  );
  return spent ?? { tokens: 0, off: false };
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

/**
 * Returns what a user's model calls have cost on the days since an instant, and what is left of today's
 * budget.
 */
export async function usageMetrics(tx: Tx, since: Date, dailyTokens: number) {
  type Day = {
    day: string;
    purpose: string;
    model: string;
    requests: number;
    failures: number;
    inputTokens: number;
    outputTokens: number;
  };
  const days = await query<Day>(
    tx,
    sql`select day::text as day, purpose, model, requests, failures, input_tokens as "inputTokens",
          output_tokens as "outputTokens"
        from llm_usage
        where user_id = auth.uid() and day >= (${since.toISOString()}::timestamptz at time zone 'UTC')::date
        order by day desc, purpose, model`,
  );
  const { tokens: usedToday } = await spentToday(tx);
  return { dailyTokens, usedToday, leftToday: Math.max(0, dailyTokens - usedToday), days };
}
