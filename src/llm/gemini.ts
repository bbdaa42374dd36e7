import { GoogleGenerativeAI, GoogleGenerativeAIFetchError } from '@google/generative-ai';
import { GEMINI_MODEL } from '../base/config.ts';
import { callOnce, faultOfStatus, ModelUnavailable, type Provider } from './ask.ts';

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

/** Returns Gemini as a provider: it is held to a JSON Schema. */
export function createGemini({ apiKey, model: name, baseUrl, timeoutMs }: GeminiConfig): Provider {
  const client = new GoogleGenerativeAI(apiKey);
  const settings = FAMILIES.find(([family]) => family.test(name))?.[1];
  return {
    name: 'gemini',
    model: name,
    call: (request) =>
      callOnce('Gemini', timeoutMs, request, async ({ instructions, schema, ...given }, cost) => {
        const generationConfig = {
          responseMimeType: 'application/json',
          maxOutputTokens: given.maxOutputTokens,
          // the client sends on what it does not know
          ...({ responseJsonSchema: schema } as object),
          ...settings,
        };
        const model = client.getGenerativeModel(
          { model: name, systemInstruction: instructions, generationConfig },
          baseUrl === undefined ? {} : { baseUrl },
        );
        const { response } = await model
          .generateContent(given.prompt, { signal: given.signal })
          .catch((error) => Promise.reject(withFault(error, name)));
        const usage: Usage = response.usageMetadata ?? {};
        cost.inputTokens = usage.promptTokenCount ?? 0;
        cost.outputTokens = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
        return response.text();
      }),
  };
}

type Usage = { promptTokenCount?: number; candidatesTokenCount?: number; thoughtsTokenCount?: number };

function withFault(error: unknown, model: string): unknown {
  if (!(error instanceof GoogleGenerativeAIFetchError)) return error;
  const unknown = `it has no model ${model}, or no longer. Set GEMINI_MODEL to one that it has, or leave it out for ${GEMINI_MODEL}`;
  return new ModelUnavailable(faultOfStatus(error.status), error.status === 404 ? unknown : error.message);
}
