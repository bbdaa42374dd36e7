// Measures what Lore costs its users, and prints the numbers beside their limits.
//   npm run bench                       all sections; `-- hooks start …` runs only these
//   npm run bench -- --check            exit code 1 if a number is over its limit
//   npm run bench -- --long             50,000 hook calls in the memory section instead of 10,000, and search in a million
//   npm run bench -- --home <folder>    keeps the filled data folder there, or uses the one that an earlier run left
//   npm run bench -- --only beside,far  hooks, cpu and busy only in these places (embedded, beside, far)
//   TEST_DATABASE_URL=… npm run bench   also PostgreSQL, in new databases that are dropped afterwards: hooks, cpu and busy;
//                                       hooks also with a round trip of 40 ms to the database; search in up to 100,000; facts; plans
//   LORE_CRON_DATABASE_URL=… npm run bench -- cron      pg_cron itself runs a night, in an empty database that it lives in
//   LORE_REAL_CLIENT=… npm run bench -- client plugins   in the real client, run by that program
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../src/cli/table.ts';
import { benchBusy } from './busy.ts';
import { benchClient } from './client.ts';
import { benchCommands } from './commands.ts';
import { benchCpu } from './cpu.ts';
import { benchCron } from './cron.ts';
import { benchDatabase } from './database.ts';
import { delayed } from './delay-proxy.ts';
import { benchFacts } from './facts.ts';
import { benchFunctions } from './functions.ts';
import { benchHooks, benchMemory, play } from './hooks.ts';
import { benchImport } from './import.ts';
import { type Lore, startLore } from './lore.ts';
import { benchMasking } from './masking.ts';
import { load, type Row } from './measure.ts';
import { benchNotes } from './notes.ts';
import { benchPage } from './page.ts';
import { benchPlans } from './plans.ts';
import { benchPlugins } from './plugins.ts';
import { benchSessionStart, benchStart } from './processes.ts';
import { benchRealtime, benchWatched } from './realtime.ts';
import { benchSearch } from './search.ts';
import { seeded } from './sessions.ts';
import { copyStore, dropDatabases, newStore, type Store } from './store.ts';
import { benchSync } from './sync.ts';

const EVENTS = 10_000;
const ROUND_TRIP_MS = 40;
const harness = process.env.LORE_REAL_CLIENT;
const NO_HARNESS: Row = { what: 'not measured: LORE_REAL_CLIENT names no harness', value: '' };
const postgres = process.env.TEST_DATABASE_URL;
const cron = process.env.LORE_CRON_DATABASE_URL;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean' },
    long: { type: 'boolean' },
    home: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
const filled: { embedded?: Store; postgres?: Store } = {};
let firstStart: number | undefined;

/** The places where the database may be. */
const EMBEDDED = 'embedded';
const BESIDE = 'beside: PostgreSQL';
const FAR = `far: PostgreSQL ${ROUND_TRIP_MS} ms away`;

const sections: Record<string, () => Promise<Row[]>> = {
  hooks: async () => [
    ...(await at(EMBEDDED, (store) => benchHooks(EMBEDDED, store, { tool: 1, prompt: 25 }))),
    ...(await at(BESIDE, (store) => benchHooks(BESIDE, store, { tool: 2, prompt: 25 }))),
    ...(await at(FAR, (store) => benchHooks(FAR, store, { tool: 3, prompt: 150 }))),
  ],
  cpu: async () => [
    ...(await at(EMBEDDED, (store) => serving(store, (lore) => benchCpu(EMBEDDED, lore, 3)))),
    ...(await at(BESIDE, (store) => serving(store, (lore) => benchCpu(BESIDE, lore)))),
  ],
  busy: async () => [
    ...(await at(EMBEDDED, (store) => serving(store, (lore) => benchBusy(EMBEDDED, lore, subfolder())))),
    ...(await at(BESIDE, (store) => serving(store, (lore) => benchBusy(BESIDE, lore, subfolder())))),
  ],
  commands: () => withServer(benchCommands),
  memory: () => withServer((lore) => benchMemory(lore, firstStart, options.long ? 50_000 : 10_000)),
  masking: async () => benchMasking(await newStore(join(folder, 'masking'), undefined), subfolder()),
  database: benchDatabase,
  sync: () => benchSync(subfolder()),
  search: async () => [
    ...(await benchSearch('pglite', 1_000)),
    ...(await benchSearch('pglite', 20_000)),
    ...(postgres ? await benchSearch(postgres, 20_000) : []),
    ...(postgres ? await benchSearch(postgres, 100_000) : []),
    ...(postgres && options.long ? await benchSearch(postgres, 1_000_000) : []),
  ],
  facts: async () => [...(await benchFacts('pglite')), ...(postgres ? await benchFacts(postgres) : [])],
  plans: async () => [
    ...(await benchPlans('pglite', 100)),
    ...(postgres ? await benchPlans(postgres, 20) : []),
  ],
  realtime: async () => [
    ...(await serving(await newStore(join(folder, 'realtime'), undefined), (lore) =>
      benchRealtime(EMBEDDED, lore, { one: 50, fifty: 150 }),
    )),
    ...(postgres
      ? await serving(await newStore(join(folder, 'realtime-beside'), postgres), (lore) =>
          benchRealtime(BESIDE, lore, {}),
        )
      : []),
  ],
  watched: () =>
    at(EMBEDDED, (store) => serving(store, (lore) => benchWatched(lore, { tool: 1, prompt: 25 }))),
  page: async () =>
    serving(await newStore(join(folder, 'page'), undefined), (lore) => benchPage(lore, subfolder())),
  functions: async () =>
    postgres
      ? benchFunctions(await newStore(join(folder, 'functions'), postgres), subfolder())
      : [{ what: 'not measured: TEST_DATABASE_URL is not set', value: '' }],
  cron: async () =>
    cron
      ? benchCron({ home: join(folder, 'cron'), databaseUrl: cron })
      : [{ what: 'not measured: LORE_CRON_DATABASE_URL names no empty database of pg_cron', value: '' }],
  import: () => withServer(benchImport),
  notes: async () => serving(await newStore(join(folder, 'notes'), undefined), benchNotes),
  start: async () => benchStart(await copyStore(await filledStore('embedded'), folder)),
  'session-start': () => withServer(benchSessionStart),
  client: () =>
    harness ? withServer((lore) => benchClient(lore, harness, subfolder())) : Promise.resolve([NO_HARNESS]),
  plugins: async () =>
    harness
      ? serving(await newStore(join(folder, 'plugins'), undefined), (lore) =>
          benchPlugins(lore, harness, subfolder()),
        )
      : [NO_HARNESS],
};
const wanted = positionals.length > 0 ? positionals : Object.keys(sections);
for (const name of wanted)
  if (!sections[name]) throw new Error(`no section ${name}: ${Object.keys(sections).join(', ')}`);

