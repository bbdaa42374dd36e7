// Does memory help? Plays the same sessions of an agent that follows what it is told, and prints how often it meets an error
// that its project had met before, and what that cost in tokens: with Lore, with nothing, and with the client's own memory
// (a file, at its best: the agent writes down each fix that it finds, and each session reads all of it); and what
// /v1/metrics says of a store where chance decides. It has one bar: with memory the repeated errors fall, without they do not. Takes some minutes.
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
async function run(
  holdout: number,
  count: number,
  writes = false,
): Promise<{ played: Told[]; metrics: Metrics }> {
  const home = join(scratch, `holdout-${holdout}-${writes}`);
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
        writes,
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
  const own = await run(1, sessions, true);
  const both = await run(0.5, 2 * sessions);
  const shown = (played: Told[]) => curve(played).map(({ repeated, chances }) => `${repeated} of ${chances}`);
  console.log('Repeated errors in each ten sessions, of those that could repeat:');
  const arms = {
    'with Lore': on.played,
    "with the client's own memory": own.played,
    'with nothing': off.played,
  };
  const ofArms = (value: (played: Told[]) => unknown) =>
    Object.fromEntries(Object.entries(arms).map(([name, played]) => [name, value(played)]));
  console.table(ofArms(shown));
  const sum = (played: Told[], key: 'repeated' | 'chances' | 'commands' | 'tokens') =>
    played.reduce((all, one) => all + one[key], 0);
  console.table(
    ofArms((played) => ({
      'repeated %': Math.round((100 * sum(played, 'repeated')) / sum(played, 'chances')),
      'commands a session': (sum(played, 'commands') / played.length).toFixed(1),
      'tokens told or read a session': Math.round(sum(played, 'tokens') / played.length),
    })),
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
