import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { searchDocuments } from '../search/search.ts';
import type { Severity } from './schema.ts';

// How episodes and findings are connected. An episode that changed a finding's file proposes a status. The
// items of a review become findings. A finding that resembles a resolved one names it.

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

export type ReviewItem = {
  title: string;
  detail: string;
  severity: Severity;
  file: string | null;
  line: number | null;
};

/**
 * Stores the items of a review as findings. If a review is read again, its items are the same findings. If an
 * open finding has the same title and file as an item, no second one is stored.
 *
 * @returns the ids of the items' findings, and those that are new with what they are about
 */
export async function keepReview(
  tx: Tx,
  review: { projectId: string; episodeId: string; agent: string; at: Date },
  items: ReviewItem[],
): Promise<{ ids: string[]; fresh: (ReviewItem & { id: string })[] }> {
  const found: string[] = [];
  const fresh: (ReviewItem & { id: string })[] = [];
  for (const item of items) {
    const hash = createHash('sha256').update(`${item.title}\n${item.file}`).digest('hex').slice(0, 24);
    const origin = `${review.episodeId}:${hash}`;
    const [known] = await query<{ id: string }>(
      tx,
      sql`select id from findings
          where user_id = auth.uid() and (origin = ${origin} or project_id = ${review.projectId}
            and status in ('open', 'in_progress') and lower(title) = lower(${item.title})
            and file is not distinct from ${item.file})
          order by origin = ${origin} desc nulls last limit 1`,
    );
    if (known) {
      found.push(known.id);
      continue;
    }
    const [row] = await query<{ id: string }>(
      tx,
      sql`insert into findings (project_id, title, detail, severity, file, line, agent, written_by, origin, created_at, updated_at)
          values (${review.projectId}, ${item.title}, ${item.detail}, ${item.severity}, ${item.file}, ${item.line},
            ${review.agent}, 'agent', ${origin}, ${review.at.toISOString()}, ${review.at.toISOString()})
          on conflict do nothing returning id`,
    );
    if (!row) continue;
    found.push(row.id);
    fresh.push({ ...item, id: row.id });
  }
  return { ids: [...new Set(found)], fresh };
}

/**
 * Proposes a status for the open findings whose files an episode changed. The proposal is shown with the
 * finding until somebody decides. If a proposal of this episode was turned down, it is not made again.
 *
 * @param episode.files relative to the work tree
 * @param episode.success whether it ended well. If so, `resolved` is proposed, else `in_progress`
 * @returns the ids of the findings that it proposes something for
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
): Promise<string[]> {
  if (episode.files.length === 0) return [];
  const status = episode.success ? 'resolved' : 'in_progress';
  const root = episode.root === null ? null : `${episode.root}/`;
  const rows = await query<{ id: string }>(
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
          returning f.id),
        changed as (
          -- the same episode may end otherwise after more work
          update findings f set proposed_status = ${status}
          from about a where a.id = f.id and a.proposed_by = ${episode.id}::uuid and a.proposed_status is not null
            and a.proposed_status <> ${status}
          returning f.id)
        select id from about where proposed_by is not distinct from ${episode.id}::uuid
        union select id from proposed union select id from changed`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the caller's findings of a project whose ids begin with one of the prefixes. */
export async function namedFindings(tx: Tx, projectId: string, prefixes: string[]): Promise<string[]> {
  if (prefixes.length === 0) return [];
  const rows = await query<{ id: string }>(
    tx,
    sql`select f.id from findings f
        where f.user_id = auth.uid() and f.project_id = ${projectId}
          and left(f.id::text, 8) = any (${sql.param(prefixes)}::text[])`,
  );
  return rows.map(({ id }) => id);
}

/** Notes that an episode solved its findings, if they are resolved and no other episode has solved them. */
export async function noteSolved(tx: Tx, episodeId: string, findings: string[]): Promise<void> {
  await query(
    tx,
    sql`update findings set solved_by = ${episodeId}::uuid
        where id = any (${ids(findings)}) and status = 'resolved' and solved_by is null`,
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
