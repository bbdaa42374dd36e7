// Secrets that are known by their shape: tokens of GitHub, AWS, Slack and other providers, and JWTs.
//
// The text is read once. Only where three characters stand that begin some token, and the rest of its beginning too, a
// pattern is tried. So the number of rules hardly matters for the time.
import { readJsonc } from '../base/text/jsonc.ts';
import { type Report, run } from './scan.ts';
import scannerRules from './scanner-rules.jsonc' with { type: 'text' };
import tokenRules from './token-rules.jsonc' with { type: 'text' };

type Start = {
  start: string;
  kind: string;
  pattern: RegExp;
  /** whether the beginning may stand inside a word */
  anywhere: boolean;
  /** whether what follows must look random, because words could stand there too */
  random: boolean;
  /** index of the rule */
  rule: number;
};

/** The beginnings of tokens by their first three characters. */
const STARTS = new Map<string, Start[]>();

/** A token's kind, the ways in which it can begin (at least three characters each), and its shape from there. */
type TokenRule = [kind: string, starts: string[], pattern: RegExp];

/** The rules that other scanners have, as scripts/scanner-rules.ts found them. */
const SCANNERS = readJsonc(scannerRules) as [kind: string, starts: string[], source: string][];
const { own, documented } = readJsonc(tokenRules) as {
  own: [kind: string, starts: string, source: string][];
  documented: [starts: string, body: string][];
};
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const RULES: TokenRule[] = [
  ...own.map(([kind, starts, source]): TokenRule => [kind, starts.split(' '), new RegExp(source, 'y')]),
  ...SCANNERS.map(([kind, starts, source]): TokenRule => [kind, starts, new RegExp(source, 'y')]),
  ...documented.map(([starts, body]): TokenRule => {
    const begin = starts.replace(/[.$]/g, '\\$&').replaceAll(' ', '|');
    return ['provider', starts.split(' '), new RegExp(`(?:${begin})${body.replace('{uuid}', UUID)}`, 'y')];
  }),
];
for (const [rule, [kind, starts, pattern]] of RULES.entries()) {
  const isOwn = rule < own.length;
  for (const start of starts) {
    const anywhere = isOwn || /^.{5,}[-_.]$/.test(start);
    const all = STARTS.get(start.slice(0, 3)) ?? [];
    STARTS.set(start.slice(0, 3), [...all, { start, kind, pattern, anywhere, random: !isOwn, rule }]);
  }
}
const BEGIN = new RegExp([...STARTS.keys()].map((key) => key.replace(/\W/g, '\\$&')).join('|'), 'g');
/** For each rule, where its last match ends. A rule is not tried inside its own match. */
const ends = new Float64Array(RULES.length);

/**
 * Reports provider tokens and JWTs.
 * @param view the text with its escapes blanked out (see `redact.ts`). The letter of an escape such as `\n` would
 *   otherwise look like a part of the token behind it.
 */
export function findTokens(view: string, report: Report): void {
  ends.fill(0);
  for (let at = -1; ; ) {
    BEGIN.lastIndex = at + 1;
    at = BEGIN.exec(view)?.index ?? -1;
    if (at < 0) return;
    reportTokenAt(view, at, report);
  }
}

/** Reports the longest token that begins here. Its kind is that of the first rule that knows it. */
function reportTokenAt(view: string, at: number, report: Report): void {
  let end = 0;
  let kind: string | undefined;
  for (const rule of STARTS.get(view.slice(at, at + 3)) ?? []) {
    if (at < (ends[rule.rule] ?? 0) || !view.startsWith(rule.start, at)) continue;
    if (!rule.anywhere && !canBegin(view, at)) continue;
    const length = lengthAt(view, at, rule);
    if (length === 0) continue;
    ends[rule.rule] = at + length;
    kind ??= rule.kind;
    end = Math.max(end, at + length);
  }
  if (end === 0) return;
  // a long token that a terminal or a program has broken goes on in lines that look like parts of one
  for (let next = end - at > 30 && run(NEXT_LINE, view, end); next; next = run(NEXT_LINE, view, end)) {
    if (!isRandom(next[1] ?? '') || /^[\da-f-]+$/i.test(next[1] ?? '')) break;
    end += next[0].length;
  }
  report(at, end, kind);
}

const NEXT_LINE = /(?: ?\\[ \r]{0,2}| {0,2}\r?| ?["'] ?\+ ?)[\n\v][ \t+>|]{0,16}["']?([\w.~+/=-]{8,2000})/y;

function lengthAt(text: string, at: number, { pattern, start, random }: Start): number {
  pattern.lastIndex = at;
  const token = pattern.exec(text)?.[0];
  if (token === undefined || (random && !isRandom(token.slice(start.length, 300)))) return 0;
  return token.length;
}

/** Returns whether it is not a row of words: it has some digits, or both cases without a separator. */
function isRandom(body: string): boolean {
  const mixed = /[a-z]/.test(body) && /[A-Z]/.test(body);
  if (/\d/.test(body) && (mixed || /\d\D*\d\D*\d/.test(body))) return true;
  return mixed && /[A-Za-z]{20}/.test(body);
}

/** Returns whether a word begins here. What a URL or a terminal has put in front of it does not count. */
function canBegin(view: string, at: number): boolean {
  const before = view.charAt(at - 1);
  if (/[-_.]/.test(before)) return !/\w/.test(view.charAt(at - 2));
  return (
    !/[A-Za-z0-9]/.test(before) ||
    /(?:%[0-9A-F]{2}|\[[\d;]{0,9}m)$/i.test(view.slice(Math.max(0, at - 12), at))
  );
}
