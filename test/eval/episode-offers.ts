// Who is told of earlier work? Starts a server on an empty folder, plays the first sessions of histories (eval/sets/histories)
// into one project, and sends prompts through the hook: the ones that their second sessions begin with, which are about the
// same matter, and prompts about other matters. It measures, has no bars, and takes some minutes.
//   npm run eval:episode-offers -- [histories] [--show]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLore } from '../bench/lore.ts';
import { newStore } from '../bench/store.ts';
import { jsonLines } from './json-lines.ts';
import { openSession } from './learning/play.ts';
import { readStories } from './learning/stories.ts';

/** How sure each query found its episode. */
const remembered = new Map<string, number>();

const ROOT = '/home/dev/app';
const set =
  process.argv.find((arg) => arg.includes('/') && process.argv.indexOf(arg) > 1) ??
  'test/eval/sets/histories';
const most = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 60);
const show = process.argv.includes('--show');
const scratch = mkdtempSync(join(tmpdir(), 'lore-eval-'));
const lore = await startLore(await newStore(join(scratch, 'home'), undefined));
try {
  const stories = readStories(set)
    .stories.filter(({ A, B }) => A && B?.prompt)
    .filter((_, i) => i % 3 === 0)
    .slice(0, most);
  for (const { A } of stories) {
    const session = openSession(lore, ROOT, join(scratch, 'projects'));
    await session.play({ t: 'start' }, ...A, { t: 'end' });
  }
  await lore.settled();
  for (;;) {
    const [{ n }] = (await lore.sql('select count(*)::int as n from episode_cuts')) as [{ n: number }];
    if (n === 0) break;
    await new Promise((done) => setTimeout(done, 500));
  }
  await lore.settled();
  const stored = await lore.sql(
    'select type, outcome, count(*)::int as n from episodes group by 1, 2 order by 1, 2',
  );
  console.log('episodes', stored.map(({ type, outcome, n }) => `${type} ${outcome} ${n}`).join(', '));
  if (show) {
    const rows = await lore.sql(
      'select type, complexity, outcome, description, error, last_message, files_modified, steps from episodes order by started_at',
    );
    for (const row of rows) console.log(JSON.stringify(row));
  }
  const unrelated = otherPrompts();
  let told = 0;
  for (const prompt of unrelated) {
    const lines = await offeredFor(prompt);
    if (lines.length > 0) told++;
    for (const line of lines) console.log(`unasked: ${prompt} → ${line}`);
  }
  let related = 0;
  for (const { B } of stories) {
    const lines = await offeredFor(B.prompt);
    if (lines.length > 0) related++;
    if (show) for (const line of lines) console.log(`told: ${B.prompt} → ${line}`);
  }
  console.log({ unrelated: unrelated.length, told, relatedPrompts: stories.length, toldOfWork: related });
  for (const limit of [0.42, 0.46, 0.5, 0.54, 0.58]) {
    const over = async (prompts: string[]) => {
      let n = 0;
      for (const prompt of prompts) if ((await best(prompt)) >= limit) n++;
      return n;
    };
    console.log(limit, {
      unrelated: await over(unrelated),
      related: await over(stories.map(({ B }) => B.prompt)),
    });
  }
} finally {
  await lore.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function otherPrompts(): string[] {
  const { unrelated } = JSON.parse(readFileSync('test/eval/sets/histories/prompts.json', 'utf8'));
  const pairs = jsonLines<{ next: string; new: boolean }>('test/eval/sets/episodes/boundaries.jsonl');
  const begun = pairs.filter((pair) => pair.new);
  return [...new Set<string>([...unrelated, ...begun.map(({ next }) => next)])];
}

async function ask(path: string, body: object) {
  const answer = await fetch(lore.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${lore.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Each prompt is the first of a session. */
async function offeredFor(prompt: string): Promise<string[]> {
  const event = { session_id: crypto.randomUUID(), cwd: ROOT, hook_event_name: 'UserPromptSubmit', prompt };
  const { hookSpecificOutput: said } = (await ask('/v1/hooks', event)) as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  const text = said?.additionalContext ?? '';
  return text
    .split('\n')
    .filter((line) => /^\s*\d+\. \[(?:feature|bugfix|refactor|investigation), /.test(line));
}

async function best(query: string): Promise<number> {
  const known = remembered.get(query);
  if (known !== undefined) return known;
  type Found = {
    results: { similarity: number | null; metadata: { type: string; factors: { lexical: number } } }[];
  };
  const { results } = (await ask('/v1/search', {
    query,
    kinds: ['episode'],
    project: ROOT,
    explain: true,
    limit: 3,
  })) as Found;
  const told = results.filter(({ metadata }) => metadata.type !== 'question');
  const sure = Math.max(
    0,
    ...told.map(({ similarity, metadata }) => (similarity ?? 0) + 0.2 * metadata.factors.lexical),
  );
  remembered.set(query, sure);
  return sure;
}
