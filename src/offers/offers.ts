import { type SQL, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { agentOfDelivery } from '../sessions/calls.ts';
import { clientSessionId } from '../sessions/sessions.ts';
import type { OfferKind, ShownOffer } from './frame.ts';
import { type OUTCOMES, offers } from './schema.ts';

/** A delivery of a hook event that was answered with offers. */
export type Answered = {
  sessionId: string;
  dedupKey: string;
  event: string;
  agentId: string | null;
  agentType: string | null;
  at: Date;
};

/**
 * Stores what an answer showed. Storing it again for the same delivery changes nothing.
 *
 * @returns the offers that were not stored before, without those that were withheld
 */
export async function rememberOffers(
  tx: Tx,
  answered: Answered,
  shown: ShownOffer[],
): Promise<{ kind: OfferKind; sourceId: string | null }[]> {
  if (shown.length === 0) return [];
  const { at, ...about } = answered;
  const stored = await tx
    .insert(offers)
    .values(shown.map((offer, position) => ({ ...offer, ...about, position, offeredAt: at })))
    .onConflictDoNothing()
    .returning({ kind: offers.kind, sourceId: offers.sourceId, withheld: offers.withheld });
  return stored.filter(({ withheld }) => !withheld);
}

/** A record that was offered in a session, and the event that was answered with it. */
export type EarlierOffer = {
  sourceId: string | null;
  event: string;
  dedupKey: string;
  /** the subagent that it was offered to; null for the session's own agent */
  agentId: string | null;
  /** milliseconds since 1970 */
  at: number;
  kind: OfferKind;
  /** its first line */
  text: string;
};

/**
 * Returns a session's last 200 offers, the oldest first. Withheld offers are among them, so that no more is
 * withheld from one session than is offered to another.
 */
export async function earlierOffers(tx: Tx, sessionId: string): Promise<EarlierOffer[]> {
  const rows = await query<Omit<EarlierOffer, 'at'> & { at: number }>(tx)`
    select o.source_id as "sourceId", o.event, o.dedup_key as "dedupKey",
      coalesce(o.agent_id, ${agentOfDelivery(sql`o.session_id`, sql`o.dedup_key`)}) as "agentId",
      extract(epoch from o.offered_at)::float8 * 1000 as at, o.kind, split_part(o.text, E'\\n', 1) as text
    from offers o where o.session_id = ${sessionId}
    order by o.offered_at desc limit 200`;
  return rows.reverse();
}

/** SQL condition: a session was offered records of a kind that have no outcome yet. */
export const hasUnsettled = (sessionId: string, kind: OfferKind): SQL =>
  sql`exists (select 1 from offers where session_id = ${sessionId} and kind = ${kind} and outcome is null and not withheld)`;

type Unsettled = { sourceId: string; since: string; atCall: boolean };

/**
 * Returns the records of a kind that were offered to a session and have no outcome yet, each with its first time, and whether
 * that was before a call.
 */
export async function unsettledOffers(tx: Tx, sessionId: string, kind: OfferKind): Promise<Unsettled[]> {
  return query<Unsettled>(tx)`select source_id as "sourceId", min(offered_at)::text as since,
      (array_agg(event order by offered_at))[1] = 'PreToolUse' as "atCall" from offers
    where session_id = ${sessionId} and kind = ${kind} and outcome is null and not withheld and source_id is not null
    group by source_id order by source_id`;
}

/** Returns whether a record was offered to a session, or to another one than this. */
export async function wasOffered(
  tx: Tx,
  sessionId: string,
  sourceId: string,
  where: 'here' | 'elsewhere' = 'here',
): Promise<boolean> {
  const rows = await query(tx)`select 1 from offers where source_id = ${sourceId} and not withheld
      and (session_id = ${sessionId}) = ${where === 'here'} limit 1`;
  return rows.length > 0;
}

/** Returns SQL for whether a record was offered to an agent of a kind, in any session. */
export const wasOfferedToAgent = (sourceId: SQL, agentType: string): SQL =>
  sql`exists (select from offers o where o.source_id = ${sourceId} and not o.withheld
        and lower(o.agent_type) = lower(${agentType}))`;

/** Stores the outcome of a record that was offered to a session. */
export async function settleOffers(
  tx: Tx,
  sessionId: string,
  sourceId: string,
  outcome: (typeof OUTCOMES)[number],
): Promise<void> {
  await query(tx)`update offers set outcome = ${outcome}, settled_at = now()
    where session_id = ${sessionId} and source_id = ${sourceId} and not withheld and outcome is null`;
}

/** Returns the last 50 offers of some records, the newest first, each with the ids of its session: the client's, and ours. */
export const offersFrom = (tx: Tx, sourceIds: string[]) =>
  query(tx)`
    select ${clientSessionId(sql`offers.session_id`)} as session, session_id as "sessionId", event, relevance,
      to_json(offered_at) as "injectedAt", outcome
    from offers where source_id = any (${sql.param(sourceIds)}::uuid[]) and not withheld
    order by offered_at desc limit 50`;

/** Returns how many sessions were offered one of these records, and in how many of them one helped or failed. */
export async function sessionsOffered(tx: Tx, sourceIds: string[]) {
  const [counts] = await query<Record<'told' | 'helped' | 'failed', number>>(tx)`
    select count(distinct session_id)::int as told,
      count(distinct session_id) filter (where outcome = 'helped')::int as helped,
      count(distinct session_id) filter (where outcome = 'failed')::int as failed
    from offers where source_id = any (${sql.param(sourceIds)}::uuid[]) and not withheld`;
  return counts ?? { told: 0, helped: 0, failed: 0 };
}

/**
 * Returns SQL for whether the last `sessions` sessions that were offered a record, and have ended, made no use of it.
 * False as long as it was offered to fewer.
 */
export const ignoredByLast = (sourceId: SQL, sessions: number): SQL =>
  sql`(select count(*) = ${sessions}::int and bool_and(last.unused) from (
         select bool_and(o.outcome = 'unused') as unused from offers o
         where o.source_id = ${sourceId} and o.outcome is not null and not o.withheld
         group by o.session_id order by max(o.offered_at) desc limit ${sessions}::int) last)`;

/** Deletes all offers of records that are being erased. Returns their number. */
export async function eraseOffers(tx: Tx, sourceIds: string[]): Promise<number> {
  const gone = await query(tx)`
    delete from offers where source_id = any (${sql.param(sourceIds)}::uuid[]) returning 1`;
  return gone.length;
}

/**
 * Erases the offers to these sessions, or all offers before an instant. Also erases what other sessions were
 * offered about erased sessions and errors.
 */
export async function erase(tx: Tx, { sessions, incidents, before }: Erasure): Promise<Erased> {
  const gone = await query(tx)`delete from offers where session_id = any (${sql.param(sessions)}::uuid[])
      or source_id = any (${sql.param([...sessions, ...incidents])}::uuid[])
      or offered_at < ${before}::timestamptz returning 1`;
  return { offers: gone.length };
}

/**
 * Returns the first line of each offer of these kinds that a session got, each record once, the newest first.
 */
export async function offeredTexts(
  tx: Tx,
  sessionId: string,
  kinds: OfferKind[],
  limit: number,
): Promise<string[]> {
  const rows = await query<{ text: string }>(tx)`select text from (
      select distinct on (coalesce(source_id::text, text)) split_part(text, E'\\n', 1) as text, offered_at
      from offers
      where session_id = ${sessionId} and kind = any (${sql.param(kinds)}::text[]) and not withheld
      order by coalesce(source_id::text, text), offered_at desc) o
    order by offered_at desc limit ${limit}`;
  return rows.map(({ text }) => text);
}

/** Returns the lessons and decisions that a session was offered, each once, and what came of them. */
export async function lessonsGiven(tx: Tx, sessionId: string, limit: number) {
  return query<{ text: string; outcome: string | null }>(
    tx,
  )`select max(text) as text, max(outcome) as outcome from offers
    where session_id = ${sessionId} and kind in ('lesson', 'decision') and source_id is not null
      and not withheld
    group by source_id order by min(offered_at) limit ${limit}`;
}

/** Returns SQL for how many of the lessons that a session was offered helped it. */
export const lessonsThatHelped = (sessionId: SQL): SQL =>
  sql`(select count(distinct o.source_id)::int from offers o
       where o.session_id = ${sessionId} and o.kind = 'lesson' and o.outcome = 'helped')`;
