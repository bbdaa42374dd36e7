// Where does one piece of work end and the next begin? Reads pairs of prompts of a session (eval/sets/episodes), each with
// whether the second one begins a new matter, and compares that with the rule. It needs no server and no model, has no
// bars, and takes a second.
//   npm run eval:episodes -- [--show]
import { goesOn } from '../../src/episodes/walk.ts';
import { jsonLines } from './json-lines.ts';

type Pair = { before: string[]; next: string; new: boolean };

const pairs = jsonLines<Pair>('test/eval/sets/episodes/boundaries.jsonl').map((pair) => ({
  ...pair,
  begins: !goesOn(pair.next, { prompts: pair.before, calls: [] }),
}));
const share = (of: typeof pairs) => {
  const right = of.filter((pair) => pair.begins === pair.new).length;
  return `${((100 * right) / of.length).toFixed(1)} % (${right} of ${of.length})`;
};
console.log({
  right: share(pairs),
  newMatters: share(pairs.filter((pair) => pair.new)),
  followUps: share(pairs.filter((pair) => !pair.new)),
});
if (process.argv.includes('--show'))
  for (const { begins, before, next, ...pair } of pairs)
    if (begins !== pair.new) console.log(begins ? 'too much:' : 'missed:', before.at(-1), '→', next);
