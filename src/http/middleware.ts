import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { Env } from './env.ts';

/** Returns the id of a request: the caller's `x-request-id` if that has a valid form, else a new one. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();

/** Returns a `server-timing` header that says how many milliseconds the server took (https://www.w3.org/TR/server-timing/). */
export const serverTiming = (ms: number): string => `app;dur=${ms.toFixed(1)}`;

/** Gives every request an id, says in the answer how long the server took, and logs the request. */
export const requestIds =
  (log: Log): MiddlewareHandler<Env> =>
  async (c, next) => {
    const id = requestIdOf(c.req.header('x-request-id'));
    c.set('requestId', id);
    c.header('x-request-id', id);
    const start = performance.now();
    await next();
    const ms = performance.now() - start;
    // c.header() would make a new response here, and its body would be a stream.
    c.res.headers.set('server-timing', serverTiming(ms));
    log.debug({ requestId: id, method: c.req.method, path: c.req.path, status: c.res.status, ms }, 'request');
  };

/**
 * A request stores all or nothing, in one transaction, and the embedded database runs nothing else meanwhile: about 3 s
 * for a megabyte of text. The longest single note or record fits into it, in any writing system; only a skill may come
 * with a megabyte of files, which are not searched, and which JSON makes longer.
 */
export const MAX_BYTES = 1024 * 1024;

/** Returns the refusal of a body of more than `max` bytes. */
export const tooLarge = (max: number) =>
  new Problem({
    status: 413,
    title: 'Body too large',
    detail: `A request here may have ${max / 1024 / 1024} MB at most. Send what it holds in several requests.`,
  });

/** Refuses bodies of more than `max` bytes with a Problem (413). */
export function sizeLimit(max: number): MiddlewareHandler<Env> {
  const onError = () => {
    throw tooLarge(max);
  };
  const counting = bodyLimit({ maxSize: max, onError });
  return (c, next) => {
    const told = c.req.header('content-length');
    // The server enforces the declared length. Counting bytes would turn the body into a web stream, which is slow.
    if (told === undefined || c.req.header('transfer-encoding') !== undefined) return counting(c, next);
    return Number(told) > max ? onError() : next();
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const bad = (status: number, title: string, detail: string) => new Problem({ status, title, detail });

/** Refuses bodies that are not UTF-8 (400), not JSON (400) or not sent as JSON (415), before anything reads them. */
export const strictJson: MiddlewareHandler<Env> = async (c, next) => {
  const bytes = ['POST', 'PUT', 'PATCH'].includes(c.req.method) ? await c.req.arrayBuffer() : null;
  if (!bytes?.byteLength) return next();
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw bad(400, 'Bad encoding', 'The body is not valid UTF-8.');
  }
  // Otherwise the validator would make a response from the bytes and read the text from that.
  c.req.bodyCache.text = Promise.resolve(text) as unknown as string;
  try {
    JSON.parse(text);
  } catch (cause) {
    // The parser quotes the text around the error, which may be a secret. Answer and log only the position.
    const place = /position \d+/.exec((cause as Error).message)?.[0];
    throw bad(400, 'Malformed JSON', `The body is not valid JSON${place ? ` (${place})` : ''}.`);
  }
  if (!/\bjson\b/i.test(c.req.header('content-type') ?? ''))
    throw bad(415, 'Unsupported media type', 'Send the body as content-type: application/json.');
  await next();
};
