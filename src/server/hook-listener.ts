import type { RequestListener } from 'node:http';
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
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns a listener that answers valid hook requests itself, and passes all other requests to `app`. */
export const hookListener =
  (services: HookServices & { keys: KnownKeys }, app: RequestListener): RequestListener =>
  (request, response) => {
    const { method, url, headers, socket } = request;
    const isPlain =
      method === 'POST' &&
      url === '/v1/hooks' &&
      Number(headers['content-length']) <= MAX_BYTES &&
      headers['transfer-encoding'] === undefined &&
      headers['content-encoding'] === undefined &&
      headers['content-type']?.startsWith('application/json') === true;
    const key = isPlain ? keyIn(headers.authorization) : null;
    const account = key === null ? null : services.keys.accountAtOnce(key);
    if (!account || !MAY_SEND_HOOKS.includes(account.scope)) return app(request, response);
    const start = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', async () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      let text: string;
      try {
        const event = HookEvent.parse(JSON.parse(decoder.decode(body)));
        const sender = headers['x-lore-hook'];
        const from = typeof sender === 'string' ? sender : undefined;
        text = JSON.stringify(await handleHook(services, account, event, socket, from));
      } catch {
        // The app handles the request again and says what is wrong. A repeated delivery changes nothing.
        return app(Object.assign(request, { rawBody: body }), response);
      }
      const requestId = requestIdOf(headers['x-request-id']);
      const ms = performance.now() - start;
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'x-request-id': requestId,
        'server-timing': serverTiming(ms),
      });
      response.end(text);
      services.log.debug({ requestId, method, path: url, status: 200, ms }, 'request');
    });
  };
