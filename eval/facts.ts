// Reads prompts for the facts and relations that they tell, by the rules alone. Prints how many are found, what is found
// where nothing is told, and every miss; fails when a set misses its bars.
//   npm run eval:facts                    reads eval/sets/facts/*.jsonl: {said, expected: a fact, a relation or null}
//   npm run eval:facts -- <set.jsonl> …   reads these
import { readdirSync, readFileSync } from 'node:fs';
import type { Told } from '../src/facts/told-facts.ts';
import { factsIn } from '../src/learnings/statements/statements.ts';

type Row = {
  said: string;
  expected:
    | { type: string; key: string; value: string | number }
    | { from: string; relation: string; to: string }
    | null;
};

const FOLDER = 'eval/sets/facts';
/** In percent of what is found: what is right. And of the prompts that tell nothing: where something is found. */
const LEAST_RIGHT = 95;
const MOST_WRONG = 2;

const given = process.argv.slice(2);
for (const file of given.length > 0 ? given : readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`)) {
  evaluate(file);
}

function evaluate(file: string): void {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
  const count = { told: 0, right: 0, other: 0, missed: 0, none: 0, wrong: 0 };
  for (const { said, expected } of rows) {
    const found = factsIn(said, { first: false, before: null, did: [] }).map(({ told }) => told);
    count[expected === null ? 'none' : 'told'] += 1;
    const right = expected !== null && found.some((told) => isSame(told, expected));
    if (right) count.right += 1;
    else if (expected !== null) count[found.length > 0 ? 'other' : 'missed'] += 1;
    else if (found.length > 0) count.wrong += 1;
    if (!right && (expected !== null || found.length > 0)) {
      console.log(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}: ${said}`);
    }
  }
  const percent = (n: number, of: number) => (of === 0 ? 0 : Math.round((1000 * n) / of) / 10);
  const precision = percent(count.right, count.right + count.other + count.wrong);
  const wrong = percent(count.wrong, count.none);
  console.log(
    `${file}: of ${count.told} facts and relations ${percent(count.right, count.told)} % found, ${count.other} differently, ` +
      `${count.missed} not; of ${count.none} prompts that tell none ${wrong} % told one; ${precision} % of what is found is right`,
  );
  if (precision < LEAST_RIGHT || wrong > MOST_WRONG) process.exitCode = 1;
}

/** Whether what was found is what was told; how a thing is named may differ by an article or its kind. */
function isSame(told: Told, expected: NonNullable<Row['expected']>): boolean {
  const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase();
  const named = ({ type, key }: { type: string; key: string }, name: string) =>
    same(key, name) || same(`${key} ${type}`, name);
  if ('from' in told) {
    if (!('from' in expected) || told.relation !== expected.relation) return false;
    return named(told.from, expected.from) && named(told.to, expected.to);
  }
  return (
    'value' in expected &&
    told.type === expected.type &&
    same(told.value, expected.value) &&
    same(told.key, expected.key)
  );
}
