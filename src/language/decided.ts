import { type Phrases, spans } from './languages.ts';
import type { Parsed } from './reading.ts';

// A decision in plain words: “we decided to use pnpm”. In English its words are turned into what is done; in other
// languages the rest of the sentence is kept as it is.

const WE = "(?:we|i|the team)(?:'ve| have| has)?(?: (?:now|all|both|finally|just|already|also))*";
const DECIDED = new RegExp(
  `\\b${WE} (?:decided|agreed|settled|opted)(?: (?:yesterday|today|together|as a team))? ` +
    '(to|that|on|upon|for|in favou?r of|against) (.+)$',
  'i',
);
const CHOSE = new RegExp(`\\b${WE} (?:chose|chosen|picked) (.+)$`, 'i');
const ANNOUNCED = /^(?:(?:the |our |final |team )*(?:decision|decided|agreed))(?::| [-–—]) *(.+)$/i;
const GOES =
  /\b(?:let'?s|we(?:'re| are|'ll| will)(?: all)?) (?:go|going|stick|sticking)(?: ahead)? with (.+)$/i;
/** “let's go with that”, “option 2”: what is meant is said elsewhere. */
const POINTS =
  /\b(?:it|that|this|these|those|them|one|ones|options?|approach|variant|version|plan|way|idea|first|second|third|latter|former|yours|mine)\b(?! (?:repo|repository|project|codebase|machine|team|monorepo|app)\b)/i;
const LEAD =
  /^(?:(?:yes|yep|yeah|ok(?:ay)?|agreed|fine|so|and|also|btw|by the way|fyi|please|remember|keep in mind)(?:[,.!:]+ | that | )(?:that )?)+/i;

/**
 * Returns what a sentence decides, without the words that mark it as a decision. Null if it has no such words, or if the
 * sentence alone does not say what was decided.
 */
export function decidedIn({ text, phrases, literals, deeds }: Parsed, named: boolean): string | null {
  const core = text.replace(/[.!\s]+$/, '').replace(LEAD, '');
  if (phrases.language !== 'en') return decidedElsewhere(core, phrases);
  const announced = ANNOUNCED.exec(text.replace(/[.!\s]+$/, ''));
  if (announced) return about(announced[1] as string);
  const picked = CHOSE.exec(core)?.[1] ?? GOES.exec(core)?.[1];
  const specific = named || literals.length > 0 || deeds.length > 0;
  if (picked) return specific || /\b[A-Z]\w+/.test(picked) ? about(`use ${picked}`) : null;
  const [, joint, rest] = DECIDED.exec(core) ?? [];
  if (joint && rest) {
    const what = about(said(joint.toLowerCase(), rest));
    return specific || rest.split(' ').length > 3 ? what : null;
  }
  return null;
}

const about = (what: string): string | null => (POINTS.test(what) ? null : what);

function decidedElsewhere(core: string, phrases: Phrases): string | null {
  const mark = spans(phrases.decided, core)[0];
  const what = mark && core.slice(mark.end).replace(/^[\s,:：，、]+/, '');
  return what && what.length > 3 ? what : null;
}

function said(joint: string, rest: string): string {
  if (joint === 'to' || joint === 'that') return rest;
  const using = /^using /i.test(rest);
  const thing = rest.replace(/^using /i, '');
  if (joint !== 'against') return `use ${thing}`;
  return !using && /^\w+ing\b/i.test(thing) ? `avoid ${thing}` : `do not use ${thing}`;
}
