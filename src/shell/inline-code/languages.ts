import { AWK } from './awk.ts';
import { JAVASCRIPT } from './javascript.ts';
import type { Language } from './language.ts';
import { LUA } from './lua.ts';
import { APPLESCRIPT, HASH_COMMENTS, SLASH_COMMENTS } from './others.ts';
import { PERL } from './perl.ts';
import { PHP } from './php.ts';
import { PYTHON } from './python.ts';
import { RUBY } from './ruby.ts';

/** How an interpreter is given a program on the command line. */
export type Interpreter = {
  language: Language;
  /** the option or word before the program */
  code: RegExp;
  /** the same option with the program attached: -e'…' */
  attached?: RegExp;
  /** the option that runs a module instead of a program: -m json.tool */
  module?: RegExp;
  /** other options may come between `code` and the program */
  optionsFirst?: boolean;
  /** the program is the first word that is not an option; this matches the options that take the next word */
  firstWord?: RegExp;
  /** options that take the next word */
  valued?: RegExp;
  /** its options may follow a word */
  optionsLast?: boolean;
};

const INTERPRETERS: [RegExp, Interpreter][] = [
  [
    /^(python|pypy)[\d.]*$/,
    {
      language: PYTHON,
      code: /^-[bBdEiIOqsSuvxP]*c$/,
      attached: /^-[bBdEiIOqsSuvxP]*c(.+)$/s,
      module: /^-[bBdEiIOqsSuvxP]*m/,
      valued: /^-[WX]$/,
    },
  ],
  [
    /^(node|nodejs|bun|tsx|ts-node)$/,
    { language: JAVASCRIPT, code: /^(-e|-p|-pe|--eval|--print)$/, optionsLast: true },
  ],
  [/^deno$/, { language: JAVASCRIPT, code: /^eval$/, optionsFirst: true, optionsLast: true }],
  [
    /^perl[\d.]*$/,
    { language: PERL, code: /^-[0-9a-zA-Z]*[eE]$/, attached: /^-[lanpwWtTsSUuc0-7]*[eE](.+)$/s },
  ],
  [/^j?ruby[\d.]*$/, { language: RUBY, code: /^-[a-z]*e$/, attached: /^-[lanpwWvscS]*e(.+)$/s }],
  [/^php[\d.]*$/, { language: PHP, code: /^(-r|-R|-B|--run)$/, attached: /^-[rRB](.+)$/s }],
  [/^lua(jit)?[\d.]*$/, { language: LUA, code: /^-e$/, attached: /^-e(.+)$/s }],
  [/^(julia|rscript|r|elixir)[\d.]*$/, { language: HASH_COMMENTS, code: /^(-e|-E|--eval|--print)$/ }],
  [/^(groovy|scala)[\d.]*$/, { language: SLASH_COMMENTS, code: /^(-e|--eval)$/ }],
  [/^osascript$/, { language: APPLESCRIPT, code: /^-e$/ }],
  [
    /^[gmn]?awk$/,
    {
      language: AWK,
      code: /^(-e|--source)$/,
      firstWord: /^(-F|-v|-i|-l|--assign|--field-separator|--include|--load)$/,
    },
  ],
];

/** Returns how a program takes code; undefined when it is no interpreter. */
export const interpreterOf = (program: string): Interpreter | undefined =>
  INTERPRETERS.find(([name]) => name.test(program))?.[1];
