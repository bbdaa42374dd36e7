// Measures what becomes of a person's words, without a model if nothing else is said: which sentences are kept as rules, which calls the guards
// that follow from them see, and which they see needlessly. The sets were written by somebody who had read nothing of it.
//   npm run eval:rules
//   npm run eval:rules -- --recorded  what is added by the recorded answers of somebody who played the model
import { Rule } from '../../src/learnings/distil/form.ts';
import { guardOf } from '../../src/learnings/distil/hand-in.ts';
import { callOf } from '../../src/learnings/guards/call.ts';
import { fits } from '../../src/learnings/guards/judge.ts';
import { literalGuard } from '../../src/learnings/guards/literal.ts';
import type { GuardRule } from '../../src/learnings/guards/rule.ts';
import { sortsExamples } from '../../src/learnings/guards/verify.ts';
import { saidIn } from '../../src/learnings/language/stated-rules.ts';
import { jsonLines } from '../support/json-lines.ts';

type Call = [tool: string, input: Record<string, unknown>];
type RuleCase = { lang: string; text: string; bad: Call[]; good: Call[] };
type Prompt = { lang: string; text: string; keep: string[] };

const ROOT = '/home/dev/app';
const PLACE = { root: ROOT, cwd: ROOT, home: '/home/dev', tmp: '/tmp', branch: 'main' };
const answers = process.argv.includes('--recorded')
  ? jsonLines<{ text: string; rules: unknown[] }>('test/eval/sets/rules/answers.jsonl')
  : [];
const percent = (n: number, of: number) => (of === 0 ? '–' : `${Math.round((100 * n) / of)} % (${n}/${of})`);
const isEnglish = ({ lang }: { lang: string }) => lang === 'en';

const placed = ([tool, input]: Call) => ({
  tool_name: tool,
  tool_input: JSON.parse(JSON.stringify(input).replaceAll('$ROOT', ROOT)) as Record<string, unknown>,
});
const hits = (rule: GuardRule, call: Call): boolean => fits(rule, callOf(placed(call), PLACE));

/** Returns the guards of what a rule's words say, as they are made when a session ends, and of what a model handed in. */
function guarded(text: string): { kept: boolean; guards: GuardRule[] } {
  const said = saidIn(text);
  const handedIn =
    answers.find((one) => one.text === text)?.rules.flatMap((rule) => Rule.safeParse(rule).data ?? []) ?? [];
  const guards = [
    ...handedIn.flatMap((rule) => guardOf(rule) ?? []),
    ...(handedIn.length > 0 ? [] : said.flatMap(({ words }) => literalGuard(words) ?? [])),
  ];
  return {
    kept: said.length + handedIn.length > 0,
    guards: guards.filter((rule) => sortsExamples(rule) === null),
  };
}

const rules = jsonLines<RuleCase>('test/eval/sets/rules/rules.jsonl').map((one) => ({
  ...one,
  ...guarded(one.text),
}));
const everybody = rules.flatMap(({ guards }) => guards);

function ruleLine(name: string, some: typeof rules): string {
  const bad = some.flatMap(({ bad, guards }) => bad.map((call) => guards.filter((rule) => hits(rule, call))));
  const good = some.flatMap(({ good, guards }) =>
    good.map((call) => guards.filter((rule) => hits(rule, call))),
  );
  const stopped = (found: GuardRule[][]) =>
    found.filter((all) => all.some(({ then }) => then !== 'tell')).length;
  const seen = (found: GuardRule[][]) => found.filter((all) => all.length > 0).length;
  return `${name.padEnd(8)} kept ${percent(some.filter(({ kept }) => kept).length, some.length)}, breaking calls seen ${percent(seen(bad), bad.length)}, of these asked about or stopped ${stopped(bad)}; innocent calls asked about ${percent(stopped(good), good.length)}, told ${seen(good) - stopped(good)}`;
}

console.log(ruleLine('English', rules.filter(isEnglish)));
console.log(
  ruleLine(
    'others',
    rules.filter((one) => !isEnglish(one)),
  ),
);
console.log(ruleLine('all', rules));
const together = rules.flatMap(({ good }) => good);
const needless = together.filter((call) =>
  everybody.some((rule) => rule.then !== 'tell' && hits(rule, call)),
);
console.log(
  `all ${everybody.length} guards in one project: innocent calls asked about by any of them ${percent(needless.length, together.length)} (a call that is innocent for its own rule may break another one)`,
);
const prompts = jsonLines<Prompt>('test/eval/sets/rules/statements.jsonl');
const plain = (text: string) => text.replace(/[.!?。！？\s]+$/u, '').trim();

function statementLine(name: string, some: Prompt[]): string {
  let [wanted, found, extra] = [0, 0, 0];
  for (const { text, keep } of some) {
    const said = saidIn(text).map(({ words }) => words);
    const same = (a: string, b: string) => plain(a).includes(plain(b)) || plain(b).includes(plain(a));
    wanted += keep.length;
    found += keep.filter((one) => said.some((words) => same(one, words))).length;
    extra += said.filter((words) => !keep.some((one) => same(one, words))).length;
  }
  return `${name.padEnd(8)} lasting sentences kept ${percent(found, wanted)}; others kept ${extra} in ${some.length} prompts`;
}
const lines = [
  statementLine('English', prompts.filter(isEnglish)),
  statementLine(
    'others',
    prompts.filter((one) => !isEnglish(one)),
  ),
];
for (const line of lines) console.log(line);
