// Attacks a server and counts what it lost: npm run attack [-- kill disk] [--rounds 100] [--seed 1]. The exit code is 1 if
// an attack succeeded. Without names both run: `kill -9` under load, every fifth during the start; and a full disk at another
// moment in a fifth of the rounds (embedded engine, needs root). With TEST_DATABASE_URL also on a new PostgreSQL database.
// It starts its own servers on loopback, with their own data folders, and attacks nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackByFullDisk, attackByKill } from './attacks.ts';
import { load } from './measure.ts';
import { dropDatabases, newStore } from './store.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const attacks = { kill: attackByKill, disk: attackByFullDisk };
const engines = { embedded: undefined, postgres: process.env.TEST_DATABASE_URL };

const folder = mkdtempSync(join(tmpdir(), 'lore-attack-'));
try {
  for (const [name, attack] of Object.entries(attacks))
    for (const [engine, url] of Object.entries(engines)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue;
      if (engine === 'postgres' && url === undefined) continue;
      const store = await newStore(join(folder, `${name}-${engine}`), url);
      const some = name === 'disk' ? Math.ceil(rounds / 5) : rounds;
      const { held, lines } = await attack(store, { rounds: some, seed: Number(values.seed) });
      console.log(`${name}, ${engine}: ${held ? 'held' : 'BROKE'} (load ${load()})`);
      for (const line of lines) console.log(`  ${line}`);
      if (!held) process.exitCode = 1;
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
}
