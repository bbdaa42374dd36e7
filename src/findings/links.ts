import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { STORED_LINKS } from './schema.ts';

/** How a finding is linked to another one, as a person says it. */
export const LINKS = ['blocks', 'blocked_by', 'related_to'] as const;
export type Link = (typeof LINKS)[number];
type StoredLink = (typeof STORED_LINKS)[number];

/** Returns a link in the form in which it is stored, so that each is stored once. */
export function stored(kind: Link, a: string, b: string): { kind: StoredLink; from: string; to: string } {
  if (kind === 'blocked_by') return { kind: 'blocks', from: b, to: a };
  const swapped = kind === 'related_to' && b < a;
  return { kind, from: swapped ? b : a, to: swapped ? a : b };
}

/** Lets one transaction at a time add links of the caller: two that close a circle together must see each other. */
export async function lockLinks(tx: Tx): Promise<void> {
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended('finding links ' || auth.uid(), 0))`);
}

/** `field` is the end at fault, or null if the link itself is. */
export type Refused = { reason: string; cycle: boolean };

/**
 * Adds a link (see {@link stored}) after `lockLinks`. Returns the outcome. A link is refused, and nothing is
 * stored, if one of the findings is not the caller's, if both are the same, or if findings would block each
 * other in a circle, which is named.
 */
export async function addLink(
  tx: Tx,
  kind: StoredLink,
  from: string,
  to: string,
): Promise<'added' | 'there' | Refused> {
  if (from === to) {
    const said = kind === 'blocks' ? 'would block itself' : 'is related to itself anyway';
    return { reason: `${short(from)} ${said}`, cycle: true };
  }
  const there = await query<{ id: string }>(tx, sql`select id from findings where id in (${from}, ${to})`);
  const missing = [from, to].filter((id) => !there.some((row) => row.id === id));
  if (missing.length > 0) return { reason: `you have no finding ${missing.join(' and no ')}`, cycle: false };
  if (kind === 'blocks') {
    const circle = await wayBetween(tx, to, from);
    if (circle) {
      const names = await query<{ id: string; title: string }>(
        tx,
        sql`select id, left(title, 60) as title from findings where id = any (${sql.param(circle)}::uuid[])`,
      );
      const named = [...circle, to].map(
        (id) => `${short(id)} (${names.find((row) => row.id === id)?.title ?? ''})`,
      );
      return { reason: `blocking would go round in a circle: ${named.join(' → ')}`, cycle: true };
    }
  }
  const added = await query(
    tx,
    sql`insert into finding_links (kind, from_id, to_id) values (${kind}, ${from}, ${to})
        on conflict do nothing returning 1`,
  );
  return added.length > 0 ? 'added' : 'there';
}

const short = (id: string) => id.slice(0, 8);

/**
 * Returns the findings on a shortest path by which one blocks another, both included; null if there is none.
 */
async function wayBetween(tx: Tx, start: string, goal: string): Promise<string[] | null> {
  const edges = await query<{ from: string; to: string }>(
    tx,
    sql`with recursive reached (from_id, to_id) as (
          select from_id, to_id from finding_links where kind = 'blocks' and from_id = ${start}
          union
          select l.from_id, l.to_id from reached r
          join finding_links l on l.user_id = auth.uid() and l.kind = 'blocks' and l.from_id = r.to_id
        )
        select from_id as "from", to_id as "to" from reached`,
  );
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  const cameFrom = new Map<string, string | null>([[start, null]]);
  for (const id of cameFrom.keys()) {
    for (const to of next.get(id) ?? []) if (!cameFrom.has(to)) cameFrom.set(to, id);
  }
  if (!cameFrom.has(goal)) return null;
  const way: string[] = [];
  for (let at: string | null = goal; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
  return way;
}
