import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { play } from './hooks.ts';
import { note } from './import.ts';
import type { Lore } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { type Event, type Random, seeded, session } from './sessions.ts';

const NOTES = 20_000;
/** notes in the store when its index is counted and rebuilt; those beyond the imported ones are inserted by SQL */
const MANY_NOTES = 50_000;
const LONG_NOTES = 150;
const LONG = 100_000;
const HOOK_EVERY_MS = 50;
const HEALTH_EVERY_MS = 250;
/** most requests that wait for an answer at a time, in case the server does not answer at all */
const MAX_UNANSWERED = 500;
const LIMIT = { max: 50 };

type Watched = { hooks: number[]; health: number[]; seconds: number; said: string; ownDelayMs: number };

/**
 * Measures how long a tool call and /health wait for their answer while the database has long work to do. Requests are
 * sent at fixed intervals, whether or not the earlier ones are answered, so that a long stop shows in all requests that
 * fall into it. A separate `lore` process asks for the work, so that this process is free to measure.
 *
 * @param folder folder for the files that are imported and exported
 */
export async function benchBusy(where: string, lore: Lore, folder: string): Promise<Row[]> {
  const file = join(folder, 'notes.jsonl');
  writeFileSync(file, Array.from({ length: NOTES }, (_, n) => `${JSON.stringify(note(n))}\n`).join(''));
  const longFile = join(folder, 'long.jsonl');
  const longText = (n: number) => {
    const { content } = note(n);
    return `${n} ${content} `.repeat(Math.ceil(LONG / content.length)).slice(0, LONG);
  };
  writeFileSync(
    longFile,
    Array.from(
      { length: LONG_NOTES },
      (_, n) => `${JSON.stringify({ ...note(n), content: longText(n) })}\n`,
    ).join(''),
  );
  const cli = async (...args: string[]) => {
    const { code, said } = await lore.cli(...args);
    return code === 0 ? '' : `, exit ${code}: ${said.split('\n').at(-1)?.slice(0, 80)}`;
  };
  const nothing = (ms: number) => async () => {
    await sleep(ms);
    return '';
  };
  const again = (path: string) => async () => {
    const end = performance.now() + 5_000;
    do await lore.get(path);
    while (performance.now() < end);
    return '';
  };
  const activities: [string, () => Promise<string>][] = [
    ['nothing', nothing(10_000)],
    ['lore sql', () => cli('sql', 'select count(*) from generate_series(1, 60000000)')],
    [`lore import of ${NOTES} notes`, () => cli('import', file)],
    ['embedding them, 20 s of it', nothing(20_000)],
    [`lore import of ${LONG_NOTES} notes of ${LONG} characters`, () => cli('import', longFile)],
    ['lore export', () => cli('export', join(folder, 'export.jsonl'))],
    [`insert notes by SQL, up to ${MANY_NOTES}`, () => insertNotes(lore, MANY_NOTES - NOTES)],
    ['lore doctor', () => cli('doctor')],
    ['GET /v1/metrics, again and again', again('/v1/metrics')],
    ['GET /v1/index, again and again', again('/v1/index')],
    ['lore reindex', () => cli('reindex', '--no-wait')],
    ['embedding all anew, 20 s of it', nothing(20_000)],
  ];
  const random = seeded(8);
  await play(lore, random, 300, 1);
  const calls = toolCalls(random);
  const rows: Row[] = [];
  let ownDelayMs = 0;
  for (const [name, work] of activities) {
    console.error(`  ${where}: ${name} …`);
    const watched = await watch(lore, calls, work);
    const what = `${where}, ${name} (${watched.seconds.toFixed(1)} s${watched.said})`;
    rows.push(percentiles(`${what}: hooks`, watched.hooks, LIMIT));
    rows.push(percentiles(`${where}, ${name}: GET /health`, watched.health, LIMIT));
    ownDelayMs = Math.max(ownDelayMs, watched.ownDelayMs);
  }
  return [...rows, row(`${where}: longest stop of the measuring process itself`, ownDelayMs, 'ms')];
}

/** Inserts notes by the console, in pieces that take it less time than its limit. */
async function insertNotes(lore: Lore, count: number): Promise<string> {
  const piece = 200;
  for (let n = 0; n < count; n += piece) {
    await lore.post('/v1/sql', {
      write: true,
      query: `insert into notes (project_id, channel, content, created_at)
        select p.id, 'bench', 'note ' || n || ' about ' || md5(n::text), now() - make_interval(secs => n)
        from (select id from projects order by id limit 1) p, generate_series(${n + 1}, ${n + piece}) n`,
    });
  }
  return '';
}

/** Yields tool calls without end: PreToolUse of Bash, and PostToolUse of any tool. */
function* toolCalls(random: Random): Generator<Event, never> {
  for (;;) {
    for (const event of session(random, { turns: 4, calls: 15 })) {
      const name = event.hook_event_name;
      if (name === 'PostToolUse' || (name === 'PreToolUse' && event.tool_name === 'Bash')) yield event;
    }
  }
}

async function watch(
  lore: Lore,
  calls: Generator<Event, never>,
  work: () => Promise<string>,
): Promise<Watched> {
  const hooks: number[] = [];
  const health: number[] = [];
  const unanswered = new Set<Promise<void>>();
  const send = (times: number[], ask: () => Promise<number>) => {
    if (unanswered.size >= MAX_UNANSWERED) return;
    const sent = performance.now();
    const answered = ask()
      // a refused request has waited too
      .catch(() => performance.now() - sent)
      .then((ms) => {
        times.push(ms);
        unanswered.delete(answered);
      });
    unanswered.add(answered);
  };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const timers = [
    setInterval(() => send(hooks, async () => (await lore.hook(calls.next().value)).client), HOOK_EVERY_MS),
    setInterval(() => send(health, async () => (await lore.get('/health')).timing.client), HEALTH_EVERY_MS),
  ];
  const started = performance.now();
  try {
    const said = await work();
    const seconds = (performance.now() - started) / 1_000;
    return { hooks, health, seconds, said, ownDelayMs: delay.max / 1e6 - 5 };
  } finally {
    for (const timer of timers) clearInterval(timer);
    delay.disable();
    await Promise.all(unanswered);
  }
}
