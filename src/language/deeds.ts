import { readJsonc } from '../text/jsonc.ts';
import text from './deeds.jsonc' with { type: 'text' };
import { type Phrases, type Span, spans } from './languages.ts';
import { type Alternatives, joined, type Language } from './words/words.ts';

// What an agent does, as people call it in each language. A loan word is the same
// everywhere, so `all` counts in each language.

type DeedName =
  | 'commit'
  | 'push'
  | 'force push'
  | 'merge'
  | 'rebase'
  | 'amend'
  | 'pull request'
  | 'deploy'
  | 'publish'
  | 'install'
  | 'migrate'
  | 'write migration'
  | 'test'
  | 'lint'
  | 'format'
  | 'build'
  | 'delete'
  | 'skip hooks'
  | 'stash'
  | 'update snapshots'
  | 'reset'
  | 'branch';

type Names = { all?: Alternatives } & Partial<Record<Language, Alternatives>>;

const NAMES = readJsonc(text) as Record<DeedName, Names>;

const cache = new Map<Language, [DeedName, RegExp][]>();

function patterns(language: Language): [DeedName, RegExp][] {
  const known = cache.get(language);
  if (known) return known;
  const spaced = !['zh', 'ja', 'ko'].includes(language);
  const made = Object.entries(NAMES).map(([name, names]): [DeedName, RegExp] => {
    const own = names[language] && joined(names[language]);
    // among Chinese, Japanese and Korean letters a loan word is bounded by its own alphabet only
    const edge = spaced ? '[\\p{L}\\p{N}_]' : '[A-Za-z0-9_]';
    const loan = names.all ? `(?<!${edge})(?:${joined(names.all)})(?!${edge})` : '(?!)';
    const other = own ? (spaced ? `(?<!${edge})(?:${own})(?!${edge})` : `(?:${own})`) : '(?!)';
    return [name as DeedName, new RegExp(`${loan}|${other}`, 'giu')];
  });
  cache.set(language, made);
  return made;
}

export type Deed = Span & { name: DeedName };

/** Returns the deeds that a sentence names, in their order, each place once. */
export function deedsIn(text: string, { language }: Pick<Phrases, 'language'>): Deed[] {
  const found: Deed[] = [];
  for (const [name, pattern] of patterns(language)) {
    for (const span of spans(pattern, text)) {
      if (!found.some((other) => span.at < other.end && other.at < span.end)) found.push({ name, ...span });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
