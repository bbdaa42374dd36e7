import { DEEDS, DELETIONS, type Deed } from './deeds.ts';
import { type Clause, sentencesOf, type Word } from './sentences.ts';
import {
  ADJECTIVES,
  ALL_OF,
  ALSO_VERBS,
  BEFORE_VERB,
  DETERMINERS,
  LIGHT,
  OCCASIONS,
  OWN,
  PLACES,
  RULED,
  RULING,
  RUN,
  STOPS,
  THINGS,
  TIMES,
  WANTING,
} from './words.ts';

// Does a word of a sentence mean what commands do, or a thing of that name ("the build folder"), or something else that
// has the same verb ("build the query")? A noun means it where a time or all of them are spoken of ("before a release",
// "every commit"), a verb where its object is something that people do it to.

/** Why a sentence names a deed: it is forbidden, or something is to be done at it, or it is to be done so. */
type Role = 'forbidden' | 'occasion' | 'wanted';
export type SaidDeed = { deed: string; role: Role; clause: Clause; at: number; sentence: Clause[] };

const PUSH: Deed = {
  name: 'push',
  said: /^(?:force-)?push(?:es|ed|ing)?$/,
  objects:
    /^(?:it|them|this|that|code|changes?|work|anything|everything|something|nothing|branch|branches|commits?|tags?|images?|fix|fixes|hotfix|hotfixes|wip|prod|main|master|develop|trunk|force|containers?|stuff|directly|releases?|secrets?|docs|files?|lfs|prs?)$/,
  parts: /^$/,
};
const DELETE: Deed = {
  name: 'delete',
  said: /^(?:delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|destroy(?:s|ed|ing)?|wip(?:e|es|ed|ing)|nuk(?:e|es|ing)|truncat(?:e|es|ing)|(?:purg|prun)(?:e|es|ing)|uninstall(?:s|ing)?)$/,
  objects: new RegExp(
    [
      '^(?:anything|everything|prod|production|staging|main|master|develop)$',
      ...DELETIONS.map(({ objects }) => objects.source),
    ].join('|'),
  ),
  parts: /^$/,
};
const READ: Deed[] = [...DEEDS, PUSH, DELETE];

/** Returns the deeds that a text names, and why. */
export function saidDeeds(text: string): SaidDeed[] {
  return sentencesOf(text).flatMap((sentence) => {
    const found = sentence.flatMap((clause, c) =>
      clause.words.flatMap((word, at) => {
        if (word.code) return [];
        return READ.filter(({ said }) => said.test(word.text)).flatMap((deed): SaidDeed[] => {
          const role = roleOf(clause, at, deed, sentence.slice(0, c).length === 0);
          return role === null ? [] : [{ deed: deed.name, role, clause, at, sentence }];
        });
      }),
    );
    return whatItIsAbout(found).filter((one) => !comesBefore(one));
  });
}

/**
 * Returns the deeds that a sentence is about. What is to be done at a deed, and what is to be done instead of one, is the
 * answer and not the question: "before you push, lint", "don't merge, rebase". What a forbidden deed has to wait for is
 * none either: "no merges until the release is cut".
 */
function whatItIsAbout(found: SaidDeed[]): SaidDeed[] {
  const bans = found.filter(({ role }) => role === 'forbidden');
  const waits = (one: SaidDeed) =>
    /^(?:before|until|till|unless|without|after)$/.test(one.clause.marker ?? '') &&
    bans.some((ban) => ban.sentence.indexOf(ban.clause) === one.sentence.indexOf(one.clause) - 1);
  const due = found.filter((one) => one.role === 'forbidden' || (one.role === 'occasion' && !waits(one)));
  return due.length > 0
    ? [...due, ...found.filter((one) => one.role === 'wanted' && hasManner(one, bans))]
    : found;
}

/** Whether a deed is only what to do before something else: "commit before you switch branches". */
const comesBefore = ({ role, clause, sentence }: SaidDeed): boolean =>
  role === 'wanted' &&
  (sentence[0]?.marker === 'before' || sentence[sentence.indexOf(clause) + 1]?.marker === 'before');

/** Whether a sentence also says how it is to be done: "run tests through `make test`, never …". */
const hasManner = ({ clause, at }: SaidDeed, bans: SaidDeed[]): boolean =>
  bans.length > 0 &&
  clause.words.slice(at + 1).some(({ text }) => /^(?:with|via|through|using|only)$/.test(text));

/** A word of a clause, with what its role depends on. */
type Place = {
  words: Word[];
  at: number;
  deed: Deed;
  marker: string | null;
  /** the clause is the first of its sentence */
  isFirst: boolean;
  /** the next word makes no other thing of it: "commit messages" */
  isPart: boolean;
  /** the next word makes another thing of it: "build folder" */
  isThing: boolean;
  /** where the adjectives before it begin */
  first: number;
  /** the role that the clause gives */
  role: Role;
};

