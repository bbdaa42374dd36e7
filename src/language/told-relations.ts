import { PARTS, TOOLS } from './fact-words.ts';

// Reads the relation between two parts of a system that a person's clause tells: "the billing worker reads
// from the invoices queue", "Kestrel has replaced the old scheduler".

type Entity = { type: string; key: string };
export type ToldRelation = { from: Entity; relation: string; to: Entity };

export const WHOSE = '(?:all the|the|our|my|all|all our|every) ';
export const NOT_A_NAME =
  'in|on|at|of|for|from|with|if|write|add|run|see|check|try|look|it|this|that|there|here|they|he|she|which|what|who|i|you|your|we|these|those|everything|nothing|something|anything|someone|somebody|everyone|nobody|people';
export const NOW =
  '(?: (?:now|currently|still|all|always|only|actually|usually|really|just|directly|also)){0,2}';
export const TICK = '[`"\']?';
export const CONNECTIVES =
  'now|btw|fyi|here|across|everywhere|throughout|instead|not|and|but|so|because|since|which|when|whenever|where|these days|anymore|too';
export const endBefore = (words: string) => `(?=$|[,;:(]|\\s[-–—]\\s|\\s(?:${words})\\b)`;

const IS = `(?:${NOW} (?:is|are)|'s)${NOW}`;
/** The things that are read, written or sent. */
const THINGS = '(?: (?:its|their|all|a|an|any|every))?(?: [\\w-]+){0,2}';
const THEIRS = ' (?:its|their)(?: [\\w-]+){1,2}';

/**
 * Words between two names, with the relation that they tell. `turned`: the relation goes from the second to
 * the first.
 */
const EDGES: [verb: string, relation: string, turned?: true][] = [
  [`${NOW} (?:depends? on|relies on)`, 'depends on'],
  [`${NOW} (?:calls?(?: into| out to)?|talks? to|goes through)`, 'calls'],
  [
    `${NOW} (?:reads?${THINGS} from|consumes?(?: from)?|(?:gets?|takes?|pulls?|fetch(?:es)?|loads?)${THEIRS} from)`,
    'reads from',
  ],
  [`${IS} (?:built|populated|generated|fed|filled) from`, 'reads from'],
  [
    `${NOW} (?:writes?${THINGS} (?:to|into)|(?:ships?|sends?|stores?|saves?|puts?|dumps?|keeps?|exports?)${THEIRS} (?:to|into|in))`,
    'writes to',
  ],
  [`${IS} (?:filled|fed|populated|written) by`, 'writes to', true],
  [`${NOW} publish(?:es)?${THINGS} (?:to|on)`, 'publishes to'],
  [`(?:${IS} subscribed to|${NOW} (?:subscribes? to|listens? to))`, 'subscribes to'],
  [`${NOW} runs? on`, 'runs on'],
  [`(?:${IS}|${NOW} gets) (?:deployed|hosted) (?:on|to|in)`, 'runs on'],
  [`${NOW} imports?${THINGS} from`, 'imports from'],
  [`${NOW} mirrors`, 'mirrors'],
  [`${NOW} replicates? from`, 'replicates from'],
  [`${NOW} feeds`, 'feeds'],
  [`${IS} provisioned by`, 'is provisioned by'],
  [`${NOW} triggers?`, 'triggers'],
  [
    `${IS} (?:triggered|started|woken up|kicked off) by(?: (?:messages|events|jobs) (?:on|in|from))?`,
    'triggers',
    true,
  ],
  [`${NOW} wraps?`, 'uses'],
  [`(?:${NOW} replaces?|,? (?:has|have)(?: now)? replaced|${IS} the successor (?:of|to))`, 'replaces'],
  [`(?:${IS}| (?:was|were|has been|have been)) (?:replaced|superseded) by`, 'replaces', true],
  [`${IS} (?:a|an|the|our|my)(?: [\\w-]+)? fork of`, 'is a fork of'],
  [`(?:${IS}|${NOW} (?:sits?|lives?|runs?)) behind`, 'is behind'],
  [`(?:${IS}|${NOW} (?:sits?|lives?)) in`, 'is part of'],
  [`${NOW} reports to`, 'reports to'],
];
/** “We test the sdk with Maestro”: what a part is tested, built or run by. */
const BY_US: [verb: string, preposition: string, relation: string][] = [
  ['test', '(?:with|using|on|in)', 'is tested by'],
  ['build', '(?:with|using|on|in)', 'is built by'],
  ['deploy|host|run', '(?:on|to|in)', 'runs on'],
];
/** The relations that rules read. */
export const RELATIONS: string[] = [
  ...new Set([...EDGES, ...BY_US].map((row) => (row.at(-1) === true ? row[1] : row.at(-1)))),
] as string[];

const named = (end: string) =>
  `(?:${WHOSE})?(?:old |former |legacy )?${TICK}(?<${end}>(?!(?:${NOT_A_NAME})\\b)[\\w.@/-]+(?: [\\w.@/-]+){0,3}?)${TICK}`;
