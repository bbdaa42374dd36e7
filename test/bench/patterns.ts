import type { Database } from '../../src/db/open.ts';
import { minePatterns } from '../../src/patterns/mine.ts';
import { makeHistory, storeEpisodes } from '../eval/patterns/generate.ts';
import { benchUser, emptyDatabase } from './empty-database.ts';
import { percentiles, type Row, row } from './measure.ts';

/** Episodes of one user, by engine, and the projects that they belong to. */
const SIZES = { postgres: { episodes: 50_000, projects: 20 }, pglite: { episodes: 5_000, projects: 5 } };

/**
 * Measures how long it takes to mine all of a user's episodes for the first time, and again after one has
 * changed. Also measures how long its transactions take, because they hold up hooks on the embedded engine,
 * and how long it holds the thread.
 *
 * @param engine 'pglite', or the URL of a PostgreSQL on which a database may be created
 */
export async function benchPatterns(engine: string): Promise<Row[]> {
  const { db, drop } = await emptyDatabase(engine);
  try {
    const name = engine === 'pglite' ? 'PGlite' : 'PostgreSQL';
    const { episodes, projects } = SIZES[db.engine];
    const claims = await benchUser(db);
    const history = makeHistory({ seed: 5, projects, episodes: episodes / projects });
    const filled = performance.now();
    await storeEpisodes(db, claims, history.episodes);
    console.error(
      `  ${name}: ${episodes} episodes in ${((performance.now() - filled) / 1_000).toFixed(0)} s`,
    );
    const times: number[] = [];
    const held: number[] = [];
    let tick = performance.now();
    const timer = setInterval(() => {
      held.push(performance.now() - tick);
      tick = performance.now();
    }, 0);
    const before = process.memoryUsage().rss;
    const first = await seconds(() => minePatterns(timed(db, times), claims));
    const memory = (process.memoryUsage().rss - before) / 1e6;
    clearInterval(timer);
    const [one] = history.episodes;
    if (one) {
      await storeEpisodes(db, claims, [
        { ...one, id: '00000000-0000-4000-8000-000000000001', at: new Date() },
      ]);
    }
    const again = await seconds(() => minePatterns(db, claims));
    const what = `${name}: ${episodes.toLocaleString('en-US')} episodes of ${projects} projects`;
    return [
      row(`${what} mined`, first, 's', 60),
      row(`${what}, one is new`, again, 's'),
      percentiles(
        `${name}: a transaction of the mining, ms`,
        times,
        db.engine === 'pglite' ? { p95: 50 } : {},
      ),
      percentiles(`${name}: the thread between two turns, ms`, held),
      row(`${name}: memory more than before`, memory, 'MB', 500),
    ];
  } finally {
    await drop();
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

/** Returns a database that notes how long each transaction takes, in milliseconds. */
function timed(db: Database, times: number[]): Database {
  const drizzle = new Proxy(db.drizzle, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
      return async (...given: unknown[]) => {
        const start = performance.now();
        try {
          return await value.apply(target, given);
        } finally {
          times.push(performance.now() - start);
        }
      };
    },
  });
  return { ...db, drizzle };
}
