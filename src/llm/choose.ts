import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { type AskModel, FAULTS, type Fault, type Provider, type ProviderName } from './ask.ts';
import { type Budget, spentToday, withinBudget } from './budget.ts';
import { claudeBinary, createClaude } from './claude.ts';
import { createGemini } from './gemini.ts';
import { createOpenAI } from './openai.ts';
import { readSettings } from './settings.ts';

/** Finds the model that may be asked for a user; null if there is none. It is asked until `signal` is aborted. */
export type ModelFor = (claims: Claims, signal?: AbortSignal) => Promise<AskModel | null>;

/** What a user is shown about the model. */
export type ModelStatus = {
  provider: ProviderName | 'none';
  model: string | null;
  /** `none`: no model is set up; `ready`: the last call went well, or there was none; else why not */
  state: 'ready' | 'none' | Fault;
  /** what the last failure said */
  detail: string | null;
  /** what a person can do about the state */
  advice: string | null;
  /** whether the caller can let their own Claude Code login be used: it is found, and no other model is set up */
  claudeOffered: boolean;
  tokensToday: number;
  callsToday: number;
} & Budget;

export type Models = {
  /** for work that somebody waits for; null without a key or an endpoint, because a login is too slow for it */
  fast: AskModel | null;
  /** for work in the background */
  modelFor: ModelFor;
  status(claims: Claims): Promise<ModelStatus>;
};

/** How many calls a user may make in a day, unless LORE_MODEL_DAILY_CALLS says otherwise. */
const DAILY_CALLS: Record<ProviderName, number> = { claude: 60, gemini: 1_000, openai: 1_000 };

/**
 * Returns the models that the configuration and the settings of the users choose: what LORE_MODEL names; else Gemini
 * where there is a key, else the endpoint of LORE_MODEL_URL, else the owner's own Claude Code, if the owner agreed.
 */
export function createModels(
  { model: config, home }: Pick<Config, 'model' | 'home'>,
  db: Database,
  ownerId: string,
): Models {
  const { choice, dailyTokens, gemini, openai } = config;
  const claude = createClaude({ home, ...config.claude });
  const keyed = createKeyed(config);
  const provider = choice === 'none' ? null : (keyed ?? claude);
  const dailyCalls = config.dailyCalls ?? (provider ? DAILY_CALLS[provider.name] : 0);
  const budget = { dailyTokens, dailyCalls };
  let last: { fault: Fault; detail: string } | null = null;
  const ask = provider && withinBudget(watched(provider), db, budget);

  /** Notes how the last call ended. */
  function watched(inner: Provider): Provider {
    return {
      ...inner,
      async call(request) {
        const outcome = await inner.call(request);
        const failure = 'failure' in outcome ? outcome.failure : null;
        // neither a session that was asked about often enough nor a stop says anything of the model
        if (failure?.fault !== 'session' && !request.signal?.aborted)
          last = failure && { fault: failure.fault, detail: failure.message };
        return outcome;
      },
    };
  }

  /** The login belongs to the person who runs the server, so only their sessions may be shown to it. */
  const mayUse = async (claims: Claims): Promise<boolean> => {
    if (keyed !== null) return true;
    if (provider === null || claims.userId !== ownerId) return false;
    return (
      choice === 'claude' || (await asUser(db, claims, readSettings, { readOnly: true })).claudeLogin === 'on'
    );
  };

  async function status(claims: Claims): Promise<ModelStatus> {
    const { tokens, calls, off } = await asUser(db, claims, spentToday, { readOnly: true });
    const spent = { tokensToday: tokens, callsToday: calls, ...budget };
    const found = provider === claude && claudeBinary() !== null;
    const claudeOffered = found && choice === undefined && claims.userId === ownerId;
    const none = { provider: 'none', model: null, state: 'none', detail: null } as const;
    if (!provider || !(await mayUse(claims))) {
      const advice = claudeOffered
        ? 'lore init --model claude lets your own Claude Code login be asked; or set GEMINI_API_KEY or LORE_MODEL_URL.'
        : 'Set GEMINI_API_KEY or LORE_MODEL_URL to have one (docs/models.md).';
      return { ...none, advice, claudeOffered, ...spent };
    }
    const budgetSpent = tokens >= budget.dailyTokens || calls >= budget.dailyCalls;
    const now: Fault | null = off
      ? 'off'
      : budgetSpent
        ? 'budget'
        : provider === claude && !found
          ? 'no binary'
          : null;
    const fault = now ?? last?.fault ?? null;
    return {
      provider: provider.name,
      model: provider.model,
      state: fault ?? 'ready',
      detail: now === null ? (last?.detail ?? null) : null,
      advice: fault && FAULTS[fault],
      claudeOffered,
      ...spent,
    };
  }

  return {
    fast: keyed && ask,
    async modelFor(claims, signal) {
      if (ask === null || !(await mayUse(claims))) return null;
      return signal ? (who, request) => ask(who, { ...request, signal }) : ask;
    },
    status,
  };

  /** Returns the provider that needs no consent of a person beyond its configuration. */
  function createKeyed({ timeoutMs }: Config['model']): Provider | null {
    if (choice === 'claude' || choice === 'none') return null;
    if (gemini.apiKey !== undefined && choice !== 'openai') {
      return createGemini({ ...gemini, apiKey: gemini.apiKey, timeoutMs: timeoutMs.gemini });
    }
    if (openai !== null && choice !== 'gemini')
      return createOpenAI({ ...openai, timeoutMs: timeoutMs.other });
    return null;
  }
}
