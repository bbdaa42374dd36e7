import { setImmediate } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { clip } from '../shell/command-key.ts';
import type { Template } from './schema.ts';
import { findSequences, type Sequence, type Trace, withoutRepeats } from './sequences.ts';
import { type Cluster, type Done, findClusters } from './templates.ts';
import { sequenceName, templateName } from './words.ts';

// Mining reads a whole project if one of its episodes has changed. A pattern that it finds again is stored in
// the row that has its form. So running it twice, or again after it was killed half-way, gives the same
// result.

/** Rows of one statement, so that it takes less than 50 ms on the embedded engine, which runs nothing else meanwhile. */
const PAGE = { pglite: 50, postgres: 1_000 };
const WRITTEN_AT_ONCE = { pglite: 200, postgres: 10_000 };
const STORED_AT_ONCE = { pglite: 5, postgres: 50 };
/**
 * Mining holds the server's thread for at most this long, in milliseconds. In between, the server answers
 * hooks.
 */
const MAX_TURN_MS = 10;
/** Most episodes of a project that are mined, the newest ones. */
const MAX_EPISODES = 20_000;
/**
 * If a project has more episodes, their vectors would take too much memory, so descriptions are compared by
 * words.
 */
const MAX_WITH_VECTORS = 5_000;
/** The most patterns of one type that a project keeps. */
const MAX_KEPT = 50;
const MAX_EVIDENCE = 50;

type Episode = {
  id: string;
  session_id: string;
  type: string;
  outcome: string;
  description: string;
  steps: string[];
  tools: string[];
  files: string[];
  vector: string | null;
  model: string | null;
  started_at: string;
  private: boolean;
};

type Found = {
  type: 'tool_sequence' | 'task_template' | 'refactor';
  form: string;
  name: string;
  triggers: string[];
  template: Template;
  episodes: number;
  sessions: number;
  successes: number;
  failures: number;
  lift: number | null;
  evidence: string[];
  /** a pattern stays in its project if one of its episodes is private */
  private: boolean;
  lastUsed: string;
};

/**
 * Mines the patterns of all of a user's projects in which an episode has changed since they were mined last. Safe to run
 * at any time, by several at once, and again after a kill.
 *
 * @param options.projects most projects that are mined; the rest waits for the next call
 * @returns how many projects were mined, and whether more wait
 */
export async function minePatterns(
  db: Database,
  claims: Claims,
  options: { projects?: number } = {},
): Promise<{ mined: number; more: boolean }> {
  const { projects = Number.POSITIVE_INFINITY } = options;
  const waiting = await asUser(
    db,
    claims,
    (tx) =>
      query<{ id: string }>(
        tx,
        sql`select project_id as id from pattern_changes where user_id = auth.uid()
            group by project_id order by min(changed_at), project_id`,
      ),
    { readOnly: true },
  );
  const now = waiting.slice(0, projects);
  for (const { id } of now) await mineProject(db, claims, id);
  if (now.length > 0) await asUser(db, claims, (tx) => query(tx, sql`select share_patterns()`));
  return { mined: now.length, more: waiting.length > now.length };
}

