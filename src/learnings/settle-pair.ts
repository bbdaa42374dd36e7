import { and, inArray, isNull, ne, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { RowChange } from '../db/row-change.ts';
import { effectOn } from '../fixes/fixes.ts';
import { union } from './admit.ts';
import type { Comparison } from './agreement.ts';
import { betaConfidence } from './confidence.ts';
import { contradiction } from './contradiction.ts';
import { countedSessions } from './counted-sessions.ts';
import { adviceOfLessons } from './credit.ts';
import { learnings } from './schema.ts';
import type { Status } from './states.ts';

// What the night does with two lessons that are both stored. Whether they agree or contradict each other is judged by
// the functions that judge a candidate.

/** A current lesson, as far as it is compared with others. */
export type Stored = {
  id: string;
  projectId: string;
  lesson: string;
  status: Status;
  sameKey: string | null;
  sessionId: string | null;
  qualityScore: number;
  confidence: number;
  /** whether a person said or stated it */
  byPerson: boolean;
  incidentId: string | null;
  createdAt: Date;
  lastConfirmedAt: Date;
};

/** Returns those of these lessons that are current and wait for no review, by their id. */
export async function currentLessons(tx: Tx, ids: string[]): Promise<Map<string, Stored>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      id: learnings.id,
      projectId: learnings.projectId,
      lesson: learnings.lesson,
      status: learnings.status,
      sameKey: learnings.sameKey,
      sessionId: learnings.sourceSessionId,
      qualityScore: learnings.qualityScore,
      confidence: learnings.confidence,
      byPerson: sql<boolean>`${learnings.evaluatedBy} = 'person' and ${learnings.sourceSubagent} is null`,
      incidentId: learnings.sourceIncidentId,
      createdAt: learnings.createdAt,
      lastConfirmedAt: learnings.lastConfirmedAt,
    })
    .from(learnings)
    .where(and(inArray(learnings.id, ids), ne(learnings.status, 'review'), isNull(learnings.validUntil)));
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * How the newer of two lessons relates to the older one, by what was done in their sessions. Null if that
 * shows nothing.
 */
export type Effect = 'same' | 'replaces' | null;

/** Returns what the incidents of two lessons say about them. */
export async function effectBetween(tx: Tx, a: Stored, b: Stored): Promise<Effect> {
  if (a.incidentId === null || b.incidentId === null) return null;
  const [older, newer] = byAge(a, b);
  const advice = await adviceOfLessons(tx, [newer.id, older.id]);
  const [fresh, stored] = [advice.get(newer.id), advice.get(older.id)];
  return fresh && stored ? effectOn(fresh, stored) : null;
}

export type Settlement = { action: 'merged' | 'superseded'; keep: Stored; drop: Stored; reason: string };

/**
 * Returns what becomes of two lessons, or null if both stay. If they agree, the one with the better words
 * stays: what a person said, then what is active, then what was judged best; of one rule of a person, the newest. If they contradict each other, what was done in their
 * sessions decides; if it shows nothing, the one that was confirmed last stays.
 */
export function settlementOf(
  a: Stored,
  b: Stored,
  { agreed }: Comparison,
  effect: Effect,
): Settlement | null {
  const merged = (reason: string): Settlement => {
    const [keep, drop] = betterWords(a, b);
    return { action: 'merged', keep, drop, reason: `agrees with ${keep.id} (${reason})` };
  };
  if (effect === 'same') return merged('the same answer to the same error');
  if (a.sameKey && a.sameKey === b.sameKey) {
    if (!a.byPerson || !b.byPerson) return merged('it tells the same');
    // of one rule in two wordings, the newest stays
    const [drop, keep] = byAge(a, b);
    return { action: 'merged', keep, drop, reason: `the same rule as ${keep.id}, in older words` };
  }
  if (effect === 'replaces') {
    const [drop, keep] = byAge(a, b);
    const reason = `${keep.id} took back what it tells, or tried it in vain`;
    return { action: 'superseded', keep, drop, reason };
  }
  // of two answers to errors, what was done decides: their words tell of failing and passing in either case
  const ofErrors = a.incidentId !== null && b.incidentId !== null;
  const conflict = ofErrors ? null : contradiction(a.lesson, b.lesson);
  if (conflict) {
    const [drop, keep] = byConfirmation(a, b);
    const reason = `contradicted by ${keep.id}, which was confirmed later: ${conflict.reason}`;
    return { action: 'superseded', keep, drop, reason };
  }
  return agreed === null ? null : merged(agreed);
}

type Key = (lesson: Stored) => number | string;

/** Returns two lessons in the order of the first key in which they differ. */
function ordered(a: Stored, b: Stored, keys: Key[]): [Stored, Stored] {
  for (const key of [...keys, (one: Stored) => one.id]) {
    const [left, right] = [key(a), key(b)];
    if (left !== right) return left < right ? [a, b] : [b, a];
  }
  return [a, b];
}

const byAge = (a: Stored, b: Stored) => ordered(a, b, [(one) => one.createdAt.getTime()]);
const byConfirmation = (a: Stored, b: Stored) =>
  ordered(a, b, [
    (one) => one.lastConfirmedAt.getTime(),
    (one) => one.confidence,
    (one) => one.createdAt.getTime(),
  ]);
