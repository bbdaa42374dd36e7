import { estimateTokens } from '../base/text/tokens.ts';
import { callOnce, Failed, faultOfStatus, type Provider } from './ask.ts';

// Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, LM Studio, a gateway, OpenAI itself.

export type OpenAIConfig = { url: string; model: string; key: string | undefined; timeoutMs: number };

/**
 * What some servers refuse (newer models of OpenAI take neither a temperature nor `max_tokens`). A field that a server
 * complains of is left out from then on.
 */
const OPTIONAL = ['response_format', 'temperature', 'max_tokens'] as const;

type Completion = {
  choices?: { message?: { content?: string | null; refusal?: string | null } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
};

/** Returns a server that speaks OpenAI's protocol as a provider. */
export function createOpenAI({ url, model, key, timeoutMs }: OpenAIConfig): Provider {
  const leftOut = new Set<string>();

  async function post(body: object, signal: AbortSignal): Promise<Completion> {
    const given = Object.entries(body).filter(([name]) => !leftOut.has(name));
    const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(Object.fromEntries(given)),
    });
    const text = await response.text();
    const { status } = response;
    if (response.ok) return JSON.parse(text);
    const refused = OPTIONAL.find((name) => !leftOut.has(name) && text.includes(name));
    if ((status === 400 || status === 422) && refused !== undefined) {
      leftOut.add(refused);
      return post(body, signal);
    }
    const hint = status === 404 ? `; check LORE_MODEL_URL and LORE_MODEL_NAME (${model})` : '';
    throw new Failed(faultOfStatus(status), `${status} ${messageIn(text)}${hint}`);
  }

  return {
    name: 'openai',
    model,
    call: (request) =>
      callOnce(`The model at ${new URL(url).host}`, timeoutMs, request, async (given, cost) => {
        const { schema, prompt } = given;
        // a server that ignores `response_format` must know the form all the same
        const system = `${given.instructions}\n\nAnswer with one JSON object of this JSON Schema and nothing else:\n${JSON.stringify(schema)}`;
        const body = {
          model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: prompt },
          ],
          stream: false,
          response_format: { type: 'json_schema', json_schema: { name: given.purpose, schema } },
          temperature: 0,
          max_tokens: given.maxOutputTokens,
        };
        const { choices, usage } = await post(body, given.signal);
        const { content, refusal } = choices?.[0]?.message ?? {};
        cost.inputTokens = usage?.prompt_tokens ?? estimateTokens(system + prompt);
        cost.outputTokens = usage?.completion_tokens ?? estimateTokens(content ?? '');
        if (!content && refusal) throw new Error(`refused: ${refusal}`);
        return content ?? '';
      }),
  };
}

/** Returns what the body of an error says: `{"error": {"message": …}}`, `{"error": "…"}`, or any text. */
function messageIn(body: string): string {
  try {
    const { error, message } = JSON.parse(body);
    return String(error?.message ?? error ?? message ?? body);
  } catch {
    return body;
  }
}
