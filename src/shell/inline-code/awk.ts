import { effectsByName, found, type Language, modules, set } from './language.ts';

// Awk runs other code in three ways only, so rules of the policy judge what an awk program may write or run.
// This file lists the names for its sockets and commands, for the rules about these.

export const AWK: Language = {
  syntax: { comment: '#', quotes: '"', backtick: 'string', patterns: true },
  effects: effectsByName({
    commands: 'system',
    dynamic: 'extension',
    writes: 'fflush',
  }),
  harmless: set(`
      print printf length substr index split sub gsub gensub match sprintf tolower toupper sin cos atan2 exp
      log sqrt int rand srand strftime systime mktime asort asorti strtonum and or xor compl lshift rshift
      patsplit typeof isarray next nextfile exit delete close getline remove copy move drop rm link http
      request connect`),
  keywords: set(`
      BEGIN END BEGINFILE ENDFILE if else for while do break continue return function func in switch case
      default`),
  inspect: (code, literals) => [
    ...found(code, [
      [/\|\s?&|\uE000\s?\|\s?getline|\w\s?\|\s?getline|[^|]\|\s?\(?\s?[\w$\uE000][^|]/, 'commands'],
      [/\bprintf?\b[^;}\n]{0,500}>/, 'writes'],
      [/@\s?(load|include)\b/, 'dynamic'],
      [/@\s?\w+\s?\(/, 'dynamic'],
    ]),
    ...modules(literals, [[/^\/inet[46]?\//, 'network']]),
  ],
};
