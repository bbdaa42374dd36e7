import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Offer, quote } from '../offers/frame.ts';
import type { Level } from '../offers/voice.ts';
import type { FoundForPrompt } from '../recall/recall.ts';
import { OPEN_STATUSES, SEVERITIES, type Severity } from './schema.ts';

/** Most findings that are offered: usually, and if all are wanted. */
const MAX_AT_START = { few: 1, all: 3 };
const MAX_AT_PROMPT = { few: 1, all: 2 };
/** A start usually tells only of what should not wait. */
const SEVERE: Severity[] = ['critical', 'high'];
/** What `sure` of a finding must be to be told for a prompt that does not name its file. */
const SURE = 0.46;
/** Longest title that is told, in tokens. `lore findings show` shows all of it. */
const MAX_TITLE_TOKENS = 50;
/** Longest way in which a finding like it was resolved, in tokens. */
const MAX_SOLVED_TOKENS = 30;
/** Most open findings that are sorted, the severest ones. */
const MAX_SORTED = 500;

type Row = {
  id: string;
  title: string;
  severity: Severity;
  status: string;
  file: string | null;
  line: number | null;
  proposed_status: string | null;
  proposed_by: string | null;
  /** how a finding that it resembles was resolved */
  solved_before: string | null;
  solved_id: string | null;
  /** ids of the open findings that block it */
  blockers: string[];
};

const open = sql`(${sql.join(
  OPEN_STATUSES.map((status) => sql`${status}`),
  sql`, `,
)})`;

const columns = sql`f.id, f.title, f.severity, f.status, f.file, f.line, f.proposed_status, f.proposed_by, f.resembles as solved_id, (
  select coalesce(r.resolution, r.title) from findings r
  where r.user_id = f.user_id and r.id = f.resembles and r.status = 'resolved') as solved_before, array(
  select l.from_id::text from finding_links l
  join findings b on b.user_id = l.user_id and b.id = l.from_id and b.status in ${open}
  where l.user_id = f.user_id and l.kind = 'blocks' and l.to_id = f.id) as blockers`;

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
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from findings f
        where f.user_id = auth.uid() and f.project_id = ${projectId} and f.status in ${open}
        order by array_position(${sql.param([...SEVERITIES])}::text[], f.severity), f.created_at desc limit ${MAX_SORTED}`,
  );
  const severe = rows.filter(({ severity }) => SEVERE.includes(severity));
  // what blocks a severe one is as severe
  const urgent = new Set(severe.flatMap(({ id, blockers }) => [id, ...blockers]));
  return inOrder(rows)
    .filter(({ id }) => !offered.includes(id) && (level === 'all' || urgent.has(id)))
    .slice(0, MAX_AT_START[level])
    .map((row) => offerOf(row, null));
}

/** Returns findings in the order in which they should be done. `rows` must have the severest first. */
function inOrder(rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const taken = new Set<Row>();
  // links that block have no circle, so what blocks a finding can be taken before it
  const take = (row: Row) => {
    if (taken.has(row)) return;
    for (const id of row.blockers) {
      const blocker = byId.get(id);
      if (blocker) take(blocker);
    }
    taken.add(row);
  };
  for (const row of rows) take(row);
  return [...taken];
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
  const files = filesNamedIn(prompt);
  if (near.length === 0 && files.length === 0) return [];
  const ids = near.map(({ id }) => id);
  const named = sql`exists (select from unnest(${sql.param(files)}::text[]) n(name)
    where f.file = n.name or f.file like '%/' || n.name or n.name like '%/' || f.file)`;
  const rows = await query<Row & { named: boolean }>(
    tx,
    sql`select ${columns}, coalesce(${named}, false) as named from findings f
        where f.user_id = auth.uid() and f.status in ${open} and not f.id = any (${sql.param(offered)}::uuid[])
          and (f.id = any (${sql.param(ids)}::uuid[]) or f.project_id = ${projectId} and ${named})
        order by named desc, array_position(${sql.param([...SEVERITIES])}::text[], f.severity),
          array_position(${sql.param(ids)}::uuid[], f.id), f.created_at desc
        limit ${MAX_AT_PROMPT[level]}`,
  );
  return rows.map((row) => {
    const relevance = near.find(({ id }) => id === row.id)?.relevance;
    return offerOf(row, row.named || relevance === 'high' ? 'high' : 'medium');
  });
}

const MAX_FILES = 20;

/** Returns the files that a prompt names, without the `@` and the line. */
const filesNamedIn = (prompt: string): string[] =>
  [
    ...new Set(
      [...prompt.matchAll(/[\w@./\\[\]-]*\w\.[a-z]\w{0,7}\b/gi)].map(([path]) =>
        path.replace(/^(?:@|\.\/)+/, ''),
      ),
    ),
  ].slice(0, MAX_FILES);

function offerOf(row: Row, relevance: 'high' | 'medium' | null): Offer {
  const {
    id,
    title,
    severity,
    status,
    file,
    line,
    blockers,
    proposed_status: proposed,
    proposed_by: by,
  } = row;
  const place = file === null ? '' : ` ${quote(file, 40)}${line === null ? '' : `:${line}`}`;
  const state = status === 'in_progress' ? ', in progress' : '';
  const blocked = blockers.map((by) => `lore:${by.slice(0, 8)}`).slice(0, 3);
  const after = blocked.length === 0 ? '' : `, blocked by ${blocked.join(', ')}`;
  const maybe = proposed && by ? `, maybe ${proposed.replace('_', ' ')} by lore:${by.slice(0, 8)}` : '';
  const text = `[finding, ${severity}${state}] ${quote(title, MAX_TITLE_TOKENS)}${place}${after}${maybe}`;
  const cited = `(lore:${id.slice(0, 8)})`;
  const plain = `${text} ${cited}`;
  if (row.solved_before === null || row.solved_id === null) {
    return { kind: 'finding', sourceId: id, relevance, lines: [plain] };
  }
  const before = `solved before: ${quote(row.solved_before, MAX_SOLVED_TOKENS)} (lore:${row.solved_id.slice(0, 8)})`;
  return {
    kind: 'finding',
    sourceId: id,
    relevance,
    lines: [`${text}, ${before} ${cited}`],
    fewerLines: [plain],
  };
}