async function mineProject(db: Database, claims: Claims, projectId: string): Promise<void> {
  const as = <T>(work: (tx: Tx) => Promise<T>) => asUser(db, claims, work);
  // An episode that changes from here on still waits after this run. A mined episode is not counted again.
  await inPieces(
    db,
    claims,
    (rows) =>
      sql`update pattern_changes set taken = true, counted = true where (user_id, episode_id) in (
          select user_id, episode_id from pattern_changes where project_id = ${projectId} and not taken limit ${rows}::int)
        returning 1`,
  );
  const episodes = await readEpisodes(db, claims, projectId);
  const found = [...(await sequencesOf(episodes)), ...(await templatesOf(episodes))];
  const rejected = await as((tx) => rejectedTemplates(tx, projectId));
  const wanted = found.filter((one) => !rejected.some((other) => isSameForm(one, other)));
  const size = STORED_AT_ONCE[db.engine];
  for (let i = 0; i < wanted.length; i += size) {
    const some = JSON.stringify(wanted.slice(i, i + size));
    await as((tx) => query(tx, sql`select store_patterns(${projectId}, ${some}::jsonb)`));
  }
  const forms = JSON.stringify(wanted.map(({ type, form }) => ({ type, form })));
  await as(async (tx) => {
    await query(
      tx,
      sql`select close_patterns(${projectId}, array['tool_sequence', 'task_template', 'refactor'], (
            select coalesce(array_agg(p.id), '{}') from jsonb_to_recordset(${forms}::jsonb) f (type text, form text)
            join patterns p on p.user_id = auth.uid() and p.project_id = ${projectId} and p.type = f.type and p.form = f.form))`,
    );
  });
  await as((tx) => query(tx, sql`select mine_patterns(${projectId})`));
  await inPieces(
    db,
    claims,
    (rows) =>
      sql`delete from pattern_changes where (user_id, episode_id) in (
          select user_id, episode_id from pattern_changes where project_id = ${projectId} and taken limit ${rows}::int)
        returning 1`,
  );
}

/**
 * Runs a statement again and again until no rows are left. It handles some rows at a time and returns one row
 * for each.
 */
async function inPieces(db: Database, claims: Claims, statement: (rows: number) => SQL): Promise<void> {
  const rows = WRITTEN_AT_ONCE[db.engine];
  for (let done = rows; done === rows; ) {
    done = (await asUser(db, claims, (tx) => query(tx, statement(rows)))).length;
  }
}

/** How many episodes a project has, and the last one that is too old to be mined. */
type Count = { n: number; id: string | null; started_at: string | null };

async function readEpisodes(db: Database, claims: Claims, projectId: string): Promise<Episode[]> {
  const read = { readOnly: true };
  const [count] = await asUser(
    db,
    claims,
    (tx) => query<Count>(tx, sql`select * from count_episodes(${projectId}, ${MAX_EPISODES}::int)`),
    read,
  );
  const vectors = (count?.n ?? 0) <= MAX_WITH_VECTORS;
  const all: Episode[] = [];
  for (;;) {
    const last = all.at(-1) ?? (count?.id ? { started_at: count.started_at, id: count.id } : undefined);
    const page = await asUser(
      db,
      claims,
      (tx) =>
        query<Episode>(
          tx,
          sql`select m.*, m.started_at::text as started_at from episodes_to_mine(${projectId},
                ${last?.started_at ?? null}::timestamptz, ${last?.id ?? null}::uuid, ${PAGE[db.engine]}::int, ${vectors}) m`,
        ),
      read,
    );
    all.push(...page);
    if (page.length < PAGE[db.engine]) return all;
    await setImmediate();
  }
}

/** Runs work that yields, and lets the server answer in between. */
async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - since < MAX_TURN_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** Returns numbers for texts, the same for the same text. */
function numbering() {
  const known = new Map<string, number>();
  const number = (text: string): number => {
    const found = known.get(text) ?? known.size;
    known.set(text, found);
    return found;
  };
  return { number, texts: () => [...known.keys()] };
}

async function sequencesOf(episodes: Episode[]): Promise<Found[]> {
  const steps = numbering();
  const sessions = numbering();
  const traces: Trace[] = episodes.map((episode) => ({
    session: sessions.number(episode.session_id),
    steps: withoutRepeats(episode.steps).map(steps.number),
  }));
  const texts = steps.texts();
  const sequences = await inTurns(findSequences(traces));
  return sequences.slice(0, MAX_KEPT).map((sequence) => foundSequence(sequence, episodes, texts));
}

function foundSequence(sequence: Sequence, all: Episode[], texts: string[]): Found {
  const episodes = sequence.episodes.map((e) => all[e] as Episode);
  const steps = sequence.steps.map((step) => texts[step] as string);
  return {
    type: 'tool_sequence',
    form: indexable(steps.join(' > ')),
    name: sequenceName(steps),
    triggers: usualTypes(episodes),
    template: {
      steps,
      commonFiles: [],
      typicalTools: [...new Set(steps.map((step) => step.split(':', 1)[0] as string))],
      contiguous: sequence.contiguous,
    },
    lift: Math.round(Math.min(sequence.lift, 1_000) * 10) / 10,
    ...counted(episodes),
  };
}

