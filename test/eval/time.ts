// Travels in time: makes changes at random over many keys, and compares every moment of each key, as believed after every
// change and just before it, with a model that works by brute force. Fails unless all answers are right.
//   npm run eval:time                     10,000 changes over 500 keys, on the embedded engine
//   npm run eval:time -- 2000 100 7       other numbers of changes and keys, another seed
//   TEST_DATABASE_URL=… npm run eval:time    also on PostgreSQL, in a new database that is dropped afterwards

import { benchUser, emptyDatabase } from '../bench/empty-database.ts';
import { seeded } from '../bench/sessions.ts';
import { changesAtRandom } from './time/generate.ts';
import { compare, type Mistake, replay } from './time/replay.ts';

const [changes = 10_000, keys = 500, seed = 1] = process.argv.slice(2).map(Number);

for (const engine of ['pglite', process.env.TEST_DATABASE_URL]) {
  if (engine === undefined) continue;
  const { db, drop } = await emptyDatabase(engine);
  const started = performance.now();
  const mistakes: Mistake[] = [];
  const results: Record<string, number> = {};
  let compared = 0;
  try {
    const claims = await benchUser(db);
    for (let n = 0; n < keys; n++) {
      const key = `key ${n}`;
      const made = changesAtRandom(seeded(seed * 100_000 + n), Math.ceil(changes / keys));
      const model = await replay(db, claims, key, made, mistakes);
      for (const result of model.results) results[result] = (results[result] ?? 0) + 1;
      compared += await compare(db, claims, key, model, mistakes);
    }
  } finally {
    await drop();
  }
  const name = engine === 'pglite' ? 'PGlite' : 'PostgreSQL';
  const counts = Object.entries(results).map(([result, n]) => `${n} ${result}`);
  console.log(
    `${name}: ${changes} changes of ${keys} keys (${counts.join(', ')}), ${compared} answers compared, ${mistakes.length} wrong, ` +
      `${((performance.now() - started) / 1_000).toFixed(0)} s`,
  );
  for (const { key, what } of mistakes.slice(0, 10)) console.log(`  ${key}: ${what}`);
  if (mistakes.length > 0) process.exitCode = 1;
}
