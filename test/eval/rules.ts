// Measures what becomes of a person's words, without a model if nothing else is said: which sentences are kept as rules, which calls the guards
// that follow from them see, and which they see needlessly. The sets were written by somebody who had read nothing of it.
//   npm run eval:rules                what it finds
//   npm run eval:rules -- --misses    with every miss
//   npm run eval:rules -- --recorded  what a model adds, from the recorded answers of somebody who played it
//   npm run eval:rules -- --recorded --ask FILE   writes what has no recorded answer yet
import { readByModel } from '../../src/distil/read-by-model.ts';
import { callOf } from '../../src/guards/call.ts';
import { fits } from '../../src/guards/judge.ts';
import { literalGuard } from '../../src/guards/literal.ts';
import type { GuardRule } from '../../src/guards/rule.ts';
import { sortsExamples } from '../../src/guards/verify.ts';
import type { SessionStep } from '../../src/incidents/steps.ts';
import { saidIn } from '../../src/language/read-prompt.ts';
import { jsonLines } from './json-lines.ts';
import { recordedModel } from './recorded.ts';

type Call = [tool: string, input: Record<string, unknown>];
type RuleCase = { lang: string; text: string; bad: Call[]; good: Call[] };
type Prompt = { lang: string; text: string; keep: string[] };

const ROOT = '/home/dev/app';
const PLACE = { root: ROOT, cwd: ROOT, home: '/home/dev', tmp: '/tmp', branch: 'main' };
const misses = process.argv.includes('--misses');
const recorded = process.argv.includes('--recorded')
  ? recordedModel('test/eval/sets/rules/answers.jsonl')
  : null;
const percent = (n: number, of: number) => (of === 0 ? '–' : `${Math.round((100 * n) / of)} % (${n}/${of})`);
const isEnglish = ({ lang }: { lang: string }) => lang === 'en';

const placed = ([tool, input]: Call) => ({
  tool_name: tool,
  tool_input: JSON.parse(JSON.stringify(input).replaceAll('$ROOT', ROOT)) as Record<string, unknown>,
});
const hits = (rule: GuardRule, call: Call): boolean => fits(rule, callOf(placed(call), PLACE));

/** Returns the guards of what a rule's words say, as they are made when a session ends. */
const literally = (text: string): { kept: boolean; guards: GuardRule[] } => {
  const { rules } = saidIn(text);
  const guards = rules.flatMap((words) => literalGuard(words) ?? []);
  return { kept: rules.length > 0, guards: guards.filter((rule) => sortsExamples(rule) === null) };
};

/** Returns the turn in which somebody says this, and nothing else happens. */
const turnOf = (text: string): SessionStep[] => {
  const at = new Date(0);
  return [
    { kind: 'prompt', text, at },
    { kind: 'said', text: 'Understood.', agentId: null, at },
  ];
};

/** Returns the same with what the recorded model reads in the words; its guard takes the place of the literal one. */
async function withModel(text: string): Promise<ReturnType<typeof literally>> {
  const alone = literally(text);
  if (recorded === null) return alone;
  const about = { sessionId: 's', project: 'app', branch: 'main', task: 'Fix the rounding in the cart' };
  const read = await readByModel(recorded.ask, { userId: 'u', role: 'owner' }, about, turnOf(text), '').catch(
    (error) => {
      if (misses) console.log(`no answer to “${text}”: ${error.message}`);
      return { lessons: [] };
    },
  );
  const lasting = read.lessons.filter(({ lasting, invented }) => lasting === 'lasting' && invented === null);
  const guards = lasting.flatMap(({ guard }) => (guard && sortsExamples(guard) === null ? [guard] : []));
  return { kept: alone.kept || lasting.length > 0, guards: guards.length > 0 ? guards : alone.guards };
}

const rules = await Promise.all(
  jsonLines<RuleCase>('test/eval/sets/rules/rules.jsonl').map(async (one) => ({
    ...one,
    ...(await withModel(one.text)),
  })),
);
const to = process.argv[process.argv.indexOf('--ask') + 1];
if (process.argv.includes('--ask') && to) recorded?.writeUnanswered(to);
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
if (misses) {
  for (const { lang, text, bad, good, guards, kept } of rules) {
    const missed = bad.filter((call) => !guards.some((rule) => hits(rule, call)));
    const wrong = good.filter((call) => guards.some((rule) => hits(rule, call)));
    if (missed.length + wrong.length === 0 && kept) continue;
    console.log(`\n${lang} ${kept ? '' : 'NOT KEPT '}${text}`);
    for (const call of missed) console.log(`   missed   ${JSON.stringify(call).slice(0, 150)}`);
    for (const call of wrong) console.log(`   needless ${JSON.stringify(call).slice(0, 150)}`);
  }
}

const prompts = jsonLines<Prompt>('test/eval/sets/rules/statements.jsonl');
const plain = (text: string) => text.replace(/[.!?。！？\s]+$/u, '').trim();

function statementLine(name: string, some: Prompt[]): string {
  let [wanted, found, extra] = [0, 0, 0];
  for (const { text, keep, lang } of some) {
    const { rules, remember } = saidIn(text);
    const said = [...rules, ...remember];
    const right = (words: string) =>
      keep.some((one) => plain(one).includes(plain(words)) || plain(words).includes(plain(one)));
    const lost = keep.filter(
      (one) => !said.some((words) => plain(one).includes(plain(words)) || plain(words).includes(plain(one))),
    );
    const wrong = said.filter((words) => !right(words));
    wanted += keep.length;
    found += keep.length - lost.length;
    extra += wrong.length;
    if (!misses) continue;
    for (const one of lost) console.log(`   ${lang} not kept: ${one}`);
    for (const words of wrong) console.log(`   ${lang} kept needlessly: ${words}`);
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