/** Returns the types of task that at least a third of the episodes have, the most frequent first. */
function usualTypes(episodes: Episode[]): string[] {
  const counts = new Map<string, number>();
  for (const { type } of episodes) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .filter(([, n]) => n * 3 >= episodes.length)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([type]) => type);
}

function counted(episodes: Episode[]) {
  const sessions = [...new Set(episodes.map((one) => one.session_id))];
  return {
    episodes: episodes.length,
    sessions: sessions.length,
    successes: episodes.filter(({ outcome }) => outcome === 'success').length,
    failures: episodes.filter(({ outcome }) => outcome === 'error').length,
    evidence: sessions.slice(-MAX_EVIDENCE).sort(),
    private: episodes.some((one) => one.private),
    lastUsed: (episodes.at(-1) as Episode).started_at,
  };
}

async function templatesOf(episodes: Episode[]): Promise<Found[]> {
  const sessions = numbering();
  const found: Found[] = [];
  // vectors of two models are never compared
  const model = episodes.find((one) => one.model !== null)?.model;
  for (const type of [...new Set(episodes.map((one) => one.type))].sort()) {
    const own = episodes.filter((one) => one.type === type && one.steps.length > 0);
    const done = own.map((one): Done => {
      const { id, description, files, tools } = one;
      const session = sessions.number(one.session_id);
      const ok = one.outcome === 'success' ? true : one.outcome === 'error' ? false : null;
      const vector =
        one.vector === null || one.model !== model ? null : Float32Array.from(JSON.parse(one.vector));
      return { id, session, ok, steps: withoutRepeats(one.steps), tools, files, description, vector };
    });
    const byId = new Map(own.map((one) => [one.id, one]));
    // a cosine and a share of words do not compare
    if (done.some(({ vector }) => vector === null)) for (const one of done) one.vector = null;
    const clusters = await inTurns(findClusters(done));
    const kept = clusters.sort((a, b) => b.successes - a.successes || (a.leader < b.leader ? -1 : 1));
    for (const cluster of kept.slice(0, MAX_KEPT)) found.push(foundTemplate(type, cluster, byId));
  }
  return found;
}

function foundTemplate(type: string, cluster: Cluster, byId: Map<string, Episode>): Found {
  const { leader, members, words, steps, commonFiles, typicalTools } = cluster;
  const example = byId.get(leader) as Episode;
  return {
    type: type === 'refactor' ? 'refactor' : 'task_template',
    form: leader,
    name: templateName(type, words, example.description),
    triggers: [type, clip(example.description.split('\n', 1)[0] as string, 200).toWellFormed()],
    template: { steps, commonFiles, typicalTools },
    lift: null,
    ...counted(members.map(({ id }) => byId.get(id) as Episode)),
  };
}

type Form = Pick<Found, 'type' | 'triggers' | 'template'>;

/**
 * Returns the rejected templates. A rejected sequence is recognised by its form; a template may come back
 * under another leader.
 */
const rejectedTemplates = (tx: Tx, projectId: string): Promise<Form[]> =>
  query<Form>(
    tx,
    sql`select type, triggers, template from patterns
        where project_id = ${projectId} and status = 'rejected' and type in ('task_template', 'refactor')`,
  );

/** Whether two templates are of one type of task, with nearly the same steps in the same files. */
function isSameForm(a: Form, b: Form): boolean {
  return (
    a.type === b.type &&
    a.triggers[0] === b.triggers[0] &&
    share(a.template.steps, b.template.steps) >= 0.8 &&
    share(a.template.commonFiles, b.template.commonFiles) >= 0.5
  );
}

function share(a: string[], b: string[]): number {
  const all = new Set([...a, ...b]);
  return all.size === 0 ? 1 : a.filter((one) => b.includes(one)).length / all.size;
}
