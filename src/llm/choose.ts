import { z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { served } from '../http/serve.ts';
import {
  type AskModel,
  FAULTS,
  type Fault,
  type JsonRequest,
  type ModelOutcome,
  type Provider,
  type ProviderName,
} from './ask.ts';
import { refusalOf, spentToday, withinBudget } from './budget.ts';
import { claudeBinary, createClaude } from './claude.ts';
import { createGemini } from './gemini.ts';
import { createOpenAI } from './openai.ts';
import { readSettings } from './settings.ts';

/** Finds the model that may be asked for a user; null if there is none. It is asked until `signal` is aborted. */
export type ModelFor = (claims: Claims, signal?: AbortSignal) => Promise<AskModel | null>;

/** What a user is shown about the model. */
const ModelStatus = z
  .object({
    provider: z.enum(['claude', 'gemini', 'openai', 'none']),
    model: z.string().nullable(),
    /** `none`: no model is set up; `ready`: the last call went well, or there was none; else why not */
    state: z.enum(['ready', 'none', ...(Object.keys(FAULTS) as [Fault, ...Fault[]])]),
    /** what the last failure said */
    detail: z.string().nullable(),
    /** what a person can do about the state */
    advice: z.string().nullable(),
    /** whether the caller can let their own Claude Code login be used: it is found, and no other model is set up */
    claudeOffered: z.boolean(),
    dailyTokens: z.number(),
    tokensToday: z.number(),
    dailyCalls: z.number(),
    callsToday: z.number(),
  })
  .openapi('Model');
type ModelStatus = z.infer<typeof ModelStatus>;

export type Models = ReturnType<typeof createModels>;

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
) {
  const { choice } = config;
  const keyed = createKeyed(config);
  const provider = choice === 'none' ? null : (keyed ?? createClaude({ home, ...config.claude }));
  const isClaude = provider?.name === 'claude';
  const dailyCalls = config.dailyCalls ?? (provider ? DAILY_CALLS[provider.name] : 0);
  const budget = { dailyTokens: config.dailyTokens, dailyCalls };
  let last: { fault: Fault; detail: string } | null = null;
  const ask = provider && withinBudget({ ...provider, call: watched }, db, budget);

  /** Asks the provider, and notes how the call ended. */
  async function watched<T>(request: JsonRequest<T>): Promise<ModelOutcome<T>> {
    const outcome = await (provider as Provider).call(request);
    const failure = 'failure' in outcome ? outcome.failure : null;
    // a stop says nothing of the model
    if (!request.signal?.aborted) last = failure && { fault: failure.fault, detail: failure.message };
    return outcome;
  }

  /** The login belongs to the person who runs the server, so only their sessions may be shown to it. */
  const mayUse = async (claims: Claims): Promise<boolean> => {
    if (!isClaude) return provider !== null;
    if (claims.userId !== ownerId) return false;
    return (
      choice === 'claude' || (await asUser(db, claims, readSettings, { readOnly: true })).claudeLogin === 'on'
    );
  };

  async function status(claims: Claims): Promise<ModelStatus> {
    const today = await asUser(db, claims, spentToday, { readOnly: true });
    const found = isClaude && claudeBinary() !== null;
    const claudeOffered = found && choice === undefined && claims.userId === ownerId;
    const shared = { claudeOffered, tokensToday: today.tokens, callsToday: today.calls, ...budget };
    if (!provider || !(await mayUse(claims))) {
      const advice = claudeOffered
        ? 'lore init --model claude lets your own Claude Code login be asked; or set GEMINI_API_KEY or LORE_MODEL_URL.'
        : 'Set GEMINI_API_KEY or LORE_MODEL_URL to have one (docs/models.md).';
      return { provider: 'none', model: null, state: 'none', detail: null, advice, ...shared };
    }
    const now = refusalOf(today, budget) ?? (isClaude && !found ? 'no binary' : null);
    const fault = now ?? last?.fault ?? null;
    return {
      provider: provider.name,
      model: provider.model,
      state: fault ?? 'ready',
      detail: now === null ? (last?.detail ?? null) : null,
      advice: fault && FAULTS[fault],
      ...shared,
    };
  }

  return {
    /** for work that somebody waits for; null without a key or an endpoint, because a login is too slow for it */
    fast: isClaude ? null : ask,
    /** for work in the background */
    modelFor: (async (claims, signal) => {
      if (ask === null || !(await mayUse(claims))) return null;
      return signal ? (who, request) => ask(who, { ...request, signal }) : ask;
    }) as ModelFor,
    status,
  };
}

/** Returns the provider that needs no consent of a person beyond its configuration. */
function createKeyed({ choice, gemini, openai, timeoutMs }: Config['model']): Provider | null {
  if (choice === 'claude' || choice === 'none') return null;
  if (gemini.apiKey !== undefined && choice !== 'openai')
    return createGemini({ ...gemini, apiKey: gemini.apiKey, timeoutMs: timeoutMs.gemini });
  return openai === null || choice === 'gemini'
    ? null
    : createOpenAI({ ...openai, timeoutMs: timeoutMs.other });
}

/** The route that says which model is asked. */
export const modelRoutes = served((route, { models }: { models: Pick<Models, 'status'> }) =>
  route(
    'GET /v1/model',
    'Which language model may be asked for the caller, how it does, and what was spent today',
    { answer: ModelStatus },
    ({ caller }) => models.status(caller),
  ),
);
