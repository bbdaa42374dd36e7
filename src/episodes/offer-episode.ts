import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { errorDuring } from '../incidents/at-end.ts';
import { stopWords } from '../language/stop-words.ts';
import { dayOf, type Offer, quote } from '../offers/frame.ts';
import type { Level } from '../offers/voice.ts';
import type { FoundForPrompt } from '../recall/recall.ts';
import type { EpisodeOutcome, TaskType } from './schema.ts';
import { learnedFrom } from './store.ts';
import { workItemsOfBranch } from './work-items.ts';

/** Most episodes that are offered at a start or with a prompt: usually, and if all are wanted. */
const MAX_OFFERED = { few: 1, all: 3 };
/** Longest task, and longest text about how it was done, in tokens. `lore episodes show` shows all of it. */
const TASK_TOKENS = 25;
const HOW_TOKENS = 40;
const FILES_TOKENS = 30;
/** Work on a branch that is older than this many days is not told at a start. */
const MAX_DAYS_AT_START = 60;
/** Branches on which everybody works. The last work on them says nothing about the present work. */
const COMMON_BRANCHES = ['main', 'master', 'trunk', 'develop', 'development', 'dev', 'staging', 'HEAD'];

/**
 * An episode is told for a prompt if cosine + 0.2 × words is at least this. It is higher than for lessons,
 * because prompts may be alike although their work is not (`npm run eval:episodes -- --offers`, see
 * docs/episodes.md).
 */
const MEDIUM = { few: 0.58, all: 0.55 };
const HIGH = 0.65;

type Row = {
  id: string;
  description: string;
  type: TaskType;
  outcome: EpisodeOutcome;
  error: string | null;
  last_message: string | null;
  files: string[];
  /** an error on the way that was answered, or that stayed */
  broke: string | null;
  age_days: number;
};

const columns = sql`e.id, e.description, e.type, e.outcome, e.error, left(e.last_message, 1000) as last_message,
  e.files_modified[1:4] as files, ${errorDuring(sql`e.session_id`, sql`e.started_at`, sql`e.ended_at`)} as broke,
  extract(epoch from now() - coalesce(e.ended_at, e.started_at))::float8 / 86400 as age_days`;

/**
 * SQL condition: an episode of another session of the project is worth telling. A question is not. An episode
 * that changed no file and has an unknown outcome is not. A subagent's episode is not, because it is a part
 * of another one.
 */
const worthTelling = (session: { id: string; projectId: string }) => sql`e.user_id = auth.uid()
  and e.project_id = ${session.projectId} and e.session_id is distinct from ${session.id} and e.parent_id is null
  and e.agent_id is null and e.type <> 'question'
  and (e.outcome <> 'unknown' or cardinality(e.files_modified) > 0)`;

/**
 * SQL condition: an episode has something to say to whoever does the like: work that changed files, and
 * whose end is known.
 */
const saysSomething = sql`e.outcome <> 'unknown' and cardinality(e.files_modified) > 0`;

const ofLevel = (level: Level) => (level === 'all' ? sql`true` : saysSomething);

/**
 * Returns the latest work on a session's branch, or on the work items that the branch is named after. Returns
 * none for a branch on which everybody works.
 *
 * @param offered episodes that the agent already has in its context
 * @param before the session before this one, whose end the hand-off told or found nothing open in; its last episode is
 *   left out
 */
