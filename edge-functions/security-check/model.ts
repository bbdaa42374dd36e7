import type { Config } from '../../src/config.ts';
import { dropOldest } from '../../src/drop-oldest.ts';
import { createCall, ModelUnavailable } from '../../src/llm/call-gemini.ts';
import type { AskModel } from '../../src/llm/gemini.ts';

/** How many users' tokens are counted. */
const MAX_USERS = 1000;

/**
 * Returns a function that asks Gemini within each user's daily budget of tokens; null when no key is set. The tokens
 * are counted in the memory of one running function. So this stops a loop that runs away, but it is not the exact
 * budget that the server keeps in the database.
 */
export function createAsk(config: Config['gemini']): AskModel | null {
  const call = createCall(config);
  if (call === null) return null;
  const spent = new Map<string, number>();
  return async ({ userId }, request) => {
    const today = `${new Date().toISOString().slice(0, 10)} ${userId}`;
    const before = spent.get(today) ?? 0;
    if (before >= config.dailyTokens) throw new ModelUnavailable('the daily budget is spent');
    const outcome = await call(request);
    spent.set(today, (spent.get(today) ?? 0) + outcome.inputTokens + outcome.outputTokens);
    dropOldest(spent, MAX_USERS);
    const tokens = outcome.inputTokens + outcome.outputTokens;
    if ('failure' in outcome) throw outcome.failure;
    return { answer: outcome.answer, model: config.model, tokens };
  };
}
