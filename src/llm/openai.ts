import { estimateTokens } from '../base/text/tokens.ts';
import { callOnce, faultOfStatus, ModelUnavailable, type Provider } from './ask.ts';

// Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, LM Studio, a gateway, OpenAI itself.

export type OpenAIConfig = { url: string; model: string; key: string | undefined; timeoutMs: number };

type Completion = {
  choices?: { message?: { content?: string | null; refusal?: string | null } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
};

/** Returns a server that speaks OpenAI's protocol as a provider. */
export function createOpenAI({ url, model, key, timeoutMs }: OpenAIConfig): Provider {
  async function post(body: object, signal: AbortSignal): Promise<Completion> {
    const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const { status } = response;
    const hint = status === 404 ? `; check LORE_MODEL_URL and LORE_MODEL_NAME (${model})` : '';
    throw new ModelUnavailable(faultOfStatus(status), `${status} ${messageIn(text)}${hint}`);
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
          // newer models refuse a temperature and `max_tokens`
          response_format: { type: 'json_schema', json_schema: { name: given.purpose, schema } },
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
