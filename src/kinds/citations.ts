import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { InBackground } from '../base/timing/loop.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { limit } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { quote } from '../offers/frame.ts';
import { listInProject } from '../sessions/projects.ts';
import { compare, headOf, look, type Seen } from './look.ts';
import { STATES } from './schema.ts';

// Whether the files, symbols and commits that notes and lessons cite are still as they were when these were written.

/** A citation with what is needed to look at it. `root`: the folder in which it is; null: not known. */
export type Citation = {
  kind: 'note' | 'learning';
  id: string;
  ref: string;
  root: string | null;
  head: string | null;
  hash: string | null;
  state: (typeof STATES)[number];
};
/** Something that a record cites and that is no longer as it was. `head`: the commit that was checked out then. */
const Stale = z.object({ ref: z.string(), state: z.enum(['changed', 'gone']), head: z.string().nullable() });
export type Stale = z.output<typeof Stale>;
export const StaleCitations = z.array(Stale).openapi('StaleCitations');

/** A record keeps the baseline of at most this many files and symbols, and as many commits. */
const MAX_REFERENCES = 20;
/** Breadcrumbs that name files. Deleted files are not among them, because they need not exist. */
const FILES = ['modified_files', 'created_files', 'tests', 'documentation', 'config_files'];
/** `path#name`, `path::name` or `path:name`. The name must not be a line number. */
const SYMBOL = /^([^\0]*[^\0:#\s])(?:#|::|:)([A-Za-z_$\u0080-\uffff][\w$.\u0080-\uffff-]*)(?:\(\))?$/;
const LINE = /^(.*?)(?:(?::\d+){1,2}|#L\d+(?:-L?\d+)?)$/;

/** Returns the references that a note's breadcrumbs make: `file:path`, `symbol:path#name`, `commit:id`. */
export function referencesOf(metadata: { breadcrumbs?: unknown }): string[] {
  const named = (name: string): string[] => {
    const list = (metadata.breadcrumbs as Record<string, unknown> | null | undefined)?.[name];
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one.trim() !== '') : [];
  };
  const commits = named('commits').map((given) => given.trim().toLowerCase());
  const ids = commits.filter((id) => /^[0-9a-f]{7,64}$/.test(id)).map((id) => `commit:${id}`);
  return [...atMost(FILES.flatMap(named).map(fileReference)), ...atMost(ids)];
}

/** Returns the references among the things that a lesson applies to: those that look like paths. */
export const referencesAmong = (items: string[]): string[] =>
  atMost(
    items
      .filter((item) => /^[^\s*?"'`<>|]+$/.test(item) && /[^/]\/[^/]|\w\.[A-Za-z]\w{0,7}$/.test(item))
      .map(fileReference),
  );

const atMost = (references: string[]): string[] => [...new Set(references)].slice(0, MAX_REFERENCES);

function fileReference(given: string): string {
  const text = given.trim();
  const path = LINE.exec(text)?.[1];
  const symbol = path === undefined ? SYMBOL.exec(text) : null;
  return indexable(symbol ? `symbol:${symbol[1]}#${symbol[2]}` : `file:${path ?? text}`);
}

const root = sql`coalesce(c.root, (
  select s.root from sessions s where s.project_id = c.project_id and s.root is not null
  order by s.last_activity desc limit 1))`;
const read = (tx: Tx, where: ReturnType<typeof sql>) =>
  query<Citation>(tx)`
    select c.kind, c.source_id as id, c.ref, ${root} as root, c.head, c.hash, c.state
    from citations c where c.user_id = auth.uid() and ${where}`;

/** Stores the citations of records. Their baselines are taken later. */
export async function addCitations(
  tx: Tx,
  kind: string,
  records: { id: string; projectId: string | null; refs: string[] }[],
): Promise<void> {
  const rows = records.flatMap(({ id, projectId, refs }) => refs.map((ref) => ({ id, projectId, ref })));
  if (rows.length === 0) return;
  await query(tx)`
    insert into citations (kind, source_id, project_id, ref)
    select ${kind}, r.id, r."projectId", r.ref
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, "projectId" uuid, ref text)
    on conflict do nothing`;
}

/** Returns the citations of some records that have a baseline. */
export const citationsOf = async (tx: Tx, ids: string[]): Promise<Citation[]> =>
  ids.length === 0
    ? []
    : read(
        tx,
        sql`c.kind in ('note', 'learning') and c.source_id = any (${sql.param(ids)}::uuid[])
          and c.hash is not null order by c.source_id, c.ref`,
      );

/** Returns citations that a client may look at, of a project or of all, what was not looked at for longest first. */
export const citationsToLookAt = (tx: Tx, projectId: string | undefined, most: number): Promise<Citation[]> =>
  read(
    tx,
    sql`(${projectId ?? null}::uuid is null or c.project_id = ${projectId ?? null}::uuid)
      and (c.hash is not null or c.state = 'waiting')
      order by c.checked_at nulls first, c.source_id, c.ref limit ${most}`,
  );

/** What was seen at a citation. `root`: the folder in which the server looked, if it looked by itself. */
type Looked = Pick<Citation, 'kind' | 'id' | 'ref' | 'head'> & {
  state: Seen['state'];
  size?: number | null;
  hash?: string | null;
  root?: string;
};

/**
 * Stores what was seen: the first time as the baseline, later as the new state. Returns how many citations there were, and
 * how many of them are stale now.
 */
async function keepLooked(tx: Tx, looked: Looked[]): Promise<{ looked: number; stale: number }> {
  const [kept] = await query<{ looked: number; stale: number }>(tx)`
    select * from keep_looked(${JSON.stringify(looked)}::jsonb)`;
  return kept ?? { looked: 0, stale: 0 };
}

/** Longest look before an answer, in milliseconds. Of the rest the last known state is told. */
const MAX_LOOK_MS = 5;

export type FreshnessServices = { db: Database; inBackground: InBackground };

/** Whether the server itself can look into a folder: only the owner's files are on this machine. */
export const isHere = ({ role }: Claims, root: string | null): root is string =>
  role === 'owner' && root !== null && existsSync(root);

/**
 * Returns the stale citations, by the id of their record. For the owner, the server looks at the files now, and keeps
 * what it sees; for others it returns what their clients reported last.
 */
export function freshen(
  { db, inBackground }: FreshnessServices,
  claims: Claims,
  citations: Citation[],
): Map<string, Stale[]> {
  const stale = new Map<string, Stale[]>();
  const news: Looked[] = [];
  const until = performance.now() + MAX_LOOK_MS;
  for (const citation of citations) {
    const { kind, id, ref, head, root } = citation;
    const seen = performance.now() < until && isHere(claims, root) ? look(root, ref) : null;
    const state = seen === null ? citation.state : compare(citation, seen);
    if (seen !== null && state !== citation.state) news.push({ kind, id, ref, head, ...seen });
    if (state === 'changed' || state === 'gone')
      stale.set(id, [...(stale.get(id) ?? []), { ref, state, head }]);
  }
  if (news.length > 0)
    inBackground('keep what was seen of citations', async () => {
      await asUser(db, claims, (tx) => keepLooked(tx, news));
    });
  return stale;
}

/** Returns the stale citations of records of the caller, by the ids of the records. */
export async function freshnessOf(
  services: FreshnessServices,
  claims: Claims,
  ids: string[],
): Promise<Map<string, Stale[]>> {
  const citations = await asUser(services.db, claims, (tx) => citationsOf(tx, ids), { readOnly: true });
  return freshen(services, claims, citations);
}

/** Returns a function that tells an agent in one line which citations of a record are stale. */
export function staleLines(
  services: FreshnessServices,
  claims: Claims,
  citations: Citation[],
): (id: string) => string | undefined {
  const stale = freshen(services, claims, citations);
  return (id) => {
    const [first, ...more] = stale.get(id) ?? [];
    if (first === undefined) return undefined;
    const named = [first, ...more.slice(0, 2)].map(({ ref, state }) => {
      const name = quote(ref.replace(/^(file|symbol|commit):/, ''), 40);
      return `${name} ${state === 'gone' ? 'is gone' : 'has changed'}`;
    });
    const others = more.length > 2 ? ` and ${more.length - 2} more` : '';
    return `STALE: ${named.join(', ')}${others}${first.head ? ` since ${first.head.slice(0, 7)}` : ''}`;
  };
}

const BATCH = 100;

/**
 * Takes the baselines for the citations of the owner's new records. If the project's folder is not on this machine, a
 * citation waits until a client reports its baseline; after ten minutes the file may have changed since the record.
 *
 * @returns whether there may be more
 */
export async function takeBaselines(db: Database, ownerId: string): Promise<boolean> {
  const claims: Claims = { userId: ownerId, role: 'owner' };
  const waits = sql`c.state = 'waiting' and c.cited_at > now() - interval '10 minutes' and ${root} is not null
    order by c.cited_at limit ${BATCH}`;
  const waiting = await asUser(db, claims, (tx) => read(tx, waits), { readOnly: true });
  const looked: Looked[] = [];
  for (const { kind, id, ref, root } of waiting) {
    if (root === null || !existsSync(root)) continue;
    looked.push({ kind, id, ref, head: headOf(root), root, ...look(root, ref) });
    await setImmediate();
  }
  if (looked.length > 0) await asUser(db, claims, (tx) => keepLooked(tx, looked));
  return looked.length === BATCH;
}

/** Returns how many citations of the caller's records were found, and how many of these exist and are valid. */
export async function freshnessMetrics(tx: Tx) {
  const rows = await query<{ state: string; n: number }>(tx)`
    select state, count(*)::int as n from citations where user_id = auth.uid() group by state`;
  const of = (...states: string[]) =>
    rows.reduce((sum, { state, n }) => sum + (states.includes(state) ? n : 0), 0);
  const [links, dead] = [of('fresh', 'changed', 'gone'), of('gone')];
  const validRate = links === 0 ? null : (links - dead) / links;
  return { links, changed: of('changed'), dead, unknown: of('unknown', 'waiting'), validRate };
}

/** Deletes the citations of records that are being erased. */
export async function eraseCitations(tx: Tx, kind: string, ids: string[]): Promise<number> {
  const gone = await query(tx)`
    delete from citations where kind = ${kind} and source_id = any (${sql.param(ids)}::uuid[]) returning 1`;
  return gone.length;
}

const kind = z.enum(['note', 'learning']);
const Cited = z.object({ kind, id: z.string(), ref: z.string(), state: z.enum(STATES) }).openapi('Citation');
const hex = (form: RegExp, message: string) => z.string().regex(form, message).nullable().default(null);
const Report = z.strictObject({
  /** the commit that is checked out */
  head: hex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the whole id of a commit'),
  looked: z
    .array(
      z.strictObject({
        kind,
        id: z.guid(),
        ref: z.string().min(1).max(8192),
        state: z.enum(['there', 'gone', 'unknown']),
        /** of a file, in bytes */
        size: z.number().int().min(0).nullable().default(null),
        /** SHA-256 of a file; `present` of a symbol or a commit */
        hash: hex(/^([0-9a-f]{64}|present)$/, 'must be a SHA-256 in hex, or present'),
      }),
    )
    .min(1)
    .max(500),
});

export const freshnessRoutes = served((route) => {
  route(
    'GET /v1/freshness',
    'What notes and lessons cite, what was not looked at for longest first',
    {
      query: z.object({ project: z.string().min(1).max(4096).optional(), limit: limit(500, 200) }),
      answer: z.object({ citations: z.array(Cited) }),
    },
    async ({ as, query: { project, limit } }) => {
      const found = await as((tx) => listInProject(tx, project, (id) => citationsToLookAt(tx, id, limit)));
      return { citations: found.map(({ kind, id, ref, state }) => ({ kind, id, ref, state })) };
    },
  );
  route(
    'POST /v1/freshness',
    'Report what was seen of citations on the machine that has the files',
    // how many of them are known, and how many of these are stale
    { body: Report, answer: z.object({ looked: z.number(), stale: z.number() }) },
    ({ as, body: { head, looked } }) =>
      as((tx) =>
        keepLooked(
          tx,
          looked.map((one) => ({ ...one, head })),
        ),
      ),
  );
});
