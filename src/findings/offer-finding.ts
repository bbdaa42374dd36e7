import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Offer, quote } from '../offers/frame.ts';
import type { Level } from '../offers/voice.ts';
import type { FoundForPrompt } from '../recall/recall.ts';
import { SEVERITIES } from './schema.ts';

/** Most findings that are offered: usually, and if all are wanted. */
const MAX_AT_START = { few: 1, all: 3 };
const MAX_AT_PROMPT = { few: 1, all: 2 };
/** What `sure` of a finding must be to be told for a prompt that does not name its file. */
const SURE = 0.46;
/** Longest title that is told, and longest way in which a finding like it was resolved, in tokens. */
const MAX_TITLE_TOKENS = 50;
const MAX_SOLVED_TOKENS = 30;
const MAX_FILES = 20;

type Row = {
  id: string;
  title: string;
  severity: string;
  status: string;
  file: string | null;
  line: number | null;
  maybe: string | null;
  by: string | null;
  /** how a finding that it resembles was resolved */
  before: string | null;
  beforeId: string | null;
  /** ids of the open findings that block it */
  blockers: string[];
  named: boolean;
};

const rank = (severity: SQL) => sql`array_position(${sql.param([...SEVERITIES])}::text[], ${severity})`;
const isOpen = (status: SQL) => sql`${status} in ('open', 'in_progress')`;

/** Returns open findings of the caller in an order. */
const openFindings = (tx: Tx, named: SQL, where: SQL, order: SQL, most: number): Promise<Row[]> =>
  query<Row>(
    tx,
    sql`select f.id, f.title, f.severity, f.status, f.file, f.line, f.proposed_status as maybe, f.proposed_by as by,
          r.id as "beforeId", coalesce(r.resolution, r.title) as before, ${named} as named, array(
            select l.from_id::text from finding_links l
            join findings b on b.user_id = l.user_id and b.id = l.from_id and ${isOpen(sql`b.status`)}
            where l.user_id = f.user_id and l.kind = 'blocks' and l.to_id = f.id) as blockers
        from findings f
        left join findings r on r.user_id = f.user_id and r.id = f.resembles and r.status = 'resolved'
        where f.user_id = auth.uid() and ${isOpen(sql`f.status`)} and ${where}
        order by ${order}, f.created_at desc limit ${most}`,
  );

/**
 * Returns the open findings that a session of a project should know at its start, the severest first: usually
 * one that is severe. One that blocks another is as severe as that, and comes before it.
 *
 * @param offered findings that the agent already has in its context
 */
export async function findingsForStart(
  tx: Tx,
  projectId: string,
  offered: string[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const urgency = sql`least(${rank(sql`f.severity`)}, (
    select min(${rank(sql`b.severity`)}) from finding_links l
    join findings b on b.user_id = l.user_id and b.id = l.to_id and ${isOpen(sql`b.status`)}
    where l.user_id = f.user_id and l.kind = 'blocks' and l.from_id = f.id))`;
  const blocked = sql`exists (
    select from finding_links l join findings b on b.user_id = l.user_id and b.id = l.from_id and ${isOpen(sql`b.status`)}
    where l.user_id = f.user_id and l.kind = 'blocks' and l.to_id = f.id)`;
  const where = sql`f.project_id = ${projectId} and not f.id = any (${sql.param(offered)}::uuid[])
    and (${level === 'all'} or ${urgency} <= ${rank(sql`'high'`)})`;
  const rows = await openFindings(tx, sql`false`, where, sql`${urgency}, ${blocked}`, MAX_AT_START[level]);
  return rows.map((row) => offerOf(row, null));
}

/**
 * Returns the open findings that a prompt is about: those in a file that it names, then those among its
 * search results that answer it.
 *
 * @param found what the prompt's search found, without what the agent has already
 * @param about.offered findings that the agent already has in its context
 */
export async function findingsForPrompt(
  tx: Tx,
  found: FoundForPrompt[],
  about: { projectId: string; prompt: string; offered: string[]; level: Level },
): Promise<Offer[]> {
  const { projectId, prompt, offered, level } = about;
  if (level === 'none') return [];
  const near = found.filter(
    ({ kind, relevance, sure }) =>
      kind === 'finding' && relevance !== 'low' && (level === 'all' || sure >= SURE),
  );
  const paths = [...prompt.matchAll(/[\w@./\\[\]-]*\w\.[a-z]\w{0,7}\b/gi)].map(([path]) =>
    path.replace(/^(?:@|\.\/)+/, ''),
  );
  const files = [...new Set(paths)].slice(0, MAX_FILES);
  if (near.length === 0 && files.length === 0) return [];
  const ids = sql`${sql.param(near.map(({ id }) => id))}::uuid[]`;
  const named = sql`coalesce(exists (select from unnest(${sql.param(files)}::text[]) n(name)
    where f.file = n.name or f.file like '%/' || n.name or n.name like '%/' || f.file), false)`;
  const rows = await openFindings(
    tx,
    named,
    sql`not f.id = any (${sql.param(offered)}::uuid[])
      and (f.id = any (${ids}) or f.project_id = ${projectId} and ${named})`,
    sql`${named} desc, ${rank(sql`f.severity`)}, array_position(${ids}, f.id)`,
    MAX_AT_PROMPT[level],
  );
  return rows.map((row) => {
    const high = row.named || near.find(({ id }) => id === row.id)?.relevance === 'high';
    return offerOf(row, high ? 'high' : 'medium');
  });
}

const cite = (id: string) => `lore:${id.slice(0, 8)}`;

function offerOf(row: Row, relevance: 'high' | 'medium' | null): Offer {
  const { id, file, line, blockers, maybe, by, before, beforeId } = row;
  const place = file === null ? '' : ` ${quote(file, 40)}${line === null ? '' : `:${line}`}`;
  const state = row.status === 'in_progress' ? ', in progress' : '';
  const after = blockers.length === 0 ? '' : `, blocked by ${blockers.map(cite).slice(0, 3).join(', ')}`;
  const proposed = maybe && by ? `, maybe ${maybe.replace('_', ' ')} by ${cite(by)}` : '';
  const text = `[finding, ${row.severity}${state}] ${quote(row.title, MAX_TITLE_TOKENS)}${place}${after}${proposed}`;
  const plain = `${text} (${cite(id)})`;
  if (before === null || beforeId === null)
    return { kind: 'finding', sourceId: id, relevance, lines: [plain] };
  const solved = `solved before: ${quote(before, MAX_SOLVED_TOKENS)} (${cite(beforeId)})`;
  const lines = [`${text}, ${solved} (${cite(id)})`];
  return { kind: 'finding', sourceId: id, relevance, lines, fewerLines: [plain] };
}
