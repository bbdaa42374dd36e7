import { words } from '../names.ts';
import type { Effect } from '../types.ts';

// What the reader of inline programs knows of a language. One file per language fills this in, because a name that only
// computes in one language runs a command in another: `open` in Python and in Ruby, `load` in JSON and in Lua.

/** A name in scanned code. */
export type Name = {
  name: string;
  /** a bracket follows, or `new` stands before */
  called: boolean;
  /** what stands before it and its dot: `os.` */
  member: string;
  /** it is a variable by its sign: `$x` */
  sigil: boolean;
};

/** A string or a pattern that begins with a word: q(…), qx(…), %w[…], s/…/…/. */
export type Quoted = { end: number; literals: string[]; runs: boolean; code: string | null };

type Syntax = {
  /** Begins a comment that ends with the line. Left out where the sign also means something else. */
  comment?: string;
  /** `/* … *\/` */
  blockComments?: boolean;
  /** the signs that enclose a string; `"'` and the backtick when not told */
  quotes?: string;
  /** three quotes enclose a string too */
  tripleQuotes?: boolean;
  /** `runs`: a command; `template`: a string with code in it; `string`: neither */
  backtick: 'runs' | 'template' | 'string';
  /** `/…/` is a pattern where no value stands before it */
  patterns?: boolean;
  /** what opens code inside a string, by its quote and the letters before it; null: nothing does */
  opens?: (quote: string, prefix: string) => string | null;
  quoteLike?: (text: string, at: number, before: string) => Quoted | null;
};

export type Language = {
  syntax: Syntax;
  /** names that do more than compute, by what they may do; whether called or only named */
  effects: ReadonlyMap<string, Effect>;
  /** functions that compute, print or look; calling any other that the program does not make itself is `other` */
  harmless: ReadonlySet<string>;
  /** words of the language and names of its types; a bracket may follow them */
  keywords: ReadonlySet<string>;
  /** a name may be a call without a bracket: `puts 1`; only before a string: `print"x"` */
  bareCalls?: 'always' | 'before a string';
  /** `$f(…)` calls what the variable holds */
  callsVariables?: boolean;
  /** a string that names a function may be one that is called back */
  callsByName?: boolean;
  /** `a[b](…)` calls what is told only when it runs */
  computedCalls?: boolean;
  /** opens `id|` as a command where a file is named */
  opensPipes?: boolean;
  /** what the names alone do not tell */
  inspect?: (code: string, literals: string[], text: string) => Effect[];
};

export const set = (text: string): ReadonlySet<string> => new Set(words(text));

/** Names by what they may do; where two lists have one, the first counts. */
export const effectsByName = (
  lists: Partial<Record<Exclude<Effect, 'harmless'>, string>>,
): ReadonlyMap<string, Effect> =>
  new Map(
    Object.entries(lists)
      .reverse()
      .flatMap(([effect, list]) => words(list).map((name): [string, Effect] => [name, effect as Effect])),
  );

/** Stands for a string in scanned code. */
export const MARK = '\uE000';

/** The effects whose pattern the code matches. */
export const found = (code: string, patterns: [RegExp, Effect][]): Effect[] =>
  patterns.filter(([pattern]) => pattern.test(code)).map(([, effect]) => effect);

/** The effects of the modules that the strings of a program name. */
export const modules = (literals: string[], known: [RegExp, Effect][]): Effect[] =>
  literals.flatMap((literal) => found(literal, known));
