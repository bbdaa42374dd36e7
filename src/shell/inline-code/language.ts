import { words } from '../names.ts';
import type { Effect } from '../types.ts';

// What the reader of inline programs needs to know about a language. Each language has its own file, because a name
// that only computes in one language runs a command in another: `open` in Python and in Ruby, `load` in JSON and in
// Lua.

/** A name in scanned code. */
export type Name = {
  name: string;
  /** a bracket follows it, or `new` comes before it */
  called: boolean;
  /** what it is a member of, with the dot: `os.` */
  member: string;
  /** its sign makes it a variable: `$x` */
  sigil: boolean;
};

/** A string or a pattern that begins with a word: q(…), qx(…), %w[…], s/…/…/. `code` is code inside it. */
export type Quoted = { end: number; literals: string[]; runs: boolean; code: string | null };

type Syntax = {
  /** Begins a comment that ends with the line. Left out where the sign also means something else. */
  comment?: string;
  /** `/* … *\/` */
  blockComments?: boolean;
  /** the signs that enclose a string; default: `"`, `'` and the backtick */
  quotes?: string;
  /** three quotes enclose a string too */
  tripleQuotes?: boolean;
  /**
   * what a backtick encloses: `runs`, a command; `template`, a string with code in it; `string`, a plain string or a
   * name
   */
  backtick: 'runs' | 'template' | 'string';
  /** `/…/` is a pattern when no value comes before it */
  patterns?: boolean;
  /** Returns what opens code inside a string with this quote and these letters before it; null when nothing does. */
  opens?: (quote: string, prefix: string) => string | null;
  quoteLike?: (text: string, at: number, before: string) => Quoted | null;
};

export type Language = {
  syntax: Syntax;
  /** names that do more than compute, with what they may do; they count even when they are not called */
  effects: ReadonlyMap<string, Effect>;
  /** functions that compute, print or look; a call of any other one that the program does not define is `other` */
  harmless: ReadonlySet<string>;
  /** words of the language and names of its types: a bracket after them does not make a call */
  keywords: ReadonlySet<string>;
  /** a name may be a call without a bracket: always (`puts 1`), or only before a string (`print"x"`) */
  bareCalls?: 'always' | 'before a string';
  /** `$f(…)` calls what the variable holds */
  callsVariables?: boolean;
  /** a string that names a function may be a callback: `array_map("unlink", …)` */
  callsByName?: boolean;
  /** `a[b](…)` calls a function that is known only when it runs */
  computedCalls?: boolean;
  /** runs a file name such as `id|` as a command */
  opensPipes?: boolean;
  /**
   * how its programs are read to find the files that they write; left out if that is not done for this
   * language
   */
  writes?: 'python' | 'javascript';
  /** Returns effects that the names alone do not show. */
  inspect?: (code: string, literals: string[], text: string) => Effect[];
};

/** Returns the words of a text as a set. */
export const set = (text: string): ReadonlySet<string> => new Set(words(text));

/** Returns the effect of each name. For a name in two lists, the first list counts. */
export const effectsByName = (
  lists: Partial<Record<Exclude<Effect, 'harmless'>, string>>,
): ReadonlyMap<string, Effect> =>
  new Map(
    Object.entries(lists)
      .reverse()
      .flatMap(([effect, list]) => words(list).map((name): [string, Effect] => [name, effect as Effect])),
  );

/** Takes the place of a string in scanned code. */
export const MARK = '\uE000';

/** Returns the effects whose patterns the code matches. */
export const found = (code: string, patterns: [RegExp, Effect][]): Effect[] =>
  patterns.filter(([pattern]) => pattern.test(code)).map(([, effect]) => effect);

/** Returns the effects of the modules that the strings of a program name. */
export const modules = (literals: string[], known: [RegExp, Effect][]): Effect[] =>
  literals.flatMap((literal) => found(literal, known));
