// Does the right skill come with a prompt, and none with any other? Starts a server on an empty folder, gives it the
// skills of eval/sets/skills, and sends prompts through the hook: one for each skill, in other words than its
// description, and those of eval/sets/histories, which were written without skills in mind. It measures, has no bars, and
// takes half a minute.
//   npm run eval:skills
//   … --sure        also what limits on `similarity + 0.2 × lexical` would do, and what comes near

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLore } from '../bench/lore.ts';
import { newStore } from '../bench/store.ts';
import { insisting } from '../support/asking.ts';
import { jsonLines } from '../support/json-lines.ts';

type Skill = { name: string; description: string; prompt: string };
type Answer = { hookSpecificOutput?: { additionalContext?: string } };
type Found = { similarity: number; metadata: { name: string; factors: { lexical: number } } };

const skills = jsonLines<Skill>('test/eval/sets/skills/skills.jsonl');
const others = otherPrompts();
const scratch = mkdtempSync(join(tmpdir(), 'lore-eval-'));
const lore = await startLore(await newStore(join(scratch, 'home'), undefined));
try {
  for (const { name, description } of skills)
    await ask('PUT', `/v1/skills/${name}`, {
      file: `---\ndescription: ${JSON.stringify(description)}\n---\n# ${name}\n`,
    });
  await lore.settled();
  let [right, wrong, none, disturbed] = [0, 0, 0, 0];
  for (const { name, prompt } of skills) {
    const offered = await offeredFor(prompt);
    if (offered === name) right++;
    else if (offered === null) none++;
    else wrong++;
    if (offered !== name) console.log(`${offered ?? 'nothing'} instead of ${name}: ${prompt}`);
  }
  for (const prompt of others) {
    const offered = await offeredFor(prompt);
    if (offered === null) continue;
    disturbed++;
    console.log(`${offered}, unasked: ${prompt}`);
  }
  console.log({ skills: skills.length, right, wrong, none, otherPrompts: others.length, disturbed });
  if (process.argv.includes('--sure')) await limits();
} finally {
  await lore.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** The prompts of the histories, and those that are unrelated to all of them. */
function otherPrompts(): string[] {
  type Step = { t: string; text: string };
  type Story = { A?: Step[]; B?: { prompt?: string } };
  const folder = 'test/eval/sets/histories';
  const stories = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => jsonLines<Story>(join(folder, name)));
  const told = stories.flatMap(({ A, B }) => [
    ...(Array.isArray(A) ? A : []).filter(({ t }) => t === 'prompt').map(({ text }) => text),
    ...(B?.prompt ? [B.prompt] : []),
  ]);
  const { unrelated, near } = JSON.parse(readFileSync(join(folder, 'prompts.json'), 'utf8'));
  return [...new Set<string>([...told, ...unrelated, ...near])].sort();
}

function ask<T>(method: string, path: string, body: object): Promise<T> {
  return insisting(lore.url, lore.key)<T>(method, path, body);
}

/** Each prompt is the first of a session. */
async function offeredFor(prompt: string): Promise<string | null> {
  const session = { session_id: crypto.randomUUID(), cwd: '/home/dev/app' };
  const event = { ...session, hook_event_name: 'UserPromptSubmit', prompt };
  const { hookSpecificOutput } = await ask<Answer>('POST', '/v1/hooks', event);
  return /lore skills activate ([\w-]+)/.exec(hookSpecificOutput?.additionalContext ?? '')?.[1] ?? null;
}

async function limits(): Promise<void> {
  const best = async (query: string) => {
    const body = { query, kinds: ['skill'], explain: true, limit: 5 };
    const { results } = await ask<{ results: Found[] }>('POST', '/v1/search', body);
    const sure = results.map((r) => ({
      name: r.metadata.name,
      sure: r.similarity + 0.2 * r.metadata.factors.lexical,
    }));
    return sure.sort((a, b) => b.sure - a.sure)[0] ?? { name: '', sure: 0 };
  };
  const own = [];
  for (const { name, prompt } of skills) own.push({ wanted: name, prompt, ...(await best(prompt)) });
  const near = [];
  for (const prompt of others) near.push({ prompt, ...(await best(prompt)) });
  for (let limit = 0.3; limit < 0.65; limit += 0.02) {
    const over = own.filter(({ sure }) => sure >= limit);
    const right = over.filter(({ name, wanted }) => name === wanted).length;
    const disturbed = near.filter(({ sure }) => sure >= limit).length;
    console.log(limit.toFixed(2), { right, wrong: over.length - right, disturbed });
  }
  for (const one of near.sort((a, b) => b.sure - a.sure).slice(0, 40)) {
    console.log(one.sure.toFixed(2), one.name, '|', one.prompt.slice(0, 100));
  }
}
