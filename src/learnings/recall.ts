import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import { searchDocuments } from '../search/search.ts';
import type { Session } from '../sessions/sessions.ts';
import { learningInjections, learnings } from './schema.ts';

export type Recalled = {
  id: string;
  lesson: string;
  why: string | null;
  relevance: 'high' | 'medium';
  confidence: number;
  ageDays: number;
  successes: number;
  failures: number;
};

type Row = {
  id: string;
  lesson: string;
  why: string | null;
  confidence: number;
  age_days: number;
  successes: number;
  failures: number;
};

const columns = sql`l.id, l.lesson, l.why, l.confidence,
  extract(epoch from now() - l.last_confirmed_at)::float8 / 86400 as age_days,
  l.success_count as successes, l.failure_count as failures`;

const toRecalled = (row: Row, relevance: 'high' | 'medium'): Recalled => ({
  id: row.id,
  lesson: row.lesson,
  why: row.why,
  relevance,
  confidence: row.confidence,
  ageDays: row.age_days,
  successes: row.successes,
  failures: row.failures,
});

/** A lesson that failed more often than it helped is not put before anyone. */
const MIN_CONFIDENCE = 0.4;
const MOST_AT_START = 5;
const MOST_AT_PROMPT = 3;
const MOST_AT_FAILURE = 2;

/**
 * The best lessons of a project for a session that begins: confidence × recency (half-life 90 days), raised by half
 * when the error they answer was seen in the last week, by a quarter when they were learned on this branch.
 */
export async function recallForStart(
  tx: Tx,
  session: Session,
  { resumed }: { resumed: boolean },
): Promise<Recalled[]> {
  // a resumed session has in its context what it was given before
  const given = resumed ? await alreadyGiven(tx, session.id) : [];
  const rows = await query<Row & { recent: boolean; same_branch: boolean }>(
    tx,
    sql`select * from (
      select ${columns}, l.last_confirmed_at,
        (l.branch is not null and l.branch = ${session.branch}) as same_branch,
        exists (select 1 from incidents i where i.project_id = l.project_id and i.signature = l.signature
          and i.opened_at > now() - interval '7 days') as recent
      from learnings l
      where l.project_id = ${session.projectId} and l.status = 'active' and l.valid_until is null
        and l.confidence >= ${MIN_CONFIDENCE} and not l.id = any (${sql.param(given)}::uuid[])
    ) l
    order by l.confidence * power(0.5::float8, l.age_days / 90)
      * (1 + case when recent then 0.5 else 0 end + case when same_branch then 0.25 else 0 end) desc, l.id
    limit ${MOST_AT_START}`,
  );
  return rows.map((row) => toRecalled(row, row.recent && row.confidence >= 0.7 ? 'high' : 'medium'));
}

/** The lessons that answer this prompt. Without a vector of the prompt, by its words alone. */
export async function recallForPrompt(
  tx: Tx,
  session: Session,
  prompt: string,
  vector: { embedding: Float32Array; model: string } | null,
): Promise<Recalled[]> {
  const given = await alreadyGiven(tx, session.id);
  const { results } = await searchDocuments(tx, {
    query: prompt,
    vector,
    projectId: session.projectId,
    kinds: ['learning'],
    minConfidence: MIN_CONFIDENCE,
    limit: MOST_AT_PROMPT + given.length,
  });
  const fresh = results
    .filter((r) => r.relevance !== 'low' && !given.includes(r.id))
    .slice(0, MOST_AT_PROMPT);
  const byId = await loadRows(
    tx,
    fresh.map((r) => r.id),
  );
  return fresh.flatMap((r) => {
    const row = byId.get(r.id);
    return row ? [toRecalled(row, r.relevance as 'high' | 'medium')] : [];
  });
}

/**
 * The known fixes of an error, the surest first. What was given at the start or for a prompt is said again: now it is
 * to the point. What was given for a failure is not.
 */
export async function recallForFailure(tx: Tx, session: Session, signature: string): Promise<Recalled[]> {
  const given = await alreadyGiven(tx, session.id, ['PostToolUse', 'PostToolUseFailure']);
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from learnings l
        where l.project_id = ${session.projectId} and l.signature = ${signature} and l.status = 'active'
          and l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE}
          and not l.id = any (${sql.param(given)}::uuid[])
        order by l.confidence desc, l.last_confirmed_at desc limit ${MOST_AT_FAILURE}`,
  );
  return rows.map((row) => toRecalled(row, 'high'));
}

/** What the agent already has in its context in this session (until it is compacted), in answer to any or these events. */
async function alreadyGiven(tx: Tx, sessionId: string, answered?: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select distinct learning_id as id from learning_injections
        where session_id = ${sessionId} and ${answered ? sql`event = any (${sql.param(answered)})` : sql`true`}
          and injected_at > coalesce(
          (select max(occurred_at) from events where session_id = ${sessionId} and event = 'PostCompact'),
          '-infinity')`,
  );
  return rows.map((row) => row.id);
}

async function loadRows(tx: Tx, ids: string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from learnings l where l.id = any (${sql.param(ids)}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Remembers what was put before the agent, for credit at the session's end. */
export async function rememberInjections(
  tx: Tx,
  session: Session,
  answered: { event: string; dedupKey: string; at: Date },
  given: Recalled[],
): Promise<void> {
  if (given.length === 0) return;
  const added = await tx
    .insert(learningInjections)
    .values(
      given.map((lesson) => ({
        learningId: lesson.id,
        sessionId: session.id,
        dedupKey: answered.dedupKey,
        event: answered.event,
        relevance: lesson.relevance,
        injectedAt: answered.at,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: learningInjections.learningId });
  if (added.length === 0) return;
  await tx
    .update(learnings)
    .set({ usageCount: sql`${learnings.usageCount} + 1` })
    .where(
      inArray(
        learnings.id,
        added.map((row) => row.id),
      ),
    );
}

/** What a repeated delivery of an event was answered with the first time. */
export async function recallAnswered(tx: Tx, session: Session, dedupKey: string): Promise<Recalled[]> {
  const given = await tx
    .select({ id: learningInjections.learningId, relevance: learningInjections.relevance })
    .from(learningInjections)
    .where(and(eq(learningInjections.sessionId, session.id), eq(learningInjections.dedupKey, dedupKey)))
    .orderBy(learningInjections.relevance, learningInjections.id);
  const byId = await loadRows(
    tx,
    given.map((row) => row.id),
  );
  return given.flatMap((row) => {
    const found = byId.get(row.id);
    return found ? [toRecalled(found, row.relevance)] : [];
  });
}
