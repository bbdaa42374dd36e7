import { type Deed, deedsIn } from './deeds.ts';
import { has, isSpaced, type Phrases, phrasesOf, plain, type Span, spans } from './languages.ts';
import { type Literal, literalsIn } from './names.ts';
import type { Demand, Named, Reading } from './sentence.ts';

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

/** Where one clause ends and the next begins. */
const CLAUSE =
  /[,;:()—–、，；：]| - |\s(?:but|and then|sondern|aber|mais|sino|pero|mas|bensì|ma|maar)\s|而是|[.!?。！？](?=\s|$)/giu;

/** Returns where the clauses of a text begin and end, without those marks that stand in something named. */
export function clausesOf({
  text,
  literals,
}: Pick<Parsed, 'text' | 'literals'>): { at: number; end: number }[] {
  const marks = spans(CLAUSE, text).filter(
    (mark) => !literals.some((literal) => mark.at >= literal.at && mark.at < literal.end),
  );
  const clauses: { at: number; end: number }[] = [];
  let at = 0;
  for (const mark of marks) {
    clauses.push({ at, end: mark.at });
    at = mark.end;
  }
  clauses.push({ at, end: text.length });
  return clauses.filter(({ at: from, end }) => text.slice(from, end).trim() !== '');
}

type Cue = Span & { kind: 'use' | 'not' | 'without' | 'before' };
/** What a literal is said to be: null if its clause does not say. */
type Role = Named['role'] | null;
/** A negation in front of a verb of use is about what is used: at most this many letters lie between. */
const NEXT = 28;

