// Measures what Lore costs its users, and prints the numbers beside their limits.
//   npm run bench                       all sections; `-- hooks start …` runs only these
//   npm run bench -- search 1000000     search in so many documents (usually 20,000)
//   npm run bench -- --check            exit code 1 if a number is over its limit
//   TEST_DATABASE_URL=… npm run bench   hooks and search also on PostgreSQL, in new databases that are dropped afterwards
//   LORE_REAL_CLIENT=… npm run bench -- client   in the real client, run by that program
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../src/cli/table.ts';
import { benchClient } from './client.ts';
import { benchCpu } from './cpu.ts';
import { benchHooks, benchMemory, play } from './hooks.ts';
import { type Lore, startLore } from './lore.ts';
import { load, median, type Row, row } from './measure.ts';
import { benchSearch } from './search.ts';
import { seeded } from './sessions.ts';
import { copyStore, dropDatabases, newStore, type Store } from './store.ts';

const EVENTS = 10_000;
const harness = process.env.LORE_REAL_CLIENT;
const postgres = process.env.TEST_DATABASE_URL;
const missing = (name: string): Row[] => [{ what: `not measured: ${name} is not set`, value: '' }];

const { values: options, positionals: given } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
});
const positionals = given.filter((one) => Number.isNaN(Number(one)));
const documents = Number(given.find((one) => !positionals.includes(one)) ?? 20_000);
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
const filled = new Map<string | undefined, Store>();

const sections: Record<string, () => Promise<Row[]>> = {
  hooks: async () => [
    ...(await benchHooks('embedded', await filledStore(undefined), { tool: 1, prompt: 25 })),
    ...(postgres
      ? await benchHooks('PostgreSQL', await filledStore(postgres), { tool: 2, prompt: 25 })
      : missing('TEST_DATABASE_URL')),
  ],
  search: async () => [
    // the embedded engine is for one person's records
    ...(documents <= 100_000
      ? await benchSearch('embedded', await newStore(join(folder, 'search'), undefined), documents)
      : []),
    ...(postgres
      ? await benchSearch('PostgreSQL', await newStore(join(folder, 'search'), postgres), documents)
      : missing('TEST_DATABASE_URL')),
  ],
  cpu: () => served(benchCpu),
  memory: () => served(benchMemory),
  start: async () => benchStart(await filledStore(undefined)),
  client: async () =>
    harness ? served((lore) => benchClient(lore, harness, folder)) : missing('LORE_REAL_CLIENT'),
};
const wanted = positionals.length > 0 ? positionals : Object.keys(sections);
for (const name of wanted)
  if (!sections[name]) throw new Error(`no section ${name}: ${Object.keys(sections).join(', ')}`);

try {
  const lines: string[][] = [];
  for (const name of wanted) {
    console.error(`${name} … (load ${load()})`);
    for (const { what, value, limit = '', ok } of (await sections[name]?.()) ?? []) {
      lines.push([name, what, value, limit, ok === undefined ? '' : ok ? 'ok' : 'OVER']);
      if (options.check && ok === false) process.exitCode = 1;
    }
  }
  console.log(
    table({}, ['section', 'what (samples)', 'value, or p50 p95 p99 max in ms', 'limit', ''], lines),
  );
  console.log(
    `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.version}, ${process.platform}, load ${load()}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
}

/** Returns a copy of a store with 10,000 events. It is filled when it is first needed. */
async function filledStore(engine: string | undefined): Promise<Store> {
  const store = filled.get(engine) ?? (await fill(engine));
  filled.set(engine, store);
  return copyStore(store, folder);
}

async function fill(engine: string | undefined): Promise<Store> {
  const store = await newStore(join(folder, `filled-${filled.size}`), engine);
  console.error(`storing ${EVENTS} events …`);
  const lore = await startLore(store);
  await lore.settled();
  await play(lore, seeded(1), EVENTS, 4);
  await lore.settled();
  await lore.stop();
  return store;
}

/** Measures the time until /health answers ok, on a folder with data. The first run warms the page cache. */
async function benchStart(store: Store): Promise<Row[]> {
  const times: number[] = [];
  for (let run = 0; run < 6; run++) {
    const lore = await startLore(store);
    if (run > 0) times.push(lore.startMs);
    await lore.stop();
  }
  return [row('to /health ok, median of 5', Math.round(median(times)), 'ms', 2000)];
}

/** Runs a measurement on a server with the embedded engine and 10,000 events. */
async function served(bench: (lore: Lore) => Promise<Row[]>): Promise<Row[]> {
  const lore = await startLore(await filledStore(undefined));
  try {
    await lore.settled();
    return await bench(lore);
  } finally {
    await lore.stop();
  }
}
