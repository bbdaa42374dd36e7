// Starts a server, imports memories over HTTP, asks questions, and prints how often the right memories are found: by
// Lore, by BM25 alone and by vectors alone, in one run. Fails when a set misses its bars.
//   npm run eval:search                    runs the sets of eval/sets, and ../shared/data/retrieval if it exists
//   npm run eval:search -- <name> …        only the sets whose names contain one of these
import { sql } from 'drizzle-orm';
import { asUser } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { type Memory, type Question, readSets, type TestSet } from './search-sets.ts';
import { type Lore, withLore } from './server.ts';

type Found = {
  id: string;
  relevance: string;
  similarity: number;
  metadata: {
    factors: Record<
      'lexical' | 'relevance' | 'confidence' | 'recency' | 'telling' | 'links' | 'variety',
      number
    >;
  };
};

const wanted = process.argv.slice(2);

await withLore(
  async (lore) => {
    console.log(`model ${lore.embedder.status().model}`);
    for (const set of readSets())
      if (wanted.length === 0 || wanted.some((name) => set.name.includes(name))) await evaluate(lore, set);
  },
  { DATABASE_URL: process.env.DATABASE_URL ?? '' },
);

/** Searches, and once more while the machine is too busy to make the question's vector in time. */
async function ask(lore: Lore, question: string, project: string): Promise<Found[]> {
  for (;;) {
    const body = { query: question, project, limit: 100, explain: true };
    const { results, degraded } = await lore.ask('POST', '/v1/search', body);
    if (!degraded) return results;
  }
}

