import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { MEASURED_WITH, type Topic } from '../eval/night/topics.ts';
import { type Lore, startLore } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { type Event, type Random, seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

// A night over many lessons of one user. Their vectors are made up: those of a project and topic are as near to each
// other as real ones, and one lesson in twenty has a twin in other words, whose vector is nearer. What the night embeds
// itself to compare two lessons is embedded by the real model.

const DIMENSIONS = 384;
const A_PROJECT = 1_000;
/** Lessons of a project and topic that are near to each other. */
const CLUSTER = 8;
const NEW = 2_000;
const HOOK_EVERY_MS = 50;
const IDLE_MS = 15_000;

/**
 * Measures the first night over `size` lessons, the next one after 2,000 new ones (a tenth of `size` if that is less),
 * and one that finds nothing to do, with the hooks that are answered meanwhile and the memory that they take.
 */
export async function benchNight(where: string, store: Store, size: number): Promise<Row[]> {
  let lore = await startLore(store);
  await lore.settled();
  const [{ model } = { model: '' }] = [JSON.parse((await lore.get('/health')).text).embedding];
  const { userId } = JSON.parse((await lore.get('/v1/me')).text);
  await lore.stop();
  const random = seeded(11);
  await fill(store, { userId, role: 'owner' }, size, model, random);
  lore = await startLore(store);
  try {
    await lore.settled();
    const calls = toolCalls(seeded(8));
    const idle = await hooksDuring(lore, calls, () => sleep(IDLE_MS));
    const before = lore.memory().server;
    const first = await watched(lore, calls);
    const rows = [
      percentiles(`${where}: hooks, idle`, idle),
      ...report(`${where}: first night over ${size} lessons`, first, size > 5_000 ? 600 : 60, idle, before),
    ];
    const fresh = Math.min(NEW, size / 10);
    await lore.stop();
    await fill(store, { userId, role: 'owner' }, fresh, model, random);
    lore = await startLore(store);
    await lore.settled();
    const again = lore.memory().server;
    rows.push(
      ...report(`${where}: a night with ${fresh} new ones`, await watched(lore, calls), 60, idle, again),
    );
    rows.push(...report(`${where}: a night with none`, await watched(lore, calls), 60, idle, again));
    return rows;
  } finally {
    await lore.stop();
  }
}

type Night = { seconds: number; hooks: number[]; memory: number; counts: string };

const report = (what: string, night: Night, seconds: number, idle: number[], before: number): Row[] => {
  const p95 = [...idle].sort((a, b) => a - b)[Math.ceil(idle.length * 0.95) - 1] ?? 0;
  return [
    row(`${what} (${night.counts})`, night.seconds, 's', seconds),
    percentiles(`${what}: hooks`, night.hooks, what.startsWith('embedded') ? { max: 100 } : { p95: 2 * p95 }),
    row(`${what}: more memory`, Math.max(0, night.memory - before), 'MB', 500),
  ];
};

async function watched(lore: Lore, calls: Generator<Event, never>): Promise<Night> {
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, lore.memory().server);
  }, 500);
  const started = performance.now();
  let counts = '';
  try {
    const hooks = await hooksDuring(lore, calls, async () => {
      const { code, said } = await lore.cli('consolidate');
      if (code !== 0) throw new Error(said);
      const run = JSON.parse((await lore.get('/v1/consolidation/runs?limit=1')).text).runs[0];
      counts = Object.entries(run.counts)
        .map(([name, n]) => `${n} ${name}`)
        .join(', ');
    });
    return { seconds: (performance.now() - started) / 1_000, hooks, memory, counts };
  } finally {
    clearInterval(timer);
  }
}

/** Sends tool calls and prompts at fixed intervals while the work runs. Returns their times. */
async function hooksDuring(
  lore: Lore,
  calls: Generator<Event, never>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const unanswered = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const sent = performance.now();
    const one = lore.hook(calls.next().value).then(() => times.push(performance.now() - sent));
    unanswered.add(one);
    one.finally(() => unanswered.delete(one));
  }, HOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await Promise.all(unanswered);
  }
  return times;
}

/** Yields tool calls and prompts without end. */
function* toolCalls(random: Random): Generator<Event, never> {
  for (;;) {
    for (const event of session(random, { turns: 4, calls: 15 })) {
      if (['PreToolUse', 'PostToolUse', 'UserPromptSubmit'].includes(event.hook_event_name)) yield event;
    }
  }
}

