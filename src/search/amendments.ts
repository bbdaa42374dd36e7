import { type SQL, sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';
import type { Embedder } from './embedding/embedder.ts';
import type { Evidence } from './schema.ts';

// A newer record may amend an older one. Whether it does is decided after the write, once the texts have
// their vectors (sql/amendments). The decision is kept as a link, which a person can undo. A search only
// follows the links.

/**
 * How many records are decided about in one transaction. The embedded engine answers nothing else meanwhile.
 */
const AT_ONCE = 5;

/**
 * Decides about the queued records of every user whose texts all have vectors of the model in use. If that fails for a
 * user, it is logged and tried again later, and the others go on.
 *
 * @returns whether there may be more
 */
export async function decidePending(
  db: Database,
  embedder: Pick<Embedder, 'status'>,
  log: Log,
): Promise<boolean> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return false;
  const users = sql`select lore.users_to_decide_amendments(${model}) as id`;
  return forEachUser(db, users, { log, name: 'decide amendments' }, async (userId) => {
    const [row] = await asUser(db, { userId, role: 'member' }, (tx) =>
      query<{ n: number }>(tx, sql`select decide_amendments(${model}, ${AT_ONCE}::int) as n`),
    );
    return (row?.n ?? 0) > 0;
  });
}

/** Links a record to the older one that it is said to amend. */
export async function linkStated(tx: Tx, kind: string, newerId: string, olderId: string): Promise<void> {
  const evidence: Evidence = { words: 'stated', similarity: null, model: null };
  await query(
    tx,
    sql`insert into amendments (kind, newer_id, older_id, evidence)
        values (${kind}, ${newerId}::uuid, ${olderId}::uuid, ${JSON.stringify(evidence)}::jsonb)`,
  );
}

/** One side of a link; `content` is the beginning of its text. */
type Side = { id: string; content: string };

export type Amendment = {
  id: string;
  kind: string;
  project: string | null;
  newer: Side;
  older: Side;
  evidence: Evidence;
  createdAt: string;
  undoneAt: string | null;
};

/** Longest text of a side, in characters. */
const MAX_SHOWN = 300;

/**
 * Returns the caller's links, the newest first; those that were undone too.
 *
 * @param filter.records only links from or to one of these records
 */
export async function listAmendments(
  tx: Tx,
  filter: { projectId?: string | undefined; records?: string[] | undefined; limit: number },
): Promise<Amendment[]> {
  const { projectId, records, limit } = filter;
  const ids = records === undefined ? null : sql.param(records);
  return select(
    tx,
    sql`(${projectId ?? null}::uuid is null or n.project_id = ${projectId ?? null}::uuid)
        and (${ids}::uuid[] is null or a.newer_id = any (${ids}::uuid[]) or a.older_id = any (${ids}::uuid[]))`,
    limit,
  );
}

/**
 * Undoes a link, or puts it in force again. Lore does not decide about the link again.
 *
 * @param reference the link's id or the beginning of it, at least 8 characters
 * @throws Problem 404 when the caller has no such link, 409 when the beginning fits several
 */
export async function setUndone(tx: Tx, reference: string, undone: boolean): Promise<Amendment> {
  const prefix = idPrefix(reference);
  const found = prefix === null ? [] : await select(tx, sql`starts_with(a.id::text, ${prefix})`, 2);
  const link = theOne(found, 'amendment', reference);
  await query(
    tx,
    sql`update amendments set undone_at = ${undone ? sql`coalesce(undone_at, now())` : null} where id = ${link.id}::uuid`,
  );
  const [changed] = await select(tx, sql`a.id = ${link.id}::uuid`, 1);
  return changed as Amendment;
}

const select = (tx: Tx, condition: SQL, limit: number) =>
  query<Amendment>(
    tx,
    sql`select a.id, a.kind, p.name as project, a.evidence,
          json_build_object('id', a.newer_id, 'content', left(n.content, ${MAX_SHOWN}::int)) as newer,
          json_build_object('id', a.older_id, 'content', left(o.content, ${MAX_SHOWN}::int)) as older,
          to_json(a.created_at) #>> '{}' as "createdAt", to_json(a.undone_at) #>> '{}' as "undoneAt"
        from amendments a
        join search_documents n
          on n.user_id = a.user_id and n.kind = a.kind and n.source_id = a.newer_id and n.part = 0
        join search_documents o
          on o.user_id = a.user_id and o.kind = a.kind and o.source_id = a.older_id and o.part = 0
        left join projects p on p.id = n.project_id
        where ${condition}
        order by a.created_at desc, a.id limit ${limit}::int`,
  );
