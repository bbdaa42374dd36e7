// Attacks a server and counts what it lost: npm run attack [-- kill disk sockets fuzz live …] [options]. The exit code is 1
// if an attack succeeded. Without names all of them run.
//   kill                 kill -9 under load, again and again (attack-kill.ts)
//   disk                 a full disk at 20 moments, embedded engine, needs root (attack-disk.ts)
//   sockets              500 half-open connections, and a stop in spite of them (attack-sockets.ts)
//   fuzz                 20,000 wrong requests to every route (attack-fuzz.ts)
//   live                 malformed and huge frames, 1,000 idle sockets and clients that do not read (attack-live.ts)
//   --quick              each of them small: a minute instead of half an hour
//   --rounds <n>         kills on each engine, default 100; every fifth of them comes during the start
//   --only <engine>      only embedded, or only postgres
//   --seed <n>           the same again; the moments of the kills still differ with the machine's timing
//   TEST_DATABASE_URL=… npm run attack    also PostgreSQL, in a new database that is dropped afterwards
// Every attack is bounded. It starts its own servers on loopback, with their own data folders, and attacks nothing
// else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackByFullDisk } from './attack-disk.ts';
import { attackByFuzz } from './attack-fuzz.ts';
import { attackByKill } from './attack-kill.ts';
import { attackLive } from './attack-live.ts';
import { attackBySockets } from './attack-sockets.ts';
import { load } from './measure.ts';
import { dropDatabases, newStore } from './store.ts';

const QUICK_ROUNDS = 10;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const { quick } = options;
const rounds = Number(options.rounds ?? (quick ? QUICK_ROUNDS : 100));
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer');

/** The attacks. Each returns lines with what it found, and whether Lore held. */
const attacks = {
  kill: attackByKill,
  disk: attackByFullDisk,
  sockets: attackBySockets,
  fuzz: attackByFuzz,
  live: attackLive,
};
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
      const { held, lines } = await attack(store, { rounds, quick, seed: Number(options.seed) });
      console.log(`${name}, ${engine}: ${held ? 'held' : 'BROKE'} (seed ${options.seed}, load ${load()})`);
      for (const line of lines) console.log(`  ${line}`);
      if (!held) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
}
