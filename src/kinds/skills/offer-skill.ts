import { sql } from 'drizzle-orm';
import { shorten } from '../../base/text/clip.ts';
import { query, type Tx } from '../../db/open.ts';
import type { Follower } from '../../incidents/steps.ts';
import type { Offer } from '../../offers/frame.ts';
import { settleOffers, unsettledOffers } from '../../offers/offers.ts';
import type { Level } from '../../offers/voice.ts';

/** What a search for a prompt found. */
type Found = { id: string; kind: string; similarity: number | null };

// Calibrated by `npm run eval:skills` (docs/skills.md). Words do not count: a prompt shares its words with many skills
// ("build", "release", "tests"), and the similarity alone tells apart better.
const LEAST = 0.48;

/**
 * Returns the skill that fits a prompt best: its name, what it is for, and how to get the rest. Returns none
 * if it is not sure enough, or if the client already lists it.
 */
export async function offerSkill(
  tx: Tx,
  session: { projectId: string; skills: string[] },
  found: Found[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const ids = found
    .filter(({ kind, similarity }) => kind === 'skill' && (similarity ?? 0) >= LEAST)
    .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0))
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const near = sql`${sql.param(ids)}::uuid[]`;
  const [best] = await query<{ id: string; name: string; description: string }>(
    tx,
    sql`select s.id, s.name, s.description from skills s
        where s.id = any (${near})
          and (s.project_id is not null or not exists (
            select from skills own
            where own.name = s.name and own.project_id = ${session.projectId} and own.valid_until is null))
        order by array_position(${near}, s.id) limit 1`,
  );
  // if the client already has the best skill, offering the next best would be a guess
  if (!best || session.skills.includes(best.name)) return [];
  const { id, name, description } = best;
  // it is only meant to recognise the skill
  const about = shorten(description, 200);
  const lines = [`Skill ${name}: ${about} (its text: lore skills activate ${name})`];
  return [{ kind: 'skill', sourceId: id, relevance: 'high', lines }];
}

/**
 * Settles at the end of a session the skills that it was offered. A skill helped if it ran afterwards, in the session or
 * by an activation in its project. It failed if all its runs with a known end failed. Otherwise it was unused. Returns
 * null if no skill waits to be settled.
 */
export async function followSkills(
  tx: Tx,
  session: { id: string; projectId: string },
): Promise<Follower | null> {
  const offered = await unsettledOffers(tx, session.id, 'skill');
  if (offered.length === 0) return null;
  return {
    since: new Date(),
    see() {},
    async settle(tx) {
      for (const { sourceId, since } of offered) {
        const [ran] = await query<{ runs: number; failed: boolean | null }>(
          tx,
          sql`select count(*)::int as runs, bool_or(result = 'failed') and not bool_or(result = 'succeeded') as failed
              from skill_logs
              where user_id = auth.uid() and skill = (select name from skills where id = ${sourceId}::uuid)
                and at >= ${since}::timestamptz and (session_id = ${session.id}
                  or session_id is null and coalesce(project_id, ${session.projectId}) = ${session.projectId})`,
        );
        const outcome = !ran?.runs ? 'unused' : ran.failed ? 'failed' : 'helped';
        await settleOffers(tx, session.id, sourceId, outcome);
      }
    },
  };
}