const NUMBER = /^#?\d[\d.]*$|^v\d|^(?=.*\d)[0-9a-f]{6,40}$/;

function roleOf({ marker, words }: Clause, at: number, deed: Deed, isFirst: boolean): Role | null {
  const word = words[at] as Word;
  if (isOfOther(words, at, deed)) return null;
  const next = words[at + 1];
  const isPart =
    next !== undefined && !next.code && deed.parts?.test(next.text) === true && !/s$/.test(word.text);
  if (next && !next.code && !isPart && NUMBER.test(next.text)) return null;
  const isOccasion = marker !== null && OCCASIONS.has(marker);
  if (marker !== null && !isOccasion && !word.negated) return null;
  let first = at;
  while (first > 0 && !words[first - 1]?.code && ADJECTIVES.has(words[first - 1]?.text ?? '')) first--;
  const place: Place = {
    words,
    at,
    deed,
    marker: isOccasion ? marker : null,
    isFirst,
    isPart,
    isThing: !isPart && isThingAt(words, at + 1),
    first,
    role: word.negated ? 'forbidden' : isOccasion ? 'occasion' : 'wanted',
  };
  if (/(?:[^e]ed|ilt)$/.test(word.text)) return roleOfPassive(place);
  if (/ing$/.test(word.text)) return isPart ? place.role : roleOfGerund(place);
  const article = textAt(words, first - 1);
  if (DETERMINERS.has(article) || ALL_OF.has(article)) return roleWithArticle(place);
  const role = roleOfNoun(place);
  if (role !== null || isPart) return role;
  return isPlural(word.text) ? roleOfPlural(place) : roleOfVerb(place);
}

/** Whether what follows a noun makes another deed of it: "each release of the lock", "every push to the stack". */
function isOfOther(words: Word[], at: number, deed: Deed): boolean {
  const next = textAt(words, at + 1);
  // what has no verb is about nothing else, and whatever is deployed is a service
  if (deed.objects.source === '^$' || /^(?:deploy|branch)$/.test(deed.name)) return false;
  if (next === 'of') {
    const object = words
      .slice(at + 2, at + 6)
      .filter(({ text }) => !DETERMINERS.has(text) && !ALL_OF.has(text));
    const isNamed = object[0]?.capital === true && isEnd(object, 1);
    // the sentence may go on behind the object without a comma
    return !isNamed && !object.slice(0, 3).some(({ text, code }) => code || deed.objects.test(text));
  }
  return TOWARDS.test(next) && /^(?:push|commit)$/.test(deed.name) && !hasGoal(words, at + 1, deed);
}

const textAt = (words: Word[], at: number): string => {
  const word = words[at];
  return word === undefined || word.code ? '' : word.text;
};

const isPlural = (word: string): boolean => /s$|^(?:dependency|suite|dco|co-authored-by)$/.test(word);

/** Whether a noun ends at a place: a preposition or a verb follows, or nothing. */
const isEnd = (words: Word[], at: number): boolean => {
  const word = words[at];
  return word === undefined || word.code || STOPS.has(word.text) || /ly$/.test(word.text);
};

/** "must never be committed", "once it is merged". */
function roleOfPassive({ words, at, deed, role }: Place): Role | null {
  const before = textAt(words, at - 1);
  if (/^(?:are|is|get|gets)$/.test(before) && isForOthers(words, at))
    return deed.objects.test(textAt(words, at - 2)) ? 'forbidden' : null;
  if (/^(?:be|get|gets|been|getting)$/.test(before)) return role;
  if (role === 'forbidden' && /^(?:never|not)$/.test(before)) return role;
  return role === 'occasion' && /^(?:is|are|has|was|have)$/.test(before) ? role : null;
}

/** Whether somebody else does it: "tags are pushed by CI only", "is deployed only by the release team". */
const isForOthers = (words: Word[], at: number): boolean => {
  const rest = words.slice(at + 1, at + 7).map(({ text }) => text);
  return (rest[0] === 'by' && rest.includes('only')) || (rest[0] === 'only' && rest[1] === 'by');
};

/** "avoid merging", "before deploying", "pushing to main is …". */
function roleOfGerund({ words, at, deed, role }: Place): Role | null {
  const before = textAt(words, at - 1);
  if (!hasObject(words, at, deed)) return null;
  if (before === 'for' && at === 1) return 'occasion';
  if (at === 0 || BEFORE_VERB.test(before)) return role;
  if (/^(?:are|is|from|of|about|by)$/.test(before)) return role === 'wanted' ? null : role;
  return /^(?:avoid|stop|keep|start|no|on|while|quit|any)$/.test(before) ? role : null;
}

