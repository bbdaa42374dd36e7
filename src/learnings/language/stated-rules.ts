import { readJsonc } from '../../base/text/jsonc.ts';
import text from './begins.jsonc' with { type: 'text' };
import { anyOf } from './cues.ts';
import { withoutWrappers } from './wrappers.ts';

// Which sentences of a person are kept as a rule without anybody who understands language: those that begin with a word
// that lasts, in a short prompt into which nothing was pasted. Everything else that a person says may mean anything.

/** In characters. A longer prompt is a document. */
const MAX_PROMPT = 600;
const MAX_SENTENCES = 3;

/** How a sentence begins that lasts. */
const BEGINS = readJsonc(text) as Record<string, string>;
/** Politeness; in Japanese and Korean also the thing that the sentence is about. */
const LEAD =
  /^(?:(?:please|pls|and|also|bitte|s'il te plaît|por favor|per favore|alsjeblieft|请|請)[\s,]*)*/iu;
/** Whoever begins a prompt with this states what follows. */
const STATED =
  /^(?:rule|remember|regel|merke?|règle|retiens|regla|recuerda|regra|lembre|regola|ricorda|onthoud|规则|規則|记住|ルール|覚えて|규칙|기억) ?[:：]\s*(?=\S)/iu;
const TOPIC = /^[\w./@*`-]{1,60} ?(?:には|では|は|に|を|에는|에서|에|은|는|을|를)\s*/u;
/** “wie immer”, “no siempre” */
const TAKEN_BACK =
  /^(?:wie|nicht|comme|pas|como|no|não|come|non|zoals|niet) (?:immer|toujours|siempre|sempre|altijd)/i;
const STANDS = new RegExp(`^${anyOf(BEGINS)}`, 'iu');
const ENGLISH = new RegExp(`^(?:${BEGINS.en})$`, 'i');
/** What follows where a thing is described and nobody is told what to do: “never mind”, “always fails”, “from now on it …”. */
const DESCRIBES =
  /^[\s,:]*(?:mind|again|got|had|has|was|were|been|is|are|seen|saw|knew|known|heard|did|does|could|would|can|will|happy|nice|good|it|i|they|he|she|this|that|there|(?!(?:alias|bias|focus|always)\b)[a-z]+[^\W_suid]s|(?!(?:\w*need|embed|seed|feed|exceed|proceed)\b)[a-z]{2,}ed)\b/i;

/** A line of something pasted: code, a quotation, a log, a table, a tag, a heading. */
const PASTED = /^(?:`{3}|~~~|[>|#$%<@]|[-+]{3} | {4}|\t|\d{2,4}[-:]\d\d|at \S+ \(|traceback|\S+:\d+)/i;
/** Whoever announces something hands on what somebody else says. */
const ANNOUNCES = /[:：](?=\s|$)/;
/** A dot inside a name or path ends none. */
export const SENTENCES = /(?:[^.!?。！？\n]|[.!?](?=[^\s.!?]))+(?:[.!?。！？]+|\n|$)/gu;

/** Returns a sentence as it is compared: composed letters, straight quotation marks, single blanks. */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the text with blanks in place of what is quoted or stands in brackets: no sentence begins or ends there. */
export const withoutQuotes = (text: string): string =>
  text.replace(/`[^`]*`|"[^"]*"|(?<![\p{L}\p{N}])'[^']*'(?!\p{L})|\([^)]*\)/gu, (all) =>
    ' '.repeat(all.length),
  );

/**
 * Returns the sentences of a prompt that a person typed and nobody pasted; null if it has more than three, or if anything
 * in it may be somebody else's.
 */
function ownSentences(prompt: string): string[] | null {
  const whole = withoutWrappers(prompt.normalize('NFC'));
  if (whole.length > MAX_PROMPT || /^\/[a-z]/i.test(whole)) return null;
  if (whole.split('\n').some((line) => PASTED.test(line))) return null;
  // quotation marks are of one width in both, so a place in one is the same place in the other
  const marks = withoutQuotes(
    whole.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"'),
  );
  const sentences = [...marks.matchAll(SENTENCES)].flatMap(({ index, 0: { length } }) => {
    const sentence = whole.slice(index, index + length).trim();
    return sentence === '' ? [] : [sentence];
  });
  const announces = sentences.some((sentence) => {
    const said = plain(sentence).replace(LEAD, '').replace(STANDS, '').replace(STATED, '');
    return ANNOUNCES.test(withoutQuotes(said.replace(/^ ?[:：]/, '')));
  });
  return announces || sentences.length > MAX_SENTENCES ? null : sentences;
}

/** “in all my projects” */
const EVERYWHERE =
  /(?<!\p{L})(?:(?:in|for|across) (?:all|any|every one) (?:of )?my (?:projects|repos(?:itories)?)|in (?:allen|jedem) meine[nr] projekten?|dans tous mes projets|en todos mis proyectos|em todos os meus projetos|in tutti i miei progetti|in al mijn projecten)[,:]?|在?(?:我的)?所有项目(?:中|里)?[，,]?|すべてのプロジェクトで(?:は)?[、,]?|모든 프로젝트에서[,]?/iu;

/** Whether a person says that what they say holds in all their projects. */
export const isEverywhere = (words: string): boolean => EVERYWHERE.test(words);

/** Whether a sentence begins with a word that lasts, and tells what to do. */
function stands(sentence: string): boolean {
  const text = plain(sentence).replace(EVERYWHERE, '').trim().replace(LEAD, '');
  if (/[?？]\W*$|[吗么呢][。.]?$/.test(text) || TAKEN_BACK.test(text)) return false;
  const [begins] = STANDS.exec(text) ?? STANDS.exec(text.replace(TOPIC, '')) ?? [];
  if (begins === undefined || !/\p{L}{2}/u.test(text.slice(text.indexOf(begins) + begins.length)))
    return false;
  return !ENGLISH.test(begins) || !DESCRIBES.test(text.slice(begins.length));
}

/** What a person says that lasts, in their own words. `stated`: they said expressly that it is a rule. */
export type Said = { words: string; stated: boolean };

/**
 * Returns what a person says in a short prompt that lasts: what follows “rule:” or “remember:” as its first word, or else
 * the sentences that begin with one of these or with a word that lasts. Takes linear time.
 *
 * @example saidIn('Fix the cart. Always use pnpm.') // [{ words: 'Always use pnpm.', stated: false }]
 */
export function saidIn(prompt: string): Said[] {
  const own = withoutWrappers(prompt.normalize('NFC'));
  const begins = own.length <= MAX_PROMPT ? STATED.exec(own)?.[0] : undefined;
  if (begins !== undefined) {
    const words = own.slice(begins.length).trim();
    return /\p{L}{2}/u.test(words) && !words.includes('\n\n') ? [{ words, stated: true }] : [];
  }
  const isSaid = (one: string) => stands(one) || STATED.test(one.replace(LEAD, ''));
  return (ownSentences(own) ?? []).filter(isSaid).map((words) => ({ words, stated: false }));
}
