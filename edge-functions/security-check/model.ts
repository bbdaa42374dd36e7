import type { Config } from '../../src/config.ts';
import { createCall, ModelUnavailable } from '../../src/llm/call-gemini.ts';
import type { AskModel } from '../../src/llm/gemini.ts';

/** users whose use is remembered */
const MAX_USERS = 1000;

/**
 * Gemini with each user's daily tokens counted in memory: a running function's own count, so a limit for one that runs
 * away rather than the budget that the server keeps in the database.
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
    if (spent.size >= MAX_USERS) spent.clear();
    spent.set(today, (spent.get(today) ?? 0) + outcome.inputTokens + outcome.outputTokens);
    if ('failure' in outcome) throw outcome.failure;
    return { answer: outcome.answer, model: config.model };
  };
}
