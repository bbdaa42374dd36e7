import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type AskModel, type Fault, ModelUnavailable, type Provider } from './ask.ts';
import { llmUsage } from './schema.ts';

/** What each user may spend in a UTC day. */
export type Budget = { dailyTokens: number; dailyCalls: number };

/**
 * Returns a function that asks a provider within each user's daily budget, and not at all for a user who has turned the
 * model off. Every call is counted in `llm_usage`, failed ones too.
 */
export function withinBudget(provider: Provider, db: Database, budget: Budget): AskModel {
  return async (claims, request) => {
    await checkBudget(db, claims, budget);
    const outcome = await provider.call(request);
    const { inputTokens, outputTokens } = outcome;
    const tokens = inputTokens + outputTokens;
    if (!('failure' in outcome) || outcome.failure.asked) {
      await countUsage(db, claims, {
        purpose: request.purpose,
        model: provider.model,
        failures: 'failure' in outcome ? 1 : 0,
        inputTokens,
        outputTokens,
      });
    }
    if ('failure' in outcome) {
      // Work that goes on without a model must not take the end of the server for an answer.
      request.signal?.throwIfAborted();
      throw Object.assign(outcome.failure, { tokens });
    }
    return { answer: outcome.answer, model: provider.model, tokens };
  };
}

async function checkBudget(db: Database, claims: Claims, { dailyTokens, dailyCalls }: Budget) {
  const { tokens, calls, off } = await asUser(db, claims, spentToday);
  if (off) throw notAsked('off', 'a person has turned spending on the model off');
  if (tokens >= dailyTokens) {
    throw notAsked('budget', `the daily budget of ${dailyTokens} tokens is spent`);
  }
  if (calls >= dailyCalls) {
    throw notAsked('budget', `the daily budget of ${dailyCalls} calls is spent`);
  }
}

const notAsked = (fault: Fault, message: string) => new ModelUnavailable(fault, message, { asked: false });

type Today = { tokens: number; calls: number; off: boolean };

/** Returns what was spent today, and whether a person has turned spending off. */
export async function spentToday(tx: Tx): Promise<Today> {
  const [spent] = await query<Today>(
    tx,
    sql`select coalesce(sum(input_tokens + output_tokens), 0)::int as tokens,
          coalesce(sum(requests), 0)::int as calls,
          exists (select from settings where not model_spending) as off
        from llm_usage where user_id = auth.uid() and day = (now() at time zone 'UTC')::date`,
  );
  return spent ?? { tokens: 0, calls: 0, off: false };
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
export async function usageMetrics(tx: Tx, since: Date, { dailyTokens, dailyCalls }: Budget) {
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
  const { tokens: usedToday, calls: callsToday } = await spentToday(tx);
  const leftToday = Math.max(0, dailyTokens - usedToday);
  return { dailyTokens, usedToday, leftToday, dailyCalls, callsToday, days };
}
