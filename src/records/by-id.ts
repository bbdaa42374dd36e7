import { z } from '@hono/zod-openapi';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '../db/open.ts';
import type { Missing } from '../errors/codes.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import type { Route } from './serve.ts';

// What records that have an id of their own have in common.

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

/** Adds the route that permanently erases a record. */
export const addErase = (
  route: Route,
  kind: 'note' | 'finding',
  get: (tx: Tx, reference: string) => Promise<{ id: string }>,
  erase: (tx: Tx, id: string) => Promise<unknown>,
): void =>
  route(
    `DELETE /v1/${kind}s/{id}`,
    `Permanently erase a ${kind}`,
    { params: reference, problems: references },
    ({ as, params }) =>
      as(async (tx) => {
        await erase(tx, (await get(tx, params.id)).id);
      }),
  );
