import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../../src/db/as-user.ts';
import { type Database, query } from '../../../src/db/open.ts';
import type { Planted } from './generate.ts';

type Share = {
  right: number;
  found: number;
  hit: number;
  planted: number;
  precision: number;
  recall: number;
};
export type Score = { sequences: Share; templates: Share; traps: number; wrong: string[] };
export type Mined = {
  project: string;
  type: string;
  name: string;
  triggers: string[];
  steps: string[];
  episodes: number;
  successes: number;
  failures: number;
};

/** Returns the patterns that hold now, of all projects. */
export const minedOf = (db: Database, claims: Claims): Promise<Mined[]> =>
  asUser(db, claims, (tx) =>
    query<Mined>(
      tx,
      sql`select pr.name as project, p.type, p.name, p.triggers, p.template -> 'steps' as steps, p.episodes, p.successes,
            p.failures
          from patterns p join projects pr on pr.id = p.project_id
          where p.valid_until is null order by p.project_id, p.type, p.form`,
    ),
  );

const within = (short: string[], long: string[]): boolean => {
  let i = 0;
  for (const step of long) if (step === short[i]) i++;
  return i === short.length;
};

/**
 * Compares what was mined with what was planted. A sequence is found if it is there with all of its steps, or all but
 * one; what was found is right if a planted one holds all of its steps in this order. A template is found if one of its
 * type names its task.
 */
export function scoreOf(planted: Planted[], mined: Mined[]): Score {
  const score = { sequences: empty(), templates: empty(), traps: 0, wrong: [] as string[] };
  for (const { project, sequences, templates, traps } of planted) {
    const own = mined.filter((one) => one.project === project);
    const found = own.filter(({ type }) => type === 'tool_sequence');
    for (const one of found) {
      const right = sequences.some(({ steps }) => within(one.steps, steps));
      if (right) score.sequences.right++;
      else score.wrong.push(`wrong: ${one.steps.join(' > ')} (${one.episodes})`);
      if (traps.some((trap) => one.steps.length > 2 && within(one.steps, trap))) score.traps++;
    }
    score.sequences.found += found.length;
    for (const { steps, episodes } of sequences) {
      const hit = found.some((one) => one.steps.length >= steps.length - 1 && within(one.steps, steps));
      if (hit) score.sequences.hit++;
      else score.wrong.push(`missed: ${steps.join(' > ')} (${episodes})`);
    }
    score.sequences.planted += sequences.length;

    const kept = own.filter(({ type }) => type === 'task_template' || type === 'refactor');
    const names = (one: Mined, words: string) => one.triggers.some((trigger) => trigger.startsWith(words));
    for (const one of kept) {
      const right = templates.some((t) => one.triggers[0] === t.type && names(one, t.words));
      if (right) score.templates.right++;
      else score.wrong.push(`wrong: ${one.name} (${one.episodes})`);
    }
    score.templates.found += kept.length;
    for (const { type, words, episodes, successRate } of templates) {
      // a task that mostly fails is no template
      if (successRate < 0.5) continue;
      const hit = kept.some((one) => one.triggers[0] === type && names(one, words));
      if (hit) score.templates.hit++;
      else score.wrong.push(`missed: ${type}: ${words} (${episodes}, ${successRate})`);
    }
    score.templates.planted += templates.filter(({ successRate }) => successRate >= 0.5).length;
  }
  return { ...score, sequences: share(score.sequences), templates: share(score.templates) };
}

const empty = (): Share => ({ right: 0, found: 0, hit: 0, planted: 0, precision: 0, recall: 0 });
const share = (one: Share): Share => ({
  ...one,
  precision: one.found === 0 ? 1 : one.right / one.found,
  recall: one.planted === 0 ? 1 : one.hit / one.planted,
});

/** Adds scores up. */
export function total(scores: Score[]): Score {
  const add = (of: (score: Score) => Share) => {
    const sum = empty();
    for (const score of scores) {
      const { right, found, hit, planted } = of(score);
      sum.right += right;
      sum.found += found;
      sum.hit += hit;
      sum.planted += planted;
    }
    return share(sum);
  };
  return {
    sequences: add(({ sequences }) => sequences),
    templates: add(({ templates }) => templates),
    traps: scores.reduce((sum, { traps }) => sum + traps, 0),
    wrong: scores.flatMap(({ wrong }) => wrong),
  };
}
