// Measures what Lore costs whoever works with it, and prints it beside its limits.
//   npm run bench                       all sections; `-- hooks start …` only these
//   npm run bench -- --check            exit code 1 when a number is over its limit
//   npm run bench -- --long             50,000 hook calls for the memory section instead of 10,000, and search in a million
//   TEST_DATABASE_URL=… npm run bench -- search    also PostgreSQL: 20,000 and 100,000 documents, in a database of its own
//   npm run bench -- --home <folder>    keep the filled data folder there, or use the one that an earlier run left
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../src/cli/print.ts';
import { benchClient } from './client.ts';
import { benchCommands } from './commands.ts';
import { benchDatabase } from './database.ts';
import { benchHooks, benchMemory, play } from './hooks.ts';
import { benchImport } from './import.ts';
import { type Lore, startLore } from './lore.ts';
import { load, type Row } from './measure.ts';
import { benchSessionStart, benchStart } from './processes.ts';
import { benchSearch } from './search.ts';
import { seeded } from './sessions.ts';

const EVENTS = 10_000;
const harness = process.env.LORE_REAL_CLIENT;
const postgres = process.env.TEST_DATABASE_URL;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, long: { type: 'boolean' }, home: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
const filled = options.home ?? join(folder, 'filled');
let firstStart: number | undefined;

const sections: Record<string, () => Promise<Row[]>> = {
  hooks: () => withServer(benchHooks),
  commands: () => withServer(benchCommands),
  memory: () => withServer((lore) => benchMemory(lore, firstStart, options.long ? 50_000 : 10_000)),
  database: benchDatabase,
  search: async () => [
    ...(await benchSearch('pglite', 1_000)),
    ...(await benchSearch('pglite', 20_000)),
    ...(postgres ? await benchSearch(postgres, 20_000) : []),
    ...(postgres ? await benchSearch(postgres, 100_000) : []),
    ...(postgres && options.long ? await benchSearch(postgres, 1_000_000) : []),
  ],
  import: () => withServer(benchImport),
  start: () => benchStart(copyOfFilled()),
  'session-start': () => withServer(benchSessionStart),
  client: () =>
    harness
      ? withServer((lore) => benchClient(lore, harness, mkdtempSync(join(folder, 'client-'))))
      : Promise.resolve([{ what: 'not measured: LORE_REAL_CLIENT names no harness', value: '' }]),
};
const wanted = positionals.length > 0 ? positionals : Object.keys(sections);
for (const name of wanted)
  if (!sections[name]) throw new Error(`no section ${name}: ${Object.keys(sections).join(', ')}`);

try {
  const results: { name: string; rows: Row[]; load: string | undefined }[] = [];
  if (!existsSync(filled)) await fill();
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
  console.log(table(['section', 'what (samples)', 'value, or p50 p95 p99 in ms', 'limit', ''], rows));
  const processors = cpus();
  console.log(
    `${processors.length} cores, ${processors[0]?.model.trim()}, Node ${process.version}, ${process.platform}; ` +
      `load average before each section: ${results.map(({ name, load }) => `${name} ${load}`).join(', ')}`,
  );
  if (options.check && results.some(({ rows }) => rows.some((row) => row.ok === false))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Makes the data folder that every section gets a copy of: first start, then 10,000 events and what comes of them. */
async function fill(): Promise<void> {
  console.error(`storing ${EVENTS} events … (load average ${load()})`);
  const lore = await startLore(filled);
  await lore.settled();
  const memory = lore.memory();
  firstStart = memory.server + memory.embedding;
  await play(lore, seeded(1), EVENTS, 4);
  await lore.settled();
  const [stored] = await lore.sql(
    'select (select count(*) from events) as events, (select count(*) from sessions) as sessions, ' +
      '(select count(*) from learnings) as lessons',
  );
  console.error(
    `${stored?.events} events of ${stored?.sessions} sessions stored, ${stored?.lessons} lessons learned`,
  );
  await lore.stop();
}

function copyOfFilled(): string {
  const copy = mkdtempSync(join(folder, 'home-'));
  cpSync(filled, copy, { recursive: true });
  return copy;
}

async function withServer(bench: (lore: Lore) => Promise<Row[]>): Promise<Row[]> {
  const lore = await startLore(copyOfFilled());
  try {
    await lore.settled();
    return await bench(lore);
  } finally {
    await lore.stop();
  }
}
