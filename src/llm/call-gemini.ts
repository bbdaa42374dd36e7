import { GoogleGenerativeAI, GoogleGenerativeAIAbortError, type ResponseSchema } from '@google/generative-ai';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { redactText } from '../redaction/redact.ts';

/** Says why there is no answer. The caller goes on without one. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  /** what the failed call cost all the same */
  tokens = 0;
  /** the user's budget is spent, so there was no call */
  overBudget = false;
}

export type JsonRequest<T> = {
  /** what the request is for; `llm_usage` counts by it */
  purpose: string;
  instructions: string;
  /** the data to judge; it is redacted again before it is sent */
  prompt: string;
  schema: ResponseSchema;
  /** the answer is checked against this, because the model may ignore `schema` */
  form: z.ZodType<T>;
  maxOutputTokens: number;
  /** a time limit shorter than the configured one, for requests that cannot wait */
  timeoutMs?: number;
};

/**
 * The models whose thinking is turned off: it counts as output and takes seconds. Other models refuse the setting
 * (ai.google.dev, Gemini thinking).
 */
const NO_THINKING = /^gemini-2\.5-flash/;

/** The result of a call and its cost. A call that failed may have cost tokens too. */
export type Outcome<T> = { inputTokens: number; outputTokens: number } & (
  | { answer: T }
  | { failure: ModelUnavailable }
);

/**
 * Returns a function that calls Gemini with a response schema and a time limit; null when no key is configured. It
 * knows no budget and no database, and never rejects: a failed call is returned as `failure`.
 */
export function createCall(config: Config['gemini']) {
  if (config.apiKey === undefined) return null;
  const client = new GoogleGenerativeAI(config.apiKey);
  return async <T>(request: JsonRequest<T>): Promise<Outcome<T>> => {
    const timeout = Math.min(config.timeoutMs, request.timeoutMs ?? config.timeoutMs);
    let usage = { promptTokenCount: 0, candidatesTokenCount: 0 };
    const cost = () => ({
      inputTokens: usage.promptTokenCount ?? 0,
      outputTokens: usage.candidatesTokenCount ?? 0,
    });
    try {
      const model = client.getGenerativeModel(
        {
          model: config.model,
          systemInstruction: request.instructions,
          generationConfig: {
            responseMimeType: 'application/json',
            responseSchema: request.schema,
            temperature: 0,
            maxOutputTokens: request.maxOutputTokens,
            ...(NO_THINKING.test(config.model) && { thinkingConfig: { thinkingBudget: 0 } }),
          },
        },
        { timeout, ...(config.baseUrl !== undefined && { baseUrl: config.baseUrl }) },
      );
      const { response } = await model.generateContent(redactText(request.prompt));
      usage = response.usageMetadata ?? usage;
      return { answer: request.form.parse(JSON.parse(response.text())), ...cost() };
    } catch (error) {
      const detail = redactText(explain(error, timeout)).slice(0, 300);
      return { failure: new ModelUnavailable(`Gemini gave no usable answer: ${detail}`), ...cost() };
    }
  };
}

function explain(error: unknown, timeoutMs: number): string {
  if (error instanceof z.ZodError) {
    return `wrong form: ${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;
  }
  if (!(error instanceof Error)) return String(error);
  // Before the answer begins, a timeout is the library's own error; half-way through the answer it is fetch's.
  const late = error instanceof GoogleGenerativeAIAbortError || error.name === 'AbortError';
  return late ? `none within ${timeoutMs} ms` : error.message;
}
