import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { Offer } from '../offers/frame.ts';
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
 * Returns a function that finds the skill which a text names. A name of one word counts only next to the word
 * skill.
 *
 * @param texts all texts with which the function will be called
 */
export async function skillsNamedIn(
  tx: Tx,
  projectId: string,
  texts: string[],
): Promise<(text: string) => { name: string; description: string } | null> {
  if (texts.length === 0) return () => null;
  const rows = await query<{ name: string; description: string }>(
    tx,
    sql`select s.name, s.description from skills s
        where s.valid_until is null and (s.project_id is null or s.project_id = ${projectId})
          and exists (
            select from unnest(${sql.param(texts)}::text[]) t(text)
            where position(lower(s.name) in lower(t.text)) > 0)
        order by s.project_id is null, length(s.name) desc, s.name limit 50`,
  );
  return (text) =>
    rows.find(
      ({ name }) =>
        (/[-_.]/.test(name) || /\bskill\b/i.test(text)) &&
        new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`, 'i').test(text),
    ) ?? null;
}

/** Returns whether a prompt holds the name of a skill as it is written: `release-notes`, but not “release notes”. */
function names(prompt: string, content: string): boolean {
  const words = content.split('\n', 1)[0]?.split(' ') ?? [];
  if (words.length < 2) return false;
  const name = words.map((word) => word.replace(/\W/g, '')).join('[-_.]');
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(prompt);
}
