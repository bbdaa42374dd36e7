import { z } from 'zod';
import { clip } from '../base/text/clip.ts';
import { isObject } from '../base/text/json.ts';
import type { Claims } from '../db/as-user.ts';
import { redactText } from '../redaction/redact.ts';

// What the rooms know of language models: one function that answers a request with JSON of a given form. Which model
// that is, is decided in `choose.ts`; a file for each of them says how it is asked.

export type JsonRequest<T> = {
  /** what the request is for; `llm_usage` counts by it */
  purpose: string;
  instructions: string;
  /** the data to judge; it is redacted again before it is sent */
  prompt: string;
  /** the form of the answer, an object; the model is told it as a JSON Schema, and the answer is checked against it */
  form: z.ZodType<T>;
  maxOutputTokens: number;
  /** a time limit shorter than the configured one, for requests that cannot wait */
  timeoutMs?: number;
  /** once it is aborted, nobody waits for the answer any longer, and the call under way is ended */
  signal?: AbortSignal | undefined;
};

/**
 * Asks the model on a user's budget and returns the answer with the model's name.
 *
 * @throws ModelUnavailable on a spent budget, a timeout, an HTTP error, a refusal, or an answer that is not JSON of the
 *   wanted form
 * @throws the reason of the request's signal, once that is aborted
 */
export type AskModel = <T>(
  claims: Claims,
  request: JsonRequest<T>,
) => Promise<{ answer: T; model: string; tokens: number }>;

/** Why there is no answer. `lore doctor` says for each what to do. */
export const FAULTS = {
  off: 'A person has turned the model off: lore spending on, or the page, turns it on again.',
  budget:
    'It is asked again tomorrow (UTC). LORE_MODEL_DAILY_TOKENS and LORE_MODEL_DAILY_CALLS are the budget.',
  'no binary': 'Install Claude Code, or start the server from a shell that finds claude on its PATH.',
  'no login': 'Run claude in a terminal and log in with /login; Lore uses it within ten minutes.',
  limited: 'The account or its plan has no calls left for now. Nothing to do: it is asked again later.',
  'unknown model': 'Set GEMINI_MODEL or LORE_MODEL_NAME to a model that the provider has.',
  refused: 'Check GEMINI_API_KEY, LORE_MODEL_KEY, or what claude says: the key or login is not accepted.',
  late: 'The model took too long. LORE_MODEL_TIMEOUT_MS is the limit.',
  form: 'The model did not answer in the form that was asked for. If that stays so, choose another model.',
  failed: 'Nothing to do if it happens now and then; the detail is what the provider said.',
} as const;
export type Fault = keyof typeof FAULTS;

/** Says why there is no answer. The caller goes on without one. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly fault: Fault;
  /** whether the model was asked at all: what was not asked costs nothing, and another try at once is in vain */
  readonly asked: boolean;
  /** what the failed call cost all the same */
  tokens = 0;

  constructor(fault: Fault, message: string, { asked = true } = {}) {
    super(message);
    this.fault = fault;
    this.asked = asked;
  }
}

/** Returns what an HTTP status of a provider means. */
export function faultOfStatus(status: number | undefined): Fault {
  if (status === 401 || status === 403) return 'refused';
  if (status === 429 || status === 529) return 'limited';
  return status === 404 ? 'unknown model' : 'failed';
}

/** The result of a call and its cost. A call that failed may have cost tokens too. */
export type ModelOutcome<T> = Cost & ({ answer: T } | { failure: ModelUnavailable });

/** A model that can be asked. It knows no budget and no user, and never rejects: a failed call is a `failure`. */
export type Provider = {
  name: ProviderName;
  /** as it is written behind what the model made */
  model: string;
  call<T>(request: JsonRequest<T>): Promise<ModelOutcome<T>>;
};
export type ProviderName = 'claude' | 'gemini' | 'openai';

type Cost = { inputTokens: number; outputTokens: number };