try {
  const results: { name: string; rows: Row[]; load: string | undefined }[] = [];
  for (const name of wanted) {
    console.error(`${name} …`);
    const before = load();
    results.push({ name, load: before, rows: (await sections[name]?.()) ?? [] });
  }
  const rows = results.flatMap(({ name, rows }) =>
    rows.map((row) => [
      name,
      row.what,
      row.value,
      row.limit ?? '',
      row.ok === undefined ? '' : row.ok ? 'ok' : 'OVER',
    ]),
  );
  console.log(table({}, ['section', 'what (samples)', 'value, or p50 p95 p99 max in ms', 'limit', ''], rows));
  const processors = cpus();
  console.log(
    `${processors.length} cores, ${processors[0]?.model.trim()}, Node ${process.version}, ${process.platform}; ` +
      `load average before each section: ${results.map(({ name, load }) => `${name} ${load}`).join(', ')}; ` +
      `after: ${load()}`,
  );
  if (options.check && results.some(({ rows }) => rows.some((row) => row.ok === false))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabases();
}

/** Returns whether a place is to be measured. */
function wants(where: string): boolean {
  return options.only.split(',').some((name) => where.startsWith(name));
}

/** Runs a measurement on its own filled store, if this place is wanted and has a database. */
async function at(where: string, bench: (store: Store) => Promise<Row[]>): Promise<Row[]> {
  if (!wants(where)) return [];
  if (where === EMBEDDED) return bench(await copyStore(await filledStore('embedded'), folder));
  if (!postgres) return [{ what: `${where}: not measured: TEST_DATABASE_URL is not set`, value: '' }];
  const store = await copyStore(await filledStore('postgres'), folder);
  if (where === BESIDE) return bench(store);
  const proxy = await delayed(store.databaseUrl as string, ROUND_TRIP_MS);
  try {
    return await bench({ ...store, databaseUrl: proxy.url });
  } finally {
    await proxy.close();
  }
}

/** Returns the store that every section gets a copy of, with 10,000 events. It is filled when it is first needed. */
async function filledStore(engine: 'embedded' | 'postgres'): Promise<Store> {
  const store = filled[engine] ?? (await fill(engine));
  filled[engine] = store;
  return store;
}

async function fill(engine: 'embedded' | 'postgres'): Promise<Store> {
  const kept = engine === 'embedded' ? options.home : undefined;
  if (kept !== undefined && existsSync(kept)) return { home: kept, databaseUrl: undefined };
  const store = await newStore(
    kept ?? join(folder, `filled-${engine}`),
    engine === 'embedded' ? undefined : postgres,
  );
  console.error(`storing ${EVENTS} events, ${engine} … (load average ${load()})`);
  const lore = await startLore(store);
  await lore.settled();
  if (engine === 'embedded') {
    const memory = lore.memory();
    firstStart = memory.server + memory.embedding;
  }
  const refused = await play(lore, seeded(1), EVENTS, 4);
  await lore.settled();
  const [stored] = await lore.sql(
    'select (select count(*) from events) as events, (select count(*) from sessions) as sessions, ' +
      '(select count(*) from learnings) as lessons',
  );
  console.error(
    `${stored?.events} events of ${stored?.sessions} sessions stored, ${refused} refused, ${stored?.lessons} lessons learned`,
  );
  await lore.stop();
  return store;
}

function subfolder(): string {
  return mkdtempSync(join(folder, 'files-'));
}

/** Runs a measurement on a server with the embedded engine and a copy of the filled store. */
async function withServer(bench: (lore: Lore) => Promise<Row[]>): Promise<Row[]> {
  return serving(await copyStore(await filledStore('embedded'), folder), bench);
}

async function serving(store: Store, bench: (lore: Lore) => Promise<Row[]>): Promise<Row[]> {
  const lore = await startLore(store);
  try {
    await lore.settled();
    return await bench(lore);
  } finally {
    await lore.stop();
  }
}
