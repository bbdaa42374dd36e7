import { and, desc, eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest } from '../errors/problem.ts';
import { redactText } from '../redaction/redact.ts';
import { projectNamed, projectNameOf, setPrivateEpisodes } from '../sessions/projects.ts';
import { clientSessionId } from '../sessions/sessions.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { type EpisodeOutcome, episodes, type TaskType } from './schema.ts';

/** The columns of an episode in a list. */
const listed = {
  id: episodes.id,
  project: projectNameOf(episodes.projectId),
  session: clientSessionId(episodes.sessionId),
  parentId: episodes.parentId,
  agentId: episodes.agentId,
  agentType: episodes.agentType,
  description: episodes.description,
  type: episodes.type,
  complexity: episodes.complexity,
  branch: episodes.branch,
  workItems: episodes.workItems,
  toolsUsed: episodes.toolsUsed,
  filesModified: episodes.filesModified,
  outcome: episodes.outcome,
  testsPassed: episodes.testsPassed,
  buildPassed: episodes.buildPassed,
  error: episodes.error,
  lastMessage: episodes.lastMessage,
  startedAt: episodes.startedAt,
  endedAt: episodes.endedAt,
  durationMs: episodes.durationMs,
  tokens: episodes.tokens,
  findings: episodes.findings,
  learnings: episodes.learnings,
  planId: episodes.planId,
  private: episodes.private,
};

/** `session` is null for an episode that was imported. */
type Listed = { session: string | null };
const select = (tx: Tx) => tx.select({ ...listed, steps: episodes.steps }).from(episodes);
export type Episode = Omit<Awaited<ReturnType<typeof select>>[number], 'session'> & Listed;

/**
 * Returns episodes without their steps, the newest first.
 *
 * @param filter.sessionId the client's session id, or Lore's
 * @param filter.elsewhere whether those that are private to their project are left out
 * @throws Problem (400) when `before` is not an episode of the caller
 */
export async function listEpisodes(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    type?: TaskType | undefined;
    outcome?: EpisodeOutcome | undefined;
    sessionId?: string | undefined;
    /** the id of an episode: only those after it in this list are returned, which are older */
    before?: string | undefined;
    elsewhere: boolean;
    limit: number;
  },
) {
  const { projectId, type, outcome, sessionId, before } = filter;
  if (before !== undefined) {
    const [known] = await tx.select({ id: episodes.id }).from(episodes).where(eq(episodes.id, before));
    if (!known) throw badRequest('before', `you have no episode ${before}`);
  }
  return tx
    .select(listed)
    .from(episodes)
    .where(
      and(
        projectId === undefined ? undefined : eq(episodes.projectId, projectId),
        type === undefined ? undefined : eq(episodes.type, type),
        outcome === undefined ? undefined : eq(episodes.outcome, outcome),
        sessionId === undefined
          ? undefined
          : sql`(${clientSessionId(episodes.sessionId)} = ${sessionId} or ${episodes.sessionId}::text = ${sessionId})`,
        filter.elsewhere ? eq(episodes.private, false) : undefined,
        before === undefined
          ? undefined
          : sql`(${episodes.startedAt}, ${episodes.id}) <
              (select b.started_at, b.id from episodes b where b.id = ${before}::uuid)`,
      ),
    )
    .orderBy(desc(episodes.startedAt), desc(episodes.id))
    .limit(filter.limit);
}

/**
 * Returns an episode with its steps, by its id or the beginning of it.
 *
 * @throws Problem (404) when the caller has no such episode, (409) when the beginning is that of several
 */
export async function getEpisode(tx: Tx, reference: string): Promise<Episode> {
  const prefix = idPrefix(reference);
  if (prefix === null) return theOne<Episode>([], 'episode', reference);
  const is =
    prefix.length === 36 ? eq(episodes.id, prefix) : sql`starts_with(${episodes.id}::text, ${prefix})`;
  return theOne<Episode>(await select(tx).where(is).limit(2), 'episode', reference);
}

export type EpisodeChange = {
  description?: string | undefined;
  type?: TaskType | undefined;
  private?: boolean | undefined;
};

/**
 * Corrects fields of an episode as a person wants it. A later cut of the session keeps the corrections.
 * Returns the episode.
 *
 * @throws Problem as `getEpisode`
 */
export async function changeEpisode(tx: Tx, reference: string, change: EpisodeChange): Promise<Episode> {
  const { id } = await getEpisode(tx, reference);
  const { description, type } = change;
  const corrected = [description !== undefined && 'description', type !== undefined && 'type'].filter(
    Boolean,
  );
  await tx
    .update(episodes)
    .set({
      ...change,
      ...(description !== undefined && { description: redactText(description) }),
      corrected: sql`array(select distinct c from unnest(${episodes.corrected} || ${sql.param(corrected)}::text[]) c)`,
      updatedAt: sql`now()`,
    })
    .where(eq(episodes.id, id));
  return getEpisode(tx, id);
}

/**
 * Sets whether a project's episodes are private to it, the present and the future ones. Returns how many
 * changed.
 */
export async function keepPrivate(tx: Tx, project: string, value: boolean): Promise<number> {
  const { id } = await projectNamed(tx, project);
  await setPrivateEpisodes(tx, id, value);
  const rows = await query(
    tx,
    sql`update episodes set private = ${value}, updated_at = now()
        where project_id = ${id} and private <> ${value} returning 1`,
  );
  return rows.length;
}

/** Returns at most ten files that episodes changed. Files that more of the episodes changed come first. */
export async function filesOfEpisodes(tx: Tx, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ file: string }>(
    tx,
    sql`select f.file from episodes e, unnest(e.files_modified) with ordinality as f (file, n)
        where e.id = any (${sql.param(ids)}::uuid[])
        group by f.file order by count(*) desc, min(f.n), f.file limit 10`,
  );
  return rows.map(({ file }) => file);
}
