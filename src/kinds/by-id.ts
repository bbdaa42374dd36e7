import { z } from '@hono/zod-openapi';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Missing } from '../errors/codes.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { idPrefix, theOne } from '../text/short-id.ts';

/** The parameter of a path that names a record by its id or the beginning of it. */
export const reference = z.object({ id: z.string().min(8).max(45) });
/** What may be wrong with it. */
export const references = { 404: 'No such record', 409: 'The id is ambiguous' };

/**
 * Returns the record that a reference means: an id or the beginning of one, as records are cited.
 *
 * @param find returns the caller's records that fit a condition, two at most
 * @throws Problem (404) when there is none, (409) when the beginning is that of several
 */
export async function recordRef<T>(
  what: Missing,
  given: string,
  id: PgColumn,
  find: (is: SQL) => Promise<T[]>,
): Promise<T> {
  const prefix = idPrefix(given);
  if (prefix === null) return theOne([], what, given);
  const is = prefix.length === 36 ? eq(id, prefix) : sql`starts_with(${id}::text, ${prefix})`;
  return theOne(await find(is), what, given);
}

/** Returns what a field of a request names. If there is none, the request is at fault (400), not its path (404). */
export const inField = <T>(field: string, found: Promise<T>): Promise<T> =>
  found.catch((error) => {
    throw error instanceof Problem ? badRequest(field, error.detail) : error;
  });
