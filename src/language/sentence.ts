// What a person's sentence says, as far as its words show it. It is read by everything that keeps, merges or
// guards what a person said.

/**
 * `never`: not to do something. `ask`: to ask before it is done. `instead`: one thing in place of another. `always`: to do
 * something, perhaps before or with another thing. `tell`: it asks for nothing that a call could break.
 */
export type Demand = 'never' | 'ask' | 'instead' | 'always' | 'tell';

/** Something that a sentence names to the letter. */
export type Named = {
  /** as the person wrote it, without quotation marks and backticks */
  text: string;
  kind: 'command' | 'program' | 'package' | 'option' | 'path' | 'branch' | 'environment' | 'code';
  /** `object`: neither wanted nor unwanted, what the rule is about: “before you *commit*, run lint” */
  role: 'wanted' | 'unwanted' | 'object';
};

/** A sentence as it is understood without its conversation. */
export type Reading = {
  demand: Demand;
  named: Named[];
  /** two letters: en, de, fr, es, pt, it, nl, zh, ja, ko */
  language: string;
};
