import {
  GoogleGenerativeAI,
  GoogleGenerativeAIAbortError,
  GoogleGenerativeAIFetchError,
} from '@google/generative-ai';
import { GEMINI_MODEL } from '../config.ts';
import { redactText } from '../redaction/redact.ts';
import { clip } from '../text/clip.ts';
import { type Fault, faultOfStatus, formFault, ModelUnavailable, type Provider, schemaOf } from './ask.ts';

// The one file that knows Google's client.

/**
 * How each family is kept from thinking, which counts as output and takes seconds: the 2.x models take a budget, the 3.x
 * models a level. The first that fits counts; a model that fits none is left as it is
 * (ai.google.dev, Gemini thinking). Google advises against another temperature than the usual one from 3.x on.
 */
const FAMILIES: [name: RegExp, settings: object][] = [
  [/^gemini-2\.5-flash/, { temperature: 0, thinkingConfig: { thinkingBudget: 0 } }],
  [/^gemini-2\.5-pro/, { temperature: 0, thinkingConfig: { thinkingBudget: 128 } }],
  [/^gemini-3(\.\d+)?-pro/, { thinkingConfig: { thinkingLevel: 'low' } }],
  [/^gemini-3/, { thinkingConfig: { thinkingLevel: 'minimal' } }],
];

export type GeminiConfig = { apiKey: string; model: string; baseUrl: string | undefined; timeoutMs: number };

/** Returns Gemini as a provider: it is held to a JSON Schema and to a time limit. */
export function createGemini({ apiKey, model: name, baseUrl, timeoutMs }: GeminiConfig): Provider {
  const client = new GoogleGenerativeAI(apiKey);
  const settings = FAMILIES.find(([family]) => family.test(name))?.[1];
  return {
    name: 'gemini',
    model: name,
    async call(request) {
      const timeout = Math.min(timeoutMs, request.timeoutMs ?? timeoutMs);
      let usage: Usage = {};
      const cost = () => ({
        inputTokens: usage.promptTokenCount ?? 0,
        outputTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      });
      try {
        const model = client.getGenerativeModel(
          {
            model: name,
            systemInstruction: request.instructions,
            generationConfig: {
              responseMimeType: 'application/json',
              maxOutputTokens: request.maxOutputTokens,
              // the client sends on what it does not know
              ...({ responseJsonSchema: schemaOf(request.form) } as object),
              ...settings,
            },
          },
          { timeout, ...(baseUrl !== undefined && { baseUrl }) },
        );
        const { signal } = request;
        const { response } = await model.generateContent(redactText(request.prompt), signal && { signal });
        usage = response.usageMetadata ?? usage;
        // it is held to the schema, so anything around the JSON is a sign that something is wrong
        return { answer: request.form.parse(JSON.parse(response.text())), ...cost() };
      } catch (error) {
        return { failure: failureOf(error, name, timeout), ...cost() };
      }
    },
  };
}

type Usage = { promptTokenCount?: number; candidatesTokenCount?: number; thoughtsTokenCount?: number };

function failureOf(error: unknown, model: string, timeoutMs: number): ModelUnavailable {
  const [fault, detail] = explain(error, model, timeoutMs);
  return new ModelUnavailable(
    fault,
    `Gemini gave no usable answer: ${clip(redactText(detail).replace(/\s+/g, ' '), 300)}`,
  );
}

function explain(error: unknown, model: string, timeoutMs: number): [Fault, string] {
  const form = formFault(error);
  if (form !== null) return ['form', form];
  if (!(error instanceof Error)) return ['failed', String(error)];
  // Before the answer begins, a timeout is the library's own error; half-way through the answer it is fetch's.
  if (error instanceof GoogleGenerativeAIAbortError || error.name === 'AbortError') {
    return ['late', `none within ${timeoutMs} ms`];
  }
  const status = error instanceof GoogleGenerativeAIFetchError ? error.status : undefined;
  if (status === 404) {
    return [
      'unknown model',
      `it has no model ${model}, or no longer. Set GEMINI_MODEL to one that it has, or leave it out for ${GEMINI_MODEL}`,
    ];
  }
  return [faultOfStatus(status), error.message];
}
