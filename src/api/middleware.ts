import { randomUUID } from 'node:crypto';
import type { Context, ErrorHandler, MiddlewareHandler, NotFoundHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Env } from '../http.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';

/**
 * Gives every request an id (the caller's own `x-request-id` if it has a sane one), logs it and tells how many
 * milliseconds it took in the server (https://www.w3.org/TR/server-timing/).
 */
export const requestIds =
  (log: Log): MiddlewareHandler<Env> =>
  async (c, next) => {
    const given = c.req.header('x-request-id');
    const id = given && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
    c.set('requestId', id);
    c.header('x-request-id', id);
    const start = performance.now();
    await next();
    const ms = Math.round((performance.now() - start) * 10) / 10;
    // c.header() would make a new response here, one whose body is a stream
    c.res.headers.set('server-timing', `app;dur=${ms}`);
    log.debug({ requestId: id, method: c.req.method, path: c.req.path, status: c.res.status, ms }, 'request');
  };

/** Refuses bodies of more than `most` bytes. */
export function sizeLimit(most: number): MiddlewareHandler<Env> {
  const onError = () => {
    throw new Problem({
      status: 413,
      title: 'Body too large',
      detail: `A request may have ${most / 1024 / 1024} MB at most.`,
    });
  };
  const counting = bodyLimit({ maxSize: most, onError });
  return (c, next) => {
    const told = c.req.header('content-length');
    // the server holds a sender to the length it told; counting makes a web stream of the body, which is slow
    if (told === undefined || c.req.header('transfer-encoding') !== undefined) return counting(c, next);
    return Number(told) > most ? onError() : next();
  };
}

/** Refuses bodies that are not UTF-8 or not JSON, before anything reads them. */
export const strictJson: MiddlewareHandler<Env> = async (c, next) => {
  if (['POST', 'PUT', 'PATCH'].includes(c.req.method)) {
    const bytes = await c.req.arrayBuffer();
    if (bytes.byteLength > 0) {
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        // or the validator makes a response of the bytes and reads the text from that
        c.req.bodyCache.text = Promise.resolve(text) as unknown as string;
      } catch (cause) {
        throw new Problem({
          status: 400,
          title: 'Bad encoding',
          detail: 'The body is not valid UTF-8.',
          cause,
        });
      }
      try {
        JSON.parse(text);
      } catch (cause) {
        // the parser quotes the text around the fault, which may be a secret: answers and logs get the place only
        const place = /position \d+/.exec((cause as Error).message)?.[0];
        const detail = `The body is not valid JSON${place ? ` (${place})` : ''}.`;
        throw new Problem({ status: 400, title: 'Malformed JSON', detail });
      }
      if (!/\bjson\b/i.test(c.req.header('content-type') ?? '')) {
        throw new Problem({
          status: 415,
          title: 'Unsupported media type',
          detail: 'Send the body as content-type: application/json.',
        });
      }
    }
  }
  await next();
};

export const onError =
  (log: Log): ErrorHandler<Env> =>
  (error, c) => {
    if (error instanceof Problem) {
      const { status, detail } = error;
      const about = { requestId: c.get('requestId'), path: c.req.path, status, detail };
      if (status >= 500) log.error({ ...about, error }, 'request failed');
      else if (status !== 401) log.info(about, 'request refused');
      return send(c, error);
    }
    if (error instanceof HTTPException) {
      return send(c, new Problem({ status: error.status, title: 'Bad request', detail: error.message }));
    }
    if (isNulRefused(error)) {
      return send(
        c,
        new Problem({ status: 400, title: 'Bad text', detail: 'A text holds a NUL character.' }),
      );
    }
    log.error({ requestId: c.get('requestId'), path: c.req.path, error }, 'request failed');
    return send(
      c,
      new Problem({
        status: 500,
        title: 'Internal error',
        detail: 'Lore failed to answer. The log has the cause under this request id.',
      }),
    );
  };

/** PostgreSQL's character_not_in_repertoire and untranslatable_character: what strictJson let through is NUL alone. */
const isNulRefused = ({ cause }: Error) =>
  cause instanceof Error && 'code' in cause && (cause.code === '22021' || cause.code === '22P05');

export const notFound: NotFoundHandler<Env> = (c) =>
  send(
    c,
    new Problem({
      status: 404,
      title: 'Not found',
      detail: `There is no ${c.req.method} ${c.req.path}. See /openapi.json.`,
    }),
  );

/** RFC 9457. */
function send(c: Context<Env>, problem: Problem): Response {
  const { status, title, detail, errors } = problem;
  const requestId = c.get('requestId');
  if (requestId) c.header('x-request-id', requestId);
  if (status === 401) c.header('www-authenticate', 'Bearer');
  return c.body(
    JSON.stringify({ type: 'about:blank', title, status, detail, requestId, errors }),
    status as ContentfulStatusCode,
    { 'content-type': 'application/problem+json' },
  );
}
