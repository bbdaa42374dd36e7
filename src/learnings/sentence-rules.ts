import { type Core, takeOffLeadIn } from './lead-in.ts';
import { masked } from './masked.ts';
import {
  AGENT_VERB,
  ALL_WORK,
  FAULT,
  INFRA,
  LOCAL,
  MANNER,
  PRACTICE_VERB,
  PRODUCT,
  RULED,
  TASK,
  TOOLS,
  WORKING,
} from './statement-words.ts';

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
};

const words = (list: string) => new RegExp(`(?<![\\w/.-])(?:${list})(?![\\w/-])`);
/** Where a clause begins. */
const CLAUSE = '(?:^|[,;:.(—–] ?| - |\\b(?:but|and|so|because|cause|since|that|as|then|instead) )';
const clause = (pattern: string) => new RegExp(`${CLAUSE}${pattern}`);
const NAMED = `(?:CMD|(?<![\\w/.-])(?:${TOOLS})(?![\\w/-]))`;
const EVER = "(?:never(?: ever)?|don'?t ever|do not ever|not ever|always|only ever)";

const isLocal = words(LOCAL);
const isTask = new RegExp(`^(?:just |now |then |first )*(?:${TASK})\\b`);
const ofAllWork = words(ALL_WORK);
const speaksOfWork = words(WORKING);
const namesTool = new RegExp(NAMED);
const ofManner = words(MANNER);
const ofInfra = words(INFRA);
const ofFault = words(FAULT);
const ofProduct = new RegExp(
  `^(?:the |a |an |every |each |all |any |our |der |die |das |le |la |el |in |on )*(?:\\S+ ){0,3}?(?:${PRODUCT}) ` +
    "(?:\\S+ ){0,4}?(?:should|must|shall|has to|have to|needs? to|never|always|can|cannot|can't|soll|muss|doit|debe|" +
    'nunca|siempre|toujours|jamais|is always|are always)\\b',
);
const begins = new RegExp(`^(?:${AGENT_VERB})\\b`);

