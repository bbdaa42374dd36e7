// Patterns of sentences about the way of working, and of sentences about the work at hand. They are matched
// against masked text (masked.ts) of a few hundred characters, so none can take long.
import {
  AGENT_VERB,
  ALL_WORK,
  FAULT,
  INFRA,
  LOCAL,
  MANNER,
  PIECE,
  PRACTICE_VERB,
  PRODUCT,
  RULE_WORDS,
  RULED,
  STATUS,
  TASK,
  TOOLS,
  WORKING,
} from './statement-words.ts';

export const words = (list: string) => new RegExp(`(?<![\\w/.@#-])(?:${list})(?![\\w/-])`);
/** Where a clause begins. */
const CLAUSE =
  '(?:^|[,;:.(—–] ?| - |\\b(?:but|and|so|because|cause|since|that|as|then|instead) |^(?:in|for|on) (?:this|our) \\w+,? )';
const clause = (pattern: string) => new RegExp(`${CLAUSE}${pattern}`);
const NAMED = `(?:CMD|(?<![\\w/.-])(?:${TOOLS})(?![\\w/-]))`;
const EVER = "(?:never(?: ever)?|don'?t ever|do not ever|not ever|always|only ever)";

export const isLocal = words(LOCAL);
export const isTask = new RegExp(
  `^(?!(?:commit|release|test|build|deploy|review) (?:messages?|titles?|tags?|notes|names?|files|branches|data|tokens)\\b)(?:(?:in|on|for) [^,]{1,40}, )?(?:just |now |then |first )*(?:${TASK})\\b`,
);
export const ofAllWork = words(ALL_WORK);
export const speaksOfWork = words(WORKING);
export const namesTool = new RegExp(NAMED);
export const ofManner = words(MANNER);
export const ofInfra = words(INFRA);
export const ofFault = words(FAULT);
export const ofProduct = new RegExp(
  `^(?:the |a |an |every |each |all |any |our |der |die |das |le |la |el |in |on )*(?:\\S+ ){0,3}?(?:${PRODUCT}) ` +
    "(?:\\S+ ){0,4}?(?:should|must|shall|has to|have to|needs? to|never|always|can|cannot|can't|soll|muss|doit|debe|" +
    'nunca|siempre|toujours|jamais|is always|are always)\\b',
);
export const begins = new RegExp(`^(?:${AGENT_VERB})\\b`);

