import { readdirSync } from 'node:fs';
import type { Features } from '../src/learnings/statements/learned-words.ts';
import { ownWords, sentencesOf } from '../src/learnings/statements/own-words.ts';
import { examineSentences, featuresIn } from '../src/learnings/statements/sentence-rules.ts';
import { jsonLines } from './json-lines.ts';

// Prompts as people type them to a coding agent, labelled sentence by sentence.

export const SAID = 'eval/sets/said';

/** `keep`: whether the sentence is meant for later work too, as a wish ('rule') or as a fact; null if it is not. */
type Sentence = { text: string; keep: 'rule' | 'fact' | null };

type Prompt = {
  id: string;
  /** what the agent had done or said just before; null at the start of a session */
  before: string | null;
  sentences: Sentence[];
};

export const promptsIn = (file: string): Prompt[] => jsonLines<Prompt>(`${SAID}/${file}`);

const STATEMENTS = 'eval/sets/learning';
type Whole = { prompt: string; expected: string; first?: boolean; before?: string; did?: string[] };

/** Returns the sets of whole prompts (`npm run eval:statements`), as far as their label is that of each sentence. */
export function wholePrompts(): Example[] {
  const files = readdirSync(STATEMENTS).filter((file) => /^statements.*\.jsonl$/.test(file));
  return files
    .flatMap((file) => jsonLines<Whole>(`${STATEMENTS}/${file}`))
    .flatMap(({ prompt, expected, first = false, before = null, did = [] }) => {
      const sentences = sentencesOf(ownWords(prompt));
      if (expected === 'lasting' && sentences.length > 1) return [];
      const turn = { first, before, did, specification: false };
      const keep = expected === 'lasting' ? 'unknown' : null;
      return examineSentences(sentences, turn).flatMap(({ examined }) =>
        examined === null ? [] : [{ features: featuresIn(examined), keep }],
      );
    });
}

export type Example = { features: Features; keep: 'rule' | 'fact' | 'unknown' | null };

export const textsOf = ({ sentences }: Prompt): string[] => sentences.map(({ text }) => text);

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
    examineSentences(textsOf(prompt), turnOf(prompt)).flatMap(({ examined }, i) =>
      examined === null
        ? []
        : [{ features: featuresIn(examined), keep: (prompt.sentences[i] as Sentence).keep }],
    ),
  );
