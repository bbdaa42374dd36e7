import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { type Database, query, type Tx } from '../../src/db/open.ts';
import { fact, listStatements, neighbourhood, putStatement } from '../../src/kinds/statements.ts';
import { benchUser, emptyDatabase } from './empty-database.ts';
import { percentiles, type Row } from './measure.ts';
import { seeded } from './sessions.ts';

const ROWS = 100_000;
/** Each key has four values one after the other, of which each was recorded when it began. */
const KEYS = ROWS / 4;
/** Entities that the relations are between; each has ten of them on average. */
const ENTITIES = ROWS / 5;
/** One in this many relations leads to one of a hundred entities to which many are related. */
const TO_HUB = 20;
const TIMES = 400;

/**
 * Measures reads of 100,000 facts and 100,000 relations as a user, through row level security, without HTTP.
 *
 * @param engine 'pglite', or the URL of a PostgreSQL on which a database may be created
 */
export async function benchFacts(engine: string): Promise<Row[]> {
  const { db, drop } = await emptyDatabase(engine);
  try {
    const claims = await benchUser(db);
    const filled = performance.now();
    await fill(db, claims);
    console.error(`  ${ROWS} facts and relations in ${((performance.now() - filled) / 1_000).toFixed(0)} s`);
    const name = engine === 'pglite' ? 'PGlite' : 'PostgreSQL';
    const random = seeded(3);
    const key = () => ({ type: 'service', key: `key ${Math.floor(random() * KEYS)}` });
    const instant = () => new Date(Date.UTC(2020, 0, 1) + random() * 4 * 365 * 86_400_000).toISOString();
    const read = (work: (tx: Tx) => Promise<unknown>) => timed(db, claims, work, { readOnly: true });
    const around = (hops: number, direction: 'out' | 'both') =>
      read((tx) =>
        neighbourhood(tx, {
          type: 'service',
          key: `entity ${Math.floor(random() * ENTITIES)}`,
          hops,
          direction,
          limit: 200,
          asOf: instant(),
        }),
      );
    return [
      percentiles(`${name}: an empty transaction`, await read((tx) => query(tx, sql`select 1`))),
      percentiles(
        `${name}: a key now`,
        await read((tx) => listStatements(tx, fact, { by: key(), limit: 1 })),
      ),
      percentiles(
        `${name}: a key as of then, as believed then`,
        await read((tx) =>
          listStatements(tx, fact, { by: key(), asOf: instant(), recordedAsOf: instant(), limit: 1 }),
        ),
        { p95: 3 },
      ),
      percentiles(
        `${name}: a page of 50 as of then`,
        await read((tx) => listStatements(tx, fact, { asOf: instant(), by: {}, limit: 50 })),
      ),
      percentiles(
        `${name}: the history of a key`,
        await read((tx) => listStatements(tx, fact, { by: key(), limit: 500, history: true })),
      ),
      percentiles(`${name}: one hop, both ways`, await around(1, 'both')),
      percentiles(`${name}: three hops out`, await around(3, 'out'), { p95: 20 }),
      percentiles(`${name}: three hops, both ways`, await around(3, 'both'), { p95: 20 }),
      percentiles(
        `${name}: a new value`,
        await timed(db, claims, (tx) =>
          putStatement(tx, fact, { ...key(), value: random(), tier: 'person' }),
        ),
      ),
    ];
  } finally {
    await drop();
  }
}

async function timed(
  db: Database,
  claims: Claims,
  work: (tx: Tx) => Promise<unknown>,
  options: { readOnly?: boolean } = {},
): Promise<number[]> {
  // V8 recompiles the WebAssembly of the embedded engine with more optimisation while it runs
  for (let n = 0; n < TIMES / 4; n++) await asUser(db, claims, work, options);
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const start = performance.now();
    await asUser(db, claims, work, options);
    times.push(performance.now() - start);
  }
  return times;
}

/** Inserts rows as changes would have left them. Without the triggers of the index, which would take minutes. */
async function fill(db: Database, claims: Claims): Promise<void> {
  for (const table of ['facts', 'relations'])
    await query(db.drizzle, sql`alter table ${sql.raw(table)} disable trigger user`);
  const at = (n: string) => sql.raw(`timestamptz '2020-01-01' + interval '1 year' * ${n}`);
  const step = 5_000;
  for (let from = 0; from < ROWS; from += step) {
    await asUser(db, claims, async (tx) => {
      await query(
        tx,
        sql`insert into facts (type, key, value, tier, valid_from, valid_until, recorded_at)
            select 'service', 'key ' || n / 4, to_jsonb(n), 'observed', ${at('(n % 4)')},
              case when n % 4 < 3 then ${at('(n % 4 + 1)')} end, ${at('(n % 4)')}
            from generate_series(${from}::int, ${from + step - 1}::int) n`,
      );
      await query(
        tx,
        sql`insert into relations (from_type, from_key, relation, to_type, to_key, tier, valid_from, recorded_at)
            select 'service', 'entity ' || n % ${ENTITIES}::int, 'calls ' || n, 'service',
              'entity ' || (hashint4(n) & 2147483647) % (case when n % ${TO_HUB}::int = 0 then 100 else ${ENTITIES}::int end),
              'observed', ${at('(n % 4)')}, ${at('(n % 4)')}
            from generate_series(${from}::int, ${from + step - 1}::int) n`,
      );
    });
  }
  for (const table of ['facts', 'relations']) {
    await query(db.drizzle, sql`alter table ${sql.raw(table)} enable trigger user`);
    await query(db.drizzle, sql`vacuum analyze ${sql.raw(table)}`);
  }
}
