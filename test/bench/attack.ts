// Attacks a server and counts what it lost: npm run attack [-- kill disk fuzz] [options]. The exit code is 1 if an attack
// succeeded. Without names all of them run.
//   kill          kill -9 under load, again and again; every fifth of them comes during the start
//   disk          a full disk at another moment each round, embedded engine, needs root
//   fuzz          200 wrong requests a round to every route
//   --rounds <n>  default 100, of the disk a fifth
//   --seed <n>    the same again; the moments of the kills still differ with the machine's timing
//   TEST_DATABASE_URL=… npm run attack    also PostgreSQL, in a new database that is dropped afterwards
// It starts its own servers on loopback, with their own data folders, and attacks nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackByFuzz } from './attack-fuzz.ts';
import { attackByFullDisk, attackByKill } from './attacks.ts';
import { load } from './measure.ts';
import { dropDatabases, newStore } from './store.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer');

const attacks = { kill: attackByKill, disk: attackByFullDisk, fuzz: attackByFuzz };
const wanted = positionals.length > 0 ? positionals : Object.keys(attacks);
const engines = { embedded: undefined, postgres: process.env.TEST_DATABASE_URL };

const folder = mkdtempSync(join(tmpdir(), 'lore-attack-'));
try {
  for (const name of wanted) {
    const attack = attacks[name as keyof typeof attacks];
    if (!attack) throw new Error(`no attack ${name}: ${Object.keys(attacks).join(', ')}`);
    for (const [engine, url] of Object.entries(engines)) {
      if (engine === 'postgres' && url === undefined) continue;
      const store = await newStore(join(folder, `${name}-${engine}`), url);
      const { held, lines } = await attack(store, {
        rounds: name === 'disk' ? Math.ceil(rounds / 5) : rounds,
        seed: Number(options.seed),
      });
      console.log(`${name}, ${engine}: ${held ? 'held' : 'BROKE'} (seed ${options.seed}, load ${load()})`);
      for (const line of lines) console.log(`  ${line}`);
      if (!held) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
}
