import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { dayOf, type Offer, quote } from '../offers/frame.ts';
import type { Level } from '../offers/voice.ts';
import type { FoundForPrompt } from '../recall/recall.ts';
import type { EpisodeOutcome } from './schema.ts';
import { workItemsOfBranch } from './work-items.ts';

/** Most episodes that are offered at once: usually, and if all are wanted. */
const MAX_OFFERED = { few: 1, all: 3 };
/** An episode is told for a prompt if cosine + 0.2 × words is at least this: usually, and if all are wanted. */
const LEAST = { few: 0.65, all: 0.55 };
/** Longest task, list of files and error, in tokens. `lore episodes show` shows all of it. */
const TOKENS = { task: 25, files: 30, error: 40 };
/** Branches on which everybody works. The last work on them says nothing about the present work. */
const COMMON_BRANCHES = ['main', 'master', 'trunk', 'develop', 'development', 'dev', 'staging', 'HEAD'];

type Session = { id: string; projectId: string };
type Row = {
  id: string;
  description: string;
  outcome: EpisodeOutcome;
  error: string | null;
  files: string[];
  age_days: number;
};

/** Reads work of other sessions of the project that changed files, the newest first. */
const read = (tx: Tx, session: Session, where: SQL, limit: number) =>
  query<Row>(
    tx,
    sql`select e.id, e.description, e.outcome, e.error, e.files_modified[1:4] as files,
          extract(epoch from now() - coalesce(e.ended_at, e.started_at))::float8 / 86400 as age_days
        from episodes e
        where e.user_id = auth.uid() and e.project_id = ${session.projectId}
          and e.session_id is distinct from ${session.id} and cardinality(e.files_modified) > 0 and ${where}
        order by e.started_at desc limit ${limit}`,
  );

/**
 * Returns the latest work of the last 60 days on a session's branch, or on the work items that the branch is named
 * after, if a person wants all episodes. None for a branch on which everybody works.
 *
 * @param offered episodes that the agent already has in its context
 */
export async function episodesForStart(
  tx: Tx,
  session: Session & { branch: string | null },
  offered: string[],
  level: Level,
): Promise<Offer[]> {
  const { branch } = session;
  if (level !== 'all' || branch === null || COMMON_BRANCHES.includes(branch)) return [];
  const rows = await read(
    tx,
    session,
    sql`(e.branch = ${branch} or e.work_items && ${sql.param(workItemsOfBranch(branch))}::text[])
        and e.started_at > now() - interval '60 days' and not e.id = any (${sql.param(offered)}::uuid[])`,
    MAX_OFFERED.all,
  );
  return rows.map((row) => offerOf(row, null));
}

/**
 * Returns the episodes among a prompt's search results that are like the work that the prompt asks for: usually the
 * nearest one, if its end is known.
 *
 * @param found what the prompt's search found, without what the agent has already
 */
export async function episodesForPrompt(
  tx: Tx,
  session: Session,
  found: FoundForPrompt[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const near = found
    .filter(({ kind, sure }) => kind === 'episode' && sure >= LEAST[level])
    .slice(0, MAX_OFFERED[level]);
  if (near.length === 0) return [];
  const ids = near.map(({ id }) => id);
  const known = level === 'all' ? sql`true` : sql`e.outcome <> 'unknown'`;
  const rows = await read(tx, session, sql`e.id = any (${sql.param(ids)}::uuid[]) and ${known}`, ids.length);
  return near.flatMap(({ id, sure }) =>
    rows.filter((row) => row.id === id).map((row) => offerOf(row, sure >= LEAST.few ? 'high' : 'medium')),
  );
}

const WORKED: Record<EpisodeOutcome, string> = {
  success: 'worked',
  error: 'failed',
  stopped: 'stopped by Lore',
  unknown: 'not verified',
};

function offerOf(row: Row, relevance: Offer['relevance']): Offer {
  const { id, description, outcome, error, files, age_days: age } = row;
  const task = `Earlier work, ${WORKED[outcome]}, ${dayOf(age)}: “${quote(description, TOKENS.task)}”`;
  const ended = error === null ? '' : `; ended with: ${quote(error, TOKENS.error)}`;
  return {
    kind: 'episode',
    sourceId: id,
    relevance,
    lines: [`${task}; changed ${quote(files.join(', '), TOKENS.files)}${ended} (lore:${id.slice(0, 8)})`],
  };
}
