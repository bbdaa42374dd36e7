import { redactText } from '../redaction/redact.ts';
import { clip } from '../text/clip.ts';
import { estimateTokens } from '../text/tokens.ts';
import {
  answerIn,
  type Fault,
  faultOfStatus,
  formFault,
  ModelUnavailable,
  type Provider,
  schemaOf,
} from './ask.ts';

// Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, LM Studio, a gateway, OpenAI itself.

export type OpenAIConfig = { url: string; model: string; key: string | undefined; timeoutMs: number };

/**
 * What some servers refuse (newer models of OpenAI take neither a temperature nor `max_tokens`). A field that a server
 * complains of is left out from then on.
 */
const OPTIONAL = ['response_format', 'temperature', 'max_tokens'] as const;
type Optional = (typeof OPTIONAL)[number];

type Completion = {
  choices?: { message?: { content?: string | null; refusal?: string | null } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
};

/** Returns a server that speaks OpenAI's protocol as a provider. */
export function createOpenAI({ url, model, key, timeoutMs }: OpenAIConfig): Provider {
  const endpoint = `${url.replace(/\/+$/, '')}/chat/completions`;
  const leftOut = new Set<Optional>();
  return {
    name: 'openai',
    model,
    async call(request) {
      const timeout = Math.min(timeoutMs, request.timeoutMs ?? timeoutMs);
      const late = AbortSignal.timeout(timeout);
      const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
      const schema = schemaOf(request.form);
      const prompt = redactText(request.prompt);
      // a server that ignores `response_format` must know the form all the same
      const system = `${request.instructions}\n\nAnswer with one JSON object of this JSON Schema and nothing else:\n${JSON.stringify(schema)}`;
      const optional: Record<Optional, unknown> = {
        response_format: { type: 'json_schema', json_schema: { name: request.purpose, schema } },
        temperature: 0,
        max_tokens: request.maxOutputTokens,
      };
      const cost = { inputTokens: 0, outputTokens: 0 };
      try {
        let response: Response;
        do {
          const given = OPTIONAL.filter((name) => !leftOut.has(name)).map((name) => [name, optional[name]]);
          response = await fetch(endpoint, {
            method: 'POST',
            signal,
            headers: {
              'content-type': 'application/json',
              ...(key !== undefined && { authorization: `Bearer ${key}` }),
            },
            body: JSON.stringify({
              model,
              messages: [
                { role: 'system', content: system },
                { role: 'user', content: prompt },
              ],
              stream: false,
              ...Object.fromEntries(given),
            }),
          });
        } while (await refusedField(response, leftOut));
        const text = await response.text();
        if (!response.ok) throw new Refused(response.status, text);
        const { choices, usage } = JSON.parse(text) as Completion;
        const message = choices?.[0]?.message;
        const content = message?.content ?? '';
        cost.inputTokens = usage?.prompt_tokens ?? estimateTokens(system + prompt);
        cost.outputTokens = usage?.completion_tokens ?? estimateTokens(content);
        if (content === '' && message?.refusal) throw new Error(`refused: ${message.refusal}`);
        return { answer: answerIn(request.form, content), ...cost };
      } catch (error) {
        return { failure: failureOf(error, { url, model, timeout }), ...cost };
      }
    },
  };
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, body: string) {
    super(`${status} ${messageIn(body)}`);
    this.status = status;
  }
}

/** Returns whether a server complained of a field that can be left out, and notes that. */
async function refusedField(response: Response, leftOut: Set<Optional>): Promise<boolean> {
  if (response.status !== 400 && response.status !== 422) return false;
  const said = await response.clone().text();
  const name = OPTIONAL.find((one) => !leftOut.has(one) && said.includes(one));
  if (name !== undefined) leftOut.add(name);
  return name !== undefined;
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

function failureOf(
  error: unknown,
  { url, model, timeout }: { url: string; model: string; timeout: number },
): ModelUnavailable {
  const [fault, detail] = explain(error, model, timeout);
  const said = clip(redactText(detail).replace(/\s+/g, ' '), 300);
  return new ModelUnavailable(fault, `The model at ${new URL(url).host} gave no usable answer: ${said}`);
}

function explain(error: unknown, model: string, timeoutMs: number): [Fault, string] {
  const form = formFault(error);
  if (form !== null) return ['form', form];
  if (!(error instanceof Error)) return ['failed', String(error)];
  if (error.name === 'TimeoutError') return ['late', `none within ${timeoutMs} ms`];
  if (error instanceof Refused) {
    const hint = error.status === 404 ? `; check LORE_MODEL_URL and LORE_MODEL_NAME (${model})` : '';
    return [faultOfStatus(error.status), `${error.message}${hint}`];
  }
  // fetch says “fetch failed”, and its cause says why
  const { cause } = error;
  return [
    'failed',
    cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message,
  ];
}