/** "before the next release", "every commit", "no deploys", "make a release"; not "from the release", "in the build". */
function roleWithArticle({
  words,
  at,
  deed,
  first,
  marker,
  isFirst,
  isPart,
  isThing,
  role,
}: Place): Role | null {
  if (deed.onlyVerb && textAt(words, at + 1) !== 'of') return null;
  if (isThing || isOneTest(words, at, deed, isPart)) return null;
  const article = textAt(words, first - 1);
  const governor = first > 1 ? textAt(words, first - 2) : '';
  const isDefinite = DETERMINERS.has(article) && !/^an?$/.test(article);
  if (TIMES.has(governor)) {
    const atHead = first === 2 && (isFirst || !isDefinite);
    return isDefinite && !atHead && !/^(?:during|upon)$/.test(governor) ? null : 'occasion';
  }
  if (first === 1 && marker !== null) return 'occasion';
  // "no release trains"
  if (article === 'no')
    return isPart || isPlural(textAt(words, at)) || isEnd(words, at + 1) ? 'forbidden' : null;
  if (ALL_OF.has(article)) {
    if (/^(?:from|of|through|with|than|by)$/.test(governor) && !(governor === 'with' && first === 2))
      return null;
    return role === 'forbidden' ? role : 'occasion';
  }
  if (isPart && /^(?:in|into|to)$/.test(governor)) return role;
  if (isMade(governor, deed)) return isDefinite && !isPart && !isEnd(words, at + 1) ? null : role;
  if (first < at && /^(?:in|into)$/.test(governor) && OWN.test(textAt(words, at - 1))) return role;
  const isSubject = first === 1 && marker === null;
  return isSubject && /^(?:must|should|needs|has|requires|goes)$/.test(textAt(words, at + 1))
    ? 'wanted'
    : null;
}

/** A single test is something that is written: "add a test", "after each test". */
const isOneTest = (words: Word[], at: number, deed: Deed, isPart: boolean): boolean =>
  deed.name === 'test' && textAt(words, at) === 'test' && !isPart;

/** Whether a verb makes an action of a noun. Tests and migrations are also written, which runs none. */
const isMade = (verb: string, deed: Deed): boolean =>
  /^(?:test|migrate|build)$/.test(deed.name) ? RUN.test(verb) : LIGHT.test(verb);

/** "before deploy", "on push", "run migrations", "one change per commit", "in separate commits". */
function roleOfNoun({ words, at, deed, first, marker, isFirst, isPart, isThing, role }: Place): Role | null {
  const before = textAt(words, first - 1);
  const word = textAt(words, at);
  if (isState(words, first - 1)) return null;
  const isNoun = !isThing && (/(?:s|ment|tion)$/.test(word) || isPart || isEnd(words, at + 1));
  if (before === 'per' && !isThing) return 'occasion';
  if (before === 'in' && first < at && OWN.test(textAt(words, at - 1))) return role;
  const isOnlyNoun = deed.objects.source === '^$';
  if (isMade(before, deed) && !isThing && (isPlural(textAt(words, at)) || isOnlyNoun || isPart || first < at))
    return role;
  if (isNoun && first === 0 && marker !== null) return 'occasion';
  if (isNoun && first === 1 && isFirst && TIMES.has(before)) return 'occasion';
  if (!isPart || isFact(words, at + 2)) return null;
  return first === 0 || /^(?:in|into|to)$/.test(before) || BEFORE_VERB.test(before) ? role : null;
}

/** Whether a word says in which state a thing is, and not what to do: "open issues with severity 1 must be red". */
const isState = (words: Word[], at: number): boolean =>
  at === 0 &&
  /^(?:open|draft|squash|title|label)$/.test(textAt(words, at)) &&
  words
    .slice(at + 2)
    .some(({ text, code }) => !code && /^(?:must|should|are|is|need|have|can|will)$/.test(text));

/** Whether what follows tells what is, and not what shall be: "are built nightly", "live in docs/". */
const isFact = (words: Word[], at: number): boolean =>
  /^(?:was|were|lives?|comes?|came|goes|end)$/.test(textAt(words, at)) ||
  (/^(?:is|are)$/.test(textAt(words, at)) && !RULED.test(textAt(words, at + 1)));

/** "nobody pushes", "PRs go against `next`", "releases are signed"; not "releases are on GitHub". */
function roleOfPlural({ words, at, deed, first, isThing, role }: Place): Role | null {
  if (isActor(words, at)) return hasObject(words, at, deed) ? role : null;
  if (first > 0 || isThing) return null;
  const next = textAt(words, at + 1);
  // what else is said of tests is about how they are written
  if (deed.name === 'test') return /^(?:need|require)$/.test(next) ? 'wanted' : null;
  if (next === '') return role;
  if (/^(?:are|is)$/.test(next))
    return RULED.test(textAt(words, at + 2)) &&
      (deed.name !== 'branch' || /^(?:named|prefixed)$/.test(textAt(words, at + 2)))
      ? 'wanted'
      : null;
  return RULING.test(next) ? 'wanted' : null;
}

