import { sql } from 'drizzle-orm';
import { badRequest } from '../base/errors/problem.ts';
import { query, type Tx } from '../db/open.ts';
import { type Project, theProject } from './projects.ts';

// Two projects become one, because a person says so.

/** How many rows of each table were moved to the other project, and how many the other has already. */
export type Joined = {
  from: string;
  into: string;
  moved: Record<string, number>;
  stayed: Record<string, number>;
};

/**
 * Moves all that one of the caller's projects has to another one, for good. From then on its names lead there.
 *
 * @throws Problem (404) when there is no such project, (400) when both are one
 */
export async function joinProjects(tx: Tx, names: { from: string; into: string }): Promise<Joined> {
  const [from, into] = [await theProject(tx, names.from), await theProject(tx, names.into)];
  if (from.id === into.id)
    throw badRequest('into', `${names.from} and ${names.into} are one project already`);
  return join(tx, from, into);
}

export async function join(tx: Tx, from: Project, into: Project): Promise<Joined> {
  const rows = await query<{ kind: string; moved: number; stayed: number }>(
    tx,
    sql`select * from join_projects(${from.id}::uuid, ${into.id}::uuid)`,
  );
  const counts = (which: 'moved' | 'stayed') =>
    Object.fromEntries(rows.filter((row) => row[which] > 0).map((row) => [row.kind, row[which]]));
  return { from: from.name, into: into.name, moved: counts('moved'), stayed: counts('stayed') };
}
