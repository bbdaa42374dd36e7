// Learns which sentences of a prompt last from those that were labelled by hand, and writes the weights.
//   npm run train:statements              trains on eval/sets/said, writes src/learnings/statements/learned-weights.ts
//   npm run train:statements -- --try     writes nothing: leaves one set out after the other, and prints how well the
//                                         others foretell it
// The sets were written by people who had not read the rules; blind.jsonl is never trained on (npm run eval:said).
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { type Features, PLACES, predict } from '../src/learnings/statements/learned-words.ts';
import { type Example, examplesIn, SAID, wholePrompts } from './said-prompts.ts';

const OUTPUT = 'src/learnings/statements/learned-weights.ts';
const BLIND = 'blind.jsonl';
const EPOCHS = 30;
/** Step of AdaGrad (Duchi et al. 2011) and the strength of L2: the best of a few, by leaving one set out. */
const STEP = 0.1;
const L2 = 1e-4;

type Case = { features: Features; is: boolean };
type Model = { bias: number; weights: Float64Array };

/** Logistic regression by stochastic gradient descent. The order is drawn from a fixed seed, so equal sets give equal weights. */
function train(examples: Case[]): Model {
  const weights = new Float64Array(PLACES);
  const squares = new Float64Array(PLACES).fill(1e-8);
  let bias = 0;
  let biasSquares = 1e-8;
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j] as Case, order[i] as Case];
    }
    for (const { features, is } of order) {
      const error = predict(features, bias, weights) - (is ? 1 : 0);
      for (const [at, value] of features) {
        const gradient = error * value + L2 * (weights[at] as number);
        squares[at] = (squares[at] as number) + gradient ** 2;
        weights[at] = (weights[at] as number) - (STEP * gradient) / Math.sqrt(squares[at] as number);
      }
      biasSquares += error ** 2;
      bias -= (STEP * error) / Math.sqrt(biasSquares);
    }
  }
  return { bias, weights };
}

/** Prints what share of the lasting sentences is found where this share of the others is taken for lasting. */
function report(name: string, judged: { likely: number; is: boolean }[]): void {
  const sorted = [...judged].sort((a, b) => b.likely - a.likely);
  const those = judged.filter(({ is }) => is).length;
  const others = judged.length - those;
  const cells = [0.005, 0.01, 0.02, 0.04].map((share) => {
    let wrong = 0;
    let found = 0;
    let at = 1;
    for (const { likely, is } of sorted) {
      if (is) found += 1;
      else wrong += 1;
      if (wrong > share * others) break;
      at = likely;
    }
    return [`${share * 100} %`, `${((100 * found) / those).toFixed(1)} % at ${at.toFixed(2)}`];
  });
  console.log(name, Object.fromEntries(cells));
}

/** Whether a sentence lasts; and whether one that lasts is a fact. */
const lasting = (examples: Example[]): Case[] =>
  examples.map(({ features, keep }) => ({ features, is: keep !== null }));
const facts = (examples: Example[]): Case[] =>
  examples.flatMap(({ features, keep }) =>
    keep === 'rule' || keep === 'fact' ? [{ features, is: keep === 'fact' }] : [],
  );

/** Returns a model as the source text of a `Learned` of learned-words.ts. */
function written({ bias, weights }: Model): string {
  const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / scale)).buffer);
  return `{ bias: ${bias.toFixed(4)}, scale: ${scale.toFixed(6)}, weights: '${bytes.toString('base64')}' }`;
}

const files = readdirSync(SAID).filter((file) => file.endsWith('.jsonl') && file !== BLIND);
const sets = [wholePrompts(), ...files.map(examplesIn)];
const all = sets.flat();
console.log(`${all.length} sentences, ${all.filter(({ keep }) => keep !== null).length} of them last`);
if (process.argv.includes('--try')) {
  const tried = (cases: (examples: Example[]) => Case[]) =>
    sets.map((set, i) => {
      const model = train(cases(sets.filter((_, other) => other !== i).flat()));
      return cases(set).map(({ features, is }) => ({
        likely: predict(features, model.bias, model.weights),
        is,
      }));
    });
  const judged = tried(lasting);
  for (const [i, set] of judged.entries()) report(files[i - 1] ?? 'whole prompts', set);
  report('all', judged.flat());
  const kinds = tried(facts).flat();
  const right = kinds.filter(({ likely, is }) => likely >= 0.5 === is).length;
  console.log(`${((100 * right) / kinds.length).toFixed(1)} % of those that last are of the right kind`);
} else {
  const text = `// Written by npm run train:statements.
export const LASTS = ${written(train(lasting(all)))};
export const FACT = ${written(train(facts(all)))};
`;
  writeFileSync(OUTPUT, text);
  execFileSync('npx', ['biome', 'format', '--write', OUTPUT], { stdio: 'inherit' });
}