export async function episodesForStart(
  tx: Tx,
  session: { id: string; projectId: string; branch: string | null },
  offered: string[],
  before: string | null,
  level: Level,
): Promise<Offer[]> {
  const { branch } = session;
  if (level === 'none' || branch === null || COMMON_BRANCHES.includes(branch)) return [];
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from episodes e
        where ${worthTelling(session)} and ${ofLevel(level)}
          and (e.branch = ${branch} or e.work_items && ${sql.param(workItemsOfBranch(branch))}::text[])
          and e.started_at > now() - make_interval(days => ${MAX_DAYS_AT_START}::int)
          and not e.id = any (${sql.param(offered)}::uuid[])
          and (e.session_id is distinct from ${before}::uuid or exists (
            select from episodes n
            where n.user_id = e.user_id and n.session_id = e.session_id and n.agent_id is null
              and n.started_at > e.started_at))
        order by e.started_at desc limit ${MAX_OFFERED[level]}`,
  );
  return rows.map((row) => offerOf(row, null));
}

/**
 * Returns the episodes among a prompt's search results that are like the work that the prompt asks for.
 *
 * @param prompt what the person asks for
 * @param found what the prompt's search found, without what the agent has already
 * @param told the ids of the lessons that are told with the prompt: they say what was learned from an episode. The
 *   database is asked without waiting for them
 */
export async function episodesForPrompt(
  tx: Tx,
  session: { id: string; projectId: string },
  prompt: string,
  found: FoundForPrompt[],
  told: string[] | Promise<string[]>,
  level: Level,
): Promise<Offer[]> {
  if (level === 'none') return [];
  const near = found.flatMap(({ id, kind, sure }) =>
    kind === 'episode' && sure >= MEDIUM[level]
      ? [{ id, relevance: sure >= HIGH ? ('high' as const) : ('medium' as const) }]
      : [],
  );
  if (near.length === 0) return [];
  // the links of an episode may lack lessons that were written after it was stored
  const [rows, lessons] = await Promise.all([
    query<Row & { lessons: string[] }>(
      tx,
      sql`select ${columns}, ${learnedFrom}::text[] as lessons from episodes e
          where ${worthTelling(session)} and ${ofLevel(level)} and e.id = any (${sql.param(near.map(({ id }) => id))}::uuid[])`,
    ),
    told,
  ]);
  return near
    .flatMap(({ id, relevance }) => {
      const row = rows.find((one) => one.id === id);
      // the search also looks at what was said and changed: a prompt may name a file of quite another work
      if (row && level === 'few' && !isLike(prompt, row.description)) return [];
      return row && !row.lessons.some((lesson) => lessons.includes(lesson)) ? [offerOf(row, relevance)] : [];
    })
    .slice(0, MAX_OFFERED[level]);
}

const WORKED: Record<EpisodeOutcome, string> = {
  success: 'worked',
  error: 'failed',
  stopped: 'stopped by Lore',
  unknown: 'not verified',
};

/** Two tasks are alike if their words share this part of the shorter one, and at least two words. */
const LIKE = 0.4;
const MIN_SHARED = 2;

/** Returns whether a prompt asks for work like another, by the words of both. */
function isLike(prompt: string, description: string): boolean {
  const [asked, done] = [wordsOf(prompt), wordsOf(description)];
  const shared = [...asked].filter((word) => done.has(word)).length;
  return shared >= MIN_SHARED && shared >= LIKE * Math.min(asked.size, done.size);
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [])
      .filter((word) => !COMMON.has(word))
      .map((word) => word.replace(/(?:ings?|e[ds]|s)$/, ''))
      .filter((word) => !COMMON.has(word)),
  );
const COMMON = stopWords('tasks');

function offerOf(row: Row, relevance: 'high' | 'medium' | null): Offer {
  const { id, description, outcome, age_days: age } = row;
  const how = howOf(row);
  return {
    kind: 'episode',
    sourceId: id,
    relevance,
    lines: [
      `Earlier work, ${WORKED[outcome]}, ${dayOf(age)}: “${quote(description, TASK_TOKENS)}”${how === '' ? '' : `; ${how}`} (lore:${id.slice(0, 8)})`,
    ],
  };
}

/**
 * Returns how an episode went: the error that it ended with, else the files that changed and what broke on
 * the way, else what the agent said last.
 */
function howOf({ outcome, error, last_message: said, files, broke }: Row): string {
  const changed = files.length === 0 ? [] : [`changed ${quote(files.join(', '), FILES_TOKENS)}`];
  if (outcome === 'error' && error !== null)
    return [...changed, `ended with: ${quote(error, HOW_TOKENS)}`].join('; ');
  const broken = broke === null ? [] : [`on the way: ${quote(broke, HOW_TOKENS)}`];
  if (changed.length > 0) return [...changed, ...broken].join('; ');
  return quote(firstSentences(said ?? ''), HOW_TOKENS);
}

/** Sentences that say nothing about how the work was done. */
const EMPTY =
  /^(?:done|all done|ok(?:ay)?|great|perfect|sure|yes|fixed|finished|completed?|ready|all (?:set|green)|i'?m done|that'?s it)\W*$/i;

/** If a sentence has fewer characters than this, the next one is added. */
const ENOUGH = 60;

/** Returns the first sentence or two that say something, without headings and marks. */
function firstSentences(text: string): string {
  const plain = text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^\s*#{1,6}\s.*$/gm, ' ')
    .replace(/\*\*|__|`/g, '')
    .replace(/^\s*(?:[-*•]|\d+[.)])\s+/gm, '');
  const sentences = plain.split(/(?<=[.!?:])\s+|\n+/).map((sentence) => sentence.trim());
  const [first = '', second = ''] = sentences.filter((one) => one.length > 8 && !EMPTY.test(one));
  return first.length < ENOUGH ? `${first} ${second}`.trim() : first;
}
