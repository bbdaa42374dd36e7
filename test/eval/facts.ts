// Reads prompts for the facts and relations that they tell, by the rules alone. Prints how many are found, what is found
// where nothing is told, and every miss; fails when a set misses its bars.
//   npm run eval:facts                    reads eval/sets/facts/*.jsonl: {said, expected: a fact, relations or null}
//   npm run eval:facts -- <set.jsonl> …   reads these
import { readdirSync } from 'node:fs';
import { saidIn } from '../../src/language/read-prompt.ts';
import type { ToldStatement } from '../../src/language/told-facts.ts';
import { jsonLines } from './json-lines.ts';

type Expected =
  | { type: string; key: string; value: string | number }
  | { from: string; relation: string; to: string };
type Row = { said: string; expected: Expected | Expected[] | null };

const FOLDER = 'test/eval/sets/facts';
/**
 * Least share of right results among all that are found, and most prompts without a fact in which one is
 * found, in percent.
 */
const LEAST_RIGHT = 95;
const MOST_WRONG = 2;

/** Other words for a relation, and the facts that say the same as one. */
const ALIKE: Record<string, string> = {
  'deployed to': 'runs on',
  'publishes events to': 'publishes to',
  maintains: 'owns',
  'talks to': 'calls',
  'sits behind': 'is behind',
  'sends results to': 'writes to',
  'consumes from': 'reads from',
  'gets feature flags from': 'reads from',
};
const AS_FACT: Record<string, string> = { owner: 'owns', tool: 'is built by' };

const given = process.argv.slice(2);
for (const file of given.length > 0 ? given : readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`)) {
  evaluate(file);
}

function evaluate(file: string): void {
  const rows = jsonLines<Row>(file);
  const count = { told: 0, right: 0, other: 0, missed: 0, none: 0, wrong: 0 };
  for (const { said, expected: told } of rows) {
    const found = saidIn(said).facts.map((one) => one.told);
    const expected = told === null ? [] : [told].flat();
    const missing = expected.filter((one) => !found.some((other) => isSame(other, one)));
    const others = found.filter((one) => !expected.some((other) => isSame(one, other)));
    count.told += expected.length;
    count.right += expected.length - missing.length;
    count[others.length > 0 ? 'other' : 'missed'] += missing.length;
    if (told === null) count.none += 1;
    if (told === null && others.length > 0) count.wrong += 1;
    if (missing.length + others.length > 0) {
      console.log(`${JSON.stringify(found)} instead of ${JSON.stringify(told)}: ${said}`);
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
function isSame(told: ToldStatement, expected: Expected): boolean {
  const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase();
  const named = ({ type, key }: { type: string; key: string }, name: string) =>
    same(key, name) ||
    same(`${key} ${type}`, name) ||
    same(key, `${name} view`) ||
    same(key, `${name} repository`);
  if ('from' in expected) {
    const relation = ALIKE[expected.relation] ?? expected.relation;
    if ('from' in told) {
      return told.relation === relation && named(told.from, expected.from) && named(told.to, expected.to);
    }
    const [of, by] = told.type === 'owner' ? [expected.to, expected.from] : [expected.from, expected.to];
    const about = same(told.key, of) || told.key.startsWith(`${of} `.toLowerCase());
    return AS_FACT[told.type] === relation && about && same(told.value, by);
  }
  return (
    'value' in told &&
    told.type === expected.type &&
    same(told.value, expected.value) &&
    same(told.key, expected.key)
  );
}
