import { decidedIn } from './decided.ts';
import { type Core, takeOffLeadIn } from './lead-in.ts';
import { type Features, featuresOf, likelyFact, likelyLasting, type Place } from './learned-words.ts';
import { masked } from './masked.ts';
import * as p from './sentence-patterns.ts';

/** The situation in which something is said. */
export type Turn = {
  first: boolean;
  before: string | null;
  did: string[];
  /** the prompt is so long that its rules are most likely the product's */
  specification: boolean;
};

export type Said = Core & {
  sentence: string;
  verdict: 'lasting' | 'doubtful' | 'none';
  kind: 'preference' | 'fact';
  /** it tells more about the statement before it, but is none by itself */
  explains: boolean;
  /** one or two words that name a tool, and no statement */
  fragment: boolean;
  /** what it decides, without “we decided to”; null if it is no decision in plain words */
  decided: string | null;
};

/** A question of the agent's that a fact of the project or the environment answers. */
const askedForFact =
  /\b(?:how (?:do|does|can|should|is|are|would) (?:you|i|we|one|it|they|this|that|the)|where (?:is|are|do|does|can)|which|what(?:'s| is| are)|is there|do you)\b[^?]{0,200}\?/g;
const askedForDesign =
  /\b(?:shall|should|do you want me to|would you like)(?: i| me| we)?\b.{0,20}\b(?:i|put|place|add|name|call|create|use for|look|open|show|style)\b|\b(?:prefer|look like|want|color|colour)\b/;

const QUESTION =
  /\?\s*$|^(?:what|why|how|who|which|when|where|do|does|did|is|are|was|were|has|have|any idea|should (?:i|we|it)|can (?:i|we|it)|could (?:i|we|it)|shall)\b(?! not\b)/i;

/** Tells whether a sentence asks instead of telling. */
export const isQuestion = (sentence: string) => QUESTION.test(sentence);

const asksPolitely =
  /^(?:\S+ ){0,2}?(?:can|could|would|will) you (?:please )?(?:always|never|stop|not|from now on)\b/i;

/** Tells whether the agent's last message ends by asking for a fact of the project or the environment. */
export function asksForFact(before: string | null): boolean {
  const last = before?.slice(-600).toLowerCase().match(askedForFact)?.at(-1);
  return last !== undefined && !askedForDesign.test(last);
}

const asksAtItsEnd = /\?\s*$/;

/**
 * How likely it must be, by the words of a sentence, that it lasts. In sets that were left out of the
 * training, 0.8 accepted 2 % of the sentences that do not last, and found two thirds of those that do (`npm
 * run train:statements -- --try`). The first prompt needs more, because it tells the task, and large tasks
 * are told like rules.
 */
const LASTING = 0.8;
const LASTING_AT_FIRST = 0.85;
const DOUBTFUL = 0.5;

type Ruling = { verdict: 'lasting' | 'doubtful'; kind: Said['kind'] } | null;

/** What is known of a sentence before it is judged. */
type Signs = {
  text: string;
  core: Core;
  turn: Turn;
  /** it speaks of the way of working, or names a tool */
  works: boolean;
  /** it names something that can be looked up: a tool, file, port … */
  specific: boolean;
  /** it speaks of all the work in the project */
  general: boolean;
};

/**
 * What a sentence is judged by; `rule` is what the rules say about it. Null for a question, or a text under 3
 * characters.
 */
type Examined = { signs: Signs; rule: Ruling; place: Place } | null;

/** Returns the sentences of a prompt without the words around them, each with what it is judged by. */
export const examineSentences = (sentences: string[], turn: Turn): { core: Core; examined: Examined }[] =>
  sentences.map((sentence, i) => {
    const core = takeOffLeadIn(sentence);
    if (asksPolitely.test(sentence)) core.text = core.text.replace(/\?\s*$/, '');
    return { core, examined: examine(core, turn, sentences[i - 1] ?? '', sentences[i + 1] ?? '') };
  });

function examine(core: Core, turn: Turn, previous: string, next: string): Examined {
  const text = masked(core.text);
  if (text.length < 3 || isQuestion(core.text)) return null;
  const works = p.speaksOfWork.test(text) || p.namesTool.test(text);
  const specific = works || /CMD|PATH|CODE|PORT|URL/.test(text);
  const signs: Signs = { text, core, turn, works, specific, general: p.ofAllWork.test(text) };
  const place = { first: turn.first, previous, next, asked: asksAtItsEnd.test(turn.before ?? '') };
  return { signs, rule: ruleOf(signs), place };
}

/** Returns the features of a sentence, by which it is judged where no rule is sure. */
export const featuresIn = ({ signs: { core, text }, rule, place }: NonNullable<Examined>): Features =>
  featuresOf(core, text, place, rule?.verdict ?? 'none');

/** Judges the sentences of a prompt: by rules, and by their words where no rule is sure. */
export const judgeSentences = (sentences: string[], turn: Turn): Said[] =>
  examineSentences(sentences, turn).map(({ core, examined }, i) =>
    judge(sentences[i] as string, core, examined),
  );

function judge(sentence: string, core: Core, examined: Examined): Said {
  const nothing = { verdict: 'none', kind: 'fact', explains: false, fragment: false, decided: null } as const;
  const none: Said = { ...core, sentence, ...nothing };
  if (examined === null) return none;
  const { signs, rule } = examined;
  const { text, specific, turn } = signs;
  const rules = core.standing && rule?.verdict === 'lasting';
  const decided = turn.specification && !core.asked ? null : decidedIn(core, text, rules);
  if (decided !== null) return { ...none, text: decided, verdict: 'lasting', kind: 'preference', decided };
  const ruling = rule?.verdict === 'lasting' || turn.specification ? rule : (byWords(examined) ?? rule);
  if (ruling !== null) return { ...none, ...ruling };
  const explains =
    p.explaining.test(text) &&
    (specific || p.everAgain.test(text)) &&
    !p.isLocal.test(text) &&
    !p.endsInTask.test(text);
  const fragment = p.namesTool.test(text) && text.split(' ').length < 3;
  return { ...none, explains: explains && !turn.first, fragment };
}

function byWords(examined: NonNullable<Examined>): Ruling {
  const { text, turn } = examined.signs;
  // what a session begins with is its task
  if (turn.first && p.isTask.test(text)) return null;
  const features = featuresIn(examined);
  const likely = likelyLasting(features);
  if (likely < DOUBTFUL) return null;
  return {
    verdict: likely < (turn.first ? LASTING_AT_FIRST : LASTING) ? 'doubtful' : 'lasting',
    kind: likelyFact(features) < 0.5 ? 'preference' : 'fact',
  };
}

function ruleOf(signs: Signs): Ruling {
  const { text, core, turn, specific, general } = signs;
  const kind: Said['kind'] = factual(text) ? 'fact' : 'preference';
  if (core.asked) return { verdict: specific || text.split(' ').length > 3 ? 'lasting' : 'doubtful', kind };
  const words = p.wording.test(text);
  if (p.ofProduct.test(text) && !general && !p.ruled.test(text) && !words) return null;
  if (core.standing) {
    const ofWork =
      specific ||
      p.ofManner.test(text) ||
      p.ofAKind.test(text) ||
      /^(?:no|not|only) \S/.test(text) ||
      p.begins.test(text.replace(/^(?:always|never) /, ''));
    return { verdict: ofWork ? 'lasting' : 'doubtful', kind };
  }
  if (p.isLocal.test(text) || turn.specification) return null;
  if (p.endsInTask.test(text) && !p.generated.test(text) && !p.ruled.test(text)) return null;
  return preferenceIn(signs) ?? factIn(signs);
}

const factual = (text: string) =>
  p.states.test(text) &&
  !/\b(?:never|always|must|should|don'?t|dont|prefer)\b|^(?:use|run|ask|write|we|only|no) /.test(text);

function preferenceIn({ text, core, turn, works, specific, general }: Signs): Ruling {
  const ruling = (verdict: 'lasting' | 'doubtful'): Ruling => ({ verdict, kind: 'preference' });
  /** the verdict on a sentence that may just belong to the task, if it is in the session's first prompt */
  const later = () => ruling(turn.first ? 'doubtful' : 'lasting');
  const corrects = core.refuses || core.wrong || rejectsDeed(core.text.toLowerCase(), turn);
  if (p.asks.test(text) || p.wantsAlways.test(text)) return ruling('lasting');
  if (p.youEver.test(text)) return later();
  if (p.everDoes.test(text) && !(turn.first && p.isTask.test(text))) {
    if (turn.first && p.everDoes.exec(text)?.index !== 0 && !/\bwe\b/.test(text)) return null;
    return ruling(specific || general || /\bfiles\b|\bon your own\b/.test(text) ? 'lasting' : 'doubtful');
  }
  if (p.practiceElsewhere.test(text) && p.namesTool.test(text)) return later();
  if (p.everElsewhere.test(text) && works) return ruling('lasting');
  if (p.swap.test(text) && p.namesTool.test(text)) {
    if (general || corrects || /^(?:it'?s|we)\b|\bhere\b/.test(text)) return ruling('lasting');
    return turn.first ? null : ruling('doubtful');
  }
  if (p.useHere.test(text) || p.wording.test(text)) return later();
  if (p.stopsDoing.test(text) && specific) {
    return ruling(/\bthe (?!full|whole|entire|code\b)/.test(text) ? 'doubtful' : 'lasting');
  }
  if (p.isTask.test(text) && !p.comesFirst.test(text) && !p.whenever.test(text)) return null;
  const pointing = p.pointsAtOne.test(text);
  const short = text.split(' ').length < 9;
  if (p.practice.qualified.test(text)) return ruling(specific || general || short ? 'lasting' : 'doubtful');
  if (p.practice.plain.test(text))
    return ruling(specific || general || (!pointing && !turn.first) ? 'lasting' : 'doubtful');
  if (p.practice.any.test(text) && (general || (specific && !pointing))) return later();
  if (p.whenever.test(text) && specific && works) return turn.first ? null : ruling('lasting');
  if (corrects && works && /\b(?:use|run|call|this is|it'?s|take|instead|not)\b/.test(text) && !turn.first) {
    return ruling('lasting');
  }
  if (core.refuses && p.useTool.test(text) && turn.did.length > 0) return ruling('lasting');
  if (
    p.noneOf.test(text) ||
    (general && /^no /.test(text)) ||
    (p.bareRule.test(text) && !p.isTask.test(text))
  )
    return later();
  if (p.disallows.test(text) && works) return later();
  if ((p.untouchable.test(text) || p.nobodyMay.test(text)) && specific) return later();
  if (p.forbids.test(text)) {
    if (general || (corrects && p.rejectsTool.test(text)) || /, ever\b|by hand|we don'?t\b/.test(text))
      return ruling('lasting');
    if (
      p.convention.test(text) ||
      p.generality.test(text) ||
      p.generated.test(text) ||
      p.ofAKind.test(text) ||
      p.instead.test(text) ||
      /\b(?:under|in|inside) PATH/.test(text)
    )
      return later();
    return works && !turn.first ? ruling('doubtful') : null;
  }
  if (p.ruled.test(text) && !p.outcome.test(text)) {
    return / should\b/.test(text) && !general && turn.first ? ruling('doubtful') : ruling('lasting');
  }
  if (p.shows.test(text)) return ruling('doubtful');
  if (p.wants.test(text) && /, (?:ever|always)\b/.test(text)) return ruling('lasting');
  if (p.wants.test(text) && (general || works)) return ruling(general ? 'lasting' : 'doubtful');
  if (p.withReason.test(text) && works && !turn.first) return ruling('lasting');
  if (general && works && p.begins.test(text) && !turn.first) return ruling('lasting');
  return null;
}

function factIn({ text, core, turn, works, specific, general }: Signs): Ruling {
  if (p.ofProgress.test(text) || p.ofCode.test(text)) return null;
  const lasting: Ruling = { verdict: 'lasting', kind: 'fact' };
  if (p.alwaysAt.test(text) && !p.ofStatus.test(text)) return lasting;
  const later: Ruling = turn.first ? { verdict: 'doubtful', kind: 'fact' } : lasting;
  if (asksForFact(turn.before) && !turn.first && (/CMD/.test(text) || !p.ofStatus.test(text))) {
    if (/CMD|PATH|PORT|URL|#\w/.test(text) || (p.namesTool.test(text) && text.length < 120)) return later;
  }
  if (p.isTask.test(text) && !p.comesFirst.test(text) && !/CMD.*\b(?:otherwise|or else)\b/.test(text))
    return null;
  if (p.alwaysHere.test(text) && !p.ofFault.test(text)) return later;
  if (p.allAlong.test(text) && p.states.test(text) && !p.ofStatus.test(text)) return later;
  if (p.convention.test(text) || p.allOur.test(text) || p.machine.test(text)) return lasting;
  if (general && p.states.test(text) && (specific || p.makesRule.test(text))) return later;
  if (core.wrong && p.predicate.test(text) && !p.meant.test(text) && specific) return later;
  const subject = text.split(/[,;:]/)[0] as string;
  if ((p.ofFault.test(subject) && !/^(?:our|we) /.test(text)) || p.needsToMend.test(text)) return null;
  if (PLAIN_FACTS.some((rule) => rule.test(text))) return later;
  if (core.refuses && p.meaning.test(text) && !turn.first) return lasting;
  if (p.isCommand.test(text) && turn.did.length > 0) return later;
  if (p.needs.test(text) && !/\bwe need (?:a|an|the)\b/.test(text)) return later;
  if (p.doneBy.test(text) && works) return later;
  if (p.reached.test(text) && (works || p.ofInfra.test(text))) return later;
  if (p.readOnly.test(text) && specific) return later;
  if (p.flaky.test(text) && /CODE|PATH|\btests?\b|e2e/.test(text)) return later;
  const at = p.place.exec(text)?.[1];
  if (at && (at !== 'PORT' || p.ofInfra.test(text))) return turn.first ? null : later;
  return ofTheProject(text, core, turn) ? lasting : null;
}

const PLAIN_FACTS = [
  p.generated,
  p.standsOn,
  p.projectOf,
  p.orElse,
  p.retired,
  p.worksNot,
  p.commandDoes,
  p.goneScript,
  p.by,
  p.comesFirst,
  p.infraAt,
  p.portOf,
];

/** Tells whether a sentence states how the project or its environment is, by two signs at least. */
function ofTheProject(text: string, core: Core, turn: Turn): boolean {
  if (turn.first && !core.told) return false;
  if (p.ofStatus.test(text) && !core.told) return false;
  if (p.ofPiece.test(text) && !/CMD|PORT|URL|TIME/.test(text)) return false;
  const signs = [
    p.speaksOfWork,
    p.namesTool,
    p.ofInfra,
    /PATH/,
    /PORT|URL|TIME/,
    /CODE|CMD/,
    /\b(?:is|are|called|named) (?:PATH|URL|CODE|PORT)/,
    p.makesRule,
    /\b(?:we|our|us)\b/,
  ];
  const count = signs.filter((sign) => sign.test(text)).length + (core.told ? 1 : 0);
  if (p.ofAKind.test(text)) return count >= 1 && p.speaksOfWork.test(text);
  return count >= 2 && (core.told || p.states.test(text));
}

/** Tells whether a sentence rejects what the agent just did with a command. */
function rejectsDeed(text: string, turn: Turn): boolean {
  const did = turn.did
    .filter((deed) => !/^(?:edit|write|create|read) /i.test(deed))
    .join('\n')
    .toLowerCase();
  if (did === '') return false;
  const rejected = [...text.matchAll(p.rejects)].flatMap((match) => (match[1] as string).split(/[^\w-]+/));
  return rejected.some((word) => word.length > 2 && p.words(word).test(did));
}
