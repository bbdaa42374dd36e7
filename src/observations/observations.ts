import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Kept } from './keep.ts';
import { observationSources, observations } from './schema.ts';

/** The event that produced an output. */
export type Source = {
  observationId: string;
  projectId: string;
  /** the client's session id */
  session: string;
  /** key of the event within its session, see `dedupKey` */
  eventKey: string;
  agentId: string | null;
  tool: string;
  about: string;
  masked: boolean;
  /** ISO 8601 */
  at: string;
};

/**
 * Stores outputs, each text once, and links them to the events that produced them. Storing them again changes nothing.
 *
 * @param dailyBytes most bytes (deflated) that are stored in a day (UTC). What comes later is left out, except for what
 *   was masked
 * @returns the ids of the outputs that were not there before
 */
export async function storeObservations(
  tx: Tx,
  outputs: Kept[],
  sources: Source[],
  dailyBytes: number,
): Promise<string[]> {
  if (outputs.length === 0) return [];
  const once = [...new Map(outputs.map((kept) => [kept.id, kept])).values()];
  const masked = new Set(outputs.flatMap((kept) => (kept.masked ? kept.id : [])));
  // One statement, because each one is a round trip. Of two texts with one id the first is kept.
  const [row] = await query<{ fresh: string[] }>(
    tx,
    sql`with given as (
          select r.*, decode(r.content, 'base64') as bytes
          from jsonb_to_recordset(${JSON.stringify(once.map((k) => ({ ...k, masked: masked.has(k.id) })))}::jsonb) as r (
            id text, hash text, characters int, lines int, whole boolean, content text, masked boolean)),
        today as (
          -- the outputs of the day need not be added up while the table is smaller than what a day may bring
          select case when pg_table_size('observations') > ${String(dailyBytes)}::float8 then (
            select coalesce(sum(octet_length(o.content)), 0) from observations o
            where o.created_at >= date_trunc('day', now(), 'UTC')) else 0 end as bytes),
        known as (select o.id, o.hash from observations o where o.id in (select g.id from given g)),
        stored as (
          insert into observations (id, hash, characters, lines, whole, content)
          select g.id, g.hash, g.characters, g.lines, g.whole, g.bytes from given g, today
          where g.id not in (select k.id from known k)
            and (g.masked or today.bytes + octet_length(g.bytes) <= ${String(dailyBytes)}::float8)
          -- another transaction may be storing the same text now: only an update returns its row
          on conflict (user_id, id) do update set hash = observations.hash returning id, hash),
        linked as (
          insert into observation_sources (observation_id, project_id, session, event_key, agent_id, tool, about,
            masked, at)
          select s."observationId", s."projectId", s.session, s."eventKey", s."agentId", s.tool, s.about, s.masked, s.at
          from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as s ("observationId" text, "projectId" uuid,
            session text, "eventKey" text, "agentId" text, tool text, about text, masked boolean, at timestamptz)
          join given g on g.id = s."observationId"
          join (select * from known union select * from stored) o on o.id = g.id and o.hash = g.hash
          on conflict do nothing)
        select coalesce(array_agg(id), '{}') as fresh from stored`,
  );
  return row?.fresh ?? [];
}

/**
 * Returns the caller's observations, each with an event that produced it, the newest first. One that several events
 * produced is there several times.
 *
 * @param filter.session the client's session id
 * @param filter.before only those from before this instant
 */
export const listObservations = (
  tx: Tx,
  filter: {
    session?: string | undefined;
    projectId?: string | undefined;
    before?: Date | undefined;
    limit: number;
  },
) =>
  tx
    .select({
      id: observations.id,
      characters: observations.characters,
      lines: observations.lines,
      whole: observations.whole,
      ...sourceColumns,
    })
    .from(observationSources)
    .innerJoin(observations, eq(observations.id, observationSources.observationId))
    .where(
      and(
        filter.session === undefined ? undefined : eq(observationSources.session, filter.session),
        filter.projectId === undefined ? undefined : eq(observationSources.projectId, filter.projectId),
        filter.before === undefined ? undefined : lt(observationSources.at, filter.before),
      ),
    )
    .orderBy(desc(observationSources.at), observationSources.observationId)
    .limit(filter.limit);

const sourceColumns = {
  project: projectNameOf(observationSources.projectId),
  session: observationSources.session,
  event: observationSources.eventKey,
  agentId: observationSources.agentId,
  tool: observationSources.tool,
  about: observationSources.about,
  masked: observationSources.masked,
  at: observationSources.at,
};

const MAX_SOURCES = 20;

/**
 * Returns an observation with its text and the last 20 events that produced it.
 *
 * @throws Problem (404) when the caller has no such observation
 */
export async function getObservation(tx: Tx, given: string) {
  const id = given
    .replace(/^\[?obs:/i, '')
    .replace(/\]$/, '')
    .toLowerCase();
  const isId = /^[0-9a-f]{12}$/.test(id);
  const [found] = isId ? await tx.select().from(observations).where(eq(observations.id, id)) : [];
  if (!found) {
    const detail = `You have no observation ${given}. An id has 12 hex digits, as in [obs:1a2b3c4d5e6f].`;
    throw new Problem({ status: 404, title: 'Observation not found', detail });
  }
  const sources = await tx
    .select(sourceColumns)
    .from(observationSources)
    .where(eq(observationSources.observationId, id))
    .orderBy(desc(observationSources.at))
    .limit(MAX_SOURCES);
  const { userId: _, hash: __, content, ...about } = found;
  return { ...about, sources, content };
}

/** An observation as a working state cites it. */
export type Cited = { id: string; characters: number; lines: number; tool: string; about: string };

/** Returns the last observations of a session, each once, the newest first. */
export async function lastObservations(tx: Tx, session: string, limit: number): Promise<Cited[]> {
  return query<Cited>(
    tx,
    sql`select o.id, o.characters, o.lines, s.tool, s.about from observations o
        join lateral (
          select s.tool, s.about, s.at from observation_sources s
          where s.observation_id = o.id and s.session = ${session} order by s.at desc limit 1) s on true
        where o.id in (select observation_id from observation_sources where session = ${session})
        order by s.at desc limit ${limit}`,
  );
}
