import { withoutWrappers } from './wrappers.ts';

// Which sentences of a person are kept as a rule without anybody who understands language: those that begin with a word
// that lasts, in a short prompt into which nothing was pasted. Everything else that a person says may mean anything.

/** In characters. A longer prompt is a document. */
const MAX_PROMPT = 600;
const MAX_SENTENCES = 3;

/** How a sentence begins that lasts. In languages that put the verb first, one word may stand before it. */
const BEGINS = {
  en: "never(?: ever| again)?|always|from (?:now|here) on(?:wards?)?|as of now|going forward|henceforth|(?:don't|do not) ever|under no circumstances",
  de: '(?:\\p{L}+(?<!t) (?:hier |bitte )?)?(?:nie(?:mals)?(?: mehr| wieder)?|immer|stets)|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun|heute) an|künftig|in Zukunft|(?:auf keinen Fall|unter keinen Umständen)',
  fr: "(?:\\p{L}+ )?toujours|(?:(?:ne |n')\\p{L}+ )?jamais|désormais|dorénavant|à partir de maintenant|à l'avenir",
  es: '(?:\\p{L}+ )?siempre|(?:no (?:\\p{L}+ ){1,2})?nunca(?: más)?|jamás|(?:a partir|de ahora|desde) (?:de |en )?(?:ahora|adelante|hoy)',
  pt: '(?:\\p{L}+ )?sempre|(?:não \\p{L}+ )?nunca(?: mais)?|jamais|a partir de (?:agora|hoje)|de agora em diante|daqui (?:em|para) (?:diante|frente)',
  it: "(?:\\p{L}+ )?sempre|(?:non \\p{L}+ )?mai(?: più)?|d'ora in (?:poi|avanti)|da (?:ora|adesso|oggi) in (?:poi|avanti)",
  nl: '(?:\\p{L}+(?<!t) )?(?:nooit(?: meer)?|altijd)|vanaf (?:nu|vandaag)|voortaan|onder geen beding',
  zh: '总是|始终|永远(?:不要|不)?|一律|务必|绝不|决不|绝对不要?|千万(?:不要|不|别)|切勿|再也不要?|从现在(?:开始|起)|从今以后|以后|今后',
  ja: '必ず|常に|いつも(?!の)|絶対に|決して|二度と|今後は?|これからは?|以後',
  ko: '항상|언제나(?!처럼)|반드시|절대(?:로)?|결코|다시는|앞으로(?:는)?|이제부터(?:는)?|지금부터(?:는)?',
};
/** Politeness; in Japanese and Korean also the thing that the sentence is about. */
const LEAD =
  /^(?:(?:please|pls|and|also|bitte|s'il te plaît|por favor|per favore|alsjeblieft|请|請)[\s,]*)*/iu;
/** Whoever begins a prompt with this states what follows. */
const STATED =
  /^(?:rule|remember|regel|merke?|règle|retiens|regla|recuerda|regra|lembre|regola|ricorda|onthoud|规则|規則|记住|ルール|覚えて|규칙|기억) ?[:：]\s*/iu;
const TOPIC = /^[\w./@*`-]{1,60} ?(?:には|では|は|に|を|에는|에서|에|은|는|을|를)\s*/u;
const EDGE = '(?![\\p{L}\\p{N}_])';
/** “wie immer”, “no siempre” */
const TAKEN_BACK =
  /^(?:wie|nicht|comme|pas|como|no|não|come|non|zoals|niet) (?:immer|toujours|siempre|sempre|altijd)/i;
const spaced = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'] as const;
const STANDS = new RegExp(
  `^(?:(?:${spaced.map((language) => BEGINS[language]).join('|')})${EDGE}|${BEGINS.zh}|${BEGINS.ja}|${BEGINS.ko})`,
  'iu',
);
const ENGLISH = new RegExp(`^(?:${BEGINS.en})$`, 'i');
/** What follows where a thing is described and nobody is told what to do: “never mind”, “always fails”, “from now on it …”. */
const DESCRIBES =
  /^[\s,:]*(?:mind|again|got|had|has|was|were|been|is|are|seen|saw|knew|known|heard|did|does|could|would|can|will|happy|nice|good|it|i|they|he|she|this|that|there|(?!(?:alias|bias|focus|always)\b)[a-z]+[^\W_suid]s|(?!(?:\w*need|embed|seed|feed|exceed|proceed)\b)[a-z]{2,}ed)\b/i;

/** A line of something pasted: code, a quotation, a log, a table, a tag, a heading. */
const PASTED = /^(?:`{3}|~~~|[>|#$%<@]|[-+]{3} | {4}|\t|\d{2,4}[-:]\d\d|at \S+ \(|traceback|\S+:\d+)/i;
/** Whoever announces something hands on what somebody else says. */
const ANNOUNCES = /[:：](?=\s|$)/;
/** A dot inside a name or path ends none. */
const SENTENCES = /(?:[^.!?。！？\n]|[.!?](?=[^\s.!?]))+(?:[.!?。！？]+|\n|$)/gu;

/** Returns a sentence as it is compared: composed letters, straight quotation marks, single blanks. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the text with blanks in place of what is quoted or stands in brackets: no sentence begins or ends there. */
const withoutQuotes = (text: string): string =>
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
    const said = plain(sentence).replace(LEAD, '').replace(STANDS, '');
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
 * the sentences that begin with a word that lasts. Takes linear time.
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
  return (ownSentences(own) ?? []).filter(stands).map((words) => ({ words, stated: false }));
}
