import type { Core } from './lead-in.ts';
import * as p from './sentence-patterns.ts';

const WE = "(?:we|i|the team)(?:'ve| have| has)?(?: (?:now|all|both|finally|just|already|also))*";
const DECIDED = new RegExp(
  `^${WE} (?:decided|agreed|settled|opted)(?: (?:yesterday|today|together|as a team))? ` +
    '(to|that|on|upon|for|in favou?r of|against) (.+)$',
  'i',
);
const CHOSE = new RegExp(`^${WE} (?:chose|chosen|picked) (.+)$`, 'i');
const ANNOUNCED = /^(?:the |our |final |team )*(?:decision|decided|agreed|entscheidung)(?::| [-–—]) *(.+)$/i;
const GOES =
  /^(?:let'?s|we(?:'re| are|'ll| will)(?: all)?) (?:go|going|stick|sticking)(?: ahead)? with (.+)$/i;
/** “let's go with that”, “option 2”: what is meant is said elsewhere. */
const POINTS =
  /\b(?:it|that|this|these|those|them|one|ones|options?|approach|variant|version|plan|way|idea|first|second|third|latter|former|yours|mine)\b(?! (?:repo|repository|project|codebase|machine|team|monorepo|app)\b)/i;

/**
 * Returns what a sentence decides, without the words that mark it as a decision. Null if it has no such
 * words, or if the sentence alone does not say what was decided.
 *
 * @param text the sentence as {@link masked} shows it
 * @param standing whether it states a rule of the work (“from now on …”)
 */
export function decidedIn(core: Core, text: string, standing: boolean): string | null {
  if (p.isLocal.test(text)) return null;
  const decided = decision(core.text);
  if (decided === null) {
    // “from now on we deploy with `make release`”
    return standing && /^we\b/i.test(core.text) && !POINTS.test(core.text) ? core.text : null;
  }
  if (POINTS.test(decided.what)) return null;
  const specific = p.namesTool.test(text) || p.speaksOfWork.test(text) || /CMD|PATH|CODE|PORT|URL/.test(text);
  if (decided.chosen) return specific && !p.ofProduct.test(text) ? decided.what : null;
  return specific || decided.what.split(' ').length > 3 ? decided.what : null;
}

/** `chosen`: picked in passing (“let's go with …”), which may well be about the piece of work at hand. */
function decision(sentence: string): { what: string; chosen: boolean } | null {
  const plain = sentence
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/^(?:yes|yep|yeah|agreed|fine)[,.!]+ /i, '')
    .trim();
  const announced = ANNOUNCED.exec(plain);
  if (announced) return { what: announced[1] as string, chosen: false };
  const picked = CHOSE.exec(plain)?.[1] ?? GOES.exec(plain)?.[1];
  if (picked) return { what: `use ${picked}`, chosen: true };
  const [, joint, rest] = DECIDED.exec(plain) ?? [];
  if (!joint || !rest) return null;
  return { what: said(joint.toLowerCase(), rest), chosen: false };
}

function said(joint: string, rest: string): string {
  if (joint === 'to' || joint === 'that') return rest;
  const using = /^using /i.test(rest);
  const thing = rest.replace(/^using /i, '');
  if (joint !== 'against') return `use ${thing}`;
  return !using && /^\w+ing\b/i.test(thing) ? `avoid ${thing}` : `do not use ${thing}`;
}
