import { PARTS, ROLES, RUNTIMES, TOOLS, UNITS } from './fact-words.ts';
import {
  CONNECTIVES,
  eachOf,
  endBefore,
  isName,
  NOT_A_NAME,
  NOW,
  relationIn,
  TICK,
  type ToldRelation,
  toKey,
  WHOSE,
} from './told-relations.ts';

// Reads the facts and relations that a person's sentence tells, in plain English only: "the staging database
// is on port 5433", "we're on Node 22", "the billing worker reads from the invoices queue".

type ToldFact = { type: string; key: string; value: string | number };
export type ToldStatement = ToldFact | ToldRelation;

/** Longest sentence that is read, in characters. Nobody needs more to tell a fact. */
const MAX_SENTENCE = 300;

/** Words before the fact itself: "no,", "fyi", "remember that". */
const LEAD =
  /^(?:(?:no|nope|fyi|btw|by the way|heads[- ]?up|for reference|for the record|reminder|note|remember|keep in mind|just so you know|actually|also|ok|oh|so|right|well|hm+|careful there|careful|psa|context|you know|as you know|you should know|you'll need to know|in our setup|please note)(?:[:,;!.-]+ ?| ))+(?:that )?/i;
/** The beginning of a habit: "every time …, …". What follows it is stated as a fact. */
const HABIT = /^(?:when(?:ever)?|every time|each time) [^,]{3,60}, /i;
/** The beginning of a sentence about something that need not be true. */
const SUPPOSED =
  /^(?:if|when|once|unless|until|suppose|assume|let|let's|maybe|perhaps|could|should|would|imagine|say|make|put|set|use|change|move)\b/i;
/** Words for something that no longer holds, holds only at the moment, or is not sure. */
const PASSING =
  /\b(?:used to|right now|at the moment|for the moment|for now|temporarily|until|for this (?:test|task|run|pr|demo)|was|were|will|would|could|should|might|may|next (?:week|month|quarter|year|sprint)|soon|tomorrow|today|yesterday|no longer|i think|probably|maybe|not sure|i guess|looks like|seems?|supposed to)\b/i;
/**
 * Words that are taken out before `PASSING` is tried: "was replaced by" tells something lasting, and May is a
 * month.
 */
const SINCE = /\b(?:was|were) (?=(?:replaced|superseded) by\b)|\b(?:since|in) May\b/g;
/** Subjects that go away with the work at hand. */
const OF_THE_WORK =
  /^(?:the |a |your |this |that )?(?:\w+ )?(?:bug|typo|error|failing \w+|failure|problem|issue(?! tracker)|leak|crash|todo|diff|change|fix|regression|culprit|mistake|exception|stack ?trace|warning|conflict|cursor|breakpoint|deadlock|race|line)\b/i;

/** The subject of a fact: up to five words. */
const SUBJECT = `(?:${WHOSE})?(?<key>(?!(?:${NOT_A_NAME})\\b)[\\w./@#&'-]+(?: [\\w./@#&'-]+){0,4}?)`;
const IS = `(?:${NOW} (?:is|are)|'s)${NOW}`;
/** Where a value ends. */
const END = endBefore(`${CONNECTIVES}|as|by|in|on|for|with|from|behind|over|via|through`);
/** Where a value ends that may contain prepositions. */
const LONG_END = endBefore(CONNECTIVES);

// A word in small letters must be known as a tool. One with a capital letter or a sign in it is a name anyway.
const NAMED_TOOL = `${TICK}(?<value>[A-Z][\\w.+#-]*(?: [A-Z][\\w.+#-]*){0,2}|[a-z][\\w.+]*(?:-[\\w.+]+)+|[\\w-]+\\.(?:js|io|rs)|${TOOLS})${TICK}`;
const STATE_OF_BRANCH =
  '(?:protected|broken|red|green|behind|ahead|stale|merged|locked|fine|gone|clean|dirty|outdated|up|down|not|the|a|an|where|what|why|in|on|at|out|deleted|ready|missing|failing|passing|safe|called|named)\\b(?![-/])';
/** Words that judge a tool. */
const JUDGED =
  '(?:slow|broken|fast|flaky|down|up|fine|ok|green|red|great|terrible|old|new|weird|annoying|wrong|right|good|bad|missing|full|empty|stuck|ready|different|optional|custom|private|shared|very|so|not|the|a|an|what|why|where|how|in|on|at|to|my|your|our|their|its|pretty|quite|back|behind|ahead|clean|dirty|stale|fine|gone|unhappy|happy|better|worse|overkill|mandatory|case|one|this|that|just|only|due|out|off|no|yes|dead|\\w+(?:ed|ing|ly|ful|less|able|ible|ous|ive))\\b';
const URL = 'https?://[^\\s)`\'",;]+';
const HOST = `${TICK}(?<value>${URL}|localhost:\\d{2,5}|(?:[a-z0-9-]+\\.)+[a-z]{2,}(?::\\d{2,5})?(?:/[\\w./-]*)?|\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{2,5})?)${TICK}`;
const ENDING =
  'tsx?|jsx?|mjs|json|ya?ml|toml|py|rs|go|rb|java|kt|md|sql|sh|proto|graphql|tf|env|ini|conf|cfg';
const PATH = `${TICK}(?<value>(?:~|\\.{0,2})/?(?:[\\w@.*-]+/)+[\\w@.*-]*|/[\\w@.*-]+|[\\w-]+\\.(?:${ENDING}))${TICK}`;
const LIVES =
  `(?:${IS}(?: (?:kept|stored|found|defined|hosted|served|reachable|reached|running|available|checked in|moved))?` +
  `|${NOW} (?:lives?|sits?|goes|go|belongs?|runs?|resides?|moved|can be (?:found|reached))${NOW})`;
const VERSION = `(?: version)? v?(?<value>\\d+(?:\\.(?:\\d+|x))*)${END}`;
const WHOLE =
  'project|repo|repository|codebase|app|application|monorepo|team|service|services|api|frontend|backend|image|images|ci|pipeline|server|servers|cluster|lambda|worker|workers|prod|production|staging|everything|site|package|library|extension';
const LISTENER =
  'server|db|database|proxy|api|app|service|gateway|broker|frontend|backend|emulator|redis|postgres|mysql';
const FILE =
  'entry ?point|config(?: file)?|schema(?: file)?|spec|changelog|manifest|lock ?file|env file|template|main file';
const PERSON = '(?!an? )@?[\\w-]+(?:[/ ][\\w-]+){0,2}';
const OWNER = '(?<value>[Tt]eam [\\w-]+|(?:[\\w-]+ ){1,3}(?:team|squad|guild|crew)|@[\\w/-]+|[A-Z]\\w+)';
const OWNS = '(?:owns?|maintains?|looks? after|(?:is|are) responsible for)';
const STORED =
  '(?:all|stored|kept|given|measured|returned|expressed|sent|saved|represented|logged|reported|counted|recorded|specified)';
const DONE = '(?:done|handled|managed|run|built) (?:with|by|via|through|using)';

type Groups = Record<string, string | undefined>;

const fact =
  (type: string) =>
  ({ key = '', value = '' }: Groups): ToldFact => ({
    type,
    key: toKey(key),
    value: value.replace(/[.,]+$/, ''),
  });

/** Reads a port. A number below 1,000 counts only if the sentence calls it a port. */
function port({ key = '', named, value }: Groups): ToldFact | null {
  const number = Number(value);
  const isPort = number <= 65_535 && number >= (named === undefined ? 1_000 : 1);
  return isPort ? { type: 'port', key: toKey(key).replace(/ ports?$/, ''), value: number } : null;
}

/** Reads an address. "fly.io" is the platform on which something runs, and not its address. */
const address = (groups: Groups): ToldFact | null =>
  /^[\w-]+\.[a-z]+$/i.test(groups.value ?? '') ? null : fact('address')(groups);

type Rule = [pattern: RegExp, toFact: (groups: Groups) => ToldFact | null];
const plain = (pattern: string) => new RegExp(`^${pattern}`, 'iu');
/** Returns a pattern in which capital letters matter, because they mark a name. */
const cased = (pattern: string) => new RegExp(`^${pattern}`, 'u');

// The first rule that fits counts, so the most certain ones come first.
const RULES: Rule[] = [
  [
    plain(
      `${SUBJECT}(?:${IS}(?: (?:up|running|listening|exposed|mapped|bound|served|available))?|${NOW} (?:runs?|listens?|lives?|sits?|moved|answers))${NOW} (?:on|at|to|under)(?: local)? (?:(?<named>port )|localhost:|:)?(?<value>\\d{2,5})${END}`,
    ),
    port,
  ],
  [plain(`${SUBJECT}${NOW} (?:uses?|has|takes?|needs?)${NOW} (?<named>port )(?<value>\\d{2,5})${END}`), port],
  [plain(`${SUBJECT} (?<named>port)${IS} (?<value>\\d{2,5})${END}`), port],
  [plain(`(?<named>port )(?<value>\\d{2,5})${IS} (?:for )?${SUBJECT}$`), port],
  [plain(`(?:the )?(?<named>port )(?:for|of) ${SUBJECT}${IS} (?<value>\\d{2,5})${END}`), port],
  [
    plain(
      `(?:${WHOSE})?(?<key>(?:[\\w./@-]+(?:'s)? ){0,3}(?:${LISTENER}))${NOW} (?:uses?|takes?)${NOW} (?<value>\\d{4,5})${END}`,
    ),
    port,
  ],
  [plain(`${SUBJECT}${LIVES} (?:at|on|under|to|over at|behind) (?:the )?${HOST}${END}`), address],
  [plain(`${SUBJECT} (?:(?:base )?url|address|host|hostname|endpoint)${IS} ${HOST}${END}`), fact('address')],
  [
    plain(`${SUBJECT}${IS} ${TICK}(?<value>${URL}|(?:[\\w-]+\\.)+[a-z]+:\\d{2,5})${TICK}${END}`),
    fact('address'),
  ],
  [plain(`${SUBJECT}${LIVES} (?:in|under|at|inside|to)(?: the)? ${PATH}${END}`), fact('path')],
  [
    plain(
      `(?:the|our) (?<key>(?:[\\w-]+ )?(?:${FILE})(?: (?:of|for) (?:the |our )?[\\w-]+(?: [\\w-]+)?)?)${IS} ${PATH}${END}`,
    ),
    fact('path'),
  ],
  [
    plain(
      `(?:we(?:'re)?|(?:(?:this|the|our) )?(?:\\w+ )?(?:${WHOLE}))${NOW}(?: (?:is|are|runs?|running|uses?|targets?|requires?|needs?|builds?)){0,2}${NOW}(?: (?:on|with|using|pinned to|stuck on|against))?(?: the)? (?<key>${RUNTIMES})${VERSION}`,
    ),
    fact('version'),
  ],
  [
    plain(`(?:this|it)(?: is|'s) an? (?<key>${RUNTIMES}) v?(?<value>\\d+(?:\\.\\d+)*) (?:${WHOLE})\\b`),
    fact('version'),
  ],
  [
    plain(
      `(?:the |our )?(?<key>${RUNTIMES})(?: version)?(?: here)?${IS}(?: (?:on|at|pinned to|pinned at))?${VERSION}`,
    ),
    fact('version'),
  ],
  [
    plain(
      `${SUBJECT}(?:${IS} (?:owned|maintained|run|looked after|operated) by|${NOW} belongs? to) (?:the )?(?<value>${PERSON})${LONG_END}`,
    ),
    fact('owner'),
  ],
  [
    cased(
      `(?:[Tt]he )?${OWNER} ${OWNS} (?:the |our |all ){0,2}(?<key>[\\w./@-]+(?: [\\w./@-]+){0,3}?)${LONG_END}`,
    ),
    fact('owner'),
  ],
  [
    plain(
      `(?<value>[a-z]+) (?:owns|maintains) (?:the|our) (?<key>(?:[\\w-]+ ){0,2}(?:${PARTS}|system|schema|page|docs|infra|infrastructure|tests))${LONG_END}`,
    ),
    fact('owner'),
  ],
  [
    cased(
      `(?<value>@\\w[\\w/-]*|[A-Z]\\w+) is the (?:owner|maintainer|code owner) (?:of|for) (?:the |our )?(?<key>[\\w./@-]+(?: [\\w./@-]+){0,3}?)${LONG_END}`,
    ),
    fact('owner'),
  ],
  [
    plain(
      `(?:the )?(?:owner|maintainer|code owner) (?:of|for) ${SUBJECT}${IS} (?:the )?(?<value>${PERSON})${LONG_END}`,
    ),
    fact('owner'),
  ],
  [
    plain(
      `(?:${WHOSE})?(?<key>(?:[\\w-]+(?:'s)? ){1,3}branch)(?: here)?${IS}(?: (?:called|named))? ${TICK}(?<value>(?!${STATE_OF_BRANCH})[\\w-]+(?:[./][\\w.-]+)*)${TICK}${END}`,
    ),
    fact('branch'),
  ],
  [
    cased(
      `(?:[Tt]he |[Oo]ur |[Tt]his (?:project|repo)'s )?(?<key>${ROLES})(?: here)?${IS} ${TICK}(?<value>(?!${JUDGED})[\\w.+#-]+(?: [A-Z][\\w.+#-]*){0,2})${TICK}${END}`,
    ),
    fact('tool'),
  ],
  [
    cased(
      `[Ww]e(?:'re)?${NOW} (?:use|using|run|are using|are on|rely on) ${NAMED_TOOL} (?:for|as) (?:the |our |all |a ){0,2}(?<key>[\\w-]+(?: [\\w-]+){0,3}?)${LONG_END}`,
    ),
    fact('tool'),
  ],
  [
    cased(
      `[Ff]or (?:the |our |all ){0,2}(?<key>[\\w-]+(?: [\\w-]+){0,2}),? we(?:'re)?${NOW} (?:use|using|run|rely on) ${NAMED_TOOL}${END}`,
    ),
    fact('tool'),
  ],
  [
    cased(`(?:[Tt]he |[Oo]ur |[Aa]ll )?(?<key>[\\w-]+(?: [\\w-]+)?)${IS} ${DONE} ${NAMED_TOOL}${END}`),
    fact('tool'),
  ],
  [plain(`${SUBJECT}(?:${IS}(?: ${STORED}){0,2}| comes?) (?:in|as) (?<value>${UNITS})${END}`), fact('unit')],
];

/**
 * Returns the facts and relations that a sentence tells: usually one, or two if it says the same about two
 * things. A sentence of more than 300 characters is not read.
 *
 * @example toldIn('the staging database is on 5433, not 5432') // [{ type: 'port', key: 'staging database', value: 5433 }]
 */
export function toldIn(sentence: string): ToldStatement[] {
  if (sentence.length > MAX_SENTENCE || sentence.trimEnd().endsWith('?')) return [];
  const text = sentence
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '')
    .trim()
    .replace(HABIT, '')
    .replace(LEAD, '');
  if (SUPPOSED.test(text) || PASSING.test(text.replace(SINCE, ''))) return [];
  // a fact may also be in a later clause: "drop that flag, we're on Node 20", "it fails because the broker is
  // on 5673"
  const clauses = text.split(
    /[;:] (?!\/)|, (?=(?:because |so |and |but )?(?:we|our|the|note|you know)\b)| (?=because )/,
  );
  for (const clause of [text, ...clauses]) {
    const bare = clause.replace(/^(?:because|so|and|but) /i, '').replace(LEAD, '');
    if (SUPPOSED.test(bare)) continue;
    const told = eachOf(bare).flatMap((one) => toldInClause(one) ?? []);
    if (told.length > 0)
      return told.filter((one, i) => i === 0 || !('key' in one) || !isAmong(one, told.slice(0, i)));
  }
  return [];
}

/** Whether there is already a value for the same type and key. A second one would end the first. */
const isAmong = ({ type, key }: ToldFact, told: ToldStatement[]): boolean =>
  told.some((one) => 'key' in one && one.type === type && one.key === key);

/**
 * Returns whether a fact lasts, however it is worded. A path, port or address may be about the work
 * at hand.
 */
export const isLastingByItself = (told: ToldStatement): boolean =>
  'relation' in told || !['path', 'port', 'address'].includes(told.type);

function toldInClause(text: string): ToldStatement | null {
  if (OF_THE_WORK.test(text)) return null;
  const relation = relationIn(text);
  if (relation !== null) return relation;
  for (const [pattern, toFact] of RULES) {
    const groups = pattern.exec(text)?.groups;
    const found = groups ? toFact(groups) : null;
    if (found !== null && isName(found.key)) return found;
  }
  return null;
}
