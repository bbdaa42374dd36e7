import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { play } from './hooks.ts';
import { type Lore, root } from './lore.ts';
import { median, type Row, row } from './measure.ts';
import { seeded } from './sessions.ts';

const run = promisify(execFile);
const CALLS = 30;
// one run varies by a tenth, which is a third of the measured difference, so many pairs are needed
const PAIRS = 15;

/**
 * Measures thirty Bash calls in the real client against a scripted model: with Lore's hooks, with the same hooks
 * answered by a server that does nothing (the cost of the client's hooks alone), and without hooks. The three are
 * interleaved.
 *
 * @param harness program `run.sh PROJECT SCRIPT.json PROMPT` that runs the client in a project and leaves `wall_ms` in
 *   $OUT
 */
export async function benchClient(lore: Lore, harness: string, folder: string): Promise<Row[]> {
  await play(lore, seeded(5), 1_000, 1); // the server shall have run for a while
  const script = join(folder, 'script.json');
  const call = (n: number) => ({ tool: 'Bash', input: { command: `echo ${n}`, description: 'count' } });
  writeFileSync(
    script,
    JSON.stringify({ turns: [...Array.from({ length: CALLS }, (_, n) => call(n)), { text: 'ok' }] }),
  );
  const projects = {
    with: join(folder, 'with'),
    nothing: join(folder, 'nothing'),
    without: join(folder, 'without'),
  };
  for (const project of Object.values(projects)) mkdirSync(project);
  await run(process.execPath, ['bin/lore.js', 'init', projects.with], { cwd: root, env: lore.env });
  const idle = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  idle.listen(0, '127.0.0.1');
  await new Promise((resolve) => idle.once('listening', resolve));
  const settings = readFileSync(join(projects.with, '.claude/settings.local.json'), 'utf8');
  const idleUrl = `http://127.0.0.1:${(idle.address() as { port: number }).port}`;
  mkdirSync(join(projects.nothing, '.claude'));
  const changed = settings.replaceAll(lore.url, idleUrl);
  writeFileSync(join(projects.nothing, '.claude/settings.local.json'), changed);

  const times: Record<keyof typeof projects, number[]> = { with: [], nothing: [], without: [] };
  const stored = async () => Number((await lore.sql('select count(*)::int as n from events'))[0]?.n);
  for (let pair = -1; pair < PAIRS; pair++) {
    for (const side of ['without', 'nothing', 'with'] as const) {
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
  idle.close();
  const [hooked, empty, bare] = [median(times.with), median(times.nothing), median(times.without)];
  return [
    row(`${CALLS} Bash calls without hooks, median of ${PAIRS}`, bare, 'ms'),
    row(`${CALLS} Bash calls with hooks`, hooked, 'ms'),
    row(`${CALLS} Bash calls with a hook server that does nothing`, empty, 'ms'),
    row('cost of a call, session start included', (hooked - bare) / CALLS, 'ms', 20),
    row("— Lore's own share: over the server that does nothing", (hooked - empty) / CALLS, 'ms', 3),
  ];
}
