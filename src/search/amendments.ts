import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';
import { served } from '../http/serve.ts';
import { kindOf, page, type Row, reference, references } from '../kinds/kind.ts';
import { transferred } from '../kinds/records/transfer.ts';
import { listInProject } from '../sessions/projects.ts';
import type { Embedder } from './embedding/embedder.ts';
import { amendments, type Evidence } from './schema.ts';

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
    const [row] = await asUser(
      db,
      { userId, role: 'member' },
      (tx) => query<{ n: number }>(tx)`select decide_amendments(${model}, ${AT_ONCE}::int) as n`,
    );
    return (row?.n ?? 0) > 0;
  });
}

/** Links a record to the older one that it is said to amend. */
export async function linkStated(tx: Tx, kind: string, newerId: string, olderId: string): Promise<void> {
  const evidence: Evidence = { words: 'stated', similarity: null, model: null };
  await query(tx)`
    insert into amendments (kind, newer_id, older_id, evidence)
    values (${kind}, ${newerId}::uuid, ${olderId}::uuid, ${JSON.stringify(evidence)}::jsonb)`;
}

/** SQL for something of the index row of a side of the link `t`. */
const ofSide = (side: 'newer_id' | 'older_id', what: SQL) => sql`(
  select ${what} from search_documents d left join projects p on p.id = d.project_id
  where d.user_id = t.user_id and d.kind = t.kind and d.source_id = ${sql.raw(`t.${side}`)} and d.part = 0)`;
/** One side of a link, with the beginning of its text. */
const side = (column: 'newer_id' | 'older_id') => ({
  as: z.object({ id: z.string(), content: z.string() }),
  sql: ofSide(column, sql`json_build_object('id', d.source_id, 'content', left(d.content, 300))`),
});
type Side = { id: string; content: string };
type Amendment = Row & { newer: Side; older: Side; evidence: Evidence; undoneAt: string | null };

const amendment = kindOf<Amendment>('amendment', amendments, ['newerId', 'olderId'], {
  evidence: {
    as: z.object({ words: z.string(), similarity: z.number().nullable(), model: z.string().nullable() }),
    sql: sql`t.evidence`,
  },
  newer: side('newer_id'),
  older: side('older_id'),
  project: { as: z.string().nullable(), sql: ofSide('newer_id', sql`p.name`) },
});
export const AmendmentShown = z.object(amendment.shape).openapi('Amendment');

type Filter = { projectId?: string | undefined; records?: string[] | undefined; limit: number };
/** Returns the caller's links, the newest first; those that were undone too. `records`: only from or to one of these. */
export function listAmendments(tx: Tx, { projectId, records, limit }: Filter): Promise<Amendment[]> {
  const where = [
    sql`${ofSide('newer_id', sql`true`)} and ${ofSide('older_id', sql`true`)}`,
    projectId && sql`${ofSide('newer_id', sql`d.project_id`)} = ${projectId}::uuid`,
    records && sql`array[t.newer_id, t.older_id] && ${sql.param(records)}::uuid[]`,
  ];
  return amendment.list(tx, where, { limit });
}

export const amendmentRoutes = served((route) => {
  route(
    'GET /v1/amendments',
    'Which records amend which older ones, and why; the newest link first, those that were undone too',
    {
      // `record`: only links from or to it
      query: z.object({ project: page.project, record: z.guid().optional(), limit: page.limit }),
      answer: z.object({ amendments: z.array(AmendmentShown) }),
    },
    async ({ query: { project, record, limit }, as }) => {
      const records = record === undefined ? undefined : [record];
      const list = (tx: Tx) =>
        listInProject(tx, project, (projectId) => listAmendments(tx, { projectId, records, limit }));
      return { amendments: await as(list) };
    },
  );
  for (const [what, summary, undone] of [
    ['undo', 'Undo a link; search no longer follows it', sql`coalesce(undone_at, now())`],
    ['restore', 'Let a link hold again that was undone', sql`null`],
  ] as const)
    route(
      `POST /v1/amendments/{id}/${what}`,
      summary,
      { params: reference, answer: AmendmentShown, problems: references },
      ({ params, as }) =>
        as(async (tx) => {
          const { id } = await amendment.get(tx, params.id);
          await query(tx)`update amendments set undone_at = ${undone} where id = ${id}::uuid`;
          return amendment.get(tx, id);
        }),
    );
});

/** Links between decisions as they are exported: such a link ends a decision. Others only order results, and are found again. */
export const AMENDMENT_RECORDS = transferred(amendments, 'amendment', {
  hidden: ['id'],
  fields: { kind: z.literal('decision') },
  only: '2 = (select count(distinct d.id) from decisions d where d.id in (r."newerId", r."olderId"))',
  which: sql`t.kind = 'decision'`,
  ofProject: (id) => sql`exists (
    select from decisions d where d.id = t.newer_id and d.project_id = ${id}::uuid)`,
});
