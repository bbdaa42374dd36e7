import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { play } from './hooks.ts';
import type { Lore } from './lore.ts';
import { type Row, row } from './measure.ts';
import { type Event, seeded, session } from './sessions.ts';

const CALLS = 300;
const PROMPTS = 40;
/** what is stored after the last answer counts too: quiet calls wait ten seconds for more */
const STORING_MS = 12_000;
/** A client that works makes a call about as often. */
const PACE_MS = 2_000;
const PACED = 20;
const IDLE_MS = 5_000;
/** Measured is when a server at rest uses less of a core than this, or after so many pauses. */
const CALM = 0.02;
const MAX_RESTS = 60;

/**
 * Measures the server's processor time in all threads, storing included and without what it uses when nobody calls: for
 * a tool call that is new (before and after it), for the same call again, and for a prompt. Beside them a server that does
 * nothing is asked as often as for a call: how much that takes tells how busy the machine is. Linux only.
 */
export async function benchCpu(lore: Lore): Promise<Row[]> {
  await play(lore, seeded(6), 600, 1);
  await lore.settled();
  await sleep(STORING_MS);
  const [start] = session(seeded(7), { turns: 1, calls: 0 });
  await lore.hook(start as Event);
  const { session_id, transcript_path, cwd } = start as Event;
  const base = { session_id, transcript_path, cwd, permission_mode: 'default' };
  let calls = 0;
  const call = async (command: string) => {
    const about = {
      ...base,
      tool_name: 'Bash',
      tool_input: { command, description: 'run it' },
      tool_use_id: `toolu_cpu_${calls++}`,
    };
    await lore.hook({ ...about, hook_event_name: 'PreToolUse' });
    await lore.hook({
      ...about,
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: `42 build.js\nstep ${calls}`, stderr: '', interrupted: false },
    });
  };
  const prompt = (n: number) =>
    lore.hook({
      ...base,
      hook_event_name: 'UserPromptSubmit',
      prompt_id: crypto.randomUUID(),
      prompt: `The cart total is wrong when line ${n} has no price. Find out why and mend it, with a test.`,
    });
  for (let n = 0; n < 50; n++) await call(`wc -l build.js && echo warm ${n}`);
  await sleep(STORING_MS);
  // what was stored is read for lessons, cut into episodes and embedded behind it
  let resting = await used(lore.pid, () => sleep(IDLE_MS));
  for (let n = 0; n < MAX_RESTS && resting.all > CALM * resting.seconds; n++)
    resting = await used(lore.pid, () => sleep(IDLE_MS));
  const idle = { main: resting.main / resting.seconds, all: resting.all / resting.seconds };
  const mine = { pid: lore.pid, idle };
  const rows: Row[] = [];
  const measure = async (
    what: string,
    count: number,
    one: (n: number) => Promise<unknown>,
    limit?: number,
    { pid, idle }: { pid: number; idle: { main: number; all: number } } = mine,
  ) => {
    const busy = await used(pid, async () => {
      for (let n = 0; n < count; n++) {
        await one(n);
        await sleep(5);
      }
      await sleep(STORING_MS);
    });
    const per = (part: 'main' | 'all') => ((busy[part] - idle[part] * busy.seconds) * 1_000) / count;
    rows.push(
      row(`${what}, all threads`, per('all'), 'ms', limit),
      row('— its main thread', per('main'), 'ms'),
    );
  };
  const nothing = await startNothing();
  const twice = async () => {
    for (let n = 0; n < 2; n++) await (await fetch(nothing.url, { method: 'POST', body: '{}' })).text();
  };
  await measure('a server that does nothing, two requests', CALLS, twice, undefined, nothing);
  nothing.stop();
  await measure(
    'a new trivial command, Pre and Post',
    CALLS,
    (n) => call(`wc -l build.js && echo step ${n}`),
    3,
  );
  await measure('the same command again', CALLS, () => call('wc -l build.js && echo step 1'), 1);
  await measure('a new command every two seconds', PACED, async (n) => {
    await call(`wc -l build.js && echo paced ${n}`);
    await sleep(PACE_MS);
  });
  await measure('a prompt', PROMPTS, prompt, 5);
  rows.push(row('nobody calls', idle.all * 1_000, 'ms/s'));
  return rows;
}

/** A server in a process of its own that answers `{}` to everything. */
const NOTHING = `require('node:http')
  .createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

async function startNothing() {
  const child = spawn(process.execPath, ['-e', NOTHING], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  const idle = { main: 0, all: 0 };
  return { pid: child.pid as number, url: `http://127.0.0.1:${port}`.trim(), idle, stop: () => child.kill() };
}

/** Returns how long some work took and which processor time the server used meanwhile, in seconds. */
async function used(pid: number, work: () => Promise<unknown>) {
  const before = cpuOf(pid);
  const started = performance.now();
  await work();
  const after = cpuOf(pid);
  const seconds = (performance.now() - started) / 1_000;
  return { seconds, main: after.main - before.main, all: after.all - before.all };
}

/** The processor time of a process's threads in seconds, to the nanosecond as the scheduler counts it. */
function cpuOf(pid: number): { main: number; all: number } {
  const of = (thread: string | number) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  return {
    main: of(pid),
    all: readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + of(thread), 0),
  };
}
