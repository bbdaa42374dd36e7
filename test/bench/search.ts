// Search in synthetic documents, without the time to embed the query. Their vectors form clusters with much noise, so that
// approximate search misses some; their words follow Zipf's law, and the cluster chooses a quarter of them, so that words
// and vectors agree about as much as in real use. They are written into the index itself, past the records.
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ensureOwner } from '../../src/accounts/accounts.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { type SearchRequest, searchDocuments } from '../../src/search/search.ts';
import { percentiles, type Row } from './measure.ts';
import { type Random, seeded } from './sessions.ts';
import type { Store } from './store.ts';

const LIMIT = 10;
const BATCH = 100;
const IN_PROJECT = 1_000;
const DIMENSIONS = 384;
const CLUSTERS = 500;
const VOCABULARY = 20_000;
const MODEL = 'bench';

type Probe = Pick<SearchRequest, 'query' | 'vector'>;

/**
 * Measures how long documents take to store and their vectors to index, their bytes, and searches as a user, through row
 * level security: in one project, over all, and through a filter that one in a hundred passes.
 */
export async function benchSearch(engine: string, store: Store, size: number): Promise<Row[]> {
  const url = store.databaseUrl;
  if (url !== undefined) await migrateDatabase({ engine: 'postgres' } as Database, url);
  const db = await openDatabase({ home: store.home, databaseUrl: url });
  try {
    if (url === undefined) await migrateDatabase(db, undefined);
    const key = randomBytes(16).toString('hex');
    const userId = await ensureOwner(db, { key, source: 'key file', inFolder: null });
    const claims: Claims = { userId, role: 'owner' };
    const name = (what: string) => `${engine}, ${size.toLocaleString('en-US')} documents: ${what}`;
    const begun = performance.now();
    const { project, probes } = await fill(db, claims, size);
    const stored = performance.now();
    await query(db.drizzle, sql`set maintenance_work_mem = '512MB'`);
    await query(
      db.drizzle,
      sql`create index search_documents_near on search_documents using hnsw (embedding vector_cosine_ops)
          with (m = 10, ef_construction = 64)`,
    );
    const indexed = performance.now();
    await query(db.drizzle, sql`vacuum analyze search_documents`);
    const [bytes] = await query<{ content: number; table: number; indexes: number }>(
      db.drizzle,
      sql`select (select sum(octet_length(content))::float8 from search_documents) as content,
            pg_table_size('search_documents')::float8 as table, pg_indexes_size('search_documents')::float8 as indexes`,
    );
    const { content = 0, table = 0, indexes = 0 } = bytes ?? {};
    const mb = (n: number) => `${Math.round(n / 1e6).toLocaleString('en-US')} MB`;
    const rows: Row[] = [
      { what: name('stored, with words'), value: `${((stored - begun) / 1_000).toFixed(0)} s` },
      { what: name('index of vectors built'), value: `${((indexed - stored) / 1_000).toFixed(0)} s` },
      {
        what: name('texts; table; its indexes; table and indexes ÷ texts'),
        value: `${mb(content)}; ${mb(table)}; ${mb(indexes)}; ${((table + indexes) / content).toFixed(1)}`,
      },
    ];
    const small = url === undefined ? 20 : undefined;
    for (const [scope, asked, p95] of [
      ['in one project', { projectId: project }, small ?? 8],
      ['over all', {}, small ?? 30],
      ['over all, of a channel with 1 %', { channels: ['one'] }, undefined],
    ] as const) {
      const ask = (probe: Probe) =>
        asUser(db, claims, (tx) =>
          searchDocuments(tx, { ...probe, ...asked, limit: LIMIT } as SearchRequest),
        );
      // what compiles and what is cached is warm, as on a server that has run for a while
      for (const probe of probes.slice(0, 50)) await ask(probe);
      const times: number[] = [];
      for (const probe of probes) {
        const start = performance.now();
        await ask(probe);
        times.push(performance.now() - start);
      }
      rows.push(percentiles(name(scope), times, { p95 }));
      const value = await recall(db, claims, asked, probes.slice(0, 30));
      rows.push({ what: name(`${scope}: share of the exact ten`), value });
    }
    return rows;
  } finally {
    await db.close();
  }
}

