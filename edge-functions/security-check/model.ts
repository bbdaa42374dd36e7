import { LRUCache } from 'lru-cache';
import type { Config } from '../../src/config.ts';
import { type AskModel, ModelUnavailable } from '../../src/llm/ask.ts';
import { createGemini } from '../../src/llm/gemini.ts';

/** How many users' tokens are counted. */
const MAX_USERS = 1000;

/**
 * Returns a function that asks Gemini within each user's daily budget of tokens; null when no key is set. The tokens
 * are counted in the memory of one running function. So this stops a loop that runs away, but it is not the exact
 * budget that the server keeps in the database.
 */
export function createAsk({ gemini, timeoutMs, dailyTokens }: Config['model']): AskModel | null {
  const { apiKey } = gemini;
  if (apiKey === undefined) return null;
  const provider = createGemini({ ...gemini, apiKey, timeoutMs: timeoutMs.gemini });
  const spent = new LRUCache<string, number>({ max: MAX_USERS });
  return async ({ userId }, request) => {
    const today = `${new Date().toISOString().slice(0, 10)} ${userId}`;
    const before = spent.get(today) ?? 0;
    if (before >= dailyTokens) {
      throw new ModelUnavailable('budget', 'the daily budget is spent', { asked: false });
    }
    const outcome = await provider.call(request);
    const tokens = outcome.inputTokens + outcome.outputTokens;
    spent.set(today, (spent.get(today) ?? 0) + tokens);
    if ('failure' in outcome) throw outcome.failure;
    return { answer: outcome.answer, model: provider.model, tokens };
  };
}
