import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { type Database, query } from '../../src/db/open.ts';
import type { Random } from './sessions.ts';

// Synthetic documents. Their vectors form clusters with much noise, so that approximate search misses some. Their words
// follow Zipf's law, and the cluster chooses part of them, so that words and vectors agree about as much as in real
// use.

const DIMENSIONS = 384;
const CLUSTERS = 500;
const VOCABULARY = 20_000;
const MODEL = 'bench';

export type Probe = { text: string; embedding: Float32Array; model: string };

type Corpus = { text(cluster: number): string; embedding(cluster: number): Float32Array };

function corpus(random: Random): Corpus {
  const centers = Array.from({ length: CLUSTERS }, () => noise(random));
  const word = (rank: number) => `${SYLLABLES[rank % 16]}${letters(Math.floor(rank / 16))}`;
  const zipf = () => Math.floor(random() ** 4 * VOCABULARY);
  return {
    text: (cluster) =>
      Array.from({ length: 28 }, (_, n) =>
        word(n % 4 === 0 ? (cluster * 37 + Math.floor(random() * 30)) % VOCABULARY : zipf()),
      ).join(' '),
    embedding: (cluster) =>
      normalised(noise(random).map((value, n) => value * 1.1 + (centers[cluster]?.[n] ?? 0))),
  };
}

const SYLLABLES =
  'get set parse build run test fetch load push cache query index retry lock merge deploy'.split(' ');
const letters = (n: number) =>
  String.fromCharCode(97 + (n % 26), 97 + (Math.floor(n / 26) % 26), 97 + Math.floor(n / 676));
const noise = (random: Random) => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
function normalised(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/**
 * Fills an empty database with `size` documents of one user in `projects` projects, and returns queries about them.
 */
export async function fillCorpus(
  db: Database,
  claims: Claims,
  random: Random,
  size: number,
  projects: number,
): Promise<{ projectIds: string[]; probes: Probe[] }> {
  const { text, embedding } = corpus(random);
  const rows = await asUser(db, claims, (tx) =>
    query<{ id: string }>(
      tx,
      sql`insert into projects (name) select 'bench-' || n from generate_series(1, ${projects}::int) n returning id`,
    ),
  );
  const projectIds = rows.map((row) => row.id);
  // building the index at the end takes a quarter of the time
  await query(db.drizzle, sql`drop index search_documents_near`);
  const cluster = () => Math.floor(random() * CLUSTERS);
  for (let done = 0; done < size; done += 500) {
    const batch = Array.from({ length: Math.min(500, size - done) }, (_, n) => {
      const c = cluster();
      return {
        text: text(c),
        vector: `[${embedding(c).join(',')}]`,
        project: projectIds[(done + n) % projects],
      };
    });
    await asUser(db, claims, (tx) =>
      query(
        tx,
        sql`insert into search_documents (project_id, kind, source_id, content, confidence, valid_from, confirmed_at,
              embedding, embedding_model)
            select p, 'note', gen_random_uuid(), t, 0.5, at, at, v::vector, ${MODEL}
            from (select *, now() - random() * interval '700 days' as at
              from unnest(${sql.param(batch.map((b) => b.text))}::text[], ${sql.param(batch.map((b) => b.vector))}::text[],
                ${sql.param(batch.map((b) => b.project))}::uuid[]) u(t, v, p)) d`,
      ),
    );
  }
  await query(db.drizzle, sql`set maintenance_work_mem = '512MB'`);
  await query(
    db.drizzle,
    sql`create index search_documents_near on search_documents using hnsw (embedding vector_cosine_ops)`,
  );
  await query(db.drizzle, sql`vacuum analyze search_documents`);
  const probes = Array.from({ length: 300 }, () => {
    const c = cluster();
    return { text: text(c).split(' ').slice(0, 9).join(' '), embedding: embedding(c), model: MODEL };
  });
  return { projectIds, probes };
}