const betterWords = (a: Stored, b: Stored) =>
  ordered(a, b, [
    (one) => (one.byPerson ? 0 : 1),
    (one) => (one.status === 'active' ? 0 : 1),
    (one) => -one.qualityScore,
    (one) => one.createdAt.getTime(),
  ]);

/**
 * Carries out a settlement: ends the lesson that goes. If the two agree, the lesson that stays takes over
 * what the other knew and counted. Returns the changes, so that they can be undone.
 *
 * @param at the instant of the night, ISO 8601
 */
export async function carryOut(tx: Tx, { action, keep, drop }: Settlement, at: string): Promise<RowChange[]> {
  const changes: RowChange[] = [];
  // two sessions that found the same answer are a recurrence
  const recurred = keep.status === 'trial' && drop.sessionId !== null && keep.sessionId !== drop.sessionId;
  const active = keep.status === 'active' || drop.status === 'active' || recurred;
  if (action === 'merged')
    changes.push(...(await unite(tx, keep.id, drop.id, active ? 'active' : keep.status, at)));
  changes.push(
    await change(tx, drop.id, { valid_until: sql`greatest(${at}::timestamptz, valid_from)` }, at, [
      'valid_until',
    ]),
  );
  return changes;
}

type Row = {
  keywords: string[];
  applies_to: string[];
  usage_count: number;
  success_count: number;
  failure_count: number;
  prior_confidence: number;
  last_confirmed_at: string;
  signature: string | null;
  target: string | null;
  error_type: string | null;
};

/** Gives a lesson what another one knows. Each session that counted for both counts once. */
async function unite(
  tx: Tx,
  keepId: string,
  dropId: string,
  status: Status,
  at: string,
): Promise<RowChange[]> {
  const rows = await query<{ id: string; row: Row }>(
    tx,
    sql`select id, to_jsonb(l) as row from learnings l where id in (${keepId}, ${dropId}) order by id for update`,
  );
  const of = (id: string) => (rows.find((row) => row.id === id) as { row: Row }).row;
  const [kept, dropped] = [of(keepId), of(dropId)];
  const counted = await countedSessions(tx, [keepId, dropId]);
  const common = (which: 'good' | 'bad') => {
    const other = counted.get(dropId)?.[which];
    return [...(counted.get(keepId)?.[which] ?? [])].filter((session) => other?.has(session)).length;
  };
  // the lesson that goes counts as one finding, in addition to its successes
  const successes = Math.max(
    kept.success_count,
    dropped.success_count,
    kept.success_count + dropped.success_count + 1 - common('good'),
  );
  const failures = Math.max(
    kept.failure_count,
    dropped.failure_count,
    kept.failure_count + dropped.failure_count - common('bad'),
  );
  const prior = Math.max(kept.prior_confidence, dropped.prior_confidence);
  const error = kept.signature === null && dropped.signature !== null ? dropped : kept;
  const later = new Date(dropped.last_confirmed_at) > new Date(kept.last_confirmed_at);
  const changed = await change(
    tx,
    keepId,
    {
      keywords: sql`${sql.param(union(kept.keywords, dropped.keywords, 20))}::text[]`,
      applies_to: sql`${sql.param(union(kept.applies_to, dropped.applies_to, 20))}::text[]`,
      usage_count: sql`${kept.usage_count + dropped.usage_count}::int`,
      success_count: sql`${successes}::int`,
      failure_count: sql`${failures}::int`,
      prior_confidence: sql`${prior}::real`,
      confidence: sql`${betaConfidence(prior, successes, failures)}::real`,
      status: sql`${status}::text`,
      last_confirmed_at: sql`${later ? dropped.last_confirmed_at : kept.last_confirmed_at}::timestamptz`,
      // set only when it changes: a lesson with another signature is compared again
      ...(error === dropped && {
        signature: sql`${error.signature}::text`,
        target: sql`${error.target}::text`,
        error_type: sql`${error.error_type}::text`,
      }),
    },
    at,
  );
  // The requests of the other lesson belong to this one from now on, so that they count, and so that it
  // survives an erasure.
  const requests = await query<{ id: string }>(
    tx,
    sql`update learning_requests set learning_id = ${keepId} where learning_id = ${dropId} returning id`,
  );
  return [
    changed,
    ...requests.map(({ id }) => ({
      table: 'learning_requests',
      id,
      before: { learning_id: dropId },
      after: { learning_id: keepId },
    })),
  ];
}

/** Sets columns of a lesson and returns what changed. */
async function change(
  tx: Tx,
  id: string,
  columns: Record<string, ReturnType<typeof sql>>,
  at: string,
  always: string[] = [],
): Promise<RowChange> {
  const all = { ...columns, updated_at: sql`${at}::timestamptz` };
  const list = sql.join(
    Object.entries(all).map(([name, value]) => sql`${sql.raw(name)} = ${value}`),
    sql`, `,
  );
  const [row] = await query<{ before: Record<string, unknown>; after: Record<string, unknown> }>(
    tx,
    sql`with before as (select to_jsonb(l) as row from learnings l where l.id = ${id})
        update learnings l set ${list} from before b where l.id = ${id}
        returning b.row as before, to_jsonb(l) as after`,
  );
  const { before, after } = row as NonNullable<typeof row>;
  const moved = Object.keys(all).filter(
    (name) => always.includes(name) || JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(moved.map((name) => [name, from[name]]));
  return { table: 'learnings', id, before: pick(before), after: pick(after) };
}
