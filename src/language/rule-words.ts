/** What to do, and when. */
export type Rule = {
  /** when it applies; null if the words do not say */
  condition: string | null;
  action: string;
};

const ARROW = /\s*(?:->|=>|→|⇒)\s*/;
const WHEN_FIRST = /^(?:when(?:ever)?|if|once) ([^,:]{3,300})(?:, ?(?:then )?|: ?)(.{3,})$/i;
const FOR_FIRST = /^(?:for|with) ([^,:]{2,120}?)(?:[,:] ?| (?=(?:use|run|call|prefer|avoid|take) ))(.{3,})$/i;
const INSTEAD =
  /^((?:use|run|call|prefer|take) .{2,120}? (?:instead of|rather than|in place of|over) )([^,;]{2,120})$/i;
const USE_FOR = /^((?:use|prefer|take) .{2,120}?) (?:for|as) ((?:the |our |all |every )?[^,;]{2,120})$/i;
const WHEN_LAST = /^(.{5,300}?),? (?:when(?:ever)?|if) ([^,;:]{5,300})$/i;

/**
 * Splits a sentence into a condition and an action: “when X, do Y”, “X → Y”, “for X use Y”, “use Y for X”,
 * “use Y instead of Z”, “do Y when X”. Anything else is an action without a condition. It takes time linear
 * in the length, which callers limit.
 *
 * @example ruleIn('for tests, use vitest') // { condition: 'it is about tests', action: 'use vitest' }
 */
export function ruleIn(text: string): Rule {
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/[\s.!;,]+$/, '')
    .trim();
  const sides = plain.split(ARROW).map((side) => side.trim());
  const [left = '', right = ''] = sides;
  if (sides.length === 2 && left !== '' && right !== '') {
    return { condition: left.replace(/^(?:when(?:ever)?|if) /i, ''), action: right };
  }
  const when = WHEN_FIRST.exec(plain);
  if (when) return { condition: when[1] as string, action: when[2] as string };
  const topic = FOR_FIRST.exec(plain);
  if (topic) return { condition: `it is about ${topic[1]}`, action: topic[2] as string };
  const instead = INSTEAD.exec(plain);
  if (instead) return { condition: `you would use ${instead[2]}`, action: plain };
  const use = USE_FOR.exec(plain);
  if (use) return { condition: `it is about ${use[2]}`, action: use[1] as string };
  const last = WHEN_LAST.exec(plain);
  if (last) return { condition: last[2] as string, action: last[1] as string };
  return { condition: null, action: plain };
}
