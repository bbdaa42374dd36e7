import { readdirSync, readFileSync } from 'node:fs';
import type { Features } from '../src/learnings/statements/learned-words.ts';
import { ownWords, sentencesOf } from '../src/learnings/statements/own-words.ts';
import { examineSentence } from '../src/learnings/statements/sentence-rules.ts';

// Prompts as people type them to a coding agent, labelled sentence by sentence.

export const SAID = 'eval/sets/said';

/** `keep`: whether the sentence is meant for later work too, as a wish ('rule') or as a fact; null if it is not. */
type Prompt = {
  id: string;
  /** what the agent had done or said just before; null at the start of a session */
  before: string | null;
  sentences: { text: string; keep: 'rule' | 'fact' | null }[];
};

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const promptsIn = (file: string): Prompt[] => linesOf(`${SAID}/${file}`);

const STATEMENTS = 'eval/sets/learning';

/** Returns the sets of whole prompts (`npm run eval:statements`), as far as their label is that of each sentence. */
export function wholePrompts(): Example[] {
  const files = readdirSync(STATEMENTS).filter((file) => /^statements.*\.jsonl$/.test(file));
  return files
    .flatMap((file) => linesOf(`${STATEMENTS}/${file}`))
    .flatMap(({ prompt, expected, first = false, before = null, did = [] }) => {
      const sentences = sentencesOf(ownWords(prompt));
      if (expected === 'lasting' && sentences.length > 1) return [];
      const turn = { first, before, did, specification: false };
      return sentences.flatMap((text, i) => {
        const beside: [string, string] = [sentences[i - 1] ?? '', sentences[i + 1] ?? ''];
        const features = examineSentence(text, turn, beside)?.features;
        return features ? [{ features, keep: expected === 'lasting' ? 'unknown' : null }] : [];
      });
    });
}

export type Example = { features: Features; keep: 'rule' | 'fact' | 'unknown' | null };

/** Returns the situation in which a prompt was typed. */
export const turnOf = ({ before }: Prompt) => ({
  first: before === null,
  // it is told in a few words: “asked which port to use”
  before: before !== null && /\bask(?:s|ed)\b/.test(before) ? `${before}?` : before,
  did: before === null ? [] : [before],
  specification: false,
});

/** Returns the sentences of a set as they are judged. Questions are not among them. */
export const examplesIn = (file: string): Example[] =>
  promptsIn(file).flatMap((prompt) =>
    prompt.sentences.flatMap(({ text, keep }, i, all) => {
      const beside: [string, string] = [all[i - 1]?.text ?? '', all[i + 1]?.text ?? ''];
      const examined = examineSentence(text, turnOf(prompt), beside);
      return examined === null ? [] : [{ features: examined.features, keep }];
    }),
  );