async function fill(
  store: Store,
  claims: Claims,
  size: number,
  model: string,
  random: Random,
): Promise<void> {
  const db = await openDatabase({ home: store.home, databaseUrl: store.databaseUrl });
  try {
    const projects = await makeProjects(db, claims, Math.max(1, Math.ceil(size / A_PROJECT)));
    await query(db.drizzle, sql`alter table learnings disable trigger index_learning`);
    // building the index at the end takes a quarter of the time
    const bulk = size > 5_000;
    if (bulk) await query(db.drizzle, sql`drop index search_documents_near`);
    for (let done = 0; done < size; done += 500) {
      const rows = Array.from({ length: Math.min(500, size - done) }, (_, n) => done + n);
      await insert(db, claims, madeUp(rows, projects, random), model);
    }
    if (bulk) {
      await query(db.drizzle, sql`set maintenance_work_mem = '512MB'`);
      await query(
        db.drizzle,
        sql`create index search_documents_near on search_documents using hnsw (embedding vector_cosine_ops)
            with (m = 10, ef_construction = 64)`,
      );
    }
    await query(db.drizzle, sql`alter table learnings enable trigger index_learning`);
    for (const table of ['learnings', 'search_documents', 'consolidation_queue']) {
      await query(db.drizzle, sql`vacuum analyze ${sql.raw(table)}`);
    }
  } finally {
    await db.close();
  }
}

const makeProjects = async (db: Database, claims: Claims, count: number): Promise<string[]> =>
  asUser(db, claims, async (tx) => {
    const rows = await query<{ id: string }>(
      tx,
      sql`insert into projects (name) select 'night-' || n from generate_series(1, ${count}::int) n
          on conflict (user_id, name) do update set name = excluded.name returning id`,
    );
    return rows.map(({ id }) => id);
  });

type MadeUp = { id: string; project: string; lesson: string; vector: string };

const centers = new Map<string, Float32Array>();
const noise = (random: Random) => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
const plus = (a: Float32Array, b: Float32Array, share: number) =>
  a.map((value, i) => value + (b[i] ?? 0) * share);

function madeUp(rows: number[], projects: string[], random: Random): MadeUp[] {
  let last:
    | { topic: Topic; values: Record<string, string>; vector: Float32Array; project: string }
    | undefined;
  return rows.map((n) => {
    const twin = n % 20 === 1 ? last : undefined;
    const project = twin?.project ?? (projects[n % projects.length] as string);
    const topicAt = Math.floor(random() * MEASURED_WITH.length);
    const topic = twin?.topic ?? (MEASURED_WITH[topicAt] as Topic);
    const cluster = `${project} ${topicAt} ${Math.floor((random() * A_PROJECT) / MEASURED_WITH.length / CLUSTER)}`;
    if (!centers.has(cluster)) centers.set(cluster, noise(random));
    const vector = twin
      ? plus(twin.vector, noise(random), 0.3)
      : plus(centers.get(cluster) as Float32Array, noise(random), 0.6);
    const name = `${Math.floor(random() * 1e9).toString(36)}`;
    const values =
      twin?.values ??
      Object.fromEntries(
        Object.keys(topic.places).map((place) => [
          place,
          place === 'file' ? `src/${name}.ts` : `${name}_${n}`,
        ]),
      );
    last = { topic, values, vector, project };
    const wording = topic.says[(twin ? 1 : 0) % topic.says.length] as string;
    return {
      id: randomUUID(),
      project,
      lesson: wording.replace(/\{(\w+)\}/g, (_, place) => values[place] ?? place),
      vector: `[${vector.join(',')}]`,
    };
  });
}

const insert = (db: Database, claims: Claims, rows: MadeUp[], model: string) =>
  asUser(db, claims, (tx) =>
    query(
      tx,
      sql`with made as (
            select * from unnest(${sql.param(rows.map((r) => r.id))}::uuid[], ${sql.param(rows.map((r) => r.project))}::uuid[],
              ${sql.param(rows.map((r) => r.lesson))}::text[], ${sql.param(rows.map((r) => r.vector))}::text[]) u(id, project, lesson, vector)
          ), stored as (
            insert into learnings (id, project_id, status, lesson, context, confidence, prior_confidence, quality_score,
              evaluated_by, applies_to, valid_from, last_confirmed_at)
            select id, project, 'active', lesson, 'when this is worked on', 0.8, 0.8, 0.85, 'rules', '{app}',
              now() - interval '9 days', now() - interval '9 days' from made)
          insert into search_documents (project_id, kind, source_id, content, confidence, valid_from, confirmed_at,
            embedding, embedding_model)
          select project, 'learning', id, lesson, 0.8, now() - interval '9 days', now() - interval '9 days',
            vector::vector, ${model} from made`,
    ),
  );
