import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { codesOf, isDamage, kindOfFailure } from '../base/errors/database-failure.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { Env } from './env.ts';

/** The answers (503) when the database or the disk cannot do something for now: title, what that means. */
const FAILED: Record<string, [title: string, detail: string]> = {
  away: [
    'Database does not answer',
    'The database does not answer, or there is no room on its disk. A change may or may not be stored: look before you repeat it.',
  ],
  'for now': [
    'Database is busy',
    'The database ended the work, because it took too long or stood in the way of other work. Nothing of it is stored. Try again.',
  ],
  unfit: [
    'Database does not fit',
    'The schema or the grants of the database, or the connection to it, are not as Lore needs them. Nothing is stored.',
  ],
  damaged: [
    'Database is damaged',
    'A file of the database is gone or damaged. Save what can still be read (lore export), stop the server and restore the newest backup: lore restore <folder>, or your provider’s tools. REINDEX DATABASE mends an index.',
  ],
};

/**
 * Answers and logs the errors that handlers throw. An error that is not a `Problem` is the database's or Lore's own
 * fault: it is logged, and the answer does not contain its message.
 */
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
    const answer = (status: number, title: string, detail: string) =>
      send(c, new Problem({ status, title, detail }));
    if (error instanceof HTTPException) return answer(error.status, 'Bad request', error.message);
    if (isNulRefused(error)) return answer(400, 'Bad text', 'A text holds a NUL character.');
    log.error({ requestId: c.get('requestId'), path: c.req.path, error }, 'request failed');
    const known = FAILED[isDamage(error) ? 'damaged' : kindOfFailure(error).kind];
    const [title, detail] = known ?? ['Internal error', 'Lore failed to answer.'];
    return answer(known ? 503 : 500, title, `${detail} The log has the cause under this request id.`);
  };

/**
 * Looks for PostgreSQL's character_not_in_repertoire and untranslatable_character. After strictJson only a NUL
 * character can cause them.
 */
const isNulRefused = (error: Error) => codesOf(error).some((code) => /^22(?:021|P05)$/.test(code));

export const notFound: NotFoundHandler<Env> = (c) => {
  const detail = `There is no ${c.req.method} ${c.req.path}. See /openapi.json.`;
  return send(c, new Problem({ status: 404, title: 'Not found', detail }));
};

/** Returns how to authenticate (RFC 6750): a caller that sent a key is told that it is not valid. */
const challenge = (c: Context<Env>): string => {
  const sent = /^Bearer +\S/i.test(c.req.header('authorization') ?? '');
  return `Bearer realm="lore"${sent ? ', error="invalid_token"' : ''}`;
};

/** Answers with a problem document (RFC 9457). */
function send(c: Context<Env>, problem: Problem): Response {
  const { status, title, code, detail, errors, current, retryAfter } = problem;
  const requestId = c.get('requestId');
  if (requestId) c.header('x-request-id', requestId);
  if (status === 401) c.header('www-authenticate', challenge(c));
  if (retryAfter !== undefined) c.header('retry-after', String(retryAfter));
  return c.body(
    JSON.stringify({ type: 'about:blank', title, code, status, detail, requestId, errors, current }),
    status as ContentfulStatusCode,
    { 'content-type': 'application/problem+json' },
  );
}
