import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { Offer } from '../offers/frame.ts';

/** What a search for a prompt found. `sure`: as for a lesson, similarity and a share of the words */
type Found = { id: string; kind: string; relevance: 'high' | 'medium' | 'low'; sure: number };

/** Longest part of a description that is offered, in characters. It is only to be recognised. */
const MAX_SHOWN = 300;

/**
 * Returns the skill that fits a prompt best: its name, what it is for, and how to get the rest. None if it is not sure
 * enough, or if the client lists it already.
 *
 * @param listed names of the skills that the client has in its own folders
 */
export async function offerSkill(
  tx: Tx,
  projectId: string,
  found: Found[],
  listed: string[],
): Promise<Offer[]> {
  const near = found.filter(({ kind, relevance }) => kind === 'skill' && relevance !== 'low');
  if (near.length === 0) return [];
  const rows = await query<{ id: string; name: string; description: string }>(
    tx,
    sql`select s.id, s.name, s.description from skills s
        where s.id = any (${sql.param(near.map(({ id }) => id))}::uuid[])
          and (s.project_id is not null or not exists (
            select from skills own
            where own.name = s.name and own.project_id = ${projectId} and own.valid_until is null))`,
  );
  const [best] = near
    .flatMap((one) => rows.filter(({ id }) => id === one.id).map((row) => ({ ...row, ...one })))
    .sort((a, b) => b.sure - a.sure);
  // the next best would be a guess where the best is at hand already
  if (!best || listed.includes(best.name)) return [];
  const { id, name, description, relevance } = best;
  const about =
    description.length > MAX_SHOWN ? `${description.slice(0, MAX_SHOWN - 1).toWellFormed()}…` : description;
  return [
    {
      kind: 'skill',
      sourceId: id,
      relevance: relevance === 'high' ? 'high' : 'medium',
      lines: [
        `[${relevance.toUpperCase()}] ${name}: ${about}`,
        `its full text: lore skills activate ${name}`,
      ],
      fewerLines: [`[${relevance.toUpperCase()}] ${name}, by: lore skills activate ${name}`],
    },
  ];
}
