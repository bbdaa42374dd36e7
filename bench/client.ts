import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { play } from './hooks.ts';
import { type Lore, root } from './lore.ts';
import { median, type Row, row } from './measure.ts';
import { seeded } from './sessions.ts';

const run = promisify(execFile);
const CALLS = 30;
const PAIRS = 5;

/**
 * Thirty Bash calls in the genuine client against a scripted model, with Lore's hooks and without, interleaved.
 *
 * @param harness `run.sh PROJECT SCRIPT.json PROMPT`: runs the client in a project and leaves `wall_ms` in $OUT
 */
export async function benchClient(lore: Lore, harness: string, folder: string): Promise<Row[]> {
  await play(lore, seeded(5), 1_000, 1); // a server that has run for a while, not one that has just started
  const script = join(folder, 'script.json');
  const call = (n: number) => ({ tool: 'Bash', input: { command: `echo ${n}`, description: 'count' } });
  writeFileSync(
    script,
    JSON.stringify({ turns: [...Array.from({ length: CALLS }, (_, n) => call(n)), { text: 'ok' }] }),
  );
  const projects = { with: join(folder, 'with'), without: join(folder, 'without') };
  for (const project of Object.values(projects)) mkdirSync(project);
  await run(process.execPath, ['bin/lore.js', 'init', projects.with], { cwd: root, env: lore.env });

  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const stored = async () => Number((await lore.sql('select count(*)::int as n from events'))[0]?.n);
  for (let pair = -1; pair < PAIRS; pair++) {
    for (const side of ['without', 'with'] as const) {
      const before = await stored();
      const out = join(folder, `${side}-${pair}`);
      const env = { ...process.env, OUT: out, CC_HOME: join(folder, 'client'), ISOLATE: '0' };
      await run(harness, [projects[side], script, 'Count to thirty'], { env });
      const events = (await stored()) - before;
      if (side === 'with' ? events < 2 * CALLS : events > 0)
        throw new Error(`${events} events ${side} hooks`);
      if (pair >= 0) times[side].push(Number(readFileSync(join(out, 'wall_ms'), 'utf8')));
    }
  }
  const [hooked, bare] = [median(times.with), median(times.without)];
  return [
    row(`${CALLS} Bash calls without hooks, median of ${PAIRS}`, bare, 'ms'),
    row(`${CALLS} Bash calls with hooks`, hooked, 'ms'),
    row('cost of a call, session start included', (hooked - bare) / CALLS, 'ms', 20),
  ];
}