const practice = {
  qualified: clause(
    `we (?:\\w+ly |already |still |also |just |all )*(?:only|always|never|no longer|do not|don'?t|can'?t|cannot) ` +
      `(?:\\w+ly |ever |even )?(?:${PRACTICE_VERB})\\b`,
  ),
  plain: clause(
    'we (?:\\w+ly |already |still |also |just |all )*(?:use|are using|prefer|squash|rebase|branch|deploy|release|name|pin|' +
      'follow|stick|avoid|switched|moved|migrated|tag|sign|keep|store|host|ship|format|lint|publish|cut)\\b',
  ),
};
const standsOn = new RegExp(
  `(?:\\bwe(?:'re| are|re)|\\bci|\\brepo|\\bproject|\\bcodebase|\\bshould be|\\bmust be)(?: is| are)? ` +
    `(?:still |all |only |currently )*(?:on|uses?|using|runs?|runs? on|pinned to|targets?) (?:the )?${NAMED}`,
);
const worksNot = new RegExp(
  `(?:${NAMED}|\\bnode|\\bpython)(?: \\S+){0,3} (?:does ?n'?t|do ?n'?t|won'?t) (?:work|run|build|exist)\\b.{0,20}\\b(?:here|on this|in this)` +
    `|\\bthere(?:'s| is| are) no (?:${TOOLS})\\b`,
);
const everDoes = clause(
  "(?:i (?:always |never |don'?t )?(?:want|need|expect) you to |you (?:should|must|can|may|have to|need to) |should |must )?" +
    `${EVER} (?:\\w+ly |first )?(?:${AGENT_VERB})\\b`,
);
const youEver = clause(`you (?:should|must|may|have to|need to) ${EVER} (?:${AGENT_VERB})\\b`);
const everElsewhere = /\b(?:immer|niemals|nie|toujours|jamais|siempre|nunca)\b/;
const wantsAlways =
  /^i (?:always|never|generally|really|usually|don'?t ever) (?:want|like|need|expect|prefer)\b|^i (?:want|like|need|expect) you to (?:always|never)/;
const wants = /^i (?:don'?t |do not )?(?:want|like|need|expect|prefer|hate)\b.{0,20}/;
const asks = /^(?:always )?ask (?:me|us|for my)\b.{0,60}\b(?:before|when|if|first|whenever)\b/;
const shows =
  /^(?:show|tell|warn|check with|wait for) (?:me|us|my)\b.{0,60}\b(?:before|when|if|first|whenever)\b/;

const forbids = clause(
  `(?:please )?(?:don'?t|do not|dont|must not|should not|shouldn'?t|may not) (?:\\w+ly |just )?(?:${AGENT_VERB})\\b`,
);
const stopsDoing = /^(?:stop|quit|avoid) \w+ing\b/;
const noneOf =
  /^no \S+(?: \S+){0,3} in (?:the )?(?:code|commits?|comments|prs?|commit messages|tests|docs)\b/;
const generality =
  /(?<!\b(?:the|other|these|those|your|my|last|new) )\b(?:commits|secrets|dependencies|branches|prs|packages|node_modules|files by)\b|\b(?:anything|whole|full|by hand|manually|without asking|unless|\.env)\b|, ever\b|\bany (?:of|file|new|more)\b/;
const instead = new RegExp(
  `(?:[,.;:—–]| - ) ?(?:please |just |but )?(?:use|run|go through|we have|there(?:'s| is)|only|edit|change) .*(?:CMD|PATH|CODE|${NAMED})`,
);
const untouchable =
  /\b(?:must|should|can|may|is|are|needs?)(?: not|n'?t| never| no longer) (?:to )?(?:be )?(?:edited|touched|committed|changed|modified|merged|pushed|deleted|renamed|squashed|rebased|run|used)\b/;

const swap = new RegExp(
  `${CLAUSE}(?:it'?s|it is|this is|that'?s|use|using|prefer|take|nimm|benutze?) (?:\\S+ ){0,4}?${NAMED}.{0,40}\\b(?:instead of|not|rather than|over|in place of)\\b`,
);
const useHere = new RegExp(`${CLAUSE}use (?:\\S+ ){0,2}?${NAMED}(?: \\S+){0,5} here\\b`);
const useTool = new RegExp(`^(?:use|it'?s|that'?s) (?:\\S+ ){0,2}?${NAMED}`);

const generated =
  /\b(?:is|are|gets?|was|were|'s) (?:all |only |auto-?|automatically )*(?:generated|autogenerated|vendored|read-only|checked in from|managed by|overwritten)\b|\b(?:auto-?)?generated (?:code|files|from|by)\b/;
const doneBy =
  /\b(?:is|are|gets?|happens?|happen) (?:\w+ )?(?:run|done|handled|checked|enforced|created|built|deployed|published|formatted)? ?(?:by|via|through) /;
const commandDoes = new RegExp(
  `${NAMED}(?: script)? (?:\\([^)]*\\) )?(?:starts?|fix(?:es)?|does|runs?|creates?|re-?generates?|brings?|sets?|builds?|seeds?|resets?|gives?|` +
    'installs?|picks?|is (?:the|gone|dead|deprecated|obsolete|not|no longer|for)|has been|has to|must|needs to|will|should|takes|no longer)\\b',
);
const goneScript =
  /\bCODE(?: script| command| target| task)? (?:is|was|has been) (?:gone|dead|deprecated|obsolete|broken for|removed|no longer)/;
const by = new RegExp(
  `\\b(?:command|tests?|specs|suite|builds?|linter|formatter|deploys?|deployments?|releases?|migrations?|app|runner|package manager|ci|seeds?|bundler|framework|orm)(?: \\S+){0,3}? ` +
    `(?:is|are|runs?|go|start|starts|happen|happens|uses?|done)(?: \\S+){0,2}? (?:with |via |through |by |using )?${NAMED}`,
);
const isCommand = /^(?:it'?s|its|that'?s|the command is) CMD/;
const needs = new RegExp(
  `\\b(?:you|they|it|that|tests?|suite|specs|builds?|ci|app|server|this|project|script)(?: \\S+){0,2}? (?:needs?|requires?|have to|has to|must|need to|gotta|got to|can'?t)(?: \\S+){0,5}? ` +
    `(?:CMD|PATH|${NAMED}|(?<!\\w)(?:${INFRA})(?!\\w)|vpn|running)`,
);
const needsToMend =
  /\b(?:need|have|needs|has|got) to (?:also )?(?:fix|change|update|add|rename|move|remove|revert|make|write|implement|handle|support|show|return)\b/;
const comesFirst = new RegExp(
  `(?:CMD|${NAMED} \\S+).{0,60}\\b(?:first|before (?:you|running|every|each|any|pushing|committing|(?:${TOOLS})|CMD))`,
);
const whenever =
  /\b(?:every time|each time|whenever|any ?time|after each|before each|before every|after every)\b/;
const reached =
  /\bonly (?:\w+ )?(?:reachable|accessible|works?|available|visible|possible)\b|\b(?:reachable|accessible|available|works) only\b|\bgo through CMD/;
const place = new RegExp(
  "\\b(?:is|are|'s|lives?|sits?|stands?|runs?|listens?|goes|go|belongs?|found|kept|stored|defined|located|resides?|moved)(?: \\S+){0,2}? " +
    '(?:in|at|on|to|under|behind|inside|from) (?:\\S+ ){0,2}?(PATH|URL|PORT)',
);
const portOf = /\buse PORT for\b|\bPORT (?:is|for) the\b/;
const infraAt = new RegExp(
  `(?<!\\w)(?:${INFRA}|credentials|secrets|keys?|passwords?|logs)(?!\\w)(?: \\S+){0,4}? (?:is|are|'s|lives?|runs?|listens?)(?: \\S+){0,2}? (?:in|at|on|under|behind|over) (?:\\S+ ){0,2}?(?:PORT|TIME|URL|PATH|vpn|${NAMED})`,
);
const ruled = clause(
  `(?:all |our |any |every |new )*(?:${RULED})\\b(?: \\S+){0,3}? (always|never|must|have to|need to|needs?|go|goes|belongs?|are never|are always|target|start with|should)\\b`,
);
const outcome =
  /\b(?:must|should|need to|have to) (?:all |still |now |be )*(?:pass|green|cover|work|fail|compile|succeed)/;
const convention =
  /\b(?:our|the (?:team|project|repo|house)(?:'s)?) (?:\w+ )?(?:convention|style|rule|policy|standard|practice|guideline|workflow|process|default branch)s? (?:here )?(?:is|are|for|says?)\b|\bthe (?:default|main|release|integration|production) branch (?:here )?is\b/;
const allOur = /^all (?:of )?our \S+(?: \S+)? (?:are|is|live|go|run|use|have)\b/;
const machine =
  /\b(?:i'?m|i am|we'?re|we are|this is) (?:all )?(?:on|using|running|a) (?:windows|mac|macos|osx|linux|wsl|nixos|ubuntu|debian|arch|alpine|arm|apple silicon|an? m\d)\b/;
const flaky = /\bflaky\b/;
const readOnly = /\b(?:is|are) (?:read-only|off.?limits|frozen|locked|protected)\b/;
const predicate =
  /\b(?:is|are|we|lives?|comes?|generated|read|uses?|belongs?|runs?|goes|needs?|must|has)\b|'s\b/;
const meant = /\bi (?:meant|mean|want|wanted|said)\b/;
const explaining =
  /^(?:use|run|instead|it|they|that'?s|because|call|go|put|edit|there(?:'s| is)|add|always|only|change|regenerate|the)\b/;

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

/** Judges one sentence of a prompt. */
export function judgeSentence(sentence: string, turn: Turn): Said {
  const core = takeOffLeadIn(sentence);
  if (asksPolitely.test(sentence)) core.text = core.text.replace(/\?\s*$/, '');
  const text = masked(core.text);
  const none: Said = { ...core, sentence, verdict: 'none', kind: 'fact', explains: false };
  if (text.length < 4 || isQuestion(core.text) || isLocal.test(text)) return none;
  const saying = (verdict: Said['verdict'], kind: Said['kind']): Said => ({ ...none, verdict, kind });
  const works = speaksOfWork.test(text) || namesTool.test(text);
  const named = works || /PATH|CODE|PORT|URL/.test(text);
  const always = ofAllWork.test(text);
  const kind: Said['kind'] = factual(text) ? 'fact' : 'preference';

  if (core.asked)
    return saying(named || /\w{3,}.*\s\w{3,}.*\s\w{3,}/.test(text) ? 'lasting' : 'doubtful', kind);
  if (ofProduct.test(text) && !always && !ruled.test(text)) return none;
  if (core.standing) {
    if (works || named || ofManner.test(text) || begins.test(text)) return saying('lasting', kind);
    return saying('doubtful', kind);
  }
  if (turn.specification) return none;
  const rule = preferenceIn(text, turn, core, works, always) ?? factIn(text, turn, core, works);
  if (rule === null) {
    return {
      ...none,
      explains:
        explaining.test(text) && named && !isTask.test(text.replace(/^(?:run|put|call|add|go|change) /, '')),
    };
  }
  return saying(rule.verdict, rule.kind);
}

type Ruling = { verdict: 'lasting' | 'doubtful'; kind: Said['kind'] } | null;

const factual = (text: string) =>
  /^(?:the |this |that |our |all |\S+ )?(?:\S+ ){0,4}?(?:is|are|lives?|runs?|uses?|needs?|listens?|stands?|has|have)\b/.test(
    text,
  ) && !/\b(?:never|always|must|should|don'?t|dont|prefer)\b|^(?:use|run|ask|write|we)\b/.test(text);

function preferenceIn(text: string, turn: Turn, core: Core, works: boolean, always: boolean): Ruling {
  const ruling = (verdict: 'lasting' | 'doubtful'): Ruling => ({ verdict, kind: 'preference' });
  /** what may as well belong to the task that a session begins with */
  const later = () => ruling(turn.first ? 'doubtful' : 'lasting');
  const specific = works || /PATH|CODE/.test(text);
  if (asks.test(text)) return ruling('lasting');
  if (wantsAlways.test(text)) return ruling('lasting');
  if (youEver.test(text)) return later();
  if (everDoes.test(text)) return ruling(specific || always ? 'lasting' : 'doubtful');
  if (everElsewhere.test(text) && works) return ruling('lasting');
  if (swap.test(text) && namesTool.test(text)) {
    return ruling(
      always || core.refuses || doneWith(text, turn) || /^it'?s|\bhere\b/.test(text) ? 'lasting' : 'doubtful',
    );
  }
  if (useHere.test(text)) return later();
  if (isTask.test(text) && !comesFirst.test(text) && !whenever.test(text)) return null;
  if (practice.qualified.test(text))
    return ruling(specific || always || text.split(' ').length < 9 ? 'lasting' : 'doubtful');
  if (practice.plain.test(text))
    return ruling(specific || always || /PORT/.test(text) ? 'lasting' : 'doubtful');
  if (whenever.test(text) && specific) return ruling('lasting');
  if (core.refuses && useTool.test(text) && turn.did.length > 0) return ruling('lasting');
  if (stopsDoing.test(text) && works) return ruling(/\bthe\b/.test(text) ? 'doubtful' : 'lasting');
  if (noneOf.test(text)) return later();
  if (untouchable.test(text) && specific) return later();
  if (forbids.test(text)) {
    if (always || /, ever\b|by hand|we don'?t\b/.test(text)) return ruling('lasting');
    if (generality.test(text) || instead.test(text) || /\b(?:under|in|inside) PATH/.test(text))
      return later();
    return works && !turn.first ? ruling('doubtful') : null;
  }
  if (ruled.test(text) && !outcome.test(text)) {
    return / should\b/.test(text) && !always && turn.first ? ruling('doubtful') : ruling('lasting');
  }
  if (shows.test(text)) return ruling('doubtful');
  if (wants.test(text) && (always || works)) return ruling(always ? 'lasting' : 'doubtful');
  if (always && works && begins.test(text) && !turn.first) return ruling('lasting');
  return null;
}

function factIn(text: string, turn: Turn, core: Core, works: boolean): Ruling {
  const later: Ruling = { verdict: turn.first ? 'doubtful' : 'lasting', kind: 'fact' };
  const answers = asksForFact(turn.before);
  if (answers && /CMD|PATH|PORT|URL/.test(text) && !turn.first) return later;
  if (answers && namesTool.test(text) && text.length < 120) return later;
  if (isTask.test(text) && !comesFirst.test(text)) return null;
  if (convention.test(text) || allOur.test(text) || machine.test(text))
    return { verdict: 'lasting', kind: 'fact' };
  if (core.wrong && predicate.test(text) && !meant.test(text) && /PATH|CMD|PORT|URL|\w{4}/.test(text))
    return later;
  if (ofFault.test(text.split(/[,;:]/)[0] as string) || needsToMend.test(text)) return null;
  const rules = [generated, standsOn, worksNot, commandDoes, goneScript, by, comesFirst, infraAt, portOf];
  if (rules.some((rule) => rule.test(text))) return later;
  if (isCommand.test(text) && turn.did.length > 0) return later;
  if (needs.test(text) && !/\bwe need (?:a|an|the)\b/.test(text)) return later;
  if (doneBy.test(text) && works) return later;
  if (reached.test(text) && (works || ofInfra.test(text))) return later;
  if (readOnly.test(text) && (works || /PATH/.test(text))) return later;
  if (flaky.test(text) && /_|CODE|PATH|\btests?\b|e2e/.test(text)) return later;
  const at = place.exec(text)?.[1];
  if (at && (at !== 'PORT' || ofInfra.test(text))) return later;
  return null;
}

/** Tells whether the agent just used a tool that the sentence names. */
function doneWith(text: string, turn: Turn): boolean {
  const did = turn.did.join('\n').toLowerCase();
  const tools = text.match(new RegExp(NAMED, 'g')) ?? [];
  return tools.some((tool) => tool === 'CMD' || words(tool).test(did));
}
