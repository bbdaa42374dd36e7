import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { searchDocuments } from '../search/search.ts';

// How episodes and findings are connected. An episode that changed a finding's file proposes a status. A finding that
// resembles a resolved one names it.

/** Longest text that is searched for, in UTF-16 units. The model does not read more. */
const MAX_QUERY = 2000;
const MAX_RESEMBLING = 5;
const ids = (list: string[]) => sql`${sql.param(list)}::uuid[]`;

/** The text by which a finding is compared with others. */
export const findingQuery = ({ title, detail }: { title: string; detail: string }): string =>
  `${title}\n${detail}`.trim().slice(0, MAX_QUERY).toWellFormed();

/** Notes the nearest finding of the project that was resolved, if one is of MEDIUM relevance or more. */
export async function noteResembling(
  tx: Tx,
  finding: { id: string; projectId: string; title: string; detail: string },
  vector: QueryVector,
): Promise<void> {
  const { results } = await searchDocuments(tx, {
    query: findingQuery(finding),
    vector,
    projectId: finding.projectId,
    kinds: ['finding'],
    superseded: true,
    limit: MAX_RESEMBLING,
  });
  const near = results.filter(({ id, relevance }) => id !== finding.id && relevance !== 'low');
  await query(
    tx,
    sql`update findings f set resembles = (
          select r.id from findings r
          join unnest(${ids(near.map(({ id }) => id))}) with ordinality n(id, place) on n.id = r.id
          where r.user_id = f.user_id and r.status = 'resolved' order by n.place limit 1)
        where f.id = ${finding.id}::uuid`,
  );
}

/**
 * Proposes a status for the open findings whose files an episode changed. The proposal is shown with the
 * finding until somebody decides. If a proposal of this episode was turned down, it is not made again.
 *
 * @param episode.files relative to the work tree
 * @param episode.success whether it ended well. If so, `resolved` is proposed, else `in_progress`
 */
export async function proposeStatus(
  tx: Tx,
  episode: {
    id: string;
    projectId: string;
    files: string[];
    startedAt: Date;
    success: boolean;
    root: string | null;
  },
): Promise<void> {
  if (episode.files.length === 0) return;
  const status = episode.success ? 'resolved' : 'in_progress';
  const root = episode.root === null ? null : `${episode.root}/`;
  await query(
    tx,
    sql`with about as (
          select f.id, f.status, f.proposed_by, f.proposed_status from findings f
          where f.user_id = auth.uid() and f.project_id = ${episode.projectId} and f.status in ('open', 'in_progress')
            and f.file is not null and f.created_at < ${episode.startedAt.toISOString()}::timestamptz
            and regexp_replace(case when starts_with(f.file, ${root}) then substr(f.file, length(${root}) + 1)
              else f.file end, '^[.]/', '') = any (${sql.param(episode.files)}::text[])
            and f.status <> ${status}),
        proposed as (
          update findings f set proposed_status = ${status}, proposed_by = ${episode.id}::uuid, updated_at = now()
          from about a where a.id = f.id and a.proposed_by is distinct from ${episode.id}::uuid
          returning f.id)
        -- the same episode may end otherwise after more work
        update findings f set proposed_status = ${status}
        from about a where a.id = f.id and a.proposed_by = ${episode.id}::uuid and a.proposed_status is not null
          and a.proposed_status <> ${status}`,
  );
}

/** Removes episodes that are being erased from the findings that name them. */
export async function forgetEpisodes(tx: Tx, episodes: string[]): Promise<void> {
  await query(
    tx,
    sql`update findings set proposed_status = case when proposed_by = any (${ids(episodes)}) then null else proposed_status end,
          proposed_by = case when proposed_by = any (${ids(episodes)}) then null else proposed_by end,
          solved_by = case when solved_by = any (${ids(episodes)}) then null else solved_by end
        where proposed_by = any (${ids(episodes)}) or solved_by = any (${ids(episodes)})`,
  );
}
