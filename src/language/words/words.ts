// What a language has words for when a person says how to work. Each entry is a list of phrases with `|` between them; a
// blank in a phrase is any white space, `?` and `(…)` mean what they mean in a regular expression. The tables are data:
// statements.ts and reading.ts say what follows from them.

export type Words = {
  /** small words by which the language is recognised */
  marks: string;
  always: string;
  never: string;
  /** “don't …”: forbids, and holds only now unless something says that it stands */
  dont: string;
  /** “only …”: says how it is to be; a model may find that it lasts */
  only: string;
  /** “from now on”: stands wherever it is in the sentence */
  since: string;
  /** “in this repo”: stands for a sentence that says what is done and what is not */
  place: string;
  /** “here”: as `place`, but it may also mean this line */
  here: string;
  /** what “we” do as a matter of course: “we use”, “we don't” */
  weUse: string;
  weNot: string;
  /** the person asks to be remembered, at the beginning of a clause */
  remember: string;
  /** “ask me before …” */
  ask: string;
  /** said behind a thing: “… is forbidden” */
  banned: string;
  /** said before things: “no … please”, “hands off …” */
  handsOff: string;
  /** “… is generated”, “belongs to …”: why a thing must be left alone */
  owned: string;
  /** each time and not this time: “every time you”, “before every”, “when you open a” */
  habit: string;
  /** what a person likes in general, before a thing in the plural */
  prefer: string;
  /** it was said before: “I told you”, “how often” */
  told: string;
  /** begins what is wanted: “use”, “run”, “with” */
  use: string;
  /** the next thing is not wanted: “not”, “instead of” */
  notNext: string;
  /** the thing before is not wanted: “… is banned”, Japanese “…ではなく” */
  notBefore: string;
  /** “without”: what follows “never … without” is wanted */
  without: string;
  /** “before”: the deed that follows is what the rule is about */
  before: string;
  /** the deed is before the word (Japanese, Korean, Chinese): “… 之前” */
  beforeAfter: string;
  /** a decision is told: “we decided to” */
  decided: string;
  /** holds for this piece of work only */
  local: string;
  /** a question without its mark */
  question: string;
  /** asks politely, and is no question: “can you please always” */
  polite: string;
  /** describes what is not so: “if we”, “imagine” */
  suppose: string;
  /** opens irony or a story: “great, so now” */
  irony: string;
  /** “not always”: takes the standing word back */
  weak: string;
  /** the standing word behind one of these is about a thing, not the agent: “a check that never …” */
  relative: string;
  /** a product shall do something: “make sure”, “the button should” */
  product: string;
  /** how things are: “fails”, “is broken” */
  status: string;
  /** refuses what was done, at the beginning */
  refuses: string;
  /** ways of working that are named by no tool: comments, file names, the language of an answer */
  work: string;
};

export type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'zh' | 'ja' | 'ko';
