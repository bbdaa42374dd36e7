import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './loopback.ts';

/**
 * What the model does next: calls a tool (Codex names the server of tools too), applies a patch (Codex has a tool of its
 * own kind for that), or says something.
 */
export type Step = { tool: string; namespace?: string; input: object } | { patch: string } | { text: string };

// biome-ignore lint/suspicious/noExplicitAny: a client's requests, in which tests look for text
type Body = any;

/**
 * Starts a model on loopback that follows a script, for clients that speak OpenAI's responses or chat completions. The
 * next step is that after as many tool results as a request holds.
 */
export async function scriptedOpenAI(script: Step[]) {
  const requests: Body[] = [];
  const { url, close } = await listen(async (request, response) => {
    const sent = await text(request);
    const { url = '' } = request;
    if (request.method === 'POST' && /\/(?:responses|chat\/completions)$/.test(url)) {
      const body = JSON.parse(sent);
      requests.push(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (url.endsWith('/responses')) respond(response, body, script, requests.length);
      else complete(response, body, script, requests.length);
      return;
    }
    response.writeHead(url.includes('/models') ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [], models: [] }));
  });
  return { url: `${url}/v1`, requests, close };
}

const DONE = { text: 'done' };

function respond(response: ServerResponse, body: Body, script: Step[], n: number): void {
  const isResult = ({ type }: Body) => /^(?:function|custom_tool)_call_output$/.test(type);
  const step = script[(body.input ?? []).filter(isResult).length] ?? DONE;
  const call = { id: `item_${n}`, call_id: `call_${n}`, status: 'completed' };
  const item =
    'tool' in step
      ? {
          ...{ type: 'function_call', ...call, name: step.tool, arguments: JSON.stringify(step.input) },
          ...(step.namespace !== undefined && { namespace: step.namespace }),
        }
      : 'patch' in step
        ? { type: 'custom_tool_call', ...call, name: 'apply_patch', input: step.patch }
        : {
            ...{ type: 'message', id: `item_${n}`, role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: step.text, annotations: [] }],
          };
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const whole = { id: `response_${n}`, object: 'response' };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  send('response.created', { response: { ...whole, status: 'in_progress', output: [] } });
  send('response.output_item.added', { output_index: 0, item });
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', {
    response: { ...whole, status: 'completed', output: [item], usage: { ...usage, ...details } },
  });
  response.end();
}

function complete(response: ServerResponse, body: Body, script: Step[], n: number): void {
  const done = (body.messages ?? []).filter(({ role }: Body) => role === 'tool').length;
  // without tools, it is asked for a title
  const step = (body.tools?.length > 0 ? script[done] : undefined) ?? DONE;
  const calls = 'tool' in step ? [{ name: step.tool, arguments: JSON.stringify(step.input) }] : [];
  const delta =
    calls.length > 0
      ? {
          role: 'assistant',
          tool_calls: calls.map((called, index) => ({
            index,
            id: `call_${n}`,
            type: 'function',
            function: called,
          })),
        }
      : { role: 'assistant', content: 'text' in step ? step.text : '' };
  const send = (data: object) =>
    response.write(
      `data: ${JSON.stringify({ id: `c${n}`, object: 'chat.completion.chunk', model: body.model, created: 1, ...data })}\n\n`,
    );
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  send({ choices: [{ index: 0, delta, finish_reason: null }] });
  send({
    choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage,
  });
  response.end('data: [DONE]\n\n');
}
