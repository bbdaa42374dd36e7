import { setTimeout as sleep } from 'node:timers/promises';
import { jsonLines } from '../eval/json-lines.ts';
import type { Lore } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { seeded, session } from './sessions.ts';

const NOTES = 20_000;
const BATCH = 200;
const SEARCHES = 50;
/** number of notes before measuring, because the first ones of a process take up to ten times as long */
const WARM_UP = 50;

const memories = jsonLines<{ text: string }>('test/eval/sets/retrieval/memories.jsonl').map(
  ({ text }) => text,
);
const words = (n: number) => (memories[n % memories.length] ?? '').split(' ');
/** Returns a note to import: the beginning of one memory and the end of another. No two notes are alike. */
export const note = (n: number) => ({
  project: `import-${n % 20}`,
  agent: 'bench',
  createdAt: new Date(Date.UTC(2020, 0, 1) + n * 7_200_000).toISOString(),
  content: [...words(n).slice(0, 13), ...words(n * 7 + Math.floor(n / memories.length)).slice(-12)].join(' '),
});

/**
 * Measures the time to store a note, the speed of the embedding worker and its effect on the hooks, and 50 searches at
 * once, on an idle server and while 20,000 notes are imported. No note may be lost.
 */
export async function benchImport(lore: Lore): Promise<Row[]> {
  const single: number[] = [];
  for (let n = -WARM_UP; n < 200; n++) {
    const { timing } = await lore.post('/v1/notes', note(1_000_100 + n));
    if (n >= 0) single.push(timing.server);
  }
  await lore.settled();

  const search = async (n: number) =>
    (
      await lore.post('/v1/search', {
        query: words(n * 3)
          .slice(2, 10)
          .join(' '),
        project: `import-${n % 20}`,
      })
    ).timing.client;
  const fifty = async (round: number) =>
    Promise.all(Array.from({ length: SEARCHES }, (_, n) => search(round * SEARCHES + n)));

  // half of the notes are imported first, so that both measurements run on a filled store
  await importNotes(lore, 0, NOTES / 2);
  const begun = performance.now();
  const before = await embedded(lore);
  const hooks = await hooksMeanwhile(lore);
  const rate = ((await embedded(lore)) - before) / ((performance.now() - begun) / 1_000);
  await lore.settled();

  const idle: number[] = [];
  for (let round = 0; round < 10; round++) idle.push(...(await fifty(round)));
  let importing = true;
  const imported = importNotes(lore, NOTES / 2, NOTES).finally(() => {
    importing = false;
  });
  const busy: number[] = [];
  for (let round = 0; importing; round++) busy.push(...(await fifty(round)));
  const seconds = await imported;
  const [stored] = await lore.sql(
    "select count(*)::int as n from notes where channel like 'agent-notes:bench:import-%'",
  );
  const idleP95 = [...idle].sort((a, b) => a - b)[Math.floor(idle.length * 0.95)] ?? 0;
  return [
    percentiles('POST /v1/notes, one, in the server', single, { p95: 10 }),
    row('vectors a second, with hooks going on', rate, '/s'),
    percentiles('— PreToolUse meanwhile, in the server', hooks, { p95: 10 }),
    percentiles('50 searches at once, idle', idle),
    percentiles('50 searches at once, during an import', busy, { p95: Math.round(3 * idleP95) }),
    row('notes stored a second meanwhile', NOTES / 2 / seconds, '/s'),
    row('notes lost', NOTES + WARM_UP + 200 - Number(stored?.n), '', 0),
  ];
}

/** Imports notes. Returns the time it took, in seconds. */
async function importNotes(lore: Lore, from: number, to: number): Promise<number> {
  const start = performance.now();
  for (let n = from; n < to; n += BATCH) {
    await lore.post(
      '/v1/notes',
      Array.from({ length: BATCH }, (_, i) => note(n + i)),
    );
  }
  return (performance.now() - start) / 1_000;
}

const embedded = async (lore: Lore) =>
  Number(
    (await lore.sql('select count(*)::int as n from search_documents where embedding_model is not null'))[0]
      ?.n,
  );

async function hooksMeanwhile(lore: Lore): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + 20_000;
  for (let seed = 100; performance.now() < end; seed++) {
    for (const event of session(seeded(seed), { turns: 2, calls: 15 })) {
      const { server } = await lore.hook(event);
      if (event.hook_event_name === 'PreToolUse') times.push(server);
      await sleep(20);
    }
  }
  return times;
}
