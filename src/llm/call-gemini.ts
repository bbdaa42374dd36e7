import { GoogleGenerativeAI, GoogleGenerativeAIAbortError, type ResponseSchema } from '@google/generative-ai';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { redactText } from '../redaction/redact.ts';

/** Why there is no answer; the caller goes on without one. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

export type JsonRequest<T> = {
  /** what it is for, as counted in `llm_usage` */
  purpose: string;
  instructions: string;
  /** the data to judge; redacted once more before it leaves */
  prompt: string;
  schema: ResponseSchema;
  /** what the answer is held to: the model may ignore `schema` */
  form: z.ZodType<T>;
  maxOutputTokens: number;
  /** shorter than the configured limit, for what cannot wait */
  timeoutMs?: number;
};

/** What they think counts as output and takes seconds; others refuse the setting (ai.google.dev, Gemini thinking). */
const NO_THINKING = /^gemini-2\.5-flash/;

/** What a call came to and what it cost; a call that failed may have cost something too. */
export type Outcome<T> = { inputTokens: number; outputTokens: number } & (
  | { answer: T }
  | { failure: ModelUnavailable }
);

/**
 * Calls Gemini over `@google/generative-ai` with a response schema and a time limit; knows no budget and no database.
 * Null when no key is configured. The returned function never rejects.
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
  // the library's own error while it waits for the answer to begin, fetch's when it stops half-way
  const late = error instanceof GoogleGenerativeAIAbortError || error.name === 'AbortError';
  return late ? `none within ${timeoutMs} ms` : error.message;
}
