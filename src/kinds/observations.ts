import { z } from '@hono/zod-openapi';
import { eq, sql } from 'drizzle-orm';
import { clip } from '../base/text/clip.ts';
import { theOne } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { limit } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { alone, kindOf } from './kind.ts';
import { type Kept, linesOf, toText } from './outputs.ts';
import { observationSources, observations } from './schema.ts';

// Long outputs of tools: kept once, linked to the events that produced them, read in parts.

/** The event that produced an output. */
export type Source = Omit<typeof observationSources.$inferInsert, 'userId' | 'at'> & { at: string };

/** Stores outputs, and links them to the events that produced them (sql/observations). `dailyBytes`: most of a day. */
export async function storeObservations(
  tx: Tx,
  outputs: Kept[],
  sources: Source[],
  dailyBytes: number,
): Promise<void> {
  if (outputs.length === 0) return;
  // of the same text twice, the one that was masked counts
  const sorted = outputs.toSorted((a, b) => Number(a.masked ?? false) - Number(b.masked ?? false));
  const once = [...new Map(sorted.map((kept) => [kept.id, kept])).values()];
  const given = [once, sources].map((list) => JSON.stringify(list));
  await query(tx)`
    select store_observations(${given[0]}::jsonb, ${given[1]}::jsonb, ${String(dailyBytes)}::float8)`;
}

/** An observation as a working state cites it. */
export type Cited = { id: string; characters: number; lines: number; tool: string; about: string };

/** Returns the last observations of a session, each once, the newest first. */
export const lastObservations = (tx: Tx, session: string, limit: number): Promise<Cited[]> =>
  query<Cited>(tx)`
    select o.id, o.characters, o.lines, s.tool, s.about from observations o
    join lateral (
      select s.tool, s.about, s.at from observation_sources s
      where s.observation_id = o.id and s.session = ${session} order by s.at desc limit 1) s on true
    where o.id in (select observation_id from observation_sources where session = ${session})
    order by s.at desc limit ${limit}`;

/** Most lines and characters of an answer, and of one of its lines: an agent is shown 30,000 characters of a command. */
const MOST = { lines: 1_000, characters: 24_000, line: 2_000 };
/** How many lines are returned without a range or a search. */
const USUAL_LINES = 200;

/** Returns lines of a text: a range of them, or those that hold all of some words, with `context` lines around each. */
function readLines(text: string, { from, to, q, context = 0 }: z.output<typeof Range>) {
  const all = linesOf(text);
  const end = Math.min(to ?? (q === undefined ? from + USUAL_LINES - 1 : all.length), all.length);
  const words = q?.toLowerCase().split(/\s+/) ?? [];
  const has = (line: string) => words.every((word) => line.toLowerCase().includes(word));
  const asked = Array.from({ length: Math.max(0, end - from + 1) }, (_, i) => from + i);
  const found = asked.filter((number) => has(all[number - 1] as string));
  const near = found.flatMap((at) => asked.slice(Math.max(0, at - from - context), at - from + context + 1));
  const content: { number: number; text: string; match: boolean }[] = [];
  let left = MOST.characters;
  for (const number of new Set(near)) {
    const line = all[number - 1] as string;
    const cut = line.length - MOST.line;
    const text = cut <= 0 ? line : `${clip(line, MOST.line)}… [${cut} more characters]`;
    left -= text.length;
    if (content.length > 0 && (left < 0 || content.length === MOST.lines))
      return { content, matches: q === undefined ? null : found.length, next: number };
    content.push({ number, text, match: q !== undefined && has(line) });
  }
  return { content, matches: q === undefined ? null : found.length, next: null };
}

const observation = kindOf('observation', observations, ['hash', 'content']);
const ofText = (name: string) => ({
  as: observation.shape[name] as z.ZodType,
  sql: sql.raw(
    `(select o.${name} from observations o where o.user_id = t.user_id and o.id = t.observation_id)`,
  ),
});
const listed = kindOf('observation', observationSources, ['observationId', 'eventKey', 'agentId', 'masked'], {
  id: { as: z.string(), sql: sql`t.observation_id` },
  ...{ characters: ofText('characters'), lines: ofText('lines'), whole: ofText('whole') },
});
const Observation = z.object({
  ...observation.shape,
  /** the lines of this answer, counted from 1; long ones are cut */
  content: z.array(z.object({ number: z.number(), text: z.string(), match: z.boolean() })),
  /** the number of lines that match `q`; null without it */
  matches: z.number().nullable(),
  /** the first line that was asked for and is not in this answer; null: all are */
  next: z.number().nullable(),
});

const number = (most: number) => z.coerce.number().int().min(1).max(most);
const Range = z
  .strictObject({
    /** the first line, counted from 1 */
    from: number(10_000_000).default(1).openapi({ type: 'integer' }),
    /** the last line; 200 lines without it, or all when something is searched for */
    to: number(10_000_000).optional().openapi({ type: 'integer' }),
    /** only lines that hold all of these words, in upper or lower case */
    q: z.string().trim().min(1).max(200).optional(),
    /** lines around each match; none without it */
    context: number(50).optional().openapi({ type: 'integer' }),
  })
  .refine(({ from, to }) => to === undefined || to >= from, alone('to', 'must not be before `from`'));

/** Routes that read what tools put out. */
export const observationRoutes = served((route) => {
  route(
    'GET /v1/observations',
    'Long outputs of tools that were kept, of a session or a project, the newest first',
    {
      query: z.strictObject({
        /** Lore's id of a session or the client's */
        session: z.string().min(1).max(200).optional(),
        project: z.string().min(1).max(4096).optional(),
        limit: limit(200, 50),
      }),
      answer: z.object({ observations: z.array(z.object(listed.shape).openapi('ListedObservation')) }),
    },
    async ({ as, query: { session, project, limit } }) => ({
      observations: await as((tx) =>
        listInProject(tx, project, async (projectId) => {
          const known = session && ((await getSession(tx, session))?.clientSessionId ?? session);
          const where = sql`(${known ?? null}::text is null or t.session = ${known ?? null})
            and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)`;
          return listed.read(tx, where, sql`order by t.at desc, t.observation_id limit ${limit}::int`);
        }),
      ),
    }),
  );
  route(
    'GET /v1/observations/{id}',
    'An observation by its id ([obs:1a2b3c4d5e6f]): a range of its lines, or the lines with some words',
    {
      params: z.object({ id: z.string().min(1).max(100) }),
      query: Range,
      answer: Observation,
      problems: { 404: 'No such observation' },
    },
    async ({ as, params, query }) => {
      const id = params.id.toLowerCase().replace(/^\[?obs:|\]$/g, '');
      const found = await as((tx) => tx.select().from(observations).where(eq(observations.id, id)));
      const { userId: _, hash: __, content, ...about } = theOne(found, 'observation', params.id);
      return { ...about, ...readLines(await toText(content), query) };
    },
  );
});
