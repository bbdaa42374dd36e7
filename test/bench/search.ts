// Search in synthetic documents, without the time to embed the query. Their vectors form clusters with much noise, so that
// approximate search misses some; their words follow Zipf's law, and the cluster chooses a quarter of them, so that words
// and vectors agree about as much as in real use. They are written into the index itself, past the records.
import { randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { ensureOwner } from '../../src/accounts/accounts.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { type SearchRequest, searchDocuments } from '../../src/search/search.ts';
import { percentiles, type Row } from './measure.ts';
import { type Random, seeded } from './sessions.ts';
import type { Store } from './store.ts';

const LIMIT = 10;
const BATCH = 500;
const IN_PROJECT = 1_000;
const DIMENSIONS = 384;
const CLUSTERS = 500;
const NOISES = 2_000;
const VOCABULARY = 20_000;
const MODEL = 'bench';

type Probe = Pick<SearchRequest, 'query' | 'vector'>;
type Index = { name: string; made: string };

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
    const { project, probes, indexes } = await fill(db, claims, size);
    const stored = performance.now();
    const ofVectors = (index: Index) => index.name === 'search_documents_near';
    await make(db, indexes.filter(ofVectors), size);
    const indexed = performance.now();
    await make(
      db,
      indexes.filter((index) => !ofVectors(index)),
      size,
    );
    const ready = performance.now();
    await query(db.drizzle, sql`vacuum analyze search_documents`);
    const [bytes] = await query<{ content: number; table: number; asIndexes: number }>(
      db.drizzle,
      sql`select (select sum(octet_length(content))::float8 from search_documents) as content,
            pg_table_size('search_documents')::float8 as table, pg_indexes_size('search_documents')::float8 as "asIndexes"`,
    );
    const { content = 0, table = 0, asIndexes = 0 } = bytes ?? {};
    const mb = (n: number) => `${Math.round(n / 1e6).toLocaleString('en-US')} MB`;
    const took = (from: number, until: number) => `${((until - from) / 1_000).toFixed(0)} s`;
    const rows: Row[] = [
      { what: name('stored, with words'), value: took(begun, stored) },
      {
        what: name('index of vectors; the other indexes'),
        value: `${took(stored, indexed)}; ${took(indexed, ready)}`,
      },
      {
        what: name('texts; table; its indexes; table and indexes ÷ texts'),
        value: `${mb(content)}; ${mb(table)}; ${mb(asIndexes)}; ${((table + asIndexes) / content).toFixed(1)}`,
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
      // the exact ten of a million take longer than a statement may
      if (size > 200_000 && scope === 'over all') continue;
      const value = await recall(db, claims, asked, probes.slice(0, 30));
      rows.push({ what: name(`${scope}: share of the exact ten`), value });
    }
    return rows;
  } finally {
    await db.close();
  }
}

/** Makes indexes, with the memory that their vectors take: the rest would be many times slower. */
const make = (db: Database, indexes: Index[], size: number) =>
  db.drizzle.transaction(async (tx) => {
    const memory = `${Math.max(512, Math.ceil(size / 400))}MB`;
    await query(tx, sql`select set_config('maintenance_work_mem', ${memory}, true)`);
    for (const { made } of indexes) await query(tx, sql.raw(made));
  });

/** Stores documents of a thousand a project, without indexes, and returns queries about them, and what makes the indexes. */
async function fill(
  db: Database,
  { userId }: Claims,
  size: number,
): Promise<{ project: string; probes: Probe[]; indexes: Index[] }> {
  const run = <T = unknown>(statement: SQL) => query<T & Record<string, unknown>>(db.drizzle, statement);
  const random = seeded(7);
  const below = (n: number) => Math.floor(random() * n);
  const { centers, noises, text, vector } = corpus(random);
  const projects = await run<{ id: string }>(
    sql`insert into projects (user_id, name) select ${userId}, 'bench-' || n
        from generate_series(1, ${Math.max(1, size / IN_PROJECT)}::int) n returning id`,
  );
  // making them at the end takes a quarter of the time
  const indexes = await run<Index>(
    sql`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
        from pg_index where indrelid = 'search_documents'::regclass and not indisunique`,
  );
  for (const { name } of indexes) await run(sql.raw(`drop index ${name}`));
  // the database adds up the vectors, because a million are too much to send
  await run(sql`create table bench_vectors (part text, n int, v vector(384), primary key (part, n))`);
  for (const [part, vectors] of Object.entries({ center: centers, noise: noises }))
    await run(
      sql`insert into bench_vectors select ${part}, n - 1, v::vector
          from unnest(${sql.param(vectors.map((one) => `[${one}]`))}::text[]) with ordinality u(v, n)`,
    );
  let done = 0;
  const lane = async () => {
    while (done < size) {
      const count = Math.min(BATCH, size - done);
      const ids = Array.from({ length: count }, (_, n) => projects[(done + n) % projects.length]?.id);
      done += count;
      const clusters = ids.map(() => below(CLUSTERS));
      const [a, b] = [ids.map(() => below(NOISES)), ids.map(() => below(NOISES))];
      await run(
        sql`insert into search_documents (user_id, project_id, kind, source_id, content, confidence, channel,
              valid_from, confirmed_at, embedding, embedding_model)
            select ${userId}, p, 'note', gen_random_uuid(), t, 0.5, case when random() < 0.01 then 'one' end, at, at,
              l2_normalize(c.v + x.v + y.v), ${MODEL}
            from (select *, now() - random() * interval '700 days' as at
              from unnest(${sql.param(clusters.map(text))}::text[], ${sql.param(ids)}::uuid[],
                ${sql.param(clusters)}::int[], ${sql.param(a)}::int[], ${sql.param(b)}::int[]) u(t, p, c, a, b)) d
            join bench_vectors c on c.part = 'center' and c.n = d.c
            join bench_vectors x on x.part = 'noise' and x.n = d.a
            join bench_vectors y on y.part = 'noise' and y.n = d.b`,
      );
    }
  };
  await Promise.all([lane(), lane()]);
  const probes = Array.from({ length: 200 }, () => {
    const one = below(CLUSTERS);
    const embedding = Float32Array.from(vector(one, below(NOISES), below(NOISES)));
    return { query: text(one).split(' ').slice(0, 9).join(' '), vector: { embedding, model: MODEL } };
  });
  return { project: projects[0]?.id ?? '', probes, indexes };
}

function corpus(random: Random) {
  const noise = (size: number) =>
    Array.from({ length: DIMENSIONS }, () => Number(((random() - 0.5) * size).toFixed(4)));
  const centers = Array.from({ length: CLUSTERS }, () => noise(1));
  const noises = Array.from({ length: NOISES }, () => noise(0.78));
  const word = (rank: number) => `${SYLLABLES[rank % 16]}${letters(Math.floor(rank / 16))}`;
  const zipf = () => Math.floor(random() ** 4 * VOCABULARY);
  return {
    centers,
    noises,
    text: (cluster: number) =>
      Array.from({ length: 28 }, (_, n) =>
        word(n % 4 === 0 ? (cluster * 37 + Math.floor(random() * 30)) % VOCABULARY : zipf()),
      ).join(' '),
    /** What the database makes of a cluster and two of the noises, which together are 1.1 times as long as its center. */
    vector: (cluster: number, a: number, b: number) => {
      const at = (list: number[][], one: number, n: number) => list[one]?.[n] ?? 0;
      const sum = Array.from(
        { length: DIMENSIONS },
        (_, n) => at(centers, cluster, n) + at(noises, a, n) + at(noises, b, n),
      );
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
