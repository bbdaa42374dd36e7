import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type KnownKeys, keyIn } from '../accounts/known-keys.ts';
import { handleHook } from '../hooks/handle.ts';
import type { HookServices } from '../hooks/types.ts';
import { requestIdOf, serverTiming } from '../http/middleware.ts';
import { HookEvent } from '../sessions/hook-event.ts';
import { scopesFor } from './api/key-scopes.ts';

// Every tool call of an agent waits for two hooks. The layers that a request passes in the app (router,
// middleware, Request and Response objects, a body read as a stream) take longer than the answer itself. So a
// valid hook request is answered straight from Node's request. All others go to the app, which is the one
// place that says what is wrong.

/** Bodies with more bytes than this go to the app. The usual event has a few thousand. */
const MAX_BYTES = 64 * 1024;

const MAY_SEND_HOOKS = scopesFor('POST', '/v1/hooks');

type Services = HookServices & { keys: KnownKeys };

/** Returns a listener that answers valid hook requests itself, and passes all other requests to `app`. */
export const hookListener =
  (services: Services, app: RequestListener): RequestListener =>
  (request, response) => {
    const account = isPlainHook(request) ? callerOf(services, request) : null;
    if (!account) return app(request, response);
    const start = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', async () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const event = eventIn(body);
      const sender = senderOf(request);
      const output =
        event && (await handleHook(services, account, event, request.socket, sender).catch(() => null));
      if (output) return answer(services, request, response, JSON.stringify(output), start);
      // The app handles the request again and says what is wrong. A repeated delivery changes nothing.
      app(Object.assign(request, { rawBody: body }), response);
    });
  };

function isPlainHook({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === '/v1/hooks' &&
    Number(headers['content-length']) <= MAX_BYTES &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers['content-type']?.startsWith('application/json') === true
  );
}

const callerOf = ({ keys }: Services, { headers }: IncomingMessage) => {
  const key = keyIn(headers.authorization);
  const account = key === null ? null : keys.accountAtOnce(key);
  return account && MAY_SEND_HOOKS.includes(account.scope) ? account : null;
};

/** Returns which of Lore's hooks sent a request, as it says itself. */
const senderOf = ({ headers }: IncomingMessage): string | undefined => {
  const sender = headers['x-lore-hook'];
  return typeof sender === 'string' ? sender : undefined;
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the event in a body; null if it is not UTF-8, not JSON or not an event. */
function eventIn(body: Buffer): HookEvent | null {
  try {
    return HookEvent.parse(JSON.parse(decoder.decode(body)));
  } catch {
    return null;
  }
}

function answer(
  { log }: Services,
  { method, url: path, headers }: IncomingMessage,
  response: ServerResponse,
  text: string,
  start: number,
): void {
  const requestId = requestIdOf(headers['x-request-id']);
  const ms = performance.now() - start;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
    'server-timing': serverTiming(ms),
  });
  response.end(text);
  log.debug({ requestId, method, path, status: 200, ms }, 'request');
}
