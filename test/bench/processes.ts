import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type Lore, root, startLore } from './lore.ts';
import { median, type Row, row } from './measure.ts';
import { seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

/**
 * Measures the time from the start of the process until /health answers ok, on a folder with data. The first run warms
 * the page cache.
 */
export async function benchStart(store: Store): Promise<Row[]> {
  const times: number[] = [];
  for (let run = 0; run < 6; run++) {
    const lore = await startLore(store);
    if (run > 0) times.push(lore.startMs);
    await lore.stop();
  }
  return [row('to /health ok, median of 5', Math.round(median(times)), 'ms', 2000)];
}

/**
 * Measures the wall time of the session-start hook in a project with lessons, and that of a Node process that does
 * nothing. Both are interleaved.
 */
export async function benchSessionStart(lore: Lore): Promise<Row[]> {
  const script = join(root, 'hooks/session-start');
  for (const event of session(seeded(4), { turns: 4, calls: 15, cwd: root })) await lore.hook(event);
  await lore.settled();
  const key = readFileSync(join(lore.env.LORE_HOME as string, 'key'), 'utf8').trim();
  const gone = `http://127.0.0.1:${await freePort()}`;
  const times: Record<'nothing' | 'up' | 'down', number[]> = { nothing: [], up: [], down: [] };
  for (let run = -3; run < 30; run++) {
    const nothing = await wallTime(['-e', '0'], {});
    const up = await wallTime([script], { LORE_URL: lore.url, LORE_KEY: key });
    const down = await wallTime([script], { LORE_URL: gone, LORE_KEY: key });
    if (run < 0) continue;
    times.nothing.push(nothing);
    times.up.push(up);
    times.down.push(down);
  }
  const nothing = median(times.nothing);
  return [
    row('node -e 0', nothing, 'ms'),
    row('the hook, server answering', median(times.up), 'ms', nothing * 2),
    row('the hook, server down', median(times.down), 'ms', nothing * 1.5 + 50),
  ];
}

/** Returns the wall time in milliseconds of a Node process that reads a SessionStart event from its standard input. */
function wallTime(args: string[], env: Record<string, string>): Promise<number> {
  const input = {
    hook_event_name: 'SessionStart',
    session_id: crypto.randomUUID(),
    source: 'startup',
    cwd: root,
  };
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.on('error', () => {}); // `node -e 0` does not read it
  child.stdin.end(JSON.stringify(input));
  return new Promise((resolve) => child.once('close', () => resolve(performance.now() - started)));
}
