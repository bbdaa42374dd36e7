// Where does one piece of work end and the next begin? Reads pairs of prompts of a session (eval/sets/episodes), each with
// whether the second one begins a new matter, and compares that with what the rules and the likeness of the prompts say.
// It needs no server, has no bars, and takes a few seconds. Rules and pairs were written by the same hand, so this is no
// blind figure: docs/episodes.md.
//   npm run eval:episodes
//   … --limits      also what other limits of likeness would do
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startEmbedder } from '../../src/embedding/embedder.ts';
import { byRules, isNewMatter, isOrder, likeness } from '../../src/episodes/boundary.ts';
import { jsonLines } from './json-lines.ts';

type Pair = { before: string[]; next: string; new: boolean };

const pairs = jsonLines<Pair>('test/eval/sets/episodes/boundaries.jsonl');

const embedder = startEmbedder({
  home: process.env.LORE_HOME ?? join(homedir(), '.lore'),
  modelDir: process.env.LORE_MODEL_DIR,
});
await embedder.ready;
const { model } = embedder.status();
const vectors = new Map<string, Float32Array>();
if (model !== null) {
  const texts = [...new Set(pairs.flatMap(({ before, next }) => [...before, next]))];
  const found = await embedder.embed(texts, { userId: 'eval' });
  for (const [i, text] of texts.entries()) vectors.set(text, found[i] as Float32Array);
}
await embedder.close();

const judged = pairs.map((pair) => {
  const matter = { prompts: pair.before, files: [], said: null };
  const similarity = likeness(pair.next, matter, vectors);
  return {
    ...pair,
    similarity,
    told: byRules(pair.next, matter),
    both: isNewMatter(pair.next, matter, similarity),
    rulesAlone: isNewMatter(pair.next, matter, null),
  };
});

const share = (right: number, all: number) => `${((100 * right) / all).toFixed(1)} % (${right} of ${all})`;
function table(name: string, said: (one: (typeof judged)[number]) => boolean) {
  const right = judged.filter((one) => said(one) === one.new);
  const news = judged.filter((one) => one.new);
  const follows = judged.filter((one) => !one.new);
  console.log(name, {
    right: share(right.length, judged.length),
    newMatters: share(news.filter(said).length, news.length),
    followUps: share(follows.filter((one) => !said(one)).length, follows.length),
  });
}
if (model === null) console.log('no model was found, so only the rules are measured');
else table(`rules and likeness (${model})`, ({ both }) => both);
table('rules alone', ({ rulesAlone }) => rulesAlone);
const decided = judged.filter(({ told }) => told !== null);
const rightly = decided.filter((one) => (one.told === 'new') === one.new);
console.log(
  'decided by rules:',
  share(decided.length, judged.length),
  'of these right:',
  share(rightly.length, decided.length),
);
for (const one of judged) {
  if (one.both !== one.new) {
    const by = one.told === null ? `likeness ${one.similarity?.toFixed(2) ?? '-'}` : 'rules';
    console.log(one.new ? 'missed: ' : 'too much:', by, '|', one.before.at(-1), '→', one.next);
  }
}
if (process.argv.includes('--limits')) {
  for (const order of [true, false]) {
    const left = judged.filter((one) => one.told === null && isOrder(one.next) === order);
    for (let limit = 0.1; limit < 0.6; limit += 0.04) {
      const right = left.filter((one) => (one.similarity ?? 0) < limit === one.new).length;
      console.log(order ? 'orders' : 'others', limit.toFixed(2), share(right, left.length));
    }
  }
}