/** What a provider sends: a request with its form as JSON Schema, its prompt without secrets, and a time limit. */
export type Prepared = Pick<JsonRequest<unknown>, 'purpose' | 'instructions' | 'maxOutputTokens'> & {
  prompt: string;
  schema: JsonSchema;
  signal: AbortSignal;
};

/**
 * Asks one model once. What all providers have in common is done here: secrets are taken out, the call is ended when it is
 * late, the answer is held to its form, and a failure says what went wrong.
 *
 * @param who the provider as a person knows it
 * @param send asks the model and returns its answer, as text or as an object; adds to `cost` what it knows of the cost. It
 *   throws `ModelUnavailable` if it knows more of a failure than its message
 */
export async function callOnce<T>(
  who: string,
  timeoutMs: number,
  request: JsonRequest<T>,
  send: (prepared: Prepared, cost: Cost) => Promise<unknown>,
): Promise<ModelOutcome<T>> {
  const limit = Math.min(timeoutMs, request.timeoutMs ?? timeoutMs);
  const late = AbortSignal.timeout(limit);
  const { purpose, instructions, maxOutputTokens } = request;
  const prepared = { purpose, instructions, maxOutputTokens, schema: schemaOf(request.form) };
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  const cost = { inputTokens: 0, outputTokens: 0 };
  try {
    const given = await send({ ...prepared, prompt: redactText(request.prompt), signal }, cost);
    const answer = request.form.parse(typeof given === 'string' ? jsonIn(given) : given);
    return { answer, ...cost };
  } catch (error) {
    const [fault, detail] = late.aborted ? (['late', `none within ${limit} ms`] as const) : explain(error);
    const said = clip(redactText(detail).replace(/\s+/g, ' '), 300);
    return { failure: new ModelUnavailable(fault, `${who} gave no usable answer: ${said}`), ...cost };
  }
}

function explain(error: unknown): [Fault, string] {
  if (error instanceof z.ZodError) {
    const issues = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return ['form', `wrong form: ${issues.join('; ')}`];
  }
  if (error instanceof SyntaxError) return ['form', `no JSON: ${error.message}`];
  if (!(error instanceof Error)) return ['failed', String(error)];
  // fetch says “fetch failed”, and its cause says why
  const why = error.cause instanceof Error && error.cause.message ? `: ${error.cause.message}` : '';
  return [error instanceof ModelUnavailable ? error.fault : 'failed', error.message + why];
}

type JsonSchema = { [key: string]: unknown };

/**
 * Returns the JSON Schema of the answers that a form accepts, with no more than all providers understand. zod checks the rest
 * anyway. What may be missing in an answer is asked for all the same, if the form has something to put in its place.
 */
export const schemaOf = (form: z.ZodType): JsonSchema =>
  JSON.parse(
    JSON.stringify(z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }), (key, value) => {
      // zod says the safe integers as limits, which says nothing
      if (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER) return undefined;
      if (key === 'properties' || !isObject(value)) return value;
      const { $schema, default: _, propertyNames, minLength, maxLength, pattern, ...said } = value;
      const { const: only, oneOf, required, additionalProperties: more, ...rest } = said;
      const filled = Object.entries(said.properties ?? {}).filter(([, one]) => 'default' in one);
      return {
        ...rest,
        ...(only !== undefined && { enum: [only] }),
        ...(oneOf !== undefined && { anyOf: oneOf }),
        ...(required !== undefined && {
          required: [...new Set([...(required as string[]), ...filled.map(([name]) => name)])],
        }),
        ...(more !== undefined && { additionalProperties: more !== false }),
      };
    }),
  );

/** Returns the JSON that a text holds. Models that were not held to a schema put a fence or a thought around it. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const said = text.replace(/^[\s\S]*<\/think>/, '');
    const [from, to] = [said.search(/[{[]/), Math.max(said.lastIndexOf('}'), said.lastIndexOf(']'))];
    // a text without a fence or a thought is not searched: half an answer must not pass for a whole one
    if (from < 0 || to < from || !/```|<\/think>/.test(text)) throw error;
    return JSON.parse(said.slice(from, to + 1));
  }
}
