import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { compare, type Seen } from './look.ts';

/** Something that a record cites and that is no longer as it was when the record was written. */
export type Stale = { ref: string; state: 'changed' | 'gone'; head: string | null };

/** A citation with what is needed to look at it. */
export type Citation = {
  kind: 'note' | 'learning';
  id: string;
  ref: string;
  /**
   * the folder in which it was looked at first, else the one in which the project was last worked on; null:
   * not known
   */
  root: string | null;
  head: string | null;
  hash: string | null;
  state: 'waiting' | 'fresh' | 'changed' | 'gone' | 'unknown';
};

const root = sql`coalesce(c.root, (
  select s.root from sessions s where s.project_id = c.project_id and s.root is not null
  order by s.last_activity desc limit 1))`;
const columns = sql`c.kind, c.source_id as id, c.ref, ${root} as root, c.head, c.hash, c.state`;

/** Stores the citations of records. Their baselines are taken later. */
export async function addCitations(
  tx: Tx,
  kind: string,
  records: { id: string; projectId: string | null; refs: string[] }[],
): Promise<void> {
  const rows = records.flatMap(({ id, projectId, refs }) => refs.map((ref) => ({ id, projectId, ref })));
  if (rows.length === 0) return;
  await query(
    tx,
    sql`insert into citations (kind, source_id, project_id, ref)
        select ${kind}, r.id, r."projectId", r.ref
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, "projectId" uuid, ref text)
        on conflict do nothing`,
  );
}

/** Returns the citations of some records that have a baseline. */
export const citationsOf = (tx: Tx, ids: string[]): Promise<Citation[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : query<Citation>(
        tx,
        sql`select ${columns} from citations c
            where c.user_id = auth.uid() and c.kind in ('note', 'learning')
              and c.source_id = any (${sql.param(ids)}::uuid[]) and c.hash is not null
            order by c.source_id, c.ref`,
      );

/**
 * If a baseline could not be taken for this long, it is not taken any more: the file may have changed since
 * the record.
 */
const MAX_WAIT = sql`interval '10 minutes'`;

/** Returns citations without a baseline, the oldest first. */
export const waitingCitations = (tx: Tx, limit: number): Promise<Citation[]> =>
  query<Citation>(
    tx,
    sql`select ${columns} from citations c
        where c.user_id = auth.uid() and c.state = 'waiting' and c.cited_at > now() - ${MAX_WAIT}
          and ${root} is not null
        order by c.cited_at limit ${limit}`,
  );

/**
 * Returns citations of a project, or of all, that a client may look at. Those not looked at for longest come
 * first.
 */
export const citationsToLookAt = (
  tx: Tx,
  projectId: string | undefined,
  limit: number,
): Promise<Citation[]> =>
  query<Citation>(
    tx,
    sql`select ${columns} from citations c
        where c.user_id = auth.uid()
          and (${projectId ?? null}::uuid is null or c.project_id = ${projectId ?? null}::uuid)
          and (c.hash is not null or c.state = 'waiting')
        order by c.checked_at nulls first, c.source_id, c.ref limit ${limit}`,
  );

/** What was seen at a citation. `root`: the folder in which the server looked, if it looked by itself. */
export type Looked = {
  kind: string;
  id: string;
  ref: string;
  seen: Seen;
  head: string | null;
  root?: string | null;
};

/**
 * Stores what was seen. If a citation has no baseline yet, this becomes its baseline; otherwise the two are
 * compared, and the new state is stored. Returns how many citations there were, and how many of them are
 * stale now.
 */
export async function keepLooked(tx: Tx, looked: Looked[]): Promise<{ looked: number; stale: number }> {
  if (looked.length === 0) return { looked: 0, stale: 0 };
  const rows = looked.map(({ kind, id, ref, seen, head, root }) => ({
    ...{ kind, id, ref, head, root: root ?? null },
    seen: seen.state,
    size: seen.state === 'there' ? seen.size : null,
    hash: seen.state === 'there' ? seen.hash : null,
  }));
  const kept = await query<{ state: string; hash: string | null }>(
    tx,
    sql`update citations c set
          checked_at = now(),
          root = case when c.state = 'waiting' then r.root else c.root end,
          head = case when c.state = 'waiting' then r.head else c.head end,
          size = case when c.state = 'waiting' then r.size else c.size end,
          hash = case when c.state = 'waiting' then r.hash else c.hash end,
          state = case
            when r.seen <> 'there' then r.seen
            when c.state = 'waiting' or c.hash = r.hash then 'fresh'
            when c.hash is null then 'unknown'
            else 'changed'
          end
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (kind text, id uuid, ref text, head text, root text, seen text, size bigint, hash text)
        where c.user_id = auth.uid() and c.kind = r.kind and c.source_id = r.id and c.ref = r.ref
        returning c.state, c.hash`,
  );
  // a lesson's words only may be a path
  await query(
    tx,
    sql`delete from citations c where c.user_id = auth.uid() and c.kind = 'learning' and c.hash is null
          and c.state in ('gone', 'unknown')`,
  );
  const stale = kept.filter(({ state, hash }) => hash !== null && (state === 'changed' || state === 'gone'));
  return { looked: kept.length, stale: stale.length };
}

/**
 * Compares citations with what was seen of them just now. Returns the stale ones, by the id of the record.
 */
export function staleAmong(citations: Citation[], seen: Map<Citation, Seen>): Map<string, Stale[]> {
  const stale = new Map<string, Stale[]>();
  for (const citation of citations) {
    const now = seen.get(citation);
    const state = now === undefined ? citation.state : compare(citation, now);
    if (state !== 'changed' && state !== 'gone') continue;
    const { id, ref, head } = citation;
    stale.set(id, [...(stale.get(id) ?? []), { ref, state, head }]);
  }
  return stale;
}

/**
 * Returns how many citations of the caller's records were found, and how many of these exist and are valid.
 */
export async function freshnessMetrics(tx: Tx) {
  const [row] = await query<{ looked: number; changed: number; dead: number; unknown: number }>(
    tx,
    sql`select count(*) filter (where state in ('fresh', 'changed', 'gone'))::int as looked,
          count(*) filter (where state = 'changed')::int as changed,
          count(*) filter (where state = 'gone')::int as dead,
          count(*) filter (where state in ('unknown', 'waiting'))::int as unknown
        from citations where user_id = auth.uid()`,
  );
  const { looked, changed, dead, unknown } = row ?? { looked: 0, changed: 0, dead: 0, unknown: 0 };
  return { links: looked, changed, dead, unknown, validRate: looked === 0 ? null : (looked - dead) / looked };
}

/** Deletes the citations of records that are being erased. */
export async function eraseCitations(tx: Tx, kind: string, ids: string[]): Promise<number> {
  const gone = await query(
    tx,
    sql`delete from citations where kind = ${kind} and source_id = any (${sql.param(ids)}::uuid[]) returning 1`,
  );
  return gone.length;
}

/** Erases the citations of a project, and those from before an instant, unless the records stay. */
export async function erase(tx: Tx, { keepLearned, projectId, before }: Erasure): Promise<Erased> {
  if (keepLearned) return { citations: 0 };
  const gone = await query(
    tx,
    sql`delete from citations where project_id = ${projectId}::uuid or cited_at < ${before}::timestamptz returning 1`,
  );
  return { citations: gone.length };
}
