// Do the right decisions and findings come with a prompt, and none with any other? Starts a server on an empty folder,
// states the records of eval/sets/offers over the API, and sends the prompts through the hook, each as the first of a
// session. The sets were written by somebody who had not seen the thresholds: half of the prompts want a record, the others
// none, either because they are about other matters or (`near`) because only the words are near. Each project also gets the
// prompts of the others. The limit in src/learnings/recall.ts was chosen on every other project; the rest is kept back, to
// report on. It measures, has no bars, and takes a minute.
//   npm run eval:offers
//   … --show        also every prompt that got something else than it wants
//   … --sweep       also what other limits on `similarity + share × lexical` would do
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLore } from '../bench/lore.ts';
import { newStore } from '../bench/store.ts';
import { jsonLines } from '../support/json-lines.ts';

type Prompt = { text: string; wants: string[]; near?: true };
type Kind = 'decision' | 'finding';
type Project = { project: string; prompts: Prompt[]; decisions?: Decision[]; findings?: Finding[] };
type Decision = { id: string; condition: string; action: string };
type Finding = { id: string; severity: string; title: string; description: string };
type Sure = { id: string; similarity: number; lexical: number };
/** `other`: a prompt of another project */
type Judged = Prompt & { half: number; other: boolean; told: string[]; found: Sure[] };

const show = process.argv.includes('--show');
const sweep = process.argv.includes('--sweep');
/** How many of a kind are told with a prompt, at most. */
const MOST = 2;
const scratch = mkdtempSync(join(tmpdir(), 'lore-eval-'));
const lore = await startLore(await newStore(join(scratch, 'home'), undefined));
try {
  for (const kind of ['decision', 'finding'] as const) {
    const judged = await judgeAll(kind);
    for (const half of [0, 1]) {
      report(
        `${kind}s, ${half === 0 ? 'to choose on' : 'kept back'}`,
        judged.filter((one) => one.half === half),
      );
    }
    report(`${kind}s, all`, judged);
    const told = judged
      .filter(({ other }) => !other)
      .flatMap((one) => one.told.map((id) => one.wants.includes(id)));
    console.log(
      `${kind}s told with a prompt that wants them: ${told.filter(Boolean).length} of ${told.length}`,
    );
    if (sweep) limits(kind, judged);
  }
} finally {
  await lore.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function judgeAll(kind: Kind): Promise<Judged[]> {
  const projects = jsonLines<Project>(`test/eval/sets/offers/${kind}s.jsonl`);
  const names = new Map<string, string>();
  const folderOf = (i: number) => `/home/dev/${kind}-${i}`;
  for (const [i, { decisions = [], findings = [] }] of projects.entries()) {
    for (const { id, condition, action } of decisions) {
      const { id: made } = await ask('/v1/decisions', { project: folderOf(i), condition, action });
      names.set(made.slice(0, 8), id);
    }
    for (const { id, severity, title, description: detail } of findings) {
      const { id: made } = await ask('/v1/findings', { project: folderOf(i), severity, title, detail });
      names.set(made.slice(0, 8), id);
    }
  }
  await lore.settled();
  const judged: Judged[] = [];
  for (const i of projects.keys()) {
    for (const [from, { prompts }] of projects.entries()) {
      const other = from !== i;
      for (const prompt of prompts.map((one) => (other ? { text: one.text, wants: [] } : one))) {
        const told = (await toldWith(folderOf(i), prompt.text)).flatMap((id) => names.get(id) ?? []);
        const found = sweep ? await foundFor(folderOf(i), kind, prompt.text, names) : [];
        const one: Judged = { ...prompt, other, half: i % 2, told, found };
        judged.push(one);
        if (show) tell(one);
      }
    }
  }
  return judged;
}

function tell({ text, wants, near, other, told }: Judged): void {
  if ([...told].sort().join() === [...wants].sort().join()) return;
  const wanted =
    wants.join(', ') || (other ? 'nothing (another project)' : near ? 'nothing (near)' : 'nothing');
  console.log(`${told.join(', ') || 'nothing'} instead of ${wanted}: ${text}`);
}

async function ask<T = { id: string }>(path: string, body: object): Promise<T> {
  const answer = await fetch(lore.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${lore.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Returns the short ids of what is told with a prompt. */
async function toldWith(cwd: string, prompt: string): Promise<string[]> {
  const event = { session_id: crypto.randomUUID(), cwd, hook_event_name: 'UserPromptSubmit', prompt };
  type Answer = { hookSpecificOutput?: { additionalContext?: string } };
  const { hookSpecificOutput: said } = await ask<Answer>('/v1/hooks', event);
  return [...(said?.additionalContext ?? '').matchAll(/\(lore:([0-9a-f]{8})\)/g)].map(([, id = '']) => id);
}

async function foundFor(
  project: string,
  kind: Kind,
  query: string,
  names: Map<string, string>,
): Promise<Sure[]> {
  type Found = { id: string; similarity: number | null; metadata: { factors: { lexical: number } } };
  const body = { query, kinds: [kind], project, explain: true, limit: 10 };
  const { results } = await ask<{ results: Found[] }>('/v1/search', body);
  return results.map(({ id, similarity, metadata }) => ({
    id: names.get(id.slice(0, 8)) ?? id,
    similarity: similarity ?? 0,
    lexical: metadata.factors.lexical,
  }));
}

/** Prints how many of the records that prompts want are told, and which prompts that want none are told something. */
function report(title: string, judged: Judged[]): void {
  console.log(title, countsOf(judged));
}

function countsOf(judged: Pick<Judged, 'wants' | 'near' | 'other' | 'told'>[]) {
  const percent = (n: number, of: number) => `${of === 0 ? 0 : Math.round((1000 * n) / of) / 10} % of ${of}`;
  const asking = judged.filter(({ wants }) => wants.length > 0);
  const wanted = asking.flatMap(({ wants, told }) => wants.map((id) => told.includes(id)));
  const own = judged.filter(({ other }) => !other);
  const told = own.flatMap((one) => one.told.map((id) => one.wants.includes(id)));
  const disturbed = (prompts: typeof judged) =>
    percent(prompts.filter((one) => one.told.length > 0).length, prompts.length);
  const idle = own.filter(({ wants }) => wants.length === 0);
  return {
    recall: percent(wanted.filter(Boolean).length, wanted.length),
    precision: percent(told.filter(Boolean).length, told.length),
    near: disturbed(idle.filter(({ near }) => near)),
    unrelated: disturbed(idle.filter(({ near }) => !near)),
    otherProjects: disturbed(judged.filter(({ other }) => other)),
  };
}

/** What would be told with other limits on `similarity + share × lexical`, on the half to choose on. */
function limits(kind: Kind, judged: Judged[]): void {
  for (const share of [0, 0.2]) {
    for (let limit = 0.2; limit < 0.56; limit += 0.02) {
      const at = judged
        .filter(({ half }) => half === 0)
        .map((one) => {
          const near = one.found
            .map(({ id, similarity, lexical }) => ({ id, sure: similarity + share * lexical }))
            .sort((a, b) => b.sure - a.sure)
            .filter(({ sure }) => sure >= limit);
          return { ...one, told: near.slice(0, MOST).map(({ id }) => id) };
        });
      console.log(kind, share, limit.toFixed(2), JSON.stringify(countsOf(at)));
    }
  }
}
