// Attacks a server and counts what it lost: npm run attack [-- kill …] [options]. The exit code is 1 if an attack
// succeeded.
//   kill                 kill -9 under load, again and again (attack-kill.ts)
//   --rounds <n>         kills on each engine, default 100; every fifth of them comes during the start
//   --only <engine>      only embedded, or only postgres
//   --seed <n>           the same sessions again; the moments of the kills still differ with the machine's timing
//   TEST_DATABASE_URL=… npm run attack    also PostgreSQL, in a new database that is dropped afterwards
// Every attack is bounded. It starts its own servers on loopback, with their own data folders, and attacks nothing
// else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackByKill } from './attack-kill.ts';
import { load } from './measure.ts';
import { dropDatabases, newStore } from './store.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '100' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer');

/** The attacks. Each returns lines with what it found, and whether Lore held. */
const attacks = { kill: attackByKill };
const wanted = positionals.length > 0 ? positionals : Object.keys(attacks);
const engines: Record<string, string | undefined> = {
  embedded: undefined,
  ...(process.env.TEST_DATABASE_URL && { postgres: process.env.TEST_DATABASE_URL }),
};

const folder = mkdtempSync(join(tmpdir(), 'lore-attack-'));
try {
  for (const name of wanted) {
    const attack = attacks[name as keyof typeof attacks];
    if (!attack) throw new Error(`no attack ${name}: ${Object.keys(attacks).join(', ')}`);
    for (const [engine, postgresUrl] of Object.entries(engines)) {
      if (options.only !== undefined && options.only !== engine) continue;
      const store = await newStore(join(folder, `${name}-${engine}`), postgresUrl);
      const { held, lines } = await attack(store, { rounds, seed: Number(options.seed) });
      console.log(`${name}, ${engine}: ${held ? 'held' : 'BROKE'} (seed ${options.seed}, load ${load()})`);
      for (const line of lines) console.log(`  ${line}`);
      if (!held) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
}
