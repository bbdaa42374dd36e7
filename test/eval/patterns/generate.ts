// Histories of episodes in which it is known what was done again and again, and what only looks so.
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../../src/db/as-user.ts';
import { type Database, query } from '../../../src/db/open.ts';
import { type Random, seeded } from '../../bench/sessions.ts';

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** The steps of ordinary work, which stand anywhere; the first are frequent. */
const ORDINARY = [
  'Read:source',
  'Edit:source',
  'Grep',
  'Read:test',
  'Bash:test',
  'Read:config',
  'Bash:git',
  'Glob',
  'Edit:test',
  'Bash:build',
  'Read:doc',
  'Bash:lint',
  'Write:source',
  'Bash:search',
];
/** Steps that planted sequences are made of, besides ordinary ones. */
const SPECIAL = [
  'Edit:migration',
  'Bash:migrate',
  'Write:migration',
  'Bash:generate',
  'Edit:schema',
  'Bash:docker',
  'Read:log',
  'Bash:deploy',
  'Edit:doc',
  'Write:test',
  'Edit:config',
  'Bash:format',
  'WebFetch',
  'Task',
];

const NOUNS =
  'invoice customer order refund basket coupon shipment ledger tariff voucher supplier payout'.split(' ');
const TASKS = [
  {
    type: 'feature',
    words: ['Add an endpoint that lists each', 'to the public API'],
    dir: 'src/api',
    ext: 'ts',
  },
  { type: 'bugfix', words: ['Fix the rounding of amounts in the', 'totals'], dir: 'src/money', ext: 'ts' },
  { type: 'refactor', words: ['Split the', 'module into smaller files'], dir: 'src/core', ext: 'ts' },
  {
    type: 'feature',
    words: ['Add a database column for the', 'with a migration'],
    dir: 'db/migrations',
    ext: 'sql',
  },
  {
    type: 'bugfix',
    words: ['The page of the', 'renders twice on mobile, stop that'],
    dir: 'web/pages',
    ext: 'tsx',
  },
  {
    type: 'refactor',
    words: ['Rename the', 'service and all of its callers'],
    dir: 'src/services',
    ext: 'py',
  },
] as const;
const OTHER_WORDS =
  'login cache printer calendar backup telemetry cursor palette upload mailbox keyboard theme proxy sitemap avatar clock queue index parser socket badge wizard locale fixture gateway thumbnail firmware checksum replica planner'.split(
    ' ',
  );
const OTHER_DIRS =
  'lib tools scripts pkg/a pkg/b docs infra cmd internal app ui assets jobs plugins vendor'.split(' ');

export type Made = {
  id: string;
  project: string;
  session: string;
  type: string;
  description: string;
  steps: string[];
  files: string[];
  outcome: 'success' | 'error' | 'unknown';
  at: Date;
};
export type Planted = {
  project: string;
  sequences: { steps: string[]; episodes: number }[];
  /** beginnings of the descriptions of tasks that are done again and again */
  templates: { type: string; words: string; episodes: number; successRate: number }[];
  /** sequences that must not be found: of one session, or of two episodes */
  traps: string[][];
};
export type History = { episodes: Made[]; planted: Planted[] };

const uuid = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

/** Returns the history of a few projects. The same seed makes the same history. */
export function makeHistory(options: { seed: number; projects: number; episodes: number }): History {
  const history: History = { episodes: [], planted: [] };
  for (let n = 0; n < options.projects; n++) {
    const one = makeProject(
      seeded(options.seed * 1_000 + n),
      `/home/dev/made-${options.seed}-${n}`,
      options.episodes,
    );
    history.episodes.push(...one.episodes);
    history.planted.push(one.planted);
  }
  return history;
}

