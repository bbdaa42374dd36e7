import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { dayOf, type Offer, quote } from '../offers/frame.ts';
import { wasOfferedToAgent } from '../offers/offers.ts';
import { mentions } from './notes.ts';

/** Most notes at a start. The others are told at the agent's next starts. */
const MAX_NOTES = 2;
/** An older mention is not told at a start, but a search finds it. */
const MAX_AGE_DAYS = 90;
/** Longest part of a note that is told, in tokens. `lore notes show` shows all of it. */
const MAX_TOKENS = 60;

/**
 * Returns the notes of a project, or of none, that mention an agent and were never offered to an agent of this name, the
 * newest first. An agent's own notes are not told to it.
 */
export async function notesForAgent(
  tx: Tx,
  { projectId, agent }: { projectId: string; agent: string },
): Promise<Offer[]> {
  if (agent === '') return [];
  type Row = { id: string; sender: string | null; channel: string; content: string; ageDays: number };
  const rows = await query<Row>(
    tx,
    sql`select n.id, n.sender, n.channel, left(n.content, 2000) as content,
          extract(epoch from now() - n.created_at)::float8 / 86400 as "ageDays"
        from notes n
        where n.user_id = auth.uid() and (n.project_id = ${projectId} or n.project_id is null)
          and n.valid_until is null and n.created_at >= now() - make_interval(days => ${MAX_AGE_DAYS})
          and ${mentions(sql`n.mentions`, agent)}
          and lower(n.sender) is distinct from lower(${agent}) and not ${wasOfferedToAgent(sql`n.id`, agent)}
        order by n.created_at desc, n.seq desc limit ${MAX_NOTES}`,
  );
  return rows.map(({ id, sender, channel, content, ageDays }) => {
    const short = id.slice(0, 8);
    const said = quote(content, MAX_TOKENS);
    const whole = said.endsWith('…') ? `, all of it: lore notes show ${short}` : '';
    return {
      kind: 'note',
      sourceId: id,
      relevance: null,
      lines: [
        `Note from ${quote(sender ?? 'nobody named', 20)} in ${quote(channel, 20)}, ${dayOf(ageDays)}: ${said} (lore:${short}${whole})`,
      ],
    };
  });
}