/** "never commit", "when you release", "to deploy, run …"; not "how we deploy", "the deploy is slow". */
function roleOfVerb({ words, at, deed, role }: Place): Role | null {
  if (deed.objects.source === '^$' || /(?:ment|tion)$/.test(textAt(words, at))) return null;
  if (/^(?:is|are|was|were|has|takes|took|runs|fails|failed|breaks|broke)$/.test(textAt(words, at + 1)))
    return null;
  if (!hasObject(words, at, deed)) return null;
  const before = textAt(words, at - 1);
  if (before === 'to') {
    if (role === 'forbidden') return role;
    return at === 1 ? 'occasion' : WANTING.test(textAt(words, at - 2)) ? role : null;
  }
  if (at > 0 && !BEFORE_VERB.test(before) && !/ly$/.test(before)) return null;
  return /^(?:how|where|why|what)$/.test(textAt(words, at - 2)) ? null : role;
}

const isThingAt = (words: Word[], at: number): boolean => {
  const [word, after] = [words[at], words[at + 1]];
  if (word === undefined || word.code || !THINGS.test(word.text)) return false;
  // "PRs target develop": nouns before another noun stand in the singular
  if (ALSO_VERBS.test(word.text) && /s$/.test(words[at - 1]?.text ?? '')) return false;
  return !(
    ALSO_VERBS.test(word.text) &&
    after !== undefined &&
    (after.code ||
      DETERMINERS.has(after.text) ||
      ALL_OF.has(after.text) ||
      /^(?:if|whether|with|in|it|them|out|for)$/.test(after.text))
  );
};

/** Whether somebody does it, in the third person: "nobody pushes", "only Marek pushes", "who deploys". */
function isActor(words: Word[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && /^(?:ever|also|always|directly)$|ly$/.test(words[i]?.text ?? '')) i--;
  const actor = words[i];
  if (actor === undefined) return false;
  return (
    /^(?:nobody|no-?one|anyone|anybody|everyone|everybody|who|someone|somebody)$/.test(actor.text) ||
    (words[at]?.negated === true && words.slice(0, i).some(({ text }) => text === 'only'))
  );
}

/** Whether what follows a verb is something that the deed is done to, or nothing. */
function hasObject(words: Word[], at: number, deed: Deed): boolean {
  const next = words[at + 1];
  if (next === undefined) return !deed.needsObject;
  // "run `make`" starts no server
  if (next.code) return deed.name !== 'start';
  // "test for null" is a comparison
  if (deed.name === 'test' && /^(?:for|if|whether|against)$/.test(next.text)) return false;
  const isAside = /ly$|^straight$|^only$/.test(next.text) && TOWARDS.test(textAt(words, at + 2));
  if (isAside || TOWARDS.test(next.text)) return hasGoal(words, isAside ? at + 2 : at + 1, deed);
  const object: string[] = [];
  for (const { text, code } of words.slice(at + 1, at + 7)) {
    if (code) return object.length === 0 ? deed.name !== 'start' : isOneOf(object, deed);
    const isArticle = DETERMINERS.has(text) || ALL_OF.has(text);
    if (isArticle && object.length === 0 && !/^th(?:is|at|ese|ose)$/.test(text)) continue;
    if ((isArticle && object.length > 0) || (STOPS.has(text) && text !== 'that') || /ly$|^\d/.test(text))
      break;
    object.push(text);
  }
  return object.length === 0 ? !deed.needsObject : isOneOf(object, deed);
}

const TOWARDS = /^(?:to|onto|into|on|upon)$/;

/** Whether what a verb goes towards is a place for it: "push to main", but not "push onto the stack". */
function hasGoal(words: Word[], at: number, deed: Deed): boolean {
  const goal = words.slice(at + 1, at + 6);
  const on = textAt(words, at);
  if (deed.name === 'branch') return false;
  if (deed.name === 'build' && /^(?:on|upon)$/.test(on))
    return goal.some(({ text }) => /^(?:ci|mac|linux|windows|fridays?)$/.test(text));
  if (deed.name !== 'commit' && deed.name !== 'push') return !deed.needsObject;
  return on === 'on' || goal.some(({ text, code }) => code || PLACES.test(text));
}

/** Whether the last word of an object is one that the deed is done to: "python packages", "the new app". */
const isOneOf = (object: string[], deed: Deed): boolean => {
  const last = object.at(-1) ?? '';
  return (
    deed.objects.test(last) ||
    /[/\\]|^[\w-]+\.\w+$/.test(last) ||
    (object.length === 2 &&
      /^(?:prod|production|staging|main|it|them|anything|everything)$/.test(object[0] ?? ''))
  );
};
