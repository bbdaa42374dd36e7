// What a language has words for when a person says how to work. Each entry is a list of phrases with `|` between them, or an
// array of such texts. A blank is any white space; `?` and `(…)` mean what they mean in a regular expression. The tables are data, a file for each
// language; read-prompt.ts and reading.ts say what follows from them.

/** A part of a regular expression; those of an array are alternatives. */
export type Alternatives = string | string[];

export const joined = (parts: Alternatives): string => (typeof parts === 'string' ? parts : parts.join('|'));

export type Words = {
  /** small words by which the language is recognised */
  marks: Alternatives;
  always: Alternatives;
  never: Alternatives;
  /** “don't …”: forbids, and holds only now unless something says that it stands */
  dont: Alternatives;
  /** “from now on”: stands wherever it is in the sentence */
  since: Alternatives;
  /** “in this repo”: stands for a sentence that says what is done and what is not */
  place: Alternatives;
  /** “here”: as `place`, but it may also mean this line */
  here: Alternatives;
  /** what “we” do as a matter of course: “we use”, “we don't” */
  weUse: Alternatives;
  weNot: Alternatives;
  /** the person asks to be remembered, at the beginning of a clause */
  remember: Alternatives;
  /** “ask me before …” */
  ask: Alternatives;
  /** said behind a thing: “… is forbidden” */
  banned: Alternatives;
  /** said before things: “no … please”, “hands off …” */
  handsOff: Alternatives;
  /** each time and not this time: “every time you”, “before every”, “when you open a” */
  habit: Alternatives;
  /** what a person likes in general, before a thing in the plural */
  prefer: Alternatives;
  /** it was said before: “I told you”, “how often” */
  told: Alternatives;
  /** begins what is wanted: “use”, “run”, “with” */
  use: Alternatives;
  /** the next thing is not wanted: “not”, “instead of” */
  notNext: Alternatives;
  /** the thing before is not wanted: “… is banned”, Japanese “…ではなく” */
  notBefore: Alternatives;
  /** “without”: what follows “never … without” is wanted */
  without: Alternatives;
  /** “before”: the deed that follows is what the rule is about */
  before: Alternatives;
  /** the deed is before the word (Japanese, Korean, Chinese): “… 之前” */
  beforeAfter: Alternatives;
  /** a decision is told: “we decided to” */
  decided: Alternatives;
  /** holds for this piece of work only */
  local: Alternatives;
  /** a question without its mark */
  question: Alternatives;
  /** asks politely, and is no question: “can you please always” */
  polite: Alternatives;
  /** describes what is not so: “if we”, “imagine” */
  suppose: Alternatives;
  /** opens irony or a story: “great, so now” */
  irony: Alternatives;
  /** refuses what was done, at the beginning */
  refuses: Alternatives;
  /** ways of working that are named by no tool: comments, file names, the language of an answer */
  work: Alternatives;
};

export type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'zh' | 'ja' | 'ko';
