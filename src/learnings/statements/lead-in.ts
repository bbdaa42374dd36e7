import { LEAD_IN, REMEMBER, STANDING, WRONG } from './statement-words.ts';

const starts = (patterns: string[]) => new RegExp(`^(?:${patterns.join('|')})`, 'i');
const REMEMBERS = starts(REMEMBER);
/** "remember" counts before a clause only: the app may have to "remember the last tab", too. */
const REMEMBER_CLAUSE =
  /^(?:please |pls |and |also )*remember (?=(?:we|you|i|never|always|not|our|to|(?:the |this |our )\S+ (?:is|are|uses?|lives?|runs?|needs?|must|can|has|have)\b))/i;
const STANDS = new RegExp(`^(?:${STANDING.join('|')})(?:[,:;]| -| –| —)* +`, 'i');
const STANDS_ANYWHERE = new RegExp(`(?:^|[\\s,])(?:${STANDING.join('|')})(?=[\\s,.:;!]|$)`, 'i');
const STANDS_LAST = new RegExp(`,? *(?:${STANDING.join('|')})[.!]*$`, 'i');
const REMEMBERED_LAST =
  /(?:^|[,;:.] *| -+ | – | — |\band )(?:(?:please|pls|just|so) )*(?:(?:keep|bear) (?:that|this|it) in mind|(?:remember|note|memorize) (?:that|this|it)|(?:don'?t|do not|never) forget (?:that|this|it)|make a note of (?:that|this|it)|merk dir das)(?: please| pls)?(?: for (?:next time|the future|later))?[.!]*$/i;
const LEADS = starts(LEAD_IN);
const REFUSES =
  /^(?:(?:better|rather|please|maybe|lieber) (?:not|nicht)|no+pe|no+|nah|nein|non|stop|wrong|(?:that|this)(?:'?s| is) (?:wrong|incorrect|not (?:right|true|correct)))\b/i;
const TOLD = /^(?:btw|by the way|(?:just )?fyi|(?:just )?so you know|psa|heads up|reminder|side note)\b/i;
const WRONG_THEN = new RegExp(`^${WRONG}(?: again)?(?:[,:;.!]+| -+| –| —|$) *`, 'i');
const COURTESY = /[,;\s]*\b(?:please|pls|plz|thanks|thank you|thx|bitte|merci|gracias|ok|okay|mate)[.!]*$/i;

/** What a sentence says, without the words around it. */
export type Core = {
  text: string;
  /** the person asks to be remembered */
  asked: boolean;
  /** the person says from when, or in which cases, it holds */
  standing: boolean;
  /** it is told in passing: "btw", "fyi" */
  told: boolean;
  /** it opens by refusing what was done */
  refuses: boolean;
  /** it opens by calling a file, branch, tool … the wrong one */
  wrong: boolean;
};

/** Takes away what stands around a statement: "no, please remember that …". */
export function takeOffLeadIn(sentence: string): Core {
  const core: Core = {
    text: sentence,
    asked: false,
    standing: false,
    told: false,
    refuses: false,
    wrong: false,
  };
  core.standing = STANDS_ANYWHERE.test(sentence);
  // each round takes at least one word off; nobody opens with more than a few such phrases
  for (let round = 0; round < 8; round += 1) {
    const before = core.text;
    core.refuses ||= REFUSES.test(before) && LEADS.test(before);
    core.told ||= TOLD.test(before);
    const remembered = before.replace(REMEMBERS, '').replace(REMEMBER_CLAUSE, '');
    if (remembered !== before) core.asked = true;
    const right = remembered.replace(WRONG_THEN, '');
    if (right !== remembered) core.wrong = true;
    core.text = right.replace(STANDS, '').replace(LEADS, '').trimStart();
    if (core.text === before) break;
  }
  const remembered = core.text.replace(REMEMBERED_LAST, '');
  if (remembered !== core.text) core.asked = true;
  core.text = remembered.replace(COURTESY, '').replace(STANDS_LAST, '').replace(COURTESY, '').trim();
  return core;
}
