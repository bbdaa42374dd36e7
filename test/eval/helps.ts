// Does memory help? Plays sessions of an agent that follows what it is told, and prints how often it meets an error that
// its project had met before: with memory on, with memory off, and what /v1/metrics says of a store where chance
// decides. It has one bar: with memory the repeated errors fall, without they do not. Takes some minutes.
//   npm run eval:helps
//   npm run eval:helps -- --sessions 120 --projects 6 --seed 7
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/base/config.ts';
import { startServer } from '../../src/server/compose.ts';
import { insisting } from '../support/asking.ts';
import { curve, falls, simulate, type Told } from './helps/simulate.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '60' },
    projects: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const sessions = Number(values.sessions);
const scratch = mkdtempSync(join(tmpdir(), 'lore-eval-'));

type Metrics = {
  comparison: Record<string, { sentence: string }> & { sentence: string };
  measures: { name: string; n: number; sentence: string }[];
};

/** Plays the sessions against a server of their own. */
async function run(holdout: number, count: number): Promise<{ played: Told[]; metrics: Metrics }> {
  const home = join(scratch, `holdout-${holdout}`);
  const server = await startServer(
    readConfig({
      ...process.env,
      LORE_HOME: home,
      LORE_PORT: '0',
      // an agent may run this
      LORE_CHECK_SENDER: 'off',
      CLAUDE_CONFIG_DIR: home,
      LORE_HOLDOUT: String(holdout),
      GEMINI_API_KEY: '',
    }),
  );
  try {
    await server.embedder.ready;
    const ask = insisting(server.url, server.key);
    const played = await simulate(
      { hook: (event) => ask('POST', '/v1/hooks', event), settled: () => server.settled() },
      {
        sessions: count,
        projects: Number(values.projects),
        seed: Number(values.seed),
        folder: join(home, 'projects'),
      },
    );
    await server.settled();
    return { played, metrics: await ask('GET', '/v1/metrics?days=1') };
  } finally {
    await server.stop();
  }
}

try {
  const on = await run(0, sessions);
  const off = await run(1, sessions);
  const both = await run(0.5, 2 * sessions);
  const shown = (played: Told[]) => curve(played).map(({ repeated, chances }) => `${repeated} of ${chances}`);
  console.log('Repeated errors in each ten sessions, of those that could repeat:');
  console.table({ 'with memory': shown(on.played), 'without memory': shown(off.played) });
  const mean = (told: Told[]) => told.reduce((sum, one) => sum + one.commands, 0) / told.length;
  console.log(
    `Commands a session: ${mean(on.played).toFixed(1)} with memory, ${mean(off.played).toFixed(1)} without.`,
  );
  const { comparison } = both.metrics;
  console.log(`\nA store with LORE_HOLDOUT=0.5, ${2 * sessions} sessions, as /v1/metrics tells it:`);
  console.log(comparison.sentence);
  console.log(`- ${comparison.repeatedErrors?.sentence}`);
  console.table(comparison.medians);
  for (const { name, sentence, n } of both.metrics.measures) if (n > 0) console.log(`- ${name}: ${sentence}`);
  const [learns, forgets] = [falls(on.played), !falls(off.played)];
  console.log(`\nWith memory they fall: ${learns}. Without they do not: ${forgets}.`);
  if (!learns || !forgets) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
