import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { NO_PROJECT } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { findProject } from '../sessions/projects.ts';
import { type Relation, relation } from './kinds.ts';
import { columnsOf, type Instants } from './statements.ts';

type Found = z.infer<typeof Relation> & { hop: number };
type Entity = { type: string; key: string };

/** Most hops of a neighbourhood. */
export const MAX_HOPS = 3;

/**
 * Walks relations from an entity (sql/temporal/neighbourhood.sql).
 *
 * @returns each relation with the hop at which it was reached, the nearest first, and the entities that were reached;
 *   `truncated` if there are more than `limit`
 */
export async function neighbourhood(
  tx: Tx,
  asked: Instants &
    Entity & { hops: number; direction: 'out' | 'in' | 'both'; project?: string | undefined; limit: number },
): Promise<{ relations: Found[]; entities: (Entity & { hop: number })[]; truncated: boolean }> {
  const { type, key, hops, direction, project, asOf = null, recordedAsOf = null, limit } = asked;
  // for a project that does not exist yet, only what belongs to no project is visible
  const scope = project === undefined ? null : ((await findProject(tx, project))?.id ?? NO_PROJECT);
  const rows = await query<Found>(
    tx,
    sql`select n.hop, ${columnsOf(relation)}
        from neighbourhood(${type}, ${key}, ${hops}::int, ${direction}, ${scope}::uuid,
            coalesce(${asOf}::timestamptz, now()), ${recordedAsOf}::timestamptz, ${limit + 1}::int) n,
          lateral (select (n.edge).*) t
        order by n.hop, t.valid_from desc, t.id`,
  );
  const relations = rows.slice(0, limit);
  const ends = relations.flatMap(({ from, to, hop }) => [from, to].map((end) => ({ ...end, hop })));
  const entities = new Map<string, Entity & { hop: number }>();
  for (const end of [{ type, key, hop: 0 }, ...ends]) {
    const name = JSON.stringify([end.type, end.key]);
    if (!entities.has(name)) entities.set(name, end);
  }
  return { relations, entities: [...entities.values()], truncated: rows.length > limit };
}
