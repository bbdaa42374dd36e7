import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { Follower } from '../incidents/steps.ts';
import type { Offer } from '../offers/frame.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import type { Level } from '../offers/voice.ts';
import { shorten } from '../text/clip.ts';

/** What a search for a prompt found. The content of a skill begins with its name, see `skill_document` in SQL. */
type Found = { id: string; kind: string; content: string; similarity: number | null };

// Calibrated by `npm run eval:skills` (docs/skills.md). Words do not count: a prompt shares its words with many skills
// ("build", "release", "tests"), and the similarity alone tells apart better.
const MEDIUM = 0.48;
const HIGH = 0.6;

/** Longest part of a description that is offered, in characters. It is only meant to recognise the skill. */
const MAX_SHOWN = 200;

/**
 * Returns the skill that fits a prompt best: its name, what it is for, and how to get the rest. Returns none
 * if it is not sure enough, or if the client already lists it. If a prompt contains a name of several words,
 * such as `release-notes`, it means that skill.
 */
export async function offerSkill(
  tx: Tx,
  session: { projectId: string; skills: string[] },
  prompt: string,
  found: Found[],
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const near = found
    .filter(({ kind }) => kind === 'skill')
    .map((one) => ({ id: one.id, sure: names(prompt, one.content) ? 1 : (one.similarity ?? 0) }))
    .filter(({ sure }) => sure >= MEDIUM);
  if (near.length === 0) return [];
  const rows = await query<{ id: string; name: string; description: string }>(
    tx,
    sql`select s.id, s.name, s.description from skills s
        where s.id = any (${sql.param(near.map(({ id }) => id))}::uuid[])
          and (s.project_id is not null or not exists (
            select from skills own
            where own.name = s.name and own.project_id = ${session.projectId} and own.valid_until is null))`,
  );
  const sureOf = ({ id }: { id: string }) => near.find((one) => one.id === id)?.sure ?? 0;
  const [best] = rows.sort((a, b) => sureOf(b) - sureOf(a) || (a.name < b.name ? -1 : 1));
  // if the client already has the best skill, offering the next best would be a guess
  if (!best || session.skills.includes(best.name)) return [];
  const relevance = sureOf(best) >= HIGH ? 'high' : 'medium';
  const { id, name, description } = best;
  const about = shorten(description, MAX_SHOWN);
  return [
    {
      kind: 'skill',
      sourceId: id,
      relevance,
      lines: [`Skill ${name}: ${about} (its text: lore skills activate ${name})`],
      fewerLines: [`Skill ${name} (its text: lore skills activate ${name})`],
    },
  ];
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
        const [logged] = await query<{ runs: number; failed: boolean | null }>(
          tx,
          sql`select count(*)::int as runs, bool_or(result = 'failed') and not bool_or(result = 'succeeded') as failed
              from skill_logs
              where user_id = auth.uid() and skill = (select name from skills where id = ${sourceId}::uuid)
                and at >= ${since}::timestamptz and (session_id = ${session.id}
                  or session_id is null and coalesce(project_id, ${session.projectId}) = ${session.projectId})`,
        );
        const outcome = !logged?.runs ? 'unused' : logged.failed ? 'failed' : 'helped';
        await settleOffers(tx, session.id, sourceId, outcome);
      }
    },
  };
}

/** Returns whether a prompt holds the name of a skill as it is written: `release-notes`, but not “release notes”. */
function names(prompt: string, content: string): boolean {
  const words = content.split('\n', 1)[0]?.split(' ') ?? [];
  if (words.length < 2) return false;
  const name = words.map((word) => word.replace(/\W/g, '')).join('[-_.]');
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(prompt);
}
