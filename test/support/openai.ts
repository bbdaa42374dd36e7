import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { listen } from './loopback.ts';

/** How the server answers a call: with a text as the message's content, or with a status and a body. `hang` never answers. */
type Reply = { content: string } | { status: number; body: string } | 'hang';

type ChatCall = {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema: { name: string; schema: Record<string, unknown> } };
    temperature?: number;
    max_tokens?: number;
  };
};

/** The cost of a call, as reported in every answer. */
const CHAT_USAGE = { prompt_tokens: 700, completion_tokens: 90, total_tokens: 790 };

/**
 * Starts a server on loopback that speaks OpenAI's chat completions. Pass its `url` as LORE_MODEL_URL. It answers
 * according to the value of `reply` at the time of the call.
 */
export async function fakeOpenAI() {
  const calls: ChatCall[] = [];
  const { url, close } = await listen(async (request, response) => {
    const body = (await json(request)) as ChatCall['body'];
    const call = { path: request.url ?? '', headers: request.headers, body };
    calls.push(call);
    const reply = typeof openai.reply === 'function' ? openai.reply(call) : openai.reply;
    if (reply === 'hang') return;
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: call.body.model,
        choices: [
          { index: 0, message: { role: 'assistant', content: reply.content }, finish_reason: 'stop' },
        ],
        usage: CHAT_USAGE,
      }),
    );
  });
  const openai = { url: `${url}/v1`, calls, reply: 'hang' as Reply | ((call: ChatCall) => Reply) };
  afterAll(close);
  return openai;
}
