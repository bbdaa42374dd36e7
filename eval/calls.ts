// At which commands is an agent told what a person said? npm run eval:calls [-- --wrong]
// The rules and commands of the sets were written by somebody who had not read how it is decided. They measure; so change
// one only if it is wrong in itself, never to make a figure better.
import { keysOfCall, keysOfLesson } from '../src/learnings/call-keys.ts';
import { namesIn } from '../src/learnings/statements/masked.ts';
import { commandKey } from '../src/shell/command-key.ts';
import { jsonLines } from './json-lines.ts';

type Case = { rule: string; call: string; told: boolean };

const isTold = ({ rule, call }: Case): boolean => {
  const lesson = keysOfLesson({
    lesson: rule,
    appliesTo: namesIn(rule),
    target: null,
    resolvedHow: null,
    fromPerson: true,
  });
  const keys = keysOfCall({ tool: 'Bash', target: commandKey(call), command: call, file: null });
  return keys.some(({ key }) => lesson.at.has(key)) && !keys.some(({ key }) => lesson.done.has(key));
};

for (const set of process.argv.slice(2).filter((arg) => !arg.startsWith('--'))) {
  const cases = jsonLines<Case>(`eval/sets/calls/${set}.jsonl`);
  const told = cases.filter(isTold);
  const right = told.filter((one) => one.told).length;
  const due = cases.filter((one) => one.told).length;
  const share = (a: number, b: number) => `${a} of ${b} (${Math.round((100 * a) / b)} %)`;
  console.log(`${set}: of the commands that a rule is about, told at ${share(right, due)};`);
  console.log(`  told at ${share(told.length - right, cases.length - due)} that it is not about`);
  if (process.argv.includes('--wrong'))
    for (const one of cases)
      if (isTold(one) !== one.told)
        console.log(`${one.told ? 'missed' : 'told  '} | ${one.rule} | ${one.call}`);
}
