// Is an agent told the decisions and findings that a prompt wants, and with a prompt none that it does not want? Starts a
// server on an empty folder, states the records of eval/sets/offers over the API, and plays sessions of a start and a prompt
// through the hooks. `decisions` and `findings` were written by somebody who had not seen the thresholds; `conditions` before its
// writer had read the code: three prompts that meet each condition and three that do not, eight conditions a project. Each
// project of the others also gets the prompts of the next. Beside it stands what the vectors would tell, if the
// limit of their nearness is such that 2 % of the prompts that want nothing get something. It measures, and has no bars.
//   npm run eval:offers
//   … --show        also every prompt that got something else than it wants
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { jsonLines } from '../support/json-lines.ts';
import { type Lore, withLore } from './server.ts';

type Prompt = { text: string; wants: string[] };
type Made = { id: string; at: string; body: object };
type Project = { records: Made[]; prompts: Prompt[] };

const IN_PROJECT = 8;
const show = process.argv.includes('--show');
const lines = <T>(name: string) => jsonLines<T>(`test/eval/sets/offers/${name}.jsonl`);

type Condition = { condition: string; action: string; meets: string[]; misses: string[] };
function conditions(): Project[] {
  const all = lines<Condition>('conditions').map(({ condition, action, meets, misses }, i) => ({
    record: { id: `c${i}`, at: '/v1/decisions', body: { condition, action } },
    prompts: [
      ...meets.map((text) => ({ text, wants: [`c${i}`] })),
      ...misses.map((text) => ({ text, wants: [] })),
    ],
  }));
  return Array.from({ length: all.length / IN_PROJECT }, (_, n) => {
    const some = all.slice(n * IN_PROJECT, (n + 1) * IN_PROJECT);
    return { records: some.map(({ record }) => record), prompts: some.flatMap(({ prompts }) => prompts) };
  });
}

type Decided = { prompts: Prompt[]; decisions: { id: string; condition: string; action: string }[] };
type Found = {
  prompts: Prompt[];
  findings: { id: string; severity: string; title: string; description: string }[];
};
const withNext = (projects: Project[]): Project[] =>
  projects.map((one, i) => {
    const next = projects[(i + 1) % projects.length] as Project;
    return { ...one, prompts: [...one.prompts, ...next.prompts.map(({ text }) => ({ text, wants: [] }))] };
  });
const sets: Record<string, Project[]> = {
  conditions: conditions(),
  decisions: withNext(
    lines<Decided>('decisions').map(({ decisions, prompts }) => ({
      prompts,
      records: decisions.map(({ id, ...body }) => ({ id, at: '/v1/decisions', body })),
    })),
  ),
  findings: withNext(
    lines<Found>('findings').map(({ findings, prompts }) => ({
      prompts,
      records: findings.map(({ id, severity, title, description: detail }) => ({
        ...{ id, at: '/v1/findings' },
        body: { severity, title, detail },
      })),
    })),
  ),
};

await withLore(async (lore) => {
  const table: Record<string, object> = {};
  for (const [name, projects] of Object.entries(sets)) table[name] = await measure(lore, name, projects);
  console.table(table);
});

async function measure({ ask, hook, settled }: Lore, set: string, projects: Project[]) {
  const names = new Map<string, string>();
  const folderOf = (i: number) => `/home/dev/${set}-${i}`;
  for (const [i, { records }] of projects.entries()) {
    await ask('POST', '/v1/projects', { name: folderOf(i) });
    for (const { id, at, body } of records) {
      const made = await ask('POST', at, { project: folderOf(i), ...body });
      names.set(made.id.slice(0, 8), id);
    }
  }
  await settled();
  /** Returns how near a project's records are to a prompt. */
  const likenessOf = async (project: string, query: string) => {
    type Result = { id: string; similarity: number | null };
    const found = await ask<{ results: Result[] }>('POST', '/v1/search', { query, project, limit: 30 });
    return new Map(found.results.map(({ id, similarity }) => [names.get(id.slice(0, 8)), similarity ?? 0]));
  };
  let [tokens, wanted, atStart, told, idle, disturbed] = [0, 0, 0, 0, 0, 0];
  const near: number[] = [];
  const far: number[] = [];
  for (const [i, { prompts }] of projects.entries()) {
    for (const { text: prompt, wants } of prompts) {
      const session_id = crypto.randomUUID();
      const say = async (event: object) => {
        const { additionalContext: text = '' } = await hook({ session_id, cwd: folderOf(i), ...event });
        const ids = [...text.matchAll(/\(lore:([0-9a-f]{8})/g)].flatMap(([, id = '']) => names.get(id) ?? []);
        return { tokens: estimateTokens(text), ids };
      };
      const start = await say({ hook_event_name: 'SessionStart', source: 'startup' });
      const { ids } = await say({ hook_event_name: 'UserPromptSubmit', prompt });
      tokens += start.tokens / prompts.length;
      wanted += wants.length;
      atStart += wants.filter((id) => start.ids.includes(id)).length;
      told += wants.filter((id) => start.ids.includes(id) || ids.includes(id)).length;
      if (wants.length === 0) idle += 1;
      const likeness = await likenessOf(folderOf(i), prompt);
      if (wants.length === 0) far.push(Math.max(0, ...likeness.values()));
      for (const id of wants) near.push(likeness.get(id) ?? 0);
      if (wants.length === 0 && ids.length > 0) disturbed += 1;
      if (show && ids.join() !== wants.join()) console.log(`${ids} instead of ${wants}: ${prompt}`);
    }
  }
  const limit = far.sort((a, b) => b - a)[Math.floor(far.length / 50)] ?? 0;
  const percent = (n: number, of: number) => Math.round((1000 * n) / of) / 10;
  return {
    wanted,
    'told %': percent(told, wanted),
    'at the start %': percent(atStart, wanted),
    'tokens of a start': Math.round(tokens / projects.length),
    'prompts that want none': idle,
    'of these told something %': percent(disturbed, idle),
    'vectors would tell %': percent(near.filter((value) => value > limit).length, wanted),
  };
}
