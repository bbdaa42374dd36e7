import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { jsonLines } from '../eval/json-lines.ts';
import type { Lore } from './lore.ts';
import { percentiles, type Row } from './measure.ts';

const SETS = [
  'seen/written-with-the-rules',
  'unseen/deploy-tools',
  'unseen/daily-work',
  'unseen/cloud-tools',
];

/** Measures verdicts on the commands of eval/sets: by the rules in this process, over HTTP, and from the cache. */
export async function benchCommands(lore: Lore): Promise<Row[]> {
  const commands = SETS.flatMap((name) =>
    jsonLines<{ command: string }>(`test/eval/sets/commands/${name}.jsonl`).map(({ command }) => command),
  );
  const cwd = '/home/dev/project';
  const place = { cwd, root: cwd, home: '/home/dev', tmp: '/tmp' };
  const judge = () =>
    commands.map((command) => {
      const start = performance.now();
      judgeByPolicy(command, place, builtinPolicy);
      return performance.now() - start;
    });
  const first = judge();
  const later = judge();
  const check = async (command: string) =>
    (await lore.post('/v1/commands/check', { command, cwd })).timing.server;
  const checked: number[] = [];
  for (const command of commands) checked.push(await check(command));
  const { text } = await lore.post('/v1/commands/check', { command: 'unheard-of', cwd });
  await lore.post('/v1/commands/overrule', { code: JSON.parse(text).code, decision: 'allow' });
  const cached: number[] = [];
  for (let n = 0; n < 300; n++) cached.push(await check('unheard-of'));
  return [
    percentiles('rules, in process, the first time', first),
    percentiles('rules, in process', later, { p95: 1 }),
    percentiles('POST /v1/commands/check, in the server', checked, { p95: 8 }),
    percentiles('the same, from the cache', cached, { p95: 5 }),
  ];
}
