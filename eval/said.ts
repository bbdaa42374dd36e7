// Reads prompts that were labelled sentence by sentence (eval/sets/said) as Lore does, and prints how many of the lasting
// sentences become a lesson (or wait for review), and how many of the others do; by the rules alone, too.
//   npm run eval:said                 reads blind.jsonl, which nothing was learned from
//   npm run eval:said -- <file> …     reads these sets; … --all also lists what was missed and what was taken wrongly

import { examineSentences, judgeSentences } from '../src/learnings/statements/sentence-rules.ts';
import { statementsIn } from '../src/learnings/statements/statements.ts';
import { promptsIn, textsOf, turnOf } from './said-prompts.ts';

const files = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const verbose = process.argv.includes('--all');
function evaluate(file: string): void {
  const counts = { rule: [0, 0, 0, 0], fact: [0, 0, 0, 0], none: [0, 0, 0, 0] };
  let rightKind = 0;
  let silent = 0;
  let wronglyTaken = 0;
  for (const prompt of promptsIn(file)) {
    const turn = turnOf(prompt);
    const { sentences } = prompt;
    const judged = judgeSentences(textsOf(prompt), turn);
    const examined = examineSentences(textsOf(prompt), turn);
    for (const [i, { text, keep }] of sentences.entries()) {
      const { verdict, kind } = judged[i] as (typeof judged)[number];
      const count = counts[keep ?? 'none'];
      count[0] = (count[0] as number) + 1;
      if (verdict === 'lasting') count[1] = (count[1] as number) + 1;
      if (verdict === 'doubtful') count[2] = (count[2] as number) + 1;
      if (examined[i]?.examined?.rule?.verdict === 'lasting') count[3] = (count[3] as number) + 1;
      if (verdict === 'lasting' && keep !== null && (kind === 'fact') === (keep === 'fact')) rightKind += 1;
      if (verbose && (verdict === 'lasting') !== (keep !== null)) {
        console.log(`${keep === null ? `WRONG (${verdict})` : `MISS  (${verdict})`} ${prompt.id} ${text}`);
      }
    }
    if (sentences.every(({ keep }) => keep === null)) {
      silent += 1;
      const said = statementsIn(textsOf(prompt).join('\n'), turn);
      if (said.some(({ verdict }) => verdict === 'lasting')) wronglyTaken += 1;
    }
  }
  const row = ([all, lasting, doubtful, ruled]: number[]) => ({
    sentences: all,
    'lesson, %': percent(lasting as number, all as number),
    'review, %': percent(doubtful as number, all as number),
    'lesson by rules alone, %': percent(ruled as number, all as number),
  });
  console.log(`\n${file}`);
  console.table({ wishes: row(counts.rule), facts: row(counts.fact), 'nothing lasting': row(counts.none) });
  const kept = (counts.rule[1] as number) + (counts.fact[1] as number);
  console.log(`${percent(rightKind, kept)} % of the kept are of the right kind.`);
  console.log(`Of ${silent} prompts that say nothing lasting ${wronglyTaken} make a lesson.`);
}

const percent = (part: number, of: number) => Number(((100 * part) / of).toFixed(1));

for (const file of files.length > 0 ? files : ['blind.jsonl']) evaluate(file);
