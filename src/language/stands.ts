import { has, isSpaced, type Phrases, type Span, spans } from './languages.ts';
import { clausesOf, noThings, type Parsed } from './reading.ts';
import type { Reading, Statement } from './sentence.ts';

// Whether a sentence lasts. It needs a standing word that is about the agent's work: in practice fewer than one
// sentence in a hundred has one, and “never” or “always” alone mostly describes the product.

type Field = keyof Omit<Phrases, 'language'>;
/** What is known about the sentence besides its own words. */
export type Around = {
  /** its line stands in a list below “from now on:” */
  listed: boolean;
  /** it is all that the prompt says */
  alone: boolean;
  /** the prompt is a specification: only what is said of the work for good counts */
  specification: boolean;
};

/** Words in quotation marks are cited, unless they are a name. */
const CITED = /"[^"]*\s[^"]*\s[^"]*"/g;
const blank = (text: string): string => ' '.repeat(text.length);
const MARK = /[?？]["')\]]*\s*$/;

/** Returns whether a sentence asks. “Can you please always …?” does not. */
export function isQuestion({ text, phrases }: Parsed): boolean {
  if (has(phrases.polite, text)) return false;
  // “how many times did I tell you: …” scolds
  if (has(phrases.told, text) && !MARK.test(text)) return false;
  if (MARK.test(text)) return true;
  const asks = spans(phrases.question, text);
  if (!isSpaced(phrases.language))
    return (
      asks.some(({ end }) => text.slice(end).replace(/[。.!！\s]/g, '') === '' && !/[。.]$/.test(text)) ||
      /^(?:为什么|为何|怎么(?!又)|是不是|要不要|能不能|可不可以|应该.*吗|なぜ|どうして|왜 |어떻게)/.test(
        text,
      ) ||
      /(?:吗|么)[。.]?$/.test(text)
    );
  // “deno.lock keeps changing, what triggers it”
  if (
    /[,;–—-] ?(?:what|why|how|which|where|who|warum|wieso|was|pourquoi|comment|por qué|perché|waarom) [^,]{3,60}$/i.test(
      text,
    )
  )
    return true;
  return asks.some(
    ({ at }) =>
      at === 0 ||
      /^(?:(?:so|and|but|ok|okay|hm+|also|und|et|y|e|en|aber|mais|pero|ma|maar)[,]? )+$/i.test(
        text.slice(0, at),
      ),
  );
}

/** Returns whether a sentence holds for the work at hand only, or describes what is not so. */
export function isPassing({ text, phrases, literals }: Parsed): boolean {
  // “不要动 x，这个文件由法务维护”: this file is the one that was named
  const local =
    has(phrases.local, text) && !(has(phrases.owned, text) && literals.some(({ kind }) => kind === 'path'));
  return local || has(phrases.irony, text) || has(phrases.suppose, text);
}

/** Where a clause of a person to the agent may begin: nothing, courtesy, or a pronoun stands before the standing word. */
const LEADS =
  /^\s*(?:(?:please|pls|also|and|so|but|then|just|again|oh|ok|okay|hey|no|nope|you|we|i want you to|you should|you must|you need to|we should|we must|do|to|btw|by the way|fyi|wtf|ugh|argh|god|damn|hey|look|listen|sorry|remember|that|i told you|told you|to repeat|reminder|note|when \w+ing|really|can you|could you|would you|will you|can you please|kannst du|should|must|make it a habit|it's|it is|use|used?|be|one|nobody|the rule is|rule|rules|in general|generally|in here|here|this repo|in this \w+|in our \w+|we do|we are|we're|of course|as i said)[,:;.!]?\s*)*$/i;
export const leads = (before: string): boolean => LEADS.test(before);
/** What the agent does to its work; behind “must never be” or “are always” it is about the work and not the product. */
const DONE =
  /^\s*(?:be |get |been |getting )?(?:\w+ly )?(?:(?:edit|commit|push|run|chang|us|merg|install|creat|writt|squash|sign|deploy|touch|modif|import|delet|remov|add|format|lint|test|rebas|nam|wrap|generat|publish|releas|updat|hard-?cod|mock|skipp|check|review|pinn|amend|bump|vendor|disabl|ignor|copi|past|mad|don|stor|log|tagg|branch|cherry-pick|bypass|suppress)(?:ed|ied|en|e|t)?\b|go|live|stand|start|in \w+)/i;
/** What the agent is told to do: an imperative that is about its work. */
const WORKS =
  /^\s*(?:ever )?(?:\w+ly )?(?:commit|push|force-push|pull|merge|rebase|amend|squash|tag|sign|branch|run|rerun|use|ask|edit|touch|modify|install|deploy|format|lint|check|switch|make|create|start|mock|stub|skip|disable|prefer|work|test|build|regenerate|source|activate|rm|sudo|bump|pin|explain|answer|reply|respond|reformat|revert|show|tell|speak|leave|put|name|import|log|hardcode|hard-code|write|add|go through|open|release|update|change|remove|delete|drop|reset|bypass|ignore|suppress|downgrade|upgrade|publish|apply|do|print|read|look|verify|confirm|guess|assume|invent|copy|kill|restart|stage|stash|cherry-pick|call|wrap|type|pass|try|keep|include|introduce|rely|follow|stick|set|send|store|link|mention|reference|prefix|document|execute|launch|invoke|require|chain|close|move|rename|generate|`|--)/i;

/** Verbs of the agent's work alone: no button commits, pushes or guesses. */
const ALONE =
  /^\s*(?:ever )?(?:\w+ly )?(?:commit|push|force-push|merge|rebase|amend|squash|run|rerun|ask|edit|touch|modify|install|deploy|lint|mock|stub|rm|sudo|bump|pin|answer|reply|respond|hardcode|hard-code|suppress|downgrade|upgrade|publish|guess|assume|invent|stage|stash|cherry-pick|refactor|reformat|work on|work in|write (?:tests?|code|docs|comments|to)|explain)\b/i;
/** Whether a sentence names a tool, file or deed, or speaks of the way of working. */
const isOfWork = (said: Parsed, text: string): boolean =>
  said.literals.some(({ kind }) => kind !== 'code') || said.deeds.length > 0 || has(said.phrases.work, text);

/**
 * Returns whether an “always” or “never” tells the agent how to work. In English its place tells; elsewhere the words
 * around it do.
 */
function isAboutWork(said: Parsed, word: Span, text: string): boolean {
  const { phrases } = said;
  const clause = clausesOf(said).find(({ at, end }) => word.at >= at && word.at < end) ?? {
    at: 0,
    end: text.length,
  };
  const before = text.slice(clause.at, word.at);
  const after = text.slice(word.end);
  const literal = said.literals.some(({ kind }) => kind !== 'code');
  if (phrases.language === 'en') {
    if (leads(before)) {
      // “never commit it”: what is meant was said elsewhere
      if (/^\s*\w+(?: \w+)? (?:it|this|that|them|these|those)[.!]*$/i.test(after)) return false;
      const next = word.end + (/^\s*/.exec(after)?.[0].length ?? 0);
      const named = [...said.literals, ...said.deeds].some(({ at }) => at === next);
      return named || ALONE.test(after) || (WORKS.test(after) && isOfWork(said, text));
    }
    // “X is never edited”, “commits must always be signed”
    const subject =
      /(?:\b(?:is|are|must|should|shall|may|can|has to|have to|need to|needs to|goes?|gets?))\s*$/i.test(
        before,
      );
    if (subject) return DONE.test(after) && !has(phrases.relative, before) && isOfWork(said, text);
    // “use pnpm always”, “run lint always before …”
    return WORKS.test(before) && !has(phrases.relative, before) && isOfWork(said, text);
  }
  // “el saldo nunca debe quedar negativo” names nothing of the work
  if (!isOfWork(said, text)) return false;
  if (!isSpaced(phrases.language)) return !has(phrases.product, text) || literal;
  if (has(phrases.relative, before) && !/\b(?:wir|nous|on|nosotros|noi|we)\b/i.test(before)) return false;
  // “eine Prüfung, die nie …”
  if (
    /,\s*(?:der|die|das|den|dem|deren|dessen|dat)\s*$/iu.test(text.slice(Math.max(0, clause.at - 1), word.at))
  )
    return false;
  if (has(phrases.status, text.slice(clause.at, clause.end))) return false;
  return !(has(phrases.product, before) && !literal && before.trim().split(' ').length > 2);
}

/** Returns why a sentence stands; null if nothing shows that it does. */
export function whyItStands(said: Parsed, reading: Reading, around: Around): Statement['stands'] {
  const { phrases } = said;
  if (isQuestion(said) || isPassing(said)) return null;
  // “you don't always have to”: the standing word is taken back
  let text = said.text.replace(CITED, blank);
  const takenBack = spans(phrases.weak, text);
  const clauses = clausesOf(said);
  for (const { at, end } of takenBack.map(
    (span) => clauses.find((clause) => span.at >= clause.at && span.at < clause.end) ?? span,
  )) {
    text = text.slice(0, at) + blank(text.slice(at, end)) + text.slice(end);
  }
  const tells = (field: Field) => has(phrases[field], text);
  const literal = reading.named.some(({ kind }) => kind !== 'code');
  const work = literal || said.deeds.length > 0 || tells('work');
  if (isRemembered(text, phrases) && (work || isLong(text))) return 'remember';
  const ever = [...spans(phrases.always, text), ...spans(phrases.never, text)].some((word) =>
    isAboutWork(said, word, text),
  );
  const placed = tells('place') && size(text) <= 20 && !isTask(said) && !TELLS.test(text);
  const forbids = tells('dont') || tells('never') || tells('notNext') || tells('handsOff');
  if (tells('since') && (work || (phrases.language === 'en' && WORKS.test(afterSince(text, phrases)))))
    return 'standing';
  if (takenBack.length > 0 && !ever) return null;
  if (!work && !ever && !(placed && (forbids || /\bonly\b/i.test(text)))) return null;
  if (around.listed) return 'standing';
  const contrast =
    reading.named.some(({ role }) => role === 'unwanted') &&
    reading.named.some(({ role }) => role === 'wanted');
  if (around.specification)
    return ever && literal && (contrast || tells('weUse') || tells('weNot')) ? 'standing' : null;
  if (ever) return 'standing';
  if (tells('ask')) return reading.demand === 'ask' ? 'standing' : null;
  if (tells('weNot')) return 'standing';
  if (tells('weUse') && (tells('place') || tells('here') || contrast || forbids || isShort(text))) {
    if (literal || forbids) return 'standing';
  }
  if (tells('banned') && (literal || work)) return 'standing';
  const tellsOfThings = TELLS.test(text) || tells('status');
  if (tells('place') && !isTask(said) && (contrast || forbids)) return 'standing';
  if (placed && !tellsOfThings) return 'standing';
  if (tells('here') && contrast) return 'standing';
  if (tells('here') && forbids && tells('work') && size(text) <= 20 && !isTask(said)) return 'standing';
  if (tells('told') && (forbids || contrast || literal || /\b(?:our|we)\b/i.test(text))) return 'standing';
  if (tells('habit') && reading.demand !== 'tell' && !tellsOfThings && !isTask(said)) return 'standing';
  if (tells('prefer') && tells('work')) return 'standing';
  if (tells('owned') && (forbids || tells('handsOff'))) return 'standing';
  if (tells('handsOff') && around.alone && literal) return 'standing';
  if (noThings(said) && isShort(text) && !tells('status') && FORBIDS_THINGS.test(text)) return 'standing';
  if (isToolForTool(reading) && isShort(text) && !tellsOfThings) return 'standing';
  if (ONLY.test(text) && literal && size(text) <= 5) return 'standing';
  // “don't use docker-compose, we have podman”: the other one is the reason
  if (forbids && contrast && around.alone && isToolForTool(reading)) return 'standing';
  return null;
}

const afterSince = (text: string, phrases: Phrases): string =>
  text.slice(spans(phrases.since, text)[0]?.end ?? 0).replace(/^[\s,:–—-]+|please /gi, '');

/** One tool in place of another: “use pnpm, not npm”. “red instead of blue” does not count. */
function isToolForTool({ named }: Reading): boolean {
  const tool = (role: string) =>
    named.some((name) => name.role === role && ['program', 'package', 'command'].includes(name.kind));
  return tool('wanted') && tool('unwanted');
}

/** Begins with a thing, and not with what is to be done: “it asks me every time”. */
const TELLS =
  /^(?:so |and |but |now |ok,? )*(?:it|its|it's|that|this (?!repo|project|codebase|monorepo)|there|there's|i|i'm|i've|the \w+ (?:is|are|has|does|keeps?|was)|my|he|she|they)\b/i;
/** “no force pushes”, and not “no PR” or “no tests needed”. */
const FORBIDS_THINGS =
  /^(?!.*\b(?:needed|necessary|required|yet|today|so far|nötig|nécessaires?|necesari[oa]s?|nodig|i want|let me)\b)(?:\S+ ){2}|^\S+ \S+s[.!]*$/i;
/** “date-fns only” */
const ONLY =
  /(?:^|\s)(?:only|nur|uniquement|seulement|solo|sólo|só|apenas|soltanto|alleen)(?: (?:pls|please|bitte|here|hier))?[.!]*$/i;

/** What may stand before the matter itself. */
const OPENS =
  /^(?:(?:please|pls|now|then|ok(?:ay)?|so|and|also|hey|hi|can you|could you|would you|let'?s|bitte|jetzt|dann|kannst du|s'il te plaît|maintenant|peux-tu|por favor|ahora|puedes|agora|você pode|per favore|ora|puoi|alsjeblieft|nu|kun je)(?![\p{L}\p{N}])[\s,]*|请|先|帮我)*$/iu;
/** Begins with what is to be made or changed now. */
export const isTask = ({ text, phrases }: Pick<Parsed, 'text' | 'phrases'>): boolean =>
  spans(phrases.task, text).some(({ at }) => OPENS.test(text.slice(0, at)));

function isRemembered(text: string, phrases: Phrases): boolean {
  return spans(phrases.remember, text).some(({ at, end }) => {
    const before = text.slice(0, at);
    const opens = isSpaced(phrases.language)
      ? /(?:^|[,.;:!–—-]\s*|\b(?:please|pls|and|also|so|but|just|ok|okay|always|bitte|und|auch|et|aussi|y|también|por favor|e|também|anche|en|ook|s'il te plaît|stp|you (?:must|should|need to)|to)\s+)$/i.test(
          before,
        )
      : true;
    // “Keep that in mind.” says it of the sentence before
    return (
      opens &&
      text.slice(end).replace(/[^\p{L}\p{N}]/gu, '').length + before.replace(/[^\p{L}\p{N}]/gu, '').length > 7
    );
  });
}

/** Returns whether a sentence only asks to remember what was said before it. */
export const remembersBefore = ({ text, phrases }: Parsed): boolean => {
  if (
    !has(phrases.remember, text) &&
    !/^(?:please )?(?:keep|bear) (?:that|this|it) in mind|^(?:please )?(?:remember|note|memori[sz]e) (?:that|this|it)[.!]*$/i.test(
      text,
    )
  )
    return false;
  // a sign of Chinese says as much as a word
  return text.length < (isSpaced(phrases.language) ? 34 : 9) && !/[:：`]/.test(text);
};

const size = (text: string): number =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) / 2 +
  text.split(/\s+/).length;
const isShort = (text: string): boolean => size(text) <= 14;
const isLong = (text: string): boolean => size(text) >= 5;
