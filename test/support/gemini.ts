import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { listen } from './loopback.ts';

/**
 * How the server answers a call. `hang` never answers, `stall` stops half-way.
 */
export type Reply =
  | { answer: unknown }
  | { text: string; finishReason?: string }
  | { blockReason: string }
  | { status: number; message: string }
  | 'hang'
  | 'stall';

type GeminiCall = {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: {
    systemInstruction: { parts: { text: string }[] };
    contents: { role: string; parts: { text: string }[] }[];
    generationConfig: {
      responseMimeType: string;
      responseJsonSchema: Record<string, unknown>;
      thinkingConfig?: object;
      temperature?: number;
    };
  };
};

/** The cost of a call, as reported in every answer. */
export const USAGE = { promptTokenCount: 900, candidatesTokenCount: 100, totalTokenCount: 1000 };

/**
 * Starts a server on loopback that speaks Gemini's REST protocol (generateContent,
 * https://ai.google.dev/api/generate-content). Pass its `url` as GEMINI_BASE_URL. It answers according to the value of
 * `reply` at the time of the call. While `gate` is set, calls wait for it.
 */
export async function fakeGemini() {
  const calls: GeminiCall[] = [];
  const { url, close } = await listen(async (request, response) => {
    const body = (await json(request)) as GeminiCall['body'];
    const call = { path: request.url ?? '', headers: request.headers, body };
    calls.push(call);
    await gemini.gate;
    send(response, typeof gemini.reply === 'function' ? gemini.reply(call) : gemini.reply);
  });
  const gemini = {
    url,
    calls,
    close,
    reply: 'hang' as Reply | ((call: GeminiCall) => Reply),
    gate: undefined as Promise<void> | undefined,
  };
  afterAll(gemini.close);
  return gemini;
}

function send(response: ServerResponse, reply: Reply): void {
  const json = (status: number, value: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
      .end(JSON.stringify(value));
  const candidate = (text: string, finishReason = 'STOP') =>
    json(200, {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }],
      usageMetadata: USAGE,
      modelVersion: 'gemini-3.5-flash-lite',
    });
  if (reply === 'hang') return;
  if (reply === 'stall') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"candidates": [');
    return;
  }
  if ('answer' in reply) {
    candidate(JSON.stringify(reply.answer));
  } else if ('text' in reply) {
    candidate(reply.text, reply.finishReason);
  } else if ('blockReason' in reply) {
    json(200, { promptFeedback: { blockReason: reply.blockReason }, usageMetadata: USAGE });
  } else {
    const { status, message } = reply;
    json(status, {
      error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' },
    });
  }
}
