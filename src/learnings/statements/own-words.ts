import { OUTPUT_LINE } from './statement-words.ts';

/** In characters. Of a longer text only the beginning and the end are read: the middle is nearly always pasted. */
const MAX_READ = 8_000;
/** In characters. A longer "sentence" is a log line, data or a specification. */
const MAX_SENTENCE = 600;

const OUTPUT = new RegExp(OUTPUT_LINE, 'i');
const FENCE = /^(?:```|~~~)/;
const OPENING_TAG = /^<([a-z][\w-]{0,60})\b[^<>]{0,200}>/i;
/** A line that announces pasted text: "getting this:" */
const ANNOUNCES =
  /\b(?:get|gets|getting|got|see|says?|prints?|printed|shows?|output|log|logs|error|trace|message)\b.{0,40}:$/i;

/**
 * Returns the lines of a prompt that its author wrote: no code blocks, quotes, pasted output, text between the tags
 * with which the client marks what it adds, or slash commands.
 */
export function ownWords(prompt: string): string {
  const text =
    prompt.length <= MAX_READ ? prompt : `${prompt.slice(0, MAX_READ / 2)}\n\n${prompt.slice(-MAX_READ / 2)}`;
  if (/^\s*\/[a-z][\w:-]*(?:\s|$)/i.test(text)) return '';
  const kept: string[] = [];
  let fenced = false;
  let closing: string | null = null;
  let pasted = false;
  for (const raw of text.split(/\r?\n/)) {
    let line = raw.trim();
    if (closing === null && !fenced) {
      const tag = OPENING_TAG.exec(line)?.[1];
      if (tag) closing = `</${tag.toLowerCase()}>`;
    }
    if (closing !== null) {
      const end = line.toLowerCase().indexOf(closing);
      if (end < 0) continue;
      line = line.slice(end + closing.length).trim();
      closing = null;
    }
    if (FENCE.test(line)) {
      fenced = !fenced;
      pasted = false;
      continue;
    }
    if (line === '') pasted = false;
    const indented = /^(?: {4}|\t)/.test(raw);
    const output = indented || line.startsWith('>') || OUTPUT.test(line);
    if (fenced || pasted || output || line.length > MAX_SENTENCE * 4) kept.push('');
    else kept.push(line.replace(/^(?:[-*•]|\d{1,2}[.)]) +/, ''));
    if (ANNOUNCES.test(line.slice(-100))) pasted = true;
  }
  return kept.join('\n');
}

/** A stop after one of these ends no sentence. */
const SHORT_FORM = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|z\.b|bzw|ca|no|p\.s|nb|n\.b)\.$/i;
/** Where a second thought begins within a sentence: "fix it and remember that …". */
const SECOND_THOUGHT =
  /(?:,| -| –| —|;| and| but)+ (?=(?:and |but |also |please |pls )*(?:remember(?: that|,|:)|from now on\b|btw\b|by the way\b|fyi\b|for (?:the )?(?:future|next time)\b|in (?:the )?future\b|going forward\b|keep in mind\b|never (?:commit|push|merge)\b|ab jetzt\b))/i;

/** Splits text into sentences of at most MAX_SENTENCE characters; longer ones are left out. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split('\n')) {
    let start = 0;
    const end = (at: number) => {
      const sentence = line.slice(start, at).trim();
      start = at;
      if (sentence !== '' && sentence.length <= MAX_SENTENCE) {
        sentences.push(...sentence.split(SECOND_THOUGHT).map((part) => part.trim()));
      }
    };
    let inCode = false;
    for (let i = 0; i < line.length; i += 1) {
      if (line[i] === '`') inCode = !inCode;
      const next = line[i + 1];
      if (inCode || !'.!?'.includes(line[i] as string) || (next !== undefined && next !== ' ')) continue;
      if (line[i] === '.' && SHORT_FORM.test(line.slice(Math.max(start, i - 8), i + 1))) continue;
      end(i + 1);
    }
    end(line.length);
  }
  return sentences.filter((sentence) => sentence !== '');
}