const NAME_END = endBefore(
  `${CONNECTIVES}|only|using|over|via|through|for|with|every|directly|in|under|last|at night|nightly`,
);
const whole = (pattern: string) => new RegExp(`^${pattern}${NAME_END}`, 'iu');
/** A name that ends where its word ends, no matter what follows: `fx-rates`, `orders_archive table`. */
const WRITTEN_NAME = `(?:${WHOSE})?${TICK}(?<to>@?\\w+(?:[-_/.]\\w+)+(?: (?:${PARTS}))?)(?![\\w/@-])`;
const PATTERNS = [
  ...EDGES.flatMap(([verb, relation, turned = false]) =>
    [
      whole(`${named('from')}${verb} ${named('to')}`),
      new RegExp(`^${named('from')}${verb} ${WRITTEN_NAME}`, 'iu'),
    ].map((pattern) => ({ pattern, relation, turned })),
  ),
  ...BY_US.map(([verb, preposition, relation]) => ({
    pattern: whole(`we${NOW} (?:${verb}) ${named('from')} ${preposition} ${named('to')}`),
    relation,
    turned: false,
  })),
];

const COMPONENT = 'component';
const PART = new RegExp(`(?:^| )(${PARTS})$`);
const IS_TOOL = new RegExp(`^(?:${TOOLS})\\b`);
/** Kinds of parts that contain other parts. */
const HOLDER = /^(?:database|db|repo|warehouse|cluster|package|module|library|lib|monorepo|environment)$/;
const NO_NAME =
  /\busers?$|\b(?:twice|once|again|it|them|itself|each|other|same|that|which|who|you|they|port|localhost|not|never)\b|n't\b|(?<!\b(?:of|in|for|on)) the\b/;

export const isName = (key: string): boolean => key !== '' && !NO_NAME.test(key);

/** “both a and b”, “to a for x and to b”: what is said about two things holds for each of them. */
const PAIRS = [
  /\bboth (?:the )?(?<a>[\w.@/-]+) and (?:the )?(?<b>[\w.@/-]+)/i,
  /(?<![\w.@/-])(?<a>@?\w+[-_.@/][\w.@/-]*\w) and (?:the )?(?<b>@?\w+[-_.@/][\w.@/-]*\w)/i,
  /\b(?<a>(?:to|from|into|on) [\w.@/-]+)(?: for [\w-]+)? and (?<b>(?:to|from|into|on) [\w.@/-]+)/i,
  /\b(?<a>(?:its|their) [\w-]+ (?:to|from|into) [\w.@/-]+) and (?<b>(?:its|their) [\w-]+ (?:to|from|into) [\w.@/-]+)/i,
];

/** If a clause says something about two things, returns a clause for each of them; else the clause itself. */
export function eachOf(clause: string): string[] {
  for (const pair of PAIRS) {
    const { a, b } = pair.exec(clause)?.groups ?? {};
    if (a && b) return [a, b].map((one) => clause.replace(pair, () => one));
  }
  return [clause];
}

/** Returns the relation that a clause tells; null if it tells none. */
export function relationIn(clause: string): ToldRelation | null {
  for (const { pattern, relation, turned } of PATTERNS) {
    const { from = '', to = '' } = pattern.exec(clause)?.groups ?? {};
    // the original of a fork need not look like a name
    const [a, b] = [toEntity(from), relation === 'is a fork of' ? entityNamed(to) : toEntity(to)];
    if (a === null || b === null || (a.key === b.key && a.type === b.type)) continue;
    // "the loop writes to the buffer" is not about two parts of a system
    if (!(isEnd(a, from) || isEnd(b, to) || isCapital(to) || (relation === 'runs on' && IS_TOOL.test(b.key))))
      continue;
    // in "the bug is in the api", the bug is not a part of the api
    if (relation === 'is part of' && !(HOLDER.test(b.type) && isEnd(a, from))) continue;
    return turned ? { from: b, relation, to: a } : { from: a, relation, to: b };
  }
  return null;
}

/** Whether a word begins with a capital letter, which makes it a name after a verb. */
const isCapital = (said: string) => /^[A-Z]/.test(said);
const isPart = ({ type }: Entity) => type !== COMPONENT;
/** Whether the kind of an entity, or the way its name is written, shows that it is a part of a system. */
const isEnd = (entity: Entity, said: string) => isPart(entity) || /\w[-_/]\w|^@/.test(said);

/**
 * Returns the entity that a name means: “billing worker” is the worker billing, `@acme/ledger` a component.
 * Null if it is not a name.
 */
export function entityNamed(name: string): Entity | null {
  const all = toKey(name);
  if (!isName(all)) return null;
  const type = PART.exec(all)?.[1];
  const key = type ? all.slice(0, -type.length).trim() : all;
  return type ? { type, key: key === '' ? type : key } : { type: COMPONENT, key: all };
}

/** “the Envoy proxy called front-door”, “our repo ledger-core”: the name itself comes last. */
const KIND_BEFORE = new RegExp(`^(?:.* (?:called|named) (?=\\S+$)|(?:${PARTS}) (?=\\S+[-_/]\\S+$))`, 'i');
const TWO_THINGS = / (?:for|to|from|with|and|or|that|which|by|has|have)(?: |$)/i;

/** Returns the text that a rule found as an entity; null for a plain word, which may mean anything. */
function toEntity(found: string): Entity | null {
  const said = found.replace(KIND_BEFORE, '');
  const entity = TWO_THINGS.test(said) ? null : entityNamed(said);
  if (entity === null || isPart(entity)) return entity;
  return /[\d._/@ -]|[A-Z]/.test(said) || IS_TOOL.test(entity.key) ? entity : null;
}

/** The name of a thing in small letters, without what points at it. */
export const toKey = (said: string): string =>
  said
    .toLowerCase()
    .replace(/^(?:the|our|my|all|every|this|a|an) /, '')
    .replace(/'s$/, '')
    .replace(/ (?:here|too|also|now)$/, '')
    .trim();
