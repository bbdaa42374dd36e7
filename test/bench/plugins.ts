import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Lore, root } from './lore.ts';
import { median, percentiles, type Row, row } from './measure.ts';

const run = promisify(execFile);
const CALLS = 30;
const ROUNDS = 5;
/** The first calls of a session are slower, because programs are read from the disk. */
const FIRST = 5;
const SIDES = ['without hooks', 'http hooks of lore init', 'plugin lore', 'plugin lore-fast'] as const;
type Side = (typeof SIDES)[number];

/**
 * Measures Bash calls in the real client against a scripted model, from one request to the model to the next, with each
 * way to have Lore's hooks. The ways take turns, because the load of the machine changes.
 *
 * @param harness program `run.sh PROJECT SCRIPT.json PROMPT` that runs the client in a project and leaves requests.jsonl
 *   in $OUT
 */
export async function benchPlugins(lore: Lore, harness: string, folder: string): Promise<Row[]> {
  const claude = process.env.CLAUDE_BIN ?? join(tmpdir(), 'real-client/node_modules/.bin/claude');
  const script = join(folder, 'script.json');
  const calls = Array.from({ length: CALLS }, (_, n) => ({
    tool: 'Bash',
    input: { command: `echo ${n}`, description: 'count' },
  }));
  writeFileSync(script, JSON.stringify({ turns: [...calls, { text: 'ok' }] }));
  const { key } = JSON.parse((await lore.post('/v1/keys', { name: 'bench', scope: 'hooks' })).text);
  const place = (side: Side) => ({ project: join(folder, side, 'app'), home: join(folder, side, 'home') });
  for (const side of SIDES) {
    const { project, home } = place(side);
    for (const dir of [project, home]) mkdirSync(dir, { recursive: true });
    if (side === 'http hooks of lore init')
      await run(process.execPath, ['bin/lore.js', 'init', project], { cwd: root, env: lore.env });
    if (!side.startsWith('plugin ')) continue;
    const options = ['--config', `key=${key}`, '--config', `url=${lore.url}`];
    const args = ['plugin', 'install', side.slice('plugin '.length), '--marketplace', join(root, 'hooks')];
    await run(claude, [...args, ...options], {
      env: { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    });
  }
  const stored = async () => Number((await lore.sql('select count(*)::int as n from events'))[0]?.n);
  const times = new Map<Side, number[]>(SIDES.map((side) => [side, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const side of SIDES) {
      const before = await stored();
      const out = join(folder, side, `out-${round}`);
      const { project, home } = place(side);
      const env = { ...process.env, OUT: out, CC_HOME: home, CLAUDE_BIN: claude, ISOLATE: '0' };
      await run(harness, [project, script, 'Count to thirty'], { env });
      const events = (await stored()) - before;
      if (side === 'without hooks' ? events > 0 : events < CALLS) throw new Error(`${events} events ${side}`);
      const sent = readFileSync(join(out, 'requests.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ kind }) => kind === 'main')
        .map(({ t }) => Number(t));
      const gaps = sent.slice(1).map((t, i) => t - (sent[i] as number));
      if (round >= 0) times.get(side)?.push(...gaps.slice(FIRST));
    }
  }
  const bare = median(times.get('without hooks') ?? []);
  return SIDES.flatMap((side) => {
    const taken = times.get(side) ?? [];
    const cost = row(`— its share: median over that without hooks`, median(taken) - bare, 'ms');
    return [percentiles(`one Bash call, ${side}`, taken), ...(side === 'without hooks' ? [] : [cost])];
  });
}
