import { sql } from 'drizzle-orm';
import { query, type Tx } from '../../db/open.ts';
import { dayOf, type Offer, quote } from '../../offers/frame.ts';
import type { FoundForPrompt } from '../../offers/recall/recall.ts';
import type { Level } from '../../offers/voice.ts';

/** An episode is told for a prompt if cosine + 0.2 × words is at least this. */
const LEAST = 0.65;
/** Longest task, list of files and error, in tokens. `lore episodes show` shows all of it. */
const TOKENS = { task: 25, files: 30, error: 40 };

type Row = {
  id: string;
  description: string;
  outcome: keyof typeof WORKED;
  error: string | null;
  files: string[];
  age_days: number;
};

/**
 * Returns the episode of another session among a prompt's search results that is most like the work that the prompt asks
 * for, if it changed files and its end is known.
 *
 * @param found what the prompt's search found, without what the agent has already
 */
export async function episodesForPrompt(
  tx: Tx,
  session: { id: string; projectId: string },
  found: FoundForPrompt[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const ids = found.filter(({ kind, sure }) => kind === 'episode' && sure >= LEAST).map(({ id }) => id);
  if (ids.length === 0) return [];
  const near = sql`${sql.param(ids)}::uuid[]`;
  const rows = await query<Row>(
    tx,
    sql`select e.id, e.description, e.outcome, e.error, e.files_modified[1:4] as files,
          extract(epoch from now() - coalesce(e.ended_at, e.started_at))::float8 / 86400 as age_days
        from episodes e
        where e.user_id = auth.uid() and e.project_id = ${session.projectId}
          and e.session_id is distinct from ${session.id} and cardinality(e.files_modified) > 0
          and e.id = any (${near}) and e.outcome <> 'unknown'
        order by array_position(${near}, e.id) limit 1`,
  );
  return rows.map(offerOf);
}

const WORKED = { success: 'worked', error: 'failed', stopped: 'stopped by Lore' };

function offerOf(row: Row): Offer {
  const { id, description, outcome, error, files, age_days: age } = row;
  const task = `Earlier work, ${WORKED[outcome]}, ${dayOf(age)}: “${quote(description, TOKENS.task)}”`;
  const ended = error === null ? '' : `; ended with: ${quote(error, TOKENS.error)}`;
  return {
    kind: 'episode',
    sourceId: id,
    relevance: 'high',
    lines: [`${task}; changed ${quote(files.join(', '), TOKENS.files)}${ended} (lore:${id.slice(0, 8)})`],
  };
}
