import { expect, test } from 'vitest';
import { isEverywhere, saidIn } from '../../../src/learnings/language/stated-rules.ts';
import { jsonLines } from '../../support/json-lines.ts';

/** What a person might type, in ten languages; `kept`: it begins with a word that lasts. */
const SENTENCES = jsonLines<{ language: string; kept: boolean; sentence: string }>(
  'test/learnings/language/sentences.jsonl',
);
/** Prompts, and what in them lasts: `stated`, because the person says expressly that it is a rule. */
const PROMPTS = jsonLines<{ prompt: string; said: { words: string; stated?: true }[] }>(
  'test/learnings/language/prompts.jsonl',
);

test.each(SENTENCES)(
  'only what begins with a word that lasts is kept, to the letter: $sentence',
  ({ kept, sentence }) => {
    expect(saidIn(sentence).map(({ words }) => words)).toEqual(kept ? [sentence] : []);
  },
);

test.each(PROMPTS)('of $prompt is kept: $said', ({ prompt, said }) => {
  expect(saidIn(prompt)).toEqual(said.map(({ words, stated = false }) => ({ words, stated })));
});

test.each([
  'In all my projects, never run npm publish.',
  'Never use sudo in all of my repositories',
  'In allen meinen Projekten nie npm publish',
  '在我的所有项目中，永远不要运行 npm publish',
])('it is said of all projects: %s', (words) => expect(isEverywhere(words)).toBe(true));
