import text from '../language/intent.jsonc' with { type: 'text' };
import { readPhrases } from '../language/phrases.ts';

// How much ceremony a prompt needs, by its words alone: nothing to do, one thing to do, or work of several
// steps. If it is not clear, it counts as one thing to do. docs/plans.md says how well that works.

const phrases = readPhrases(text, 'intent.jsonc');

/** `quick`: a question, a greeting, or something that is only said */
export type Intent = 'quick' | 'focused' | 'complex';

/** How much ceremony a prompt needs, and what it says in a person's own words, without what was pasted. */
export type Ceremony = {
  intent: Intent;
  complexity: 'low' | 'medium' | 'high';
  own: string;
  pasted: boolean;
};

/** Only the beginning of a very long prompt is read, in characters. */
const MAX_READ = 20_000;

const FENCE = /(```|~~~)[\s\S]*?(?:\1|$)/g;
/** Lines that a program printed. */
const PRINTED =
  /^\s*(?:at .+:\d+|File ".+", line \d+|\$ |> |>>> |x |✗|×|✓|npm (?:ERR|error|warn)|error(?:\[\w+\])?:|\w*(?:Error|Exception)\b.*:|Traceback|Caused by|\d{4}-\d\d-\d\d[T ]\d\d:|\[\w+\]:? |\+{3} |-{3} |@@ )/i;
/** A line with which a diff begins. */
const DIFF = /^(?:diff --git |=== DIFF\b|@@ -\d|--- a\/|\+\+\+ b\/)/;
/** A line after the beginning of a diff that is a person's again. */
const PROSE = /^\p{Lu}[^{};=<>]*[.!?:]$/u;
const ERROR_NAMED =
  /\b(?:\w+(?:Error|Exception)\b[:(]|Traceback \(|panic:|segfault|stack ?trace|exit code [1-9]|ERR_\w+|violates \w+ constraint|\w+Warning: )/;
const ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/;

/** Words before the matter itself. */
const POLITE = new RegExp(`^(?:(?:${phrases.any('polite')})\\b[\\s,:!.-]*)+`, 'i');
const ASKED_TO =
  /^(?:can|could|would|will|kannst) (?:you|we|u|du)(?: please| pls| bitte| maybe| also| just)*\s+/i;
const WISH =
  /^(?:i|we)(?:'d| would| want| need|'ll| have|'ve got| should| must| got)*(?: like| love| want| need)?(?: you)? to\s+/i;

/** Verbs that ask to change something. */
const CHANGE = phrases.any('changes');
const CHANGES = phrases.begins('changes');
const WILL_CHANGE = new RegExp(
  `\\b(?:can|could|would|will) you (?:please |also |just )*(?:${CHANGE})\\b|\\b(?:please|pls) (?:${CHANGE})\\b|\\b(?:should|must|needs? to|has to|have to) (?:be |now )?(?:${CHANGE})`,
  'i',
);
/** A noun where a verb of the same letters would be. */
const NOUN_INSTEAD = new RegExp(
  `^(?:${phrases.any('verbs-and-nouns')})s?\\s+(?:is|are|was|were|fails?|does|has|keeps?)\\b`,
  'i',
);

const ASKS = phrases.begins('asks');
const NO_CHANGE = phrases.contains('no-change');
const TELLS_ONLY = phrases.begins('tells-only');

/** Work that has several steps by its nature, and work that may have. */
const LARGEST = phrases.begins('largest');
const LARGE = phrases.begins('large');
const LARGE_NOUN = phrases.contains('large-nouns');
const EVERYWHERE = phrases.contains('everywhere');
/** Whether a clause asks for work that has several steps, whatever else the prompt says. */
export const isLarge = (clause: string): boolean =>
  !OF_NOTHING.test(clause) &&
  (LARGEST.test(clause) || (LARGE.test(clause) && (LARGE_NOUN.test(clause) || EVERYWHERE.test(clause))));
/** “implement it”, “set up on the server”: it does not say what. */
const OF_NOTHING = /^\w+(?: up)? (?:it|this|that|them|these|those|on|in|at|for|with)\b/i;
const IN_FILE = /\b(?:in|of|from|inside) (?:the (?:file )?)?[`'"]?[\w./@-]+\.\w{1,5}\b/i;
/** The person wants something whole, not a change of something that exists. */
const WANTED = /\b(?:i|we) (?:want|need|would like|'d like|should have|have to)\b(?! to know)/i;
/** Work on one place. */
const SMALL = phrases.contains('small');
const PATHS =
  /(?:^|[\s`'"(])((?:[\w.@-]+\/)+[\w.@-]*|[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|sql|ya?ml|json|toml|md|sh|css|html|vue|tf))(?=$|[\s`'",.;:)?])/g;

/**
 * Returns how much ceremony a prompt needs.
 *
 * @example classify('what does --frozen-lockfile do?').intent // 'quick'
 */
export function classify(prompt: string): Ceremony {
  const { own, printed } = ownWords(prompt.slice(0, MAX_READ));
  const pasted = printed || ERROR_NAMED.test(prompt);
  const items = tasksListed(own);
  const clauses = clausesOf(own);
  const changing = clauses.filter(isChange);
  if (!pasted && items.length < 2 && (onlyAsks(own) || onlySays(own))) {
    return { intent: 'quick', complexity: 'low', own, pasted };
  }
  const weight = weigh(own, clauses, changing, items) - (printed ? 2 : 0);
  // thoughts of many words are no order
  const ordered = items.length >= 2 || clauses.some(isOrder) || WANTED.test(own);
  if (weight >= 3 && ordered)
    return { intent: 'complex', complexity: weight >= 5 ? 'high' : 'medium', own, pasted };
  return { intent: 'focused', complexity: weight >= 2 ? 'medium' : 'low', own, pasted };
}

function weigh(own: string, clauses: string[], changing: string[], items: string[]): number {
  const words = own.split(/\s+/).length;
  const paths = new Set([...own.matchAll(PATHS)].map(([, path]) => path));
  let weight = 0;
  if (clauses.some((clause) => LARGEST.test(clause))) weight += 3;
  else if (clauses.some((clause) => LARGE.test(clause))) weight += 2;
  if (LARGE_NOUN.test(own)) weight += 1;
  // "every function in math.ts" is about one file only
  const oneFile = paths.size === 1 && IN_FILE.test(own) && items.length < 2;
  if (EVERYWHERE.test(own) && !oneFile && (changing.length > 0 || words > 12)) weight += 2;
  if (WANTED.test(own)) weight += 2;
  if (items.length >= 3) weight += 3;
  else if (items.length === 2) weight += 1;
  if (changing.length >= 3) weight += 1;
  // several things in one sentence: a, b, c and d
  if (
    /(?:[^,.;:]{3,60},){2,}[^,.;]{2,60}(?:\band\b|&|\bund\b)/.test(own) ||
    (own.match(/,/g)?.length ?? 0) >= 4
  )
    weight += 1;
  if (paths.size >= 3) weight += 1;
  if (words > 60) weight += 2;
  else if (words > 20) weight += 1;
  else if (words < 5) weight -= 1;
  if (SMALL.test(own) && items.length < 3) weight -= words > 40 ? 1 : 2;
  return weight;
}

/** Returns the items of the first list of a text, without their marks. */
function listItems(text: string): string[] {
  const items: string[] = [];
  for (const line of text.split('\n')) {
    if (ITEM.test(line)) items.push(line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[ x]\]\s*)?/i, '').trim());
    else if (items.length > 0 && /^\s{2,}\S/.test(line)) items.push(`${items.pop()} ${line.trim()}`);
  }
  return items;
}

/**
 * Returns the items of a list that are things to do, and not the names of files, code or figures: the
 * changed files of a review are no steps of it.
 */
export const tasksListed = (text: string): string[] => listItems(text).filter(isTask);

const OPENS_LIST = new RegExp(`^(?:(?:${phrases.any('opens-list')})(?![\\p{L}\\p{N}])[\\s,.:–—-]*)+$`, 'iu');

/**
 * Returns what the list of a text is about in a few words, if the line before it says only that a list follows:
 * “please do these steps:”. Null if that line says more, or if there is no list.
 *
 * @example listNamed('Do these steps:\n1. Add a\n2. Test b\n3. Ship c') // 'Add a, and 2 more'
 */
export function listNamed(text: string): string | null {
  const head = text.split(/^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/m)[0]?.trim() ?? '';
  const [first, ...others] = tasksListed(text);
  if (first === undefined || others.length === 0 || (head !== '' && !OPENS_LIST.test(head))) return null;
  return `${first.replace(/\s+/g, ' ').replace(/[\s.,;:!]+$/, '')}, and ${others.length} more`;
}

/** An item in which this much is no letter is code. */
const MOST_MARKS = 0.25;

function isTask(item: string): boolean {
  const words = item.match(/[\p{L}\p{N}]+/gu) ?? [];
  const marks = item.replace(/[\p{L}\p{N}\s,.'’"“”-]/gu, '').length;
  const bare = item.replace(/`/g, '').trim();
  // `* ` and `*/` after the mark of an item: a comment of code
  if (item.startsWith('*') || words.length < 2 || marks > MOST_MARKS * item.length) return false;
  if (/^\S+$/.test(bare) || (/^[\w@[\].-]*\/\S*\.\w+/.test(bare) && !clausesOf(item).some(isOrder)))
    return false;
  return !/[{};]\s*$|=>|\)\s*[;{]|^[^\p{L}]*$/u.test(item);
}

/** Returns a prompt without what was pasted into it, and whether that was something a program printed. */
function ownWords(prompt: string): { own: string; printed: boolean } {
  const lines = prompt.replace(FENCE, '\n').split('\n');
  let diff = false;
  const kept = lines.filter((line) => {
    diff ||= DIFF.test(line);
    return !PRINTED.test(line) && (!diff || (PROSE.test(line) && !DIFF.test(line)));
  });
  const own = kept.join('\n').trim();
  const printed = lines.length - kept.length >= 1 && lines.length > 1;
  return { own: own === '' ? prompt.trim() : own, printed };
}

/** Returns the parts of a text that may each ask for something, without words of politeness. */
export function clausesOf(text: string): string[] {
  return text
    .split(
      /(?<=[.!?;:])\s+|\n+|,\s+(?=(?:and|then|but|please|pls|und)\b)|\s+(?:and then|and also|then)\s+|,\s+|\s+-\s+/i,
    )
    .flatMap((part) => part.split(/\s+and\s+(?=[a-z]+\b)/i))
    .map((clause) => {
      let bare = clause.replace(ITEM_MARK, '').trim();
      for (let before = ''; before !== bare; ) {
        before = bare;
        bare = bare.replace(POLITE, '').replace(ASKED_TO, '').replace(WISH, '');
      }
      return bare.trim();
    })
    .filter((clause) => clause !== '');
}
const ITEM_MARK = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

const isChange = (clause: string): boolean => isOrder(clause) || WILL_CHANGE.test(clause);
/** Whether a clause is an order: it begins with the verb. “It needs to be changed” is a change and no order. */
const isOrder = (clause: string): boolean =>
  CHANGES.test(clause) && !NOUN_INSTEAD.test(clause) && !ASKS_AS_VERB.test(clause);

/** “do we have …”, “use of …”: a question, although it begins like a change. */
const ASKS_AS_VERB = /^do (?:we|you|i|they|the|these|those|our|all|any)\b/i;

/** A greeting, thanks or an answer of no content. */
const GREETS = new RegExp(`^(?:(?:${phrases.any('greetings')})\\b[\\s,.!]*)+$`, 'i');
const SMALL_TALK = new RegExp(`^(?:${phrases.any('small-talk')})[\\s?!.]*$`, 'iu');

/** Returns whether a text only greets or thanks: “hey Claude, how are you?”. */
export const onlyGreets = (text: string): boolean =>
  text
    .split(/(?<=[.!?,])\s+/)
    .every((part, i) => GREETS.test(part.trim()) || (i > 0 && SMALL_TALK.test(part.trim())));

/** A sentence that says how something is done here, or is to be done from now on. */
const STANDING = new RegExp(`^(?:${phrases.any('standing')})`, 'i');
/** A sentence that tells what the person did, thinks or sees, and nothing that is wrong. */
const TOLD = new RegExp(
  `^(?:${phrases.any('told')})\\b(?!['’]d\\b| (?:want|need|would|should|must|have to|like)\\b)`,
  'i',
);
/** Words of what is wrong, missing or wished: such a sentence is something to do. */
const AMISS = phrases.contains('amiss');

/** Returns whether a text greets, thanks, or says something, and wants nothing done. */
function onlySays(own: string): boolean {
  const sentences = own.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => /\w/.test(sentence));
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => {
      if (GREETS.test(sentence.trim())) return true;
      const bare = sentence.trim().replace(POLITE, '');
      if (STANDING.test(sentence.trim()) || STANDING.test(bare)) return true;
      return TOLD.test(bare) && !AMISS.test(bare) && !clausesOf(bare).some(isChange);
    })
  );
}

/** Returns whether a text asks something and wants nothing changed. */
function onlyAsks(own: string): boolean {
  const sentences = own.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => /\w/.test(sentence));
  const asking = sentences.map(isQuestion);
  if (!asking.some(Boolean)) return false;
  if (NO_CHANGE.test(own)) return true;
  return sentences.every(
    (sentence, i) => asking[i] || !(clausesOf(sentence).some(isChange) || POLITELY.test(sentence)),
  );
}
const POLITELY = /\b(?:please|pls|plz|bitte)\b(?! (?:explain|tell|describe|show|note))/i;

/** Returns whether a sentence asks something, and not that something be done. */
function isQuestion(sentence: string): boolean {
  const bare = sentence.replace(POLITE, '');
  if (ASKED_TO.test(bare)) return TELLS_ONLY.test(bare.replace(ASKED_TO, '').replace(POLITE, ''));
  if (WILL_CHANGE.test(bare) && POLITELY.test(bare)) return false;
  if (FIXED_BY_YOU.test(bare)) return false;
  if (ASKS.test(bare) || TELLS_ONLY.test(bare)) return true;
  if (/\?\s*$/.test(bare)) return !isChange(bare);
  return sentence.length < 150 && sentence.split(/,\s+/).some((part) => ASKS.test(part.replace(POLITE, '')));
}
/** A question that in fact asks to have something done. */
const FIXED_BY_YOU =
  /\b(?:(?:can|could|would|will) you\b.*\b(?:fix|change|add|remove|check and)|(?:and|,|then) (?:fix|repair|correct|change|solve) (?:it|that|this|them)\b)/i;
