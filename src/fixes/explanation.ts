import type { Resolution } from '../incidents/incidents.ts';

// At the end of a turn an agent says many things: what it changed, how many tests pass, what it will do next.
// This file finds the sentence that says why something failed and what is needed.

/** Words that give a reason, or say what something needs, allows or refuses. */
const RULE =
  /\b(?:because|since|otherwise|needs?|needed|must(?:n't)?|requires?|required|has to|have to|had to|never|(?:was|were) (?:cached|stale|missing|locked|unset)|only (?:exists?|works?|takes?|accepts?|allows?|runs?)|takes? only|accepts? only|without|d(?:oes|id)(?: not|n't)|do(?: not|n't)|cannot|can't|can only|is not|isn't|are not|not (?:available|supported|allowed|installed|executable)|immutable|by default|instead|enforces?|refuses?|rejects?|expects?|depends? on|protected|matches|locks?|held|holds?|occupies|in use|use [`“"]|sets|lacks?|lost|missing|unset|generated|pinned|conflicts?|incompatible|before|first|older|newer|still|too (?:small|large|big|old|new|low|high|short|long|many|few|slow)|so (?:i|we|it|the|that))\b/i;
/** Words of a report: what was done and how it went. */
const REPORT =
  /^(?:all|done|added|changed|renamed|updated|fixed|created|removed|moved|implemented|excellent|great|perfect|success|successfully|i(?:'ve| have)|the (?:tests?|build) (?:now )?pass|tests? pass|\d+ (?:tests?|specs?|files?))\b|^[✅✓🎉]/iu;
const OFFER = /\b(?:let me know|would you like|shall i|do you want|next steps?|feel free)\b|\?$/i;
const MAX_SENTENCE = 300;
/** A message of at most so many sentences is about one thing. */
const FEW = 4;

/**
 * Returns the sentence that explains a fix, or two sentences that explain it together. Null if there are
 * none.
 *
 * @param message what the agent said at the end of the turn
 * @param terms words of the fix: a sentence that contains one of them is about the fix
 */
export function explanationIn(message: string, terms: string[]): string | null {
  const sentences = sentencesOf(message);
  const scored = sentences.map((text, i) => ({
    text,
    i,
    score: scoreOf(text, terms, sentences.length > FEW),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { text: '', i: -1, score: 0 });
  if (best.score < 3) return pairIn(sentences, terms);
  const next = scored[best.i + 1];
  const before = scored[best.i - 1];
  const second = [before, next].find(
    (one) => one && one.score >= 3 && one.text.length + best.text.length < MAX_SENTENCE,
  );
  if (!second) return best.text;
  return second.i < best.i ? `${second.text} ${best.text}` : `${best.text} ${second.text}`;
}

/**
 * Returns two neighbouring sentences: one gives a reason, the other names the fix. Null if there are none.
 */
function pairIn(sentences: string[], terms: string[]): string | null {
  const names = (text: string) => terms.some((term) => text.toLowerCase().includes(term.toLowerCase()));
  const reason = (text: string) => RULE.test(text) && !REPORT.test(text) && !OFFER.test(text);
  const at = sentences.findIndex((text, i) => {
    const next = sentences[i + 1] ?? '';
    return (reason(text) && names(next)) || (names(text) && reason(next));
  });
  const pair = at < 0 ? '' : `${sentences[at]} ${sentences[at + 1]}`;
  return pair !== '' && pair.length <= MAX_SENTENCE ? pair : null;
}

function sentencesOf(message: string): string[] {
  const prose = message
    .slice(0, 6_000)
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/^#{1,6} .*$/gm, ' ')
    .replace(/\*\*(.+?)\*\*/g, '$1');
  return prose
    .split(/\n+|(?<=[.!?])\s+(?=[A-Z`"“(])|(?<=[:;])\s+(?=[A-Z"“(])/)
    .map((text) => text.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((text) => text.length >= 15 && text.length <= MAX_SENTENCE);
}

function scoreOf(text: string, terms: string[], isReport: boolean): number {
  if (OFFER.test(text)) return 0;
  const lower = text.toLowerCase();
  const named = terms.filter((term) => lower.includes(term.toLowerCase())).length;
  // in a long report it is the reason for something else that was done in the turn
  if (named === 0 && isReport) return 0;
  const rule = RULE.test(text) ? 2 : 0;
  const concrete = /`[^`]+`|\b[A-Z][A-Z0-9_]{3,}\b|--\w|\w\.\w{2,4}\b/.test(text) ? 1 : 0;
  const report = REPORT.test(text) && rule === 0 ? -2 : REPORT.test(text) ? -0.5 : 0;
  return rule === 0 ? Math.min(named, 1) + concrete + report : rule + Math.min(named, 2) + concrete + report;
}

/** Words of command lines that a sentence about anything else may hold too. */
const EVERYWHERE = new Set(
  'run test tests build dev web app api src exec install add commit push check lint use set file user make true main'.split(
    ' ',
  ),
);

/** Returns the words of a fix. A sentence that contains one of them may explain the fix. */
export function termsOf({ command, commands, edits }: Resolution): string[] {
  const lines = [...commands, command ?? ''];
  const words = lines
    .flatMap((line) => line.split(/[\s='"`;&|()]+/))
    .filter((word) => /[a-z]{3}/i.test(word) && !EVERYWHERE.has(word.toLowerCase()));
  const files = edits.map(({ file }) => file.split('/').at(-1) ?? file);
  const changed = edits.flatMap(({ before, after }) =>
    (after ?? '')
      .split(/[\s"'`,;:(){}]+/)
      .filter((word) => word.length > 3 && !(before ?? '').includes(word)),
  );
  return [...new Set([...words, ...files, ...changed])];
}
