import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, type Placed, type TransferredRoom } from '../db/records.ts';
import { exportBy } from '../records/transfer.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { type Kept, redactOutput, toKept, toText } from './keep.ts';
import { storeObservations } from './observations.ts';

// Export and import of observations, with the events that produced them. The sessions themselves are not exported.

/** Most events of one observation in an export, the newest first. */
const MAX_SOURCES = 200;

export const record = z.object({
  type: z.literal('observation'),
  id: z.string().regex(/^[0-9a-f]{12}$/),
  whole: z.boolean().default(true),
  /** the text, deflated (zlib), in Base64 */
  content: field.text(1_000_000),
  sources: z
    .array(
      z.object({
        project: field.project,
        session: field.text(200).min(1),
        eventKey: field.text(340).min(1),
        agentId: field.text(1000).nullable().default(null),
        tool: field.text(1000),
        about: field.text(8192),
        masked: z.boolean().default(false),
        at: field.instant,
      }),
    )
    .min(1)
    .max(MAX_SOURCES),
});
type Restored = z.infer<typeof record> & { kept?: Kept | null };

const asJson = (
  project: string | null,
) => sql`json_build_object('type', 'observation', 'id', t.id, 'whole', t.whole,
  'content', translate(encode(t.content, 'base64'), E'\\n', ''),
  'sources', (select json_agg(s.source) from (
    select json_build_object('project', ${projectNameOf(sql`s.project_id`)}, 'session', s.session,
      'eventKey', s.event_key, 'agentId', s.agent_id, 'tool', s.tool, 'about', s.about,
      'masked', s.masked, 'at', s.at) as source
    from observation_sources s where s.observation_id = t.id and (${project}::uuid is null or s.project_id = ${project}::uuid)
    order by s.at desc limit ${MAX_SOURCES}) s))`;

export const { cursor, exportPage } = exportBy(
  { name: 'observations', asJson },
  { id: 'text' },
  {
    only: (project) => sql`exists (select from observation_sources s where s.observation_id = t.id
      and (${project}::uuid is null or s.project_id = ${project}::uuid))`,
    size: sql`octet_length(t.content) * 4 / 3`,
    most: 8_000_000,
  },
);

/**
 * Returns the record with what is stored of its text, which is redacted again: an export may come from anywhere. `kept`
 * is null if the content is not a deflated text.
 */
export const accept: TransferredRoom['accept'] = async (record, given) => {
  try {
    const redacted = await redactOutput(await toText(Buffer.from(String(given.content), 'base64')));
    return { ...record, kept: await toKept({ ...redacted, whole: redacted.whole && record.whole === true }) };
  } catch {
    return { ...record, kept: null };
  }
};

/** Restores the observations that the caller does not have, and the links of all. */
export const restore: TransferredRoom['restore'] = async (tx, _, placed) => {
  const all = placed as unknown as Placed<Restored>[];
  const good = all.flatMap(({ record: { kept, sources } }) => (kept ? { kept, sources } : []));
  const failed = all
    .filter(({ record: { kept } }) => !kept)
    .map(({ line }) => ({ line, reason: 'content: is not a deflated text in Base64' }));
  const sources = good.flatMap(({ sources, kept }) =>
    sources.map((one) => ({ ...one, observationId: kept.id })),
  );
  const ids = await ensureProjects(tx, sources);
  const links = sources.map(({ project, ...one }) => ({ ...one, projectId: ids.get(project) as string }));
  const outputs = good.map(({ kept }) => kept);
  const fresh = await storeObservations(tx, outputs, links, Number.POSITIVE_INFINITY);
  return { imported: fresh.length, skipped: good.length - fresh.length, failed };
};
