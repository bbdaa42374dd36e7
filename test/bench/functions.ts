import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { type RunningFunction, startFunction } from '../support/deno-process.ts';
import { median, percentiles, type Row, row } from './measure.ts';
import type { Store } from './store.ts';

/** What Supabase gives a function: memory in MB, and processor time for a request in ms. */
const LIMITS = { memory: 256, cpu: 2_000 };
const STARTS = 3;
const CALLS = 100;
const TICKS_PER_SECOND = 100;

/** Measures Edge Functions under Deno, on Linux: cold start, memory, and what a hook and a turn of work cost. */
export async function benchFunctions({ databaseUrl }: Store, folder: string): Promise<Row[]> {
  execFileSync(process.execPath, ['scripts/build-functions.js']);
  const db = await openDatabase({ databaseUrl, home: folder });
  await migrateDatabase(db, databaseUrl);
  await db.close();
  const [key, secret] = [randomUUID(), randomUUID()];
  const env = {
    DATABASE_URL: databaseUrl as string,
    LORE_SECRET: secret,
    LORE_KEY: key,
    LORE_WAKE_SECRET: secret,
  };
  const cache = join(folder, 'deno');
  mkdirSync(cache);
  const post = async (url: string, bearer: string, body: object) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const session = randomUUID();
  const event = (hook_event_name: string, fields: object) => ({
    session_id: session,
    transcript_path: '/nonexistent/transcript.jsonl',
    cwd: '/home/dev/app',
    hook_event_name,
    ...fields,
  });
  const hook = (at: RunningFunction, body: object) => post(`${at.url}/v1/hooks`, key, body);
  const call = () => ({
    tool_name: 'Bash',
    tool_input: { command: 'git status' },
    tool_use_id: `toolu_${randomUUID()}`,
  });

  const cold = {
    listening: [] as number[],
    answered: [] as number[],
    cpu: [] as number[],
    rss: [] as number[],
  };
  // what Deno compiled is kept, as a platform keeps it; so the first start is not counted
  for (let n = 0; n <= STARTS; n++) {
    const begun = performance.now();
    const api = await startFunction('api', env, cache);
    const listening = performance.now() - begun;
    await hook(api, event('PreToolUse', call()));
    const answered = performance.now() - begun;
    if (n > 0) {
      cold.listening.push(listening);
      cold.answered.push(answered);
      cold.cpu.push(cpuMs(api.pid));
      cold.rss.push(rssMb(api.pid));
    }
    api.stop();
  }

  const [api, work] = [await startFunction('api', env, cache), await startFunction('work', env, cache)];
  try {
    await hook(api, event('PreToolUse', call()));
    const before = cpuMs(api.pid);
    const times: number[] = [];
    for (let n = 0; n < CALLS; n++) {
      const begun = performance.now();
      await hook(api, event('PreToolUse', call()));
      times.push(performance.now() - begun);
    }
    const cpuOfCall = (cpuMs(api.pid) - before) / CALLS;
    const failed = { ...call(), error: 'Exit code 1\nError: no such table: users', is_interrupt: false };
    await hook(api, event('PostToolUseFailure', failed));
    await hook(api, event('PostToolUse', { ...call(), tool_response: { stdout: 'ok', stderr: '' } }));
    await hook(
      api,
      event('Stop', { last_assistant_message: 'The table was missing.', background_tasks: [] }),
    );
    const idle = cpuMs(work.pid);
    await post(work.url, secret, {});
    const cpuOfWork = cpuMs(work.pid) - idle;
    return [
      row(`api: until it listens, median of ${STARTS}`, median(cold.listening), 'ms'),
      row('api: until the first hook is answered', median(cold.answered), 'ms'),
      row('api: processor time until then', median(cold.cpu), 'ms', LIMITS.cpu),
      row('api: resident memory then', median(cold.rss), 'MB', LIMITS.memory),
      percentiles('api: hook before a call', times),
      row('api: processor time of such a hook', cpuOfCall, 'ms', LIMITS.cpu),
      row(`api: resident memory after ${CALLS} hooks`, rssMb(api.pid), 'MB', LIMITS.memory),
      row('work: processor time for a session with an error', cpuOfWork, 'ms', LIMITS.cpu),
      row('work: resident memory', rssMb(work.pid), 'MB', LIMITS.memory),
    ];
  } finally {
    api.stop();
    work.stop();
  }
}

/** Processor time of a process since its start, in ms. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