/** Returns what each literal or deed of a sentence is: wanted, unwanted, or what the rule is about. */
export function rolesOf(said: Parsed, things: { at: number; end: number }[]): Role[] {
  const { text, phrases } = said;
  const free = (span: Span) => !said.literals.some(({ at, end }) => span.at < end && at < span.end);
  const find = (kind: Cue['kind'], pattern: RegExp): Cue[] =>
    spans(pattern, text)
      .filter(free)
      .map((span) => ({ ...span, kind }));
  const cues = [
    ...find('use', phrases.use),
    ...find('not', phrases.notNext),
    ...find('without', phrases.without),
    ...find('before', phrases.before),
  ].sort((a, b) => a.at - b.at || b.end - a.end);
  const behind = spans(phrases.notBefore, text).filter(free);
  const objects = spans(phrases.beforeAfter, text).filter(free);
  const clauses = clausesOf(said);
  const forbids = has(phrases.never, text) || has(phrases.dont, text) || has(phrases.notNext, text);
  return things.map((thing) => {
    const clause = clauses.find(({ at, end }) => thing.at >= at && thing.at < end) ?? {
      at: 0,
      end: text.length,
    };
    const before = cues.filter((cue) => cue.at >= clause.at && cue.end <= thing.at);
    const last = before.at(-1);
    const between = (a: number, b: number) => said.literals.some(({ at, end }) => at >= a && end <= b);
    // “npm ではなく”, “infra/prod nie anfassen”: nothing else stands between
    const negated = behind.some(
      (cue) =>
        cue.at >= thing.end &&
        cue.at < clause.end &&
        !between(thing.end, cue.at) &&
        reaches(said, thing.end, cue.at),
    );
    if (negated && last?.kind !== 'without') return 'unwanted';
    if (last?.kind === 'without' || withoutBehind(said, thing)) return 'wanted';
    const about = objects.some(
      (cue) => cue.at >= thing.end && cue.at - thing.end < 12 && !between(thing.end, cue.at),
    );
    if (about) return 'object';
    const not = before.findLast(({ kind }) => kind === 'not');
    if (not) {
      const use = before.findLast(({ kind, at }) => kind === 'use' && at >= not.end);
      // “don't use npm”: the negation is about the use; “not npm, use pnpm”: the use begins anew
      const anew = use !== undefined && (between(not.end, use.at) || use.at - not.end > NEXT);
      const object = before.findLast(({ kind, at }) => kind === 'before' && at >= not.end);
      if (!anew) return object ? 'object' : 'unwanted';
    }
    if (last?.kind === 'before') return 'object';
    if (last) return 'wanted';
    // “never npm or yarn, bun”: a list goes on; “pnpm, not npm”: the other one is not wanted
    const index = clauses.indexOf(clause);
    const previous =
      index > 0 &&
      /^\s*(?:or|and|nor|oder|und|noch|ou|et|ni|o|y|e|of|en|或|和|や|또는)?\s*`?$/iu.test(
        text.slice(clause.at, thing.at),
      );
    const earlier = previous ? clauses[index - 1] : undefined;
    if (
      earlier &&
      forbids &&
      cues.some(({ kind, at }) => kind === 'not' && at >= earlier.at && at < earlier.end) &&
      /[,、，]/.test(text[clause.at - 1] ?? '')
    ) {
      const positive =
        cues.some(({ kind, at }) => kind === 'use' && at >= clause.at && at < clause.end) ||
        !/^\s*(?:or|nor|oder|noch|ou|ni|o|of)\s/iu.test(text.slice(clause.at));
      return positive ? null : 'unwanted';
    }
    return null;
  });
}

/** Whether a negation behind a thing is still about it: in one clause, and in Japanese and Korean close by. */
const reaches = ({ phrases }: Parsed, from: number, to: number): boolean =>
  isSpaced(phrases.language) ? to - from < 80 : to - from < 24;

/** “make lint を実行せずに”, “없이”: the word for “without” stands behind in some languages. */
const withoutBehind = ({ text, phrases }: Parsed, thing: { end: number }): boolean =>
  ['ja', 'ko'].includes(phrases.language) &&
  spans(phrases.without, text).some(({ at }) => at >= thing.end && at - thing.end < 14);

const named = (said: Parsed): Named[] => {
  const roles = rolesOf(said, said.literals);
  const forbids = roles.includes('unwanted');
  return said.literals.map(({ text, kind }, i) => {
    // a branch and a place are where a deed is done, and never the thing that is used
    const where = kind === 'branch' || kind === 'environment';
    const role = roles[i] ?? (where ? 'object' : forbids || kind === 'command' ? 'wanted' : 'object');
    return { text, kind, role: where && role === 'wanted' ? 'object' : role };
  });
};

/** Returns what a sentence demands, and of what. */
function readingOf(said: Parsed): Reading {
  const names = named(said);
  return { demand: demandOf(said, names), named: names, language: said.phrases.language };
}

function demandOf(said: Parsed, names: Named[]): Demand {
  const { text, phrases } = said;
  const tells = (field: keyof Omit<Phrases, 'language'>) => has(phrases[field], text);
  const useful = names.filter(({ kind }) => kind !== 'branch' && kind !== 'environment');
  const wanted = useful.some(({ role }) => role === 'wanted');
  const unwanted = useful.some(({ role }) => role === 'unwanted');
  if (tells('ask')) return 'ask';
  if (unwanted && wanted) return 'instead';
  const without = tells('without') && wanted;
  if (
    !without &&
    (unwanted ||
      tells('never') ||
      tells('dont') ||
      tells('banned') ||
      tells('handsOff') ||
      tells('weNot') ||
      noThings(said))
  )
    return 'never';
  if (without && (tells('never') || tells('dont') || tells('weNot'))) return 'never';
  if (tells('always') || tells('habit') || tells('since') || wanted) return 'always';
  return 'tell';
}

/** “no force pushes”, “keine Force-Pushes”: a thing is forbidden without a verb. */
const NO_THINGS =
  /^(?:(?:please|bitte|also|and|und|por favor|s'il te plaît)[,:]? )*(?:no|keine?|pas de|nada de|sem|niente|geen|ningún|ninguna|aucune?|nessuna?)(?![\p{L}\p{N}]) ?|^pas d'/iu;
/** Whether a sentence forbids a thing that it names right behind the word. */
function noThings({ text, phrases, literals, deeds }: Parsed): boolean {
  const from = NO_THINGS.exec(text)?.[0].length;
  if (from === undefined) return false;
  const next = text.indexOf(' ', from);
  // one word may stand between: “no new dependencies”
  return [...literals, ...deeds, ...spans(phrases.work, text)].some(
    ({ at }) =>
      at === from ||
      (next > 0 &&
        at === next + 1 &&
        !/^(?:it|its|it's|that|i|you|we|the|this|they|need)$/i.test(text.slice(from, next))),
  );
}

/**
 * Returns what a sentence demands and names, as it is understood without its conversation.
 *
 * @example readRule('use pnpm, never npm') // { demand: 'instead', named: [pnpm wanted, npm unwanted], language: 'en' }
 */
export const readRule = (sentence: string): Reading => readingOf(parsed(sentence));
