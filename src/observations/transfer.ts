import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import { field, type Imported, type Placed } from '../db/records.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { type Kept, redactOutput, toKept, toText } from './keep.ts';
import { type Source as Link, storeObservations } from './observations.ts';

// Export and import of observations, with the events that produced them. The sessions themselves are not exported.

/** Most events of one observation in an export, the newest first. */
const MAX_SOURCES = 200;
/** Most Base64 in a page of an export. One observation more may be in it. */
const PAGE_CHARACTERS = 8_000_000;

const Source = z.object({
  project: field.project,
  session: field.text(200).min(1),
  eventKey: field.text(340).min(1),
  agentId: field.text(1000).nullable().default(null),
  tool: field.text(1000),
  about: field.text(8192),
  masked: z.boolean().default(false),
  at: field.instant,
});

export const record = z.object({
  type: z.literal('observation'),
  id: z.string().regex(/^[0-9a-f]{12}$/),
  whole: z.boolean().default(true),
  /** the text, deflated (zlib), in Base64 */
  content: field.text(1_000_000),
  sources: z.array(Source).min(1).max(MAX_SOURCES),
});
type ObservationRecord = z.infer<typeof record> & { kept?: Kept | null };

/** Position in an export: the id of the last observation. */
export const cursor = z.tuple([z.string().regex(/^[0-9a-f]{12}$/)]);

/** Returns a page of the caller's observations behind the cursor `after`, and the cursor of the last one. */
export async function exportPage(
  tx: Tx,
  page: { after: string[] | null; projectId: string | undefined; limit: number },
): Promise<{ records: Record<string, unknown>[]; last: string[] | null; more: boolean }> {
  const { after, projectId, limit } = page;
  const project = projectId ?? null;
  const rows = await query<{ record: Record<string, unknown>; id: string }>(
    tx,
    sql`select o.id, json_build_object('type', 'observation', 'id', o.id, 'whole', o.whole,
            'content', translate(encode(o.content, 'base64'), E'\\n', ''),
            'sources', (select json_agg(s.source) from (
              select json_build_object('project', ${projectNameOf(sql`s.project_id`)}, 'session', s.session,
                'eventKey', s.event_key, 'agentId', s.agent_id, 'tool', s.tool, 'about', s.about,
                'masked', s.masked, 'at', s.at) as source
              from observation_sources s
              where s.observation_id = o.id and (${project}::uuid is null or s.project_id = ${project}::uuid)
              order by s.at desc limit ${MAX_SOURCES}) s)) as record
        from (
          select o.*, sum(octet_length(o.content) * 4 / 3) over (order by o.id) - octet_length(o.content) * 4 / 3 as sum
          from observations o
          where o.user_id = auth.uid() and o.id > ${after?.[0] ?? ''}
            and exists (select from observation_sources s where s.observation_id = o.id
              and (${project}::uuid is null or s.project_id = ${project}::uuid))
          order by o.id limit ${limit}) o
        where o.sum < ${PAGE_CHARACTERS}
        order by o.id`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.id] : null, more: last !== undefined };
}

/**
 * Returns the record with what is stored of its text, which is redacted again: an export may come from anywhere. `kept`
 * is null if the content is not a deflated text.
 */
export async function accept(
  record: Record<string, unknown>,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  try {
    const text = await toText(Buffer.from(String(given.content), 'base64'));
    const redacted = await redactOutput(text);
    return { ...record, kept: await toKept({ ...redacted, whole: redacted.whole && record.whole === true }) };
  } catch {
    return { ...record, kept: null };
  }
}

/** Restores the observations that the caller does not have, and the links of all. */
export async function restore(tx: Tx, _: string, placed: Placed<ObservationRecord>[]): Promise<Imported> {
  const good = placed.filter(({ record: { kept } }) => kept);
  const failed = placed
    .filter(({ record: { kept } }) => !kept)
    .map(({ line }) => ({ line, reason: 'content: is not a deflated text in Base64' }));
  const outputs = good.map(({ record }) => record.kept as Kept);
  const sources = good.flatMap(({ record: { sources, kept } }) =>
    sources.map((source) => ({ ...source, observationId: (kept as Kept).id })),
  );
  const ids = await ensureProjects(tx, sources);
  const links = sources.map(
    ({ project, ...source }): Link => ({
      ...source,
      projectId: ids.get(project) as string,
    }),
  );
  const fresh = await storeObservations(tx, outputs, links, Number.POSITIVE_INFINITY);
  return { imported: fresh.length, skipped: good.length - fresh.length, failed };
}
