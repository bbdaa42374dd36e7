import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { type Database, query } from '../../src/db/open.ts';
import { searchDocuments } from '../../src/search/search.ts';
import { fillCorpus, type Probe } from './corpus.ts';
import { benchUser, emptyDatabase } from './empty-database.ts';
import { percentiles, type Row } from './measure.ts';
import { seeded } from './sessions.ts';

const LIMIT = 10;

type Scope = { projectId: string | undefined };

/**
 * Measures search as a user, through row level security and without the time to embed the query. It measures one
 * project and all projects, beside the raw vector query of the same scope, and how many of the exact best ten the
 * approximate search finds.
 *
 * @param engine 'pglite', or the URL of a PostgreSQL on which a database may be created
 */
export async function benchSearch(engine: string, size: number): Promise<Row[]> {
  const { db, drop } = await emptyDatabase(engine);
  try {
    const claims = await benchUser(db);
    const filled = performance.now();
    const { projectIds, probes } = await fillCorpus(db, claims, seeded(7), size, Math.max(1, size / 1_000));
    console.error(`  ${size} documents in ${((performance.now() - filled) / 1_000).toFixed(0)} s`);
    const name = `${engine === 'pglite' ? 'PGlite' : 'PostgreSQL'} ${size / 1_000}k`;
    const rows: Row[] = [];
    for (const [scopeName, projectId] of [
      ['one project', projectIds[0]],
      ['all', undefined],
    ] as const) {
      const scope = { projectId };
      const floor = await timed(probes, (probe) => raw(db, claims, scope, probe));
      const times = await timed(probes, (probe) => search(db, claims, scope, probe));
      const most = engine === 'pglite' ? 20 : projectId ? 8 : 30;
      rows.push(percentiles(`${name}, ${scopeName}: order by embedding <=> query`, floor));
      rows.push(percentiles(`${name}, ${scopeName}: search`, times, { p95: most }));
      rows.push({
        what: `${name}, ${scopeName}: recall of the exact ten`,
        value: await recall(db, claims, scope, probes),
      });
    }
    return rows;
  } finally {
    await drop();
  }
}

async function timed(probes: Probe[], ask: (probe: Probe) => Promise<unknown>): Promise<number[]> {
  // V8 recompiles the WebAssembly of the embedded engine with more optimisation while it runs
  for (const probe of probes.slice(0, 150)) await ask(probe);
  const times: number[] = [];
  for (const probe of probes) {
    const start = performance.now();
    await ask(probe);
    times.push(performance.now() - start);
  }
  return times;
}

const search = (db: Database, claims: Claims, scope: Scope, { text, ...vector }: Probe) =>
  asUser(db, claims, (tx) => searchDocuments(tx, { query: text, vector, ...scope, limit: LIMIT }));

/** The same scope without words, factors and order. It is the lower bound of the time of a search. */
const raw = (db: Database, claims: Claims, { projectId }: Scope, { embedding }: Probe) =>
  asUser(db, claims, (tx) => {
    const near = sql`order by embedding <=> ${`[${embedding.join(',')}]`}::vector limit ${LIMIT}::int`;
    return query(
      tx,
      projectId === undefined
        ? sql`${sql.raw('select id from search_documents')} ${near}`
        : sql`select id from search_documents where project_id = ${projectId} order by embedding <=> ${`[${embedding.join(',')}]`}::vector limit ${LIMIT}::int`,
    );
  });

async function recall(db: Database, claims: Claims, scope: Scope, probes: Probe[]): Promise<string> {
  let found = 0;
  let wanted = 0;
  for (const { text, ...vector } of probes.slice(0, 60)) {
    const ask = (exactLimit: number) =>
      asUser(db, claims, async (tx) => {
        await query(tx, sql`select set_config('lore.exact_limit', ${String(exactLimit)}, true)`);
        return (await searchDocuments(tx, { query: text, vector, ...scope, limit: LIMIT })).results;
      });
    const exact = await ask(100_000_000);
    const ids = new Set((await ask(5_000)).map((result) => result.id));
    found += exact.filter((result) => ids.has(result.id)).length;
    wanted += exact.length;
  }
  return (found / wanted).toFixed(3);
}
