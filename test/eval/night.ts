// Does the night merge what says the same, and only that? Imports generated lessons with known truth into a server,
// lets one night run, and counts. `npm run eval:night`; `-- --check` ends with 1 below the bars.
//   … --seed <n>        other lessons
//   … --groups <n>      more of them
//   … --details <file>  wrong merges, missed pairs, wrongly closed lessons
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLore } from '../bench/lore.ts';
import { seeded } from '../bench/sessions.ts';
import { newStore } from '../bench/store.ts';
import { generate, type Lesson, recordOf } from './night/history.ts';
import { type Merge, scoreNight } from './night/score.ts';
import { CHOSEN_WITH, MEASURED_WITH, type Topic } from './night/topics.ts';

const PAGE = 200;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    groups: { type: 'string', default: '200' },
    details: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});

const scratch = mkdtempSync(join(tmpdir(), 'lore-eval-'));
const lore = await startLore(await newStore(join(scratch, 'home'), undefined));
const details: Record<string, unknown> = {};
try {
  await lore.settled();
  const sets: [string, Topic[]][] = [
    ['topics that the rules were chosen with', CHOSEN_WITH],
    ['other topics', MEASURED_WITH],
  ];
  for (const [name, topics] of sets) {
    const lessons = generate(topics, Number(options.groups), seeded(Number(options.seed)));
    const { figures, wrong } = scoreNight(lessons, await night(name, lessons));
    console.log(`${name}:`);
    for (const [what, value] of Object.entries(figures)) console.log(`  ${what.padEnd(44)} ${value}`);
    details[name] = wrong;
    const { precision, recall, contradictionsMerged } = figures;
    if (options.check && (precision < 0.98 || recall < 0.9 || contradictionsMerged > 0)) process.exitCode = 1;
  }
  if (options.details) writeFileSync(options.details, JSON.stringify(details, null, 2));
} finally {
  await lore.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** Imports lessons into a project of their own and lets a night run. Returns what it did. */
async function night(project: string, lessons: Lesson[]): Promise<Merge[]> {
  const records = lessons.map((lesson) => recordOf(lesson, project));
  for (let n = 0; n < records.length; n += PAGE)
    await lore.post('/v1/import', { records: records.slice(n, n + PAGE) });
  await lore.settled();
  const { code, said } = await lore.cli('--json', 'consolidate');
  if (code !== 0) throw new Error(said);
  for (;;) {
    const run = JSON.parse((await lore.get('/v1/consolidation/runs/last')).text);
    if (run.finishedAt !== null) return run.items;
    await sleep(200);
  }
}
