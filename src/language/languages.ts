import { readJsonc } from '../text/jsonc.ts';
import de from './words/de.jsonc' with { type: 'text' };
import en from './words/en.jsonc' with { type: 'text' };
import es from './words/es.jsonc' with { type: 'text' };
import fr from './words/fr.jsonc' with { type: 'text' };
import it from './words/it.jsonc' with { type: 'text' };
import ja from './words/ja.jsonc' with { type: 'text' };
import ko from './words/ko.jsonc' with { type: 'text' };
import nl from './words/nl.jsonc' with { type: 'text' };
import pt from './words/pt.jsonc' with { type: 'text' };
import { joined, type Language, type Words } from './words/words.ts';
import zh from './words/zh.jsonc' with { type: 'text' };

// Makes one regular expression of each list of phrases, and tells which language a sentence is in.

const TEXTS: Record<Language, string> = { en, de, fr, es, pt, it, nl, zh, ja, ko };

/** Where a phrase was found in a text. */
export type Span = { at: number; end: number; text: string };
/** The phrases of a language, ready to be looked for. */
export type Phrases = { language: Language } & Record<keyof Words, RegExp>;

/** Korean writes particles without a blank, so only words that stand alone are bounded there, and only in front. */
const KOREAN_WORDS = new Set<keyof Words>([
  'always',
  'never',
  'since',
  'place',
  'here',
  'remember',
  'told',
  'local',
  'suppose',
  'irony',
  'refuses',
]);

function compile(language: Language, text: string): Phrases {
  const table = readJsonc(text) as Words;
  const compiled = Object.entries(table).map(([field, parts]) => {
    const phrases = joined(parts);
    const start = language === 'ko' ? (KOREAN_WORDS.has(field as keyof Words) ? '(?<![가-힣])' : '') : '';
    const bounded = `(?<![\\p{L}\\p{N}_])(?:${phrases})(?:(?<=[^\\p{L}\\p{N}_])|(?![\\p{L}\\p{N}_]))`;
    const pattern = isSpaced(language) ? bounded : `${start}(?:${phrases})`;
    return [field, new RegExp(pattern, 'giu')];
  });
  return { language, ...Object.fromEntries(compiled) };
}

/** Whether a language puts blanks between its words, and no particles behind them. */
export const isSpaced = (language: Language): boolean => !['zh', 'ja', 'ko'].includes(language);

const PHRASES = Object.fromEntries(
  Object.entries(TEXTS).map(([language, text]) => [language, compile(language as Language, text)]),
) as Record<Language, Phrases>;
/** What counts for a language when several share an alphabet. */
const TELLING: [field: keyof Words, weight: number][] = [
  ['marks', 1],
  ['never', 3],
  ['always', 2],
  ['since', 3],
  ['notNext', 1],
];
const LATIN: Language[] = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

/** Returns the phrases of the language that a sentence is most likely in; English if nothing tells. */
export function phrasesOf(text: string): Phrases {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return PHRASES.ja;
  if (/\p{Script=Hangul}/u.test(text)) return PHRASES.ko;
  if (/\p{Script=Han}/u.test(text)) return PHRASES.zh;
  // code is the same in all languages: `use client` is not English
  const prose = text.replace(/`[^`]*`/g, ' ');
  let best: Phrases = PHRASES.en;
  let most = 0;
  for (const language of LATIN) {
    const found = TELLING.reduce(
      (sum, [field, weight]) => sum + weight * (prose.match(PHRASES[language][field])?.length ?? 0),
      0,
    );
    if (found > most) {
      most = found;
      best = PHRASES[language];
    }
  }
  return best;
}

/** Returns where a phrase of a list stands in a text. */
export const spans = (pattern: RegExp, text: string): Span[] =>
  [...text.matchAll(pattern)].map((found) => ({
    at: found.index,
    end: found.index + found[0].length,
    text: found[0],
  }));

/** Returns a text with blanks in place of some of its parts. All else stays where it was. */
export const blanked = (text: string, parts: readonly { at: number; end: number }[]): string =>
  parts.reduce((rest, { at, end }) => rest.slice(0, at) + ' '.repeat(end - at) + rest.slice(end), text);

/** Returns whether a text has a phrase of a list. */
export const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/**
 * Returns a sentence as it is compared: composed letters, straight quotation marks, single blanks. Names in the rule and
 * names of files are written in one form then.
 */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
