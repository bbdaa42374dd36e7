import type { SearchResult } from './routes.ts';

/** Returns each text once: the best result with it, and the others of the same words, such as a lesson's episode. */
export function onceEach(results: SearchResult[]): { result: SearchResult; also: SearchResult[] }[] {
  const byText = new Map<string, { result: SearchResult; also: SearchResult[] }>();
  for (const result of results) {
    const text = result.title.replace(/\s+/g, ' ').toLowerCase();
    const known = byText.get(text);
    if (known) known.also.push(result);
    else byText.set(text, { result, also: [] });
  }
  return [...byText.values()];
}