export const makesRule = words(RULE_WORDS);
export const ofStatus = words(STATUS);
export const ofPiece = new RegExp(
  `^(?:the|this|that|your|my) (?:\\S+ )?(?:${PIECE}) (?:is|was|should|must|needs?|has|also|still|does|can|could|takes|returns|runs|for|in|of|you)\\b`,
);
/** A clause that states how things are. */
export const states =
  /(?:^|[,;:.] ?|\b(?:so|but|and|because) )(?!it\b|this (?!repo|project|codebase|monorepo)|that'?s\b|only\b|just\b|i\b|you\b)(?:\S+ ){1,6}?(?:is|are|has|have|lives?|comes?|listens?|needs?|requires?|takes?|uses?|runs?|goes|go|means|belongs?|gets?|happens?|passes|works|hits?|expects?|only|contains?|holds?|proxies|forwards?|points?|serves?|reads?|writes?|loads?|talks|connects?|defaults?|resets?|starts?|belongs?|look like|looks like)\b/;
/** "…, make it 500": a sentence that ends in a task tells of the work at hand. */
export const endsInTask =
  /[,;:.] (?:then |please |and |so |but )?(?:make|change|set|extend|rename|move|fix|update|find|look|can you|could you|check|use (?:that|it|this|those)|try|go on|continue|carry on)\b(?!.*\binstead\b)/;
export const disallows =
  /\b(?:is|are) (?:not allowed|forbidden|prohibited|required|mandatory|not permitted|disallowed|a no-go)\b/;
/** What a sentence rejects. */
export const rejects = /\b(?:not|instead of|rather than|never|don'?t|dont|no|stop|over)\b ((?:\S+ ?){1,5})/g;
/** Plurals without an article are no piece of the work: "use conventional commits". */
export const bareRule =
  /^(?:use|write|keep|prefer|i prefer|i like|we want|only|no|small|short|commit messages?|pr titles?)\b(?!.*\b(?:the|this|that|these|those|it|my|your|a|an)\b).*(?<!\w)(?:commits|commit messages?|pr titles?|prs|branches|tests|comments|docstrings|imports|exports|migrations|ts-ignore|enums|emojis)\b/;

/** "mocks live in …": what holds for all of a kind. */
export const ofAKind =
  /(?:^|[,;:] ?)(?:all )?(?!this\b|its\b|is\b|was\b|has\b|does\b|lets\b|always\b)[a-z-]+(?: [a-z-]+)?(?<!s)s (?:live|go|belong|sit|look like|are|have|get|come|start|end|use)\b/;
/** What happens otherwise: "or it will deadlock". */
export const orElse =
  /(?:CMD|CODE).*\bor (?:else\b|(?:it|they|the|you)\b.*(?:will|won't|can't|fails?|hangs?|breaks?))|\b(?:hangs?|fails?|crash(?:es)?|works?|breaks?|passes|runs?)(?: only)? (?:without|unless|with) (?:\S+ )?(?:CMD|CODE)/;
export const retired =
  /\b(?:is|are|was|were|has been|being) (?:switched off|shut down|turned off|retired|decommissioned|deprecated|replaced by|banned|discontinued)\b/;
/** An imperative whose reason is a fact: "use the one in ../main, this checkout has no submodules". */
export const withReason =
  /^(?:use|run|put|set|start|keep|go|log|write) [^,;]{3,80}[,;] (?!it\b)(?:\S+ ){1,5}(?:is|are|has|have|lives?|defaults)\b/;
export const practiceElsewhere =
  /\b(?:wir (?:benutzen|nutzen|verwenden|nehmen|arbeiten|machen)|on utilise|nous utilisons|usamos|utilizamos)\b/;
/** An article or pronoun that points at one thing. */
export const pointsAtOne = /\b(?:the|this|that|these|those|here|there|it)\b/;
/** What the person or a service is doing at the moment is no fact of the project. */
export const ofProgress =
  /^i (?:just |already )?\w+ed\b|\bi'?m \w+ing\b|\b(?:is|are) (?:running|up|down|back|done|ready|there) (?:again|now)\b|\btry again\b|\bright now\b/;
/** Says where a piece of code is. That is of use for the work at hand only. */
export const ofCode =
  /^(?:the|this|that|your) (?:\S+ )?(?:function|method|class|type|variable|constant|component|code|logic|hook|query|import(?! (?:jobs?|scripts?|runs?|starts?|takes)\b)|definition|interface|prop)s?\b/;
export const rejectsTool = new RegExp(
  `\\b(?:don'?t|do not|dont|never|not) (?:(?:use|run|call) (?:\\S+ )?${NAMED}|.*\\bCODE$)`,
);

export const practice = {
  qualified: clause(
    `we (?:\\w+ly |already |still |also |just |all )*(?:only|always|never|no longer|do not|don'?t|can'?t|cannot) ` +
      `(?:\\w+ly |ever |even )?(?:${PRACTICE_VERB})\\b`,
  ),
  any: clause(`we (?:\\w+ly |already |still |also |just |all )*(?:${PRACTICE_VERB})\\b`),
  plain: clause(
    'we (?:\\w+ly |already |still |also |just |all )*(?:use|are using|prefer|squash|rebase|branch|deploy|release|name|pin|' +
      'follow|stick|avoid|switched|moved|migrated|tag|sign|keep|store|host|ship|format|lint|publish|cut)\\b',
  ),
};
export const standsOn = new RegExp(
  `(?:\\bwe(?:'re| are|re)|\\bci|\\brepo|\\bproject|\\bcodebase|\\bshould be|\\bmust be)(?: is| are)? ` +
    `(?:still |all |only |currently )*(?:on|uses?|using|runs?|runs? on|pinned to|targets?|an?) (?:the )?${NAMED}`,
);
/** "this is a bun project" */
export const projectOf = new RegExp(
  `\\b(?:this|it)(?:'s| is) (?:a|an) (?:${TOOLS}) (?:project|repo|workspace|monorepo|codebase|app)\\b`,
);
export const worksNot = new RegExp(
  `(?:${NAMED}|\\bnode|\\bpython)(?: \\S+){0,3} (?:does ?n'?t|do ?n'?t|won'?t) (?:work|run|build|exist)\\b.{0,20}\\b(?:here|on this|in this)` +
    `|\\bthere(?:'s| is| are) no (?:${TOOLS})\\b`,
);
export const everDoes = clause(
  "(?:i (?:always |never |don'?t )?(?:want|need|expect) you to |you (?:should|must|can|may|have to|need to) |should |must )?" +
    `${EVER} (?:\\w+ly |first )?(?:${AGENT_VERB})\\b`,
);
export const youEver = clause(`you (?:should|must|may|have to|need to) ${EVER} (?:${AGENT_VERB})\\b`);
export const everElsewhere = /\b(?:immer|niemals|nie|toujours|jamais|siempre|nunca)\b/;
export const wantsAlways =
  /^i (?:always|never|generally|really|usually|don'?t ever) (?:want|like|need|expect|prefer)\b|^i (?:want|like|need|expect) you to (?:always|never)|^i\b.*, (?:ever|always)$/;
export const wants = /^i (?:don'?t |do not )?(?:want|like|need|expect|prefer|hate)\b.{0,20}/;
export const asks = /^(?:always )?ask (?:me|us|for my)\b.{0,60}\b(?:before|when|if|first|whenever)\b/;
export const shows =
  /^(?:show|tell|warn|check with|wait for) (?:me|us|my)\b.{0,60}\b(?:before|when|if|first|whenever)\b/;

export const forbids = clause(
  `(?:please )?(?:you )?(?:don'?t|do not|dont|must not|should not|shouldn'?t|may not) (?:\\w+ly |just )?(?:${AGENT_VERB})\\b`,
);
export const stopsDoing = /^(?:stop|quit|avoid) \w+ing\b/;
export const noneOf =
  /^no \S+(?: \S+){0,3} in (?:the )?(?:code|commits?|comments|prs?|commit messages|tests|docs)\b/;
export const generality =
  /(?<!\b(?:the|other|these|those|your|my|last|new) )\b(?:commits|secrets|dependencies|branches|prs|packages|node_modules|files by)\b|\b(?:anything (?:under|in|inside|from)|whole|full|yourself|on your own|directly|by hand|manually|without asking|unless|\.env)\b|, ever\b|\bany (?:of|file|new|more)\b/;
export const instead = new RegExp(
  `(?:[,.;:—–]| - ) ?(?:please |just |but )?(?:use|run|go through|we have|there(?:'s| is)|only|edit|change) .*(?:CMD|PATH|CODE|${NAMED})`,
);
export const untouchable =
  /\b(?:must|should|can|may|is|are|needs?)(?: not|n'?t| never| no longer) (?:to )?(?:be )?(?:edited|touched|committed|changed|modified|merged|pushed|deleted|renamed|squashed|rebased|run|used)\b/;

/** "nobody may push to main without a review" */
export const nobodyMay = /(?:^|[,;:.] ?)(?:nobody|no one) (?:may|can|should|must|is allowed to) (?!be\b)\w+/;
/** "amounts are always integers in cents here": how a kind of thing is in all of the project. */
export const alwaysHere =
  /^(?!(?:the|this|that|these|those|your|my|it|they|there)\b)(?:\S+ ){1,4}?(?:are|is) (?:always|never) (?!(?:null|empty|undefined|wrong|broken|missing|zero)\b).{3,60}\b(?:here|everywhere|in (?:this|our) (?:project|repo|codebase|code|system|database|db))\b/;

export const swap = new RegExp(
  `${CLAUSE}(?:it'?s|it is|this is|that'?s|use|using|prefer|take|nimm|benutze?) (?:\\S+ ){0,4}?${NAMED}.{0,40}\\b(?:instead of|not|rather than|over|in place of)\\b`,
);
export const useHere = new RegExp(`${CLAUSE}use (?:\\S+ ){0,2}?${NAMED}(?: \\S+){0,5} here\\b`);
export const useTool = new RegExp(`^(?:use|it'?s|that'?s) (?:\\S+ ){0,2}?${NAMED}`);

export const generated =
  /\b(?:is|are|gets?|was|were|'s) (?:all |only |auto-?|automatically )*(?:generated|autogenerated|vendored|read-only|checked in from|managed by|overwritten|(?:written|pulled|synced|imported|mirrored|copied|produced|maintained|owned|built|rendered|compiled) (?:from|by|out of))\b|\b(?:auto-?)?generated (?:code|files|from|by)\b|\b(?:wird|werden)\b.*\bgeneriert\b|\b(?:généré|generad[oa])/;
export const doneBy =
  /\b(?:is|are|gets?|happens?|happen) (?:\w+ )?(?:run|done|handled|checked|enforced|created|built|deployed|published|formatted)? ?(?:by|via|through) /;
export const commandDoes = new RegExp(
  `${NAMED}(?: script)? (?:\\([^)]*\\) )?(?:starts?|fix(?:es)?|does|runs?|creates?|re-?generates?|brings?|sets?|builds?|seeds?|resets?|gives?|` +
    'installs?|picks?|is (?:the|gone|dead|deprecated|obsolete|not|no longer|for)|has been|has to|must|needs to|will|should|takes|no longer)\\b',
);
export const goneScript =
  /\bCODE(?: script| command| target| task)? (?:is|was|has been) (?:gone|dead|deprecated|obsolete|broken for|removed|no longer)/;
export const by = new RegExp(
  `\\b(?:command|tests?|specs|suite|builds?|linter|formatter|deploys?|deployments?|releases?|migrations?|app|runner|package manager|ci|seeds?|bundler|framework|orm)(?: \\S+){0,3}? ` +
    `(?:is|are|runs?|go|start|starts|happen|happens|uses?|done)(?: \\S+){0,2}? (?:with |via |through |by |using )?${NAMED}`,
);
export const isCommand = /^(?:it'?s|its|that'?s|the command is) CMD/;
export const needs = new RegExp(
  `\\b(?:you|they|it|that|tests?|suite|specs|builds?|ci|app|server|this|project|script)(?: \\S+){0,2}? (?:needs?|requires?|have to|has to|must|need to|gotta|got to|can'?t)(?: \\S+){0,5}? ` +
    `(?:CMD|PATH|${NAMED}|(?<!\\w)(?:${INFRA})(?!\\w)|vpn|running)`,
);
export const needsToMend =
  /\b(?:need|have|needs|has|got) to (?:also )?(?:fix|change|update|add|rename|move|remove|revert|make|write|implement|handle|support|show|return)\b/;
export const comesFirst = new RegExp(
  `(?:CMD|${NAMED} \\S+).{0,60}\\b(?:first|before (?:you|running|every|each|any|pushing|committing|(?:${TOOLS})|CMD))|\\bfirst[:,] (?:with )?CMD`,
);
export const whenever =
  /\b(?:every time|each time|whenever|any ?time|after each|before each|before every|after every)\b/;
export const reached =
  /\bonly (?:\w+ )?(?:reachable|accessible|works?|available|visible|possible)\b|\b(?:reachable|accessible|available|works) only\b|\bgo through CMD/;
export const place = new RegExp(
  "\\b(?:is|are|'s|lives?|sits?|stands?|runs?|listens?|goes|go|belongs?|found|kept|stored|defined|located|resides?|moved)(?: \\S+){0,2}? " +
    '(?:in|at|on|to|under|behind|inside|from) (?:\\S+ ){0,2}?(PATH|URL|PORT)',
);
export const portOf = /\buse PORT for\b|\bPORT (?:is|for) the\b/;
export const infraAt = new RegExp(
  `(?<!\\w)(?:${INFRA}|credentials|secrets|keys?|passwords?|logs)(?!\\w)(?: \\S+){0,4}? (?:is|are|'s|lives?|runs?|listens?)(?: \\S+){0,2}? (?:in|at|on|under|behind|over) (?:\\S+ ){0,2}?(?:PORT|TIME|URL|PATH|vpn|${NAMED})`,
);
export const ruled = clause(
  `(?:all |our |any |every |new )*(?:${RULED})\\b(?: \\S+){0,3}? (always|never|must|have to|need to|needs?|go|goes|belongs?|are never|are always|target|start with|should)\\b`,
);
export const outcome =
  /\b(?:must|should|need to|have to) (?:all |still |now |be )*(?:pass|green|cover|work|fail|compile|succeed)/;
export const convention =
  /\b(?:that'?s|it'?s|this is) (?:our|the|a) (?:\w+ )?(?:convention|rule|policy|style|standard)\b|\b(?:our|the (?:team|project|repo|house)(?:'s)?) (?:\w+ )?(?:convention|style|rule|policy|standard|practice|guideline|workflow|process|default branch)s? (?:here )?(?:is|are|for|says?)\b|\bthe (?:default|main|release|integration|production) branch (?:here )?is\b/;
export const allOur = /^all (?:of )?our \S+(?: \S+)? (?:are|is|live|go|run|use|have)\b/;
export const machine =
  /\b(?:i'?m|i am|we'?re|we are|this is) (?:all )?(?:on|using|running|a) (?:windows|mac|macos|osx|linux|wsl|nixos|ubuntu|debian|arch|alpine|arm|apple silicon|an? m\d)\b/;
/** "order.total is in cents, always has been": what was so all along will be so next time. */
export const allAlong =
  /\b(?:always|it) (?:always )?(?:has|have|was|were|did)(?: always)?(?: been)?$|\b(?:has|have) always been (?:in|an?|on|at)\b/;
/** "no, status 3 means archived": what a value or a name stands for. */
export const meaning =
  /^(?!(?:it|this|that|which|what|he|she|they|we|i|you)\b)(?:\S+ ){1,5}?(?:means|stands? for|denotes?|counts? as)\b/;
/** How the team names or words things: "we call them tenants, not customers". */
export const wording =
  /^(?:(?:in|for) (?:\S+ ){1,4})?we (?:say|write|spell|address|call) (?:.*QUOTE.*\b(?:not|never|instead of|everywhere)\b|.*\b(?:not|never|instead of|everywhere)\b.*QUOTE|(?:it|them|this|that|these|those) .*, (?:not|never)\b)/;
/**
 * "storybook always runs at http://localhost:6117 here": says for good where something is, also next to a
 * task.
 */
export const alwaysAt =
  /\balways (?:\w+ )?(?:is|are|runs?|listens?|stands|lives?|sits?)?(?: \S+)? ?(?:at|on|under) (?:port )?(?:URL|PORT)\b/;
/** "always a new one": makes a rule of the sentence before it. */
export const everAgain = /^(?:always|never)\b/;
export const flaky = /\bflaky\b/;
export const readOnly = /\b(?:is|are) (?:read-only|off.?limits|frozen|locked|protected)\b/;
export const predicate =
  /\b(?:is|are|we|lives?|comes?|generated|read|uses?|belongs?|runs?|goes|needs?|must|has)\b|'s\b/;
export const meant = /\bi (?:meant|mean|want|wanted|said)\b/;
export const explaining =
  /^(?:use|run|instead|it|they|that'?s|because|call|go|put|edit|there(?:'s| is)|add|always|only|change|regenerate|the)\b/;
