import { asUser } from '../db/as-user.ts';
import type { Erased, Erasure } from '../db/erasure.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type AskModel, type Fault, ModelUnavailable, type Provider } from './ask.ts';

/** What each user may spend in a UTC day. */
export type Budget = { dailyTokens: number; dailyCalls: number };

/**
 * Returns a function that asks a provider within each user's daily budget, and not at all for a user who has turned the
 * model off. Every call is counted in `llm_usage`, failed ones too.
 */
export function withinBudget(provider: Provider, db: Database, budget: Budget): AskModel {
  const { model } = provider;
  return async (claims, request) => {
    const fault = refusalOf(await asUser(db, claims, spentToday), budget);
    if (fault !== null) {
      const why = fault === 'off' ? 'a person has turned it off' : 'the daily budget is spent';
      throw new ModelUnavailable(fault, `The model is not asked: ${why}`, { asked: false });
    }
    const outcome = await provider.call(request);
    const { inputTokens, outputTokens } = outcome;
    const tokens = inputTokens + outputTokens;
    const failure = 'failure' in outcome ? outcome.failure : null;
    if (failure?.asked !== false) {
      const spent = { purpose: request.purpose, model, failures: failure ? 1 : 0, inputTokens, outputTokens };
      await asUser(db, claims, (tx) => countUsage(tx, spent));
    }
    if ('answer' in outcome) return { answer: outcome.answer, model, tokens };
    // Work that goes on without a model must not take the end of the server for an answer.
    request.signal?.throwIfAborted();
    throw Object.assign(outcome.failure, { tokens });
  };
}

type Today = { tokens: number; calls: number; off: boolean };

/** Returns why the model may not be asked today; null if it may. */
export function refusalOf({ tokens, calls, off }: Today, budget: Budget): Fault | null {
  if (off) return 'off';
  return tokens >= budget.dailyTokens || calls >= budget.dailyCalls ? 'budget' : null;
}

/** Returns what was spent today, and whether a person has turned spending off. */
export async function spentToday(tx: Tx): Promise<Today> {
  const [spent] = await query<Today>(tx)`
    select coalesce(sum(input_tokens + output_tokens), 0)::int as tokens,
      coalesce(sum(requests), 0)::int as calls,
      exists (select from settings where not model_spending) as off
    from llm_usage where user_id = auth.uid() and day = (now() at time zone 'UTC')::date`;
  return spent ?? { tokens: 0, calls: 0, off: false };
}

type Spent = { purpose: string; model: string; failures: number; inputTokens: number; outputTokens: number };

async function countUsage(tx: Tx, { purpose, model, failures, ...spent }: Spent): Promise<void> {
  await query(tx)`
    insert into llm_usage as u (day, purpose, model, requests, failures, input_tokens, output_tokens)
    values ((now() at time zone 'UTC')::date, ${purpose}, ${model}, 1, ${failures}::int, ${spent.inputTokens}::int,
      ${spent.outputTokens}::int)
    on conflict (user_id, day, purpose, model) do update set requests = u.requests + 1,
      failures = u.failures + excluded.failures, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens`;
}

/** Returns what a user's model calls have cost on the days since an instant, and what is left of today's budget. */
export async function usageMetrics(tx: Tx, since: Date, { dailyTokens, dailyCalls }: Budget) {
  const days = await query<Spent & { day: string; requests: number }>(tx)`
    select day::text, purpose, model, requests, failures, input_tokens as "inputTokens", output_tokens as "outputTokens"
    from llm_usage where day >= ${since.toISOString().slice(0, 10)}::date order by llm_usage.day desc, purpose, model`;
  const { tokens: usedToday, calls: callsToday } = await spentToday(tx);
  const leftToday = Math.max(0, dailyTokens - usedToday);
  return { dailyTokens, usedToday, leftToday, dailyCalls, callsToday, days };
}

/** Erases the counts of model calls from the days before an instant. */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const gone = await query(tx)`
    delete from llm_usage where day::timestamptz < date_trunc('day', ${before}::timestamptz) returning 1`;
  return { modelUsage: gone.length };
}
