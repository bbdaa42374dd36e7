import { type Deed, deedsIn } from './deeds.ts';
import { type Phrases, phrasesOf, plain } from './languages.ts';
import { type Literal, literalsIn } from './names.ts';

// What a sentence asks for, as far as its words show it: what is wanted, what is not, and what it is about. The order of
// words decides: a negation is about what follows it in its clause, and in Japanese and Korean about what precedes it.

/** A sentence taken apart. */
export type Parsed = {
  text: string;
  phrases: Phrases;
  literals: Literal[];
  deeds: Deed[];
};

/** Deeds that make `main` a branch, and those that make `staging` a place. */
const GIT = /commit|push|merge|rebase|amend|branch|pull request|reset|stash/;
const BRANCH_WORD = /branch|rama|ramas|filial|zweig|ramo|分支|ブランチ|브랜치/i;
const SHIPS = /deploy|migrate|publish|delete|write migration/;
const DATA_WORD =
  /database|datenbank|\bdb\b|base de (?:données|datos)|banco de dados|数据库|データベース|데이터베이스|cluster|server|kubectl|helm|terraform/i;

/**
 * Takes a sentence apart. It takes time linear in the length.
 *
 * @param phrases those of its language, if that is known
 */
export function parsed(sentence: string, phrases: Phrases = phrasesOf(plain(sentence))): Parsed {
  const text = plain(sentence);
  const deeds = deedsIn(text, phrases);
  const git = deeds.some(({ name }) => GIT.test(name)) || BRANCH_WORD.test(text);
  const ships = !git && (deeds.some(({ name }) => SHIPS.test(name)) || DATA_WORD.test(text));
  return {
    text,
    phrases,
    deeds,
    literals: literalsIn(text, phrases, { git, ships: ships || deeds.some(({ name }) => name === 'deploy') }),
  };
}
