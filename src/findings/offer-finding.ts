import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { FoundForPrompt } from '../learnings/recall.ts';
import { type Offer, quote } from '../offers/frame.ts';
import { OPEN_STATUSES, SEVERITIES, type Severity } from './schema.ts';

/** Most findings that are offered. */
const MAX_AT_START = 3;
const MAX_AT_PROMPT = 2;
/** Longest title that is told, in tokens. `lore findings show` shows all of it. */
const MAX_TITLE_TOKENS = 50;
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
  /** ids of the open findings that block it */
  blockers: string[];
};

const open = sql`(${sql.join(
  OPEN_STATUSES.map((status) => sql`${status}`),
  sql`, `,
)})`;

const columns = sql`f.id, f.title, f.severity, f.status, f.file, f.line, f.proposed_status, f.proposed_by, array(
  select l.from_id::text from finding_links l
  join findings b on b.user_id = l.user_id and b.id = l.from_id and b.status in ${open}
  where l.user_id = f.user_id and l.kind = 'blocks' and l.to_id = f.id) as blockers`;

/**
 * Returns the open findings that a session of a project should know at its start, the severest first, at most three. One
 * that blocks another is as severe as that, and comes before it.
 *
 * @param offered findings that the agent already has in its context
 */
export async function findingsForStart(tx: Tx, projectId: string, offered: string[]): Promise<Offer[]> {
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from findings f
        where f.user_id = auth.uid() and f.project_id = ${projectId} and f.status in ${open}
        order by array_position(${sql.param([...SEVERITIES])}::text[], f.severity), f.created_at desc limit ${MAX_SORTED}`,
  );
  return inOrder(rows)
    .filter(({ id }) => !offered.includes(id))
    .slice(0, MAX_AT_START)
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
 * Returns the open findings among a prompt's search results that answer it.
 *
 * @param found what the prompt's search found, without what the agent has already
 */
export async function findingsForPrompt(tx: Tx, found: FoundForPrompt[]): Promise<Offer[]> {
  const fresh = found
    .filter(({ kind, relevance }) => kind === 'finding' && relevance !== 'low')
    .slice(0, MAX_AT_PROMPT);
  if (fresh.length === 0) return [];
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from findings f
        where f.id = any (${sql.param(fresh.map(({ id }) => id))}::uuid[]) and f.status in ${open}`,
  );
  return fresh.flatMap(({ id, relevance }) => {
    const row = rows.find((one) => one.id === id);
    return row ? [offerOf(row, relevance as 'high' | 'medium')] : [];
  });
}

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
  return {
    kind: 'finding',
    sourceId: id,
    relevance,
    lines: [
      `[finding, ${severity}${state}] ${quote(title, MAX_TITLE_TOKENS)}${place}${after}${maybe} (lore:${id.slice(0, 8)})`,
    ],
  };
}
