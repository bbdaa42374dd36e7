import { and, eq, sql } from 'drizzle-orm';
import { badRequest } from '../base/errors/problem.ts';
import { theOne } from '../base/text/short-id.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Erased, Erasure } from '../db/erasure.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { findProject } from '../sessions/projects.ts';
import { searches } from './schema.ts';

// Stores the results of searches, so that somebody can say which results were useful.

/** Searches that are being stored. */
const storing = new Map<string, Promise<void>>();

/**
 * Stores the results of a search, so that they can be rated. Call it after the answer.
 *
 * @param found.ids ids of the records, best first
 */
export function storeSearch(
  db: Database,
  claims: Claims,
  { id, project, ids }: { id: string; project: string | undefined; ids: string[] },
): Promise<void> {
  const stored = asUser(db, claims, async (tx) => {
    const scope = project === undefined ? undefined : await findProject(tx, project);
    await tx.insert(searches).values({ id, projectId: scope?.id ?? null, results: ids });
  }).finally(() => storing.delete(id));
  storing.set(id, stored);
  return stored;
}

type Rating = { useful: string[]; notUseful: string[] };

/**
 * Stores which results of a search were useful. A result that was rated before is rated anew.
 *
 * @param given ids of results, or the first 8 characters or more of them
 * @returns all ratings of the search
 * @throws Problem (404) when the caller has no such search, (400) for an id that is not among its results
 */
export async function rateSearch(db: Database, claims: Claims, id: string, given: Rating): Promise<Rating> {
  // one that could not be stored is not found
  await storing.get(id)?.catch(() => {});
  return asUser(db, claims, async (tx) => {
    const search = theOne(
      await tx.select().from(searches).where(eq(searches.id, id)).for('update'),
      'search',
      id,
    );
    const meant = (field: keyof Rating) =>
      given[field].map((one) => {
        const [found, other] = search.results.filter((result) => result.startsWith(one.toLowerCase()));
        if (found === undefined) throw badRequest(field, `${one} was no result of this search`);
        if (other !== undefined) throw badRequest(field, `several results begin with ${one}`);
        return found;
      });
    const [useful, notUseful] = [new Set(meant('useful')), new Set(meant('notUseful'))];
    const both = [...useful].find((one) => notUseful.has(one));
    if (both !== undefined) throw badRequest('notUseful', `${both} is among the useful ones too`);
    for (const one of search.useful) if (!notUseful.has(one)) useful.add(one);
    for (const one of search.notUseful) if (!useful.has(one)) notUseful.add(one);
    const ratings = { useful: [...useful], notUseful: [...notUseful] };
    await tx
      .update(searches)
      .set({ ...ratings, ratedAt: sql`now()` })
      .where(and(eq(searches.id, id), eq(searches.userId, search.userId)));
    return ratings;
  });
}

/** Returns how many results of searches were rated since an instant, and how many of these were useful. */
export async function ratingMetrics(tx: Tx, since: Date): Promise<{ rated: number; useful: number }> {
  const [row] = await query<{ rated: number; useful: number }>(
    tx,
    sql`select coalesce(sum(cardinality(useful) + cardinality(not_useful)), 0)::int as rated,
          coalesce(sum(cardinality(useful)), 0)::int as useful
        from searches where user_id = auth.uid() and rated_at >= ${since.toISOString()}::timestamptz`,
  );
  return row ?? { rated: 0, useful: 0 };
}

/** Erases the searches in a project, and those from before an instant. */
export async function erase(tx: Tx, { projectId, before }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from searches where project_id = ${projectId}::uuid or searched_at < ${before}::timestamptz returning 1`,
  );
  return { searches: gone.length };
}