async function evaluate(lore: Lore, { name: project, memories, questions, bars }: TestSet): Promise<void> {
  await lore.ask('POST', '/v1/projects', { name: project });
  const names = await importMemories(lore, project, memories);
  const { userId } = await lore.ask<{ userId: string }>('GET', '/v1/me');
  const asOwner = <T extends Record<string, unknown>>(statement: ReturnType<typeof sql>) =>
    asUser(lore.db, { userId, role: 'owner' }, (tx) => query<T>(tx, statement));
  const [scope] = await asOwner<{ id: string }>(sql`select id from projects where name = ${project}`);
  type Ranked = { question: Question; lore: string[]; bm25: string[]; vector: string[]; found: Found[] };
  const ranked: Ranked[] = [];
  for (const question of questions) {
    const results = await ask(lore, question.question, project);
    const [vector] = await lore.embedder.embed([question.question], {
      userId: 'eval',
      priority: 'query',
    });
    const ids = (rows: { id: string }[]) => rows.map((row) => names.get(row.id) ?? '');
    ranked.push({
      question,
      lore: ids(results),
      found: results,
      bm25: ids(
        await asOwner(
          sql`select source_id::text as id from search_hybrid(${question.question}, null, null, ${scope?.id}::uuid, null, 100)
              order by lexical desc`,
        ),
      ),
      vector: ids(
        await asOwner(
          sql`select source_id::text as id from search_documents where project_id = ${scope?.id}::uuid and valid_until is null
              order by embedding <=> ${`[${vector?.join(',')}]`}::vector limit 100`,
        ),
      ),
    });
  }

  console.log(`\n${project}: ${memories.length} memories, ${questions.length} questions`);
  const answerable = ranked.filter(({ question }) => question.answers.length > 0);
  const table = Object.fromEntries(
    (['lore', 'bm25', 'vector'] as const).map((way) => [
      way,
      scores(answerable.map((r) => ({ ...r.question, list: r[way] }))),
    ]),
  );
  console.table(table);
  const checks: [string, number, number | undefined, 'least' | 'most'][] = [
    ['recall@1 %', table.lore?.['recall@1'] ?? 0, bars.recall1, 'least'],
    ['recall@5 %', table.lore?.['recall@5'] ?? 0, bars.recall5, 'least'],
    ['recall@10 %', table.lore?.['recall@10'] ?? 0, bars.recall10, 'least'],
    ['MRR', table.lore?.MRR ?? 0, bars.mrr, 'least'],
  ];
  const stale = ranked.filter(({ question, lore }) => question.stale && isStaleAbove(question, lore)).length;
  if (ranked.some(({ question }) => question.stale))
    checks.push(['the other one above the answer', stale, bars.stale, 'most']);
  if (bars.kept !== undefined) {
    // of the answers that would be first if nothing amended anything, those that are
    const isAnswer = ({ question }: Ranked, id = '') => question.answers.includes(id);
    const first = answerable.filter((r) => isAnswer(r, names.get(firstAlone(r.found)?.id ?? '')));
    const kept = first.filter((r) => isAnswer(r, r.lore[0]));
    checks.push([
      'first by relevance, and first in the end, %',
      (100 * kept.length) / first.length,
      bars.kept,
      'least',
    ]);
  }
  const unanswerable = ranked.filter(({ question }) => question.answers.length === 0);
  if (unanswerable.length > 0) {
    const shown = (r: Ranked) =>
      r.found.filter((f) => f.relevance !== 'low').map((f) => names.get(f.id) ?? '');
    const wrong = unanswerable.filter((r) => shown(r).length > 0);
    const lost = answerable.filter((r) => !r.question.answers.some((answer) => shown(r).includes(answer)));
    const percent = (part: unknown[], whole: unknown[]) => (100 * part.length) / whole.length;
    checks.push([
      'unanswerable, yet something is MEDIUM or above, %',
      percent(wrong, unanswerable),
      bars.wrong,
      'most',
    ]);
    checks.push([
      'answerable, but no answer is MEDIUM or above, %',
      percent(lost, answerable),
      bars.lost,
      'most',
    ]);
  }
  for (const [what, value, bar, way] of checks) {
    if (bar === undefined) {
      if (way === 'most') console.log(`     ${what}: ${round(value)}`);
      continue;
    }
    const ok = way === 'least' ? value >= bar : value <= bar;
    if (!ok) process.exitCode = 1;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}: ${round(value)} (${way === 'least' ? '≥' : '≤'} ${bar})`);
  }
}

/**
 * Imports memories as notes of a project; those that supersede another come last. Returns the set's id of each note, by
 * the note's id.
 */
async function importMemories(
  { ask, settled }: Lore,
  project: string,
  memories: Memory[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  const send = async (batch: Memory[]) => {
    const { notes } = await ask<{ notes: { id: string }[] }>(
      'POST',
      '/v1/notes',
      batch.map(({ text, at, agent, supersedes, messageType }) => ({
        project,
        content: text,
        ...(at && { createdAt: at }),
        ...(agent && { agent }),
        ...(messageType && { messageType }),
        ...(supersedes && { supersedes: ids.get(supersedes) }),
      })),
    );
    notes.forEach((note, i) => {
      names.set(note.id, batch[i]?.id ?? '');
      ids.set(batch[i]?.id ?? '', note.id);
    });
  };
  const late = memories.filter((memory) => memory.supersedes !== undefined);
  const early = memories.filter((memory) => memory.supersedes === undefined);
  for (const group of [early, late]) {
    for (let done = 0; done < group.length; done += 500) await send(group.slice(done, done + 500));
  }
  await settled();
  return names;
}

/** Returns the result that would be first if nothing amended anything. */
function firstAlone(found: Found[]): Found | undefined {
  const score = ({ metadata: { factors: f } }: Found) =>
    f.relevance * f.confidence * f.recency * f.telling * f.links * f.variety;
  return found.reduce<Found | undefined>(
    (best, f) => (best && score(best) >= score(f) ? best : f),
    undefined,
  );
}

function isStaleAbove({ answers, stale }: Question, list: string[]): boolean {
  const place = list.indexOf(stale ?? '');
  const current = list.indexOf(answers[0] ?? '');
  return place >= 0 && (current < 0 || place < current);
}

/** Returns recall in percent, and MRR and nDCG (0–1) over the first ten results. */
function scores(rows: (Question & { list: string[] })[]) {
  const mean = (value: (row: Question & { list: string[] }) => number) =>
    rows.reduce((sum, row) => sum + value(row), 0) / rows.length;
  const recall = (k: number) =>
    round(
      100 *
        mean(
          ({ answers, list }) => answers.filter((a) => list.slice(0, k).includes(a)).length / answers.length,
        ),
    );
  const first = ({ answers, list }: Question & { list: string[] }) =>
    list.slice(0, 10).findIndex((id) => answers.includes(id));
  return {
    'recall@1': recall(1),
    'recall@5': recall(5),
    'recall@10': recall(10),
    MRR: round(mean((row) => (first(row) < 0 ? 0 : 1 / (first(row) + 1)))),
    'nDCG@10': round(
      mean(({ answers, list }) => {
        const gain = (n: number) => 1 / Math.log2(n + 2);
        const ideal = answers.slice(0, 10).reduce((sum, _, n) => sum + gain(n), 0);
        return (
          list.slice(0, 10).reduce((sum, id, n) => sum + (answers.includes(id) ? gain(n) : 0), 0) / ideal
        );
      }),
    ),
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
