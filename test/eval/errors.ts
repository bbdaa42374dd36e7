// Does a lesson quote the line that says what went wrong? eval/sets/errors/causes*.jsonl hold what tools printed when they
// failed, each with the words of which one must stand in the quoted line, chosen by somebody who had not read the rules.
//
// Is the solution of one error told for another one with the same cause, and not for one that only sounds
// alike? Compares each error of eval/sets/errors with each other one by the rule of
// src/incidents/likeness.ts, with the vectors of the usual model. It measures and has no bars. Errors of one
// group sound alike; those with the same cause have the same solution.
//   npm run eval:errors
//   … --all     also prints the lines that are quoted wrongly, and the pairs that the rule gets wrong
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedder } from '../../src/embedding/embedder.ts';
import { tellingLine } from '../../src/incidents/announces.ts';
import { likenessOf } from '../../src/incidents/likeness.ts';
import { errorSignature } from '../../src/incidents/signature.ts';
import { toolTarget } from '../../src/shell/tool-target.ts';
import { jsonLines } from './json-lines.ts';

type Stored = { group: string; cause: string; command: string; output: string };

const errors = jsonLines<Stored>('test/eval/sets/errors/errors.jsonl').map((stored) => {
  const target = toolTarget('Bash', { command: stored.command });
  return { ...stored, ...errorSignature({ tool: 'Bash', target, error: stored.output }) };
});
type Error = (typeof errors)[number];

type Printed = { runner: string; command: string; output: string; cause: string[] };

/** Returns what is quoted of a failure, and whether that and the lines kept of it hold its cause. */
function quoteOf({ command, output, cause }: Printed): { quote: string; right: boolean; kept: boolean } {
  const target = toolTarget('Bash', { command });
  const { salient } = errorSignature({ tool: 'Bash', target, error: `Exit code 1\n${output}` });
  const quote = tellingLine(salient);
  const holds = (text: string) => cause.some((words) => text.includes(words.replace(/\s+/g, ' ').trim()));
  return { quote, right: holds(quote), kept: holds(salient) };
}

for (const set of ['causes', 'causes-2']) {
  const quotes = jsonLines<Printed>(`test/eval/sets/errors/${set}.jsonl`).map((it) => ({
    ...it,
    ...quoteOf(it),
  }));
  const right = quotes.filter((it) => it.right).length;
  const kept = quotes.filter((it) => it.kept).length;
  console.log(
    `${set}: the quoted line holds the cause for ${right} of ${quotes.length}, the lines kept for ${kept}`,
  );
  if (!process.argv.includes('--all')) continue;
  for (const it of quotes)
    if (!it.right) console.log(`  ${it.runner}: ${it.quote}\n    not ${it.cause.join(' | ')}`);
}

const home = mkdtempSync(join(tmpdir(), 'lore-eval-'));
const embedder = startEmbedder({ home });
try {
  const { state, reason } = await embedder.ready;
  if (state !== 'ready') throw new Error(`no model: ${reason}`);
  const vectors = await embedder.embed(
    errors.map(({ salient }) => salient),
    { userId: 'eval' },
  );
  const pairs = errors.flatMap((a, i) =>
    errors.slice(i + 1).map((b, n) => {
      const j = i + 1 + n;
      const similarity = dot(vectors[i] as Float32Array, vectors[j] as Float32Array);
      const alike = a.group === b.group;
      return { a, b, alike, same: alike && a.cause === b.cause, similarity };
    }),
  );
  // the rule was chosen on every second group
  const groups = [...new Set(errors.map(({ group }) => group))];
  const tuned = new Set(groups.filter((_, i) => i % 2 === 0));
  const parts = {
    'all pairs': pairs,
    'groups the rule was chosen on': pairs.filter(({ a }) => tuned.has(a.group)),
    'other groups': pairs.filter(({ a }) => !tuned.has(a.group)),
  };
  for (const [name, some] of Object.entries(parts)) {
    console.log(name);
    console.table({
      'cosine of the lines ≥ 0.6': figures(some, ({ similarity }) => similarity >= 0.6),
      'MEDIUM or HIGH': figures(some, (pair) => told(pair) !== null),
      HIGH: figures(some, (pair) => told(pair) === 'high'),
    });
  }
  if (process.argv.includes('--all')) {
    for (const pair of pairs) {
      const found = told(pair);
      if ((found !== null) === pair.same) continue;
      const line = ({ salient }: Error) => salient.replaceAll('\n', ' / ').slice(0, 120);
      console.log(`${pair.same ? 'missed' : 'wrong'}: ${line(pair.a)}\n    and ${line(pair.b)}`);
    }
  }
} finally {
  await embedder.close();
  rmSync(home, { recursive: true, force: true });
}

type Pair = { a: Error; b: Error; alike: boolean; same: boolean; similarity: number };

function told({ a, b, similarity }: Pair): 'high' | 'medium' | null {
  return likenessOf(a, b, similarity);
}

function figures(pairs: Pair[], takes: (pair: Pair) => boolean) {
  const taken = pairs.filter(takes);
  const same = pairs.filter((pair) => pair.same);
  const right = taken.filter((pair) => pair.same).length;
  return {
    'same cause': same.length,
    found: right,
    recall: share(right, same.length),
    'sound alike': pairs.filter((pair) => pair.alike && !pair.same).length,
    'of them taken': taken.filter((pair) => pair.alike && !pair.same).length,
    'others taken': taken.filter((pair) => !pair.alike).length,
    precision: share(right, taken.length),
  };
}

function share(part: number, of: number): string {
  return of === 0 ? '–' : (part / of).toFixed(2);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);
}
