// Mines generated histories in which the patterns are known, and prints how many of them were found and how much of what
// was found is right. Fails below the bars.
//   npm run eval:patterns                  five seeds, three projects of 200 episodes each
//   npm run eval:patterns -- 3 600 2       other numbers of projects, episodes and seeds
//   TEST_DATABASE_URL=… npm run eval:patterns    on PostgreSQL, in a new database that is dropped afterwards

import { minePatterns } from '../../src/patterns/mine.ts';
import { benchUser, emptyDatabase } from '../bench/empty-database.ts';
import { makeHistory, storeEpisodes } from './patterns/generate.ts';
import { minedOf, type Score, scoreOf, total } from './patterns/score.ts';

const [projects = 3, episodes = 200, seeds = 5] = process.argv.slice(2).map(Number);
const engine = process.env.TEST_DATABASE_URL ?? 'pglite';
const scores: Score[] = [];
for (let seed = 1; seed <= seeds; seed++) {
  const { db, drop } = await emptyDatabase(engine);
  try {
    const claims = await benchUser(db);
    const history = makeHistory({ seed, projects, episodes });
    await storeEpisodes(db, claims, history.episodes);
    const started = performance.now();
    await minePatterns(db, claims);
    const seconds = (performance.now() - started) / 1_000;
    const score = scoreOf(history.planted, await minedOf(db, claims));
    scores.push(score);
    print(`seed ${seed} (${seconds.toFixed(1)} s)`, score);
    if (process.env.DETAILS) for (const line of score.wrong) console.log(`    ${line}`);
  } finally {
    await drop();
  }
}
const all = total(scores);
print(`all, ${engine === 'pglite' ? 'PGlite' : 'PostgreSQL'}`, all);
if (all.traps > 0 || all.sequences.precision < 0.95 || all.sequences.recall < 0.9) process.exitCode = 1;
if (all.templates.precision < 0.9 || all.templates.recall < 0.9) process.exitCode = 1;

function print(name: string, { sequences, templates, traps }: Omit<Score, 'wrong'>) {
  const share = (n: number) => n.toFixed(2);
  console.log(
    `${name}: sequences precision ${share(sequences.precision)} recall ${share(sequences.recall)} (${sequences.found} found), ` +
      `templates precision ${share(templates.precision)} recall ${share(templates.recall)} (${templates.found} found), ` +
      `planted noise found ${traps}`,
  );
}