function makeProject(random: Random, project: string, count: number) {
  const sessions = Math.ceil(count / 4);
  const distinct = new Set<string>();
  const sequence = (): string[] => {
    for (;;) {
      const length = 3 + Math.floor(random() * 3);
      const steps = Array.from({ length }, (_, i) => pick(random, i % 3 === 1 ? ORDINARY : SPECIAL));
      if (new Set(steps).size < length || [...distinct].some((other) => other === steps[0])) continue;
      distinct.add(steps[0] as string);
      return steps;
    }
  };
  const some = (share: number) => Math.max(4, Math.round(count * share));
  const sequences = [0.12, 0.06, 0.04].map((share) => ({ steps: sequence(), episodes: some(share) }));
  const gaps = [0, 1, 0];
  const traps = [sequence(), sequence()];
  const tasks = [...TASKS].sort(() => random() - 0.5).slice(0, 3);
  const templates = tasks.map(({ type, words }, i) => ({
    type,
    words: words[0],
    episodes: some([0.1, 0.06, 0.05][i] as number),
    successRate: [0.9, 0.8, 0.3][i] as number,
  }));
  const usual = tasks.map(() => Array.from({ length: 5 }, () => pick(random, ORDINARY)));

  const order = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
  let next = 0;
  /** the episodes that a thing is planted in, spread over the history */
  const take = (n: number) => {
    next += n;
    return order.slice(next - n, next);
  };
  const sequenceOf = new Map<number, number>();
  sequences.forEach(({ episodes }, s) => {
    for (const e of take(episodes)) sequenceOf.set(e, s);
  });
  const templateOf = new Map<number, number>();
  templates.forEach(({ episodes }, t) => {
    for (const e of take(episodes)) templateOf.set(e, t);
  });
  const trapOf = new Map<number, number>();
  for (const e of [1, 2, 3]) trapOf.set(sessions > 3 ? 4 * 2 + e : e, 0);
  for (const e of take(2)) trapOf.set(e, 1);

  const episodes = Array.from({ length: count }, (_, e): Made => {
    const t = templateOf.get(e);
    const task = t === undefined ? undefined : tasks[t];
    const steps = Array.from({ length: 4 + Math.floor(random() * 9) }, () =>
      pick(random, random() < 0.15 ? SPECIAL : ORDINARY.slice(0, random() < 0.6 ? 6 : ORDINARY.length)),
    );
    if (t !== undefined) {
      for (const step of usual[t] as string[])
        if (random() < 0.9) steps.splice(Math.floor(random() * (steps.length + 1)), 0, step);
    }
    const s = sequenceOf.get(e);
    const trap = trapOf.get(e);
    const into = s !== undefined ? sequences[s]?.steps : trap !== undefined ? traps[trap] : undefined;
    if (into) {
      const woven = into.flatMap((step, i) =>
        i > 0 && s !== undefined && random() < (gaps[s] as number) * 0.6
          ? [pick(random, ORDINARY), step]
          : [step],
      );
      steps.splice(Math.floor(random() * (steps.length + 1)), 0, ...woven);
    }
    const noun = pick(random, NOUNS);
    const dir = task?.dir ?? pick(random, OTHER_DIRS);
    const files = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      task
        ? `${dir}/${pick(random, NOUNS)}.${task.ext}`
        : `${pick(random, OTHER_DIRS)}/${pick(random, OTHER_WORDS)}.${pick(random, ['ts', 'go', 'py', 'md', 'json'])}`,
    );
    const words = Array.from({ length: 5 }, () => pick(random, OTHER_WORDS)).join(' ');
    const successRate = t === undefined ? 0.6 : (templates[t]?.successRate as number);
    return {
      id: uuid(`${project} ${e}`),
      project,
      session: uuid(`${project} session ${Math.floor(e / 4)}`),
      type: task?.type ?? pick(random, ['feature', 'bugfix', 'refactor', 'investigation', 'question']),
      description: task
        ? `${task.words[0]} ${noun} ${task.words[1]}`
        : `${pick(random, ['Look at', 'Improve', 'Change'])} ${words}`,
      steps,
      files: [...new Set(files)],
      outcome: random() < 0.1 ? 'unknown' : random() < successRate ? 'success' : 'error',
      at: new Date(Date.UTC(2026, 0, 1) + e * 3_600_000),
    };
  });
  return { episodes, planted: { project, sequences, templates, traps } };
}

/** Stores episodes, with their projects and sessions. */
export async function storeEpisodes(db: Database, claims: Claims, episodes: Made[]): Promise<void> {
  for (let i = 0; i < episodes.length; i += 200) {
    const rows = JSON.stringify(
      episodes.slice(i, i + 200).map(({ steps, ...one }) => ({
        ...one,
        steps: steps.map((step) => {
          const [tool, kind] = step.split(':');
          return { thought: null, action: step, tool, targetKind: kind ?? null, ok: true };
        }),
        tools: Object.fromEntries(steps.map((step) => [step.split(':')[0], 1])),
      })),
    );
    await asUser(db, claims, async (tx) => {
      await query(
        tx,
        sql`insert into projects (name) select distinct r.project from jsonb_to_recordset(${rows}::jsonb) r (project text)
        on conflict do nothing`,
      );
      await query(
        tx,
        sql`insert into sessions (id, project_id, client_session_id, started_at, last_activity, status, ended_at)
            select r.session, p.id, r.session::text, min(r.at), max(r.at), 'completed', max(r.at)
            from jsonb_to_recordset(${rows}::jsonb) r (session uuid, project text, at timestamptz)
            join projects p on p.name = r.project group by r.session, p.id on conflict do nothing`,
      );
      await query(
        tx,
        sql`insert into episodes (id, project_id, session_id, start_key, description, type, complexity, steps, tools_used,
              files_modified, outcome, started_at, ended_at)
            select r.id, p.id, r.session, r.id::text, r.description, r.type, 'medium', r.steps, r.tools,
              array(select jsonb_array_elements_text(r.files)), r.outcome, r.at, r.at + interval '5 minutes'
            from jsonb_to_recordset(${rows}::jsonb) r (id uuid, project text, session uuid, description text, type text,
              steps jsonb, tools jsonb, files jsonb, outcome text, at timestamptz)
            join projects p on p.name = r.project`,
      );
    });
  }
}
