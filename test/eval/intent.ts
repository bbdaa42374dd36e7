import { classify, type Intent } from '../../src/plans/intent.ts';
import { jsonLines } from '../support/json-lines.ts';

// Measures how well prompts are classified: npm run eval:intent
// Prompts `"by": "blind"` were written before the rules and without looking at them. They measure; so change one only if
// it is wrong in itself, never to make a figure better.

const INTENTS: Intent[] = ['quick', 'focused', 'complex'];
const BAR = 0.9;

type Prompt = { prompt: string; intent: Intent; by: string };
let failed = false;
for (const set of ['written-with-the-rules', 'unseen']) {
  const prompts = jsonLines<Prompt>(`test/eval/sets/intent/${set}.jsonl`);
  const told = prompts.map(({ prompt }) => classify(prompt).intent);
  const right = prompts.filter(({ intent }, i) => intent === told[i]).length;
  const accuracy = right / prompts.length;
  const planned = prompts.filter(({ intent }, i) => intent === 'quick' && told[i] === 'complex').length;
  console.log(
    `\n${set}: ${right} of ${prompts.length} right (${accuracy.toFixed(3)}), ${planned} questions would get a plan`,
  );
  console.log(`| is \\ told | ${INTENTS.join(' | ')} |\n|---|---|---|---|`);
  for (const is of INTENTS) {
    const row = INTENTS.map(
      (as) => prompts.filter(({ intent }, i) => intent === is && told[i] === as).length,
    );
    console.log(`| ${is} | ${row.join(' | ')} |`);
  }
  if (accuracy < BAR || planned > 0) failed = true;
}
if (failed) {
  console.log(`\nbelow the bar: ${BAR} of each set right, and no question with a plan`);
  process.exitCode = 1;
}