/** Stores documents of a thousand a project, without the index of their vectors, and returns queries about them. */
async function fill(
  db: Database,
  claims: Claims,
  size: number,
): Promise<{ project: string; probes: Probe[] }> {
  const random = seeded(7);
  const { text, vector } = corpus(random);
  const projects = await asUser(db, claims, (tx) =>
    query<{ id: string }>(
      tx,
      sql`insert into projects (name) select 'bench-' || n
          from generate_series(1, ${Math.max(1, size / IN_PROJECT)}::int) n returning id`,
    ),
  );
  // building it at the end takes a quarter of the time
  await query(db.drizzle, sql`drop index search_documents_near`);
  const cluster = () => Math.floor(random() * CLUSTERS);
  for (let done = 0; done < size; done += BATCH) {
    const clusters = Array.from({ length: Math.min(BATCH, size - done) }, cluster);
    const texts = clusters.map(text);
    const vectors = clusters.map((one) => `[${vector(one).map((value) => Number(value.toFixed(4)))}]`);
    const ids = clusters.map((_, n) => projects[(done + n) % projects.length]?.id);
    await asUser(db, claims, (tx) =>
      query(
        tx,
        sql`insert into search_documents (project_id, kind, source_id, content, confidence, channel, valid_from,
              confirmed_at, embedding, embedding_model)
            select p, 'note', gen_random_uuid(), t, 0.5, case when random() < 0.01 then 'one' end, at, at, v::vector, ${MODEL}
            from (select *, now() - random() * interval '700 days' as at
              from unnest(${sql.param(texts)}::text[], ${sql.param(vectors)}::text[], ${sql.param(ids)}::uuid[])
                u(t, v, p)) d`,
      ),
    );
  }
  const probes = Array.from({ length: 200 }, () => {
    const one = cluster();
    const embedding = Float32Array.from(vector(one));
    return { query: text(one).split(' ').slice(0, 9).join(' '), vector: { embedding, model: MODEL } };
  });
  return { project: projects[0]?.id ?? '', probes };
}

function corpus(random: Random) {
  const noise = () => Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const centers = Array.from({ length: CLUSTERS }, noise);
  const word = (rank: number) => `${SYLLABLES[rank % 16]}${letters(Math.floor(rank / 16))}`;
  const zipf = () => Math.floor(random() ** 4 * VOCABULARY);
  return {
    text: (cluster: number) =>
      Array.from({ length: 28 }, (_, n) =>
        word(n % 4 === 0 ? (cluster * 37 + Math.floor(random() * 30)) % VOCABULARY : zipf()),
      ).join(' '),
    vector: (cluster: number) => {
      const sum = noise().map((value, n) => value * 1.1 + (centers[cluster]?.[n] ?? 0));
      const norm = Math.hypot(...sum);
      return sum.map((value) => value / norm);
    },
  };
}

const SYLLABLES =
  'get set parse build run test fetch load push cache query index retry lock merge deploy'.split(' ');
const letters = (n: number) =>
  String.fromCharCode(97 + (n % 26), 97 + (Math.floor(n / 26) % 26), 97 + Math.floor(n / 676));

/** Returns how many of the best ten of all texts a search finds that scores only candidates. */
async function recall(db: Database, claims: Claims, asked: object, probes: Probe[]): Promise<string> {
  let found = 0;
  let wanted = 0;
  for (const probe of probes) {
    const ask = (exactLimit: number) =>
      asUser(db, claims, async (tx) => {
        await query(tx, sql`select set_config('lore.exact_limit', ${String(exactLimit)}, true)`);
        return (await searchDocuments(tx, { ...probe, ...asked, limit: LIMIT })).results;
      });
    const exact = await ask(100_000_000);
    const ids = new Set((await ask(5_000)).map(({ id }) => id));
    found += exact.filter(({ id }) => ids.has(id)).length;
    wanted += exact.length;
  }
  return (found / wanted).toFixed(3);
}
