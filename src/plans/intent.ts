import { numberedIn } from '../base/text/numbered.ts';

// How much a prompt wants, by its words alone: nothing done, one thing, or work of several steps. If it is not clear, it
// counts as one thing. A wrong answer costs one line in the agent's context, or one line less. docs/plans.md says more.

/** `quick`: a question, a greeting, or the same command again */
export type Intent = 'quick' | 'focused' | 'complex';
export type Ceremony = { intent: Intent; complexity: 'low' | 'medium' | 'high' };

/** Only the beginning of a very long prompt is read, in characters. */
const MAX_READ = 20_000;
/** Blocks of code, and lines that a program printed. */
const PASTED =
  /(```|~~~)[\s\S]*?(?:\1|$)|^(?:\s*at .+:\d+|\s*File ".+", line \d+|\$ |> |[+-]{3} |[+-][^\s\d]|@@ |.*(?:Error|Exception)\b.*:|Traceback|npm (?:ERR|error)).*$/gm;

const POLITE =
  /^(?:(?:hey|hi|hello|ok(?:ay)?|so|hm+|now|then|and|also|but|please|pls|bitte|quick(?: one| question)?|just|let'?s|go ahead and|(?:can|could|would|will) (?:you|we)|(?:i|we)(?:'d| would| want| need|'ll| have| should| must)*(?: like| love| want| need)? (?:you )?to|todo|task)\b[\s,:!.-]*)+/i;
const GREETS =
  /^(?:(?:hi|hey|hello|good (?:morning|evening|day)|moin|hallo|hola|salut|bonjour|thanks?|thank you|thx|great|nice|perfect|cool|awesome|yeah|yep|nope?|sure|ok(?:ay)?|ping|bye|there|all|everyone|again|so much|a lot|work|job|claude|how are you(?: today)?)\b[\s,.!?]*)+$/i;
const ASKS =
  /^(?:what|whats|why|how|hows|which|who|whom|whose|where|when|is|are|was|were|does|do (?!it\b|this\b|that\b|the same\b|so\b)|did|has|have|should|may|in (?:which|what)|explain|describe|tell me|show me|remind me|summari[sz]e|compare|clarify|list|walk me|give me an? (?:example|overview|summary)|syntax|meaning of|difference between|any idea|i wonder|i'?m curious|wie|warum|wieso|wo|welche)\b/i;
const NO_CHANGE =
  /\b(?:no changes?|(?:don'?t|do not) (?:change|touch|edit|modify)|without changing|(?:just|only) (?:curious|asking|wondering|explain))\b/i;
/** Verbs that ask to do something. */
const ORDERS =
  /^(?:add|adapt|adjust|allow|apply|bump|change|clean|commit|configure|continue|convert|correct|create|cut|debug|decouple|delete|deploy|design|develop|disable|do|document|drop|edit|enable|ensure|extend|extract|fix|format|generate|get|go|handle|hide|implement|improve|include|increase|insert|install|integrate|introduce|limit|log|make|merge|migrate|modernize|move|optimi[sz]e|patch|port|push|put|rebase|reduce|refactor|release|remove|rename|reorgani[sz]e|replace|resolve|restore|restructure|return|revert|rewrite|run|scaffold|set|simplify|sort|speed|split|squash|start|stop|support|swap|switch|tag|test|translate|turn|undo|unify|update|upgrade|use|validate|wire|wrap|write|build)\b(?! (?:we|you|i|they|is|are|was|were|fails?|has|keeps?)\b)/i;
/** The same command once more. */
const AGAIN = /^(?:re)?(?:run|build|start|test|lint|compile|deploy|do|try)\b.{0,40}\b(?:again|once more)$/i;

/** Verbs of work that has several steps by its nature, and of work that may have. */
const LARGEST =
  /^(?:refactor|migrate|rewrite|redesign|re-?architect|design|implement|develop|modernize|restructure|reorgani[sz]e|overhaul|introduce)\b(?! (?:it|this|that|them|these|those|on|in|at|for|with)\b)(?: \S+){2}/i;
const LARGE =
  /^(?:build|port|convert|scaffold|set up|bootstrap|decouple|integrate|unify|split|upgrade|replace|create|roll out|write|move|support|add)\b/i;
const LARGE_MATTER =
  /\b(?:migration|refactoring|redesign|overhaul|zero[- ]downtime|multi-?tenan\w*|micro-?services?|architecture|infrastructure|event sourcing|offline|oauth|sso|i18n|audit log\w*|ci\/cd|pipeline|dashboard|monorepo|backend|frontend|sdk|rbac|permissions? system|design system|feature flags?)\b/i;
const EVERYWHERE =
  /\b(?:everywhere|every|each of|across|throughout|all(?! (?:good|right|set|day|the time))|whole|entire|complete(?:ly)?|codebase|from scratch|end[- ]to[- ]end|step by step|one by one)\b/i;
const WANTED = /^(?:i|we) (?:want|need|would like|'d like)\b(?! to know)/i;

/**
 * Returns how much a prompt wants.
 *
 * @example classify('what does --frozen-lockfile do?').intent // 'quick'
 */
export function classify(prompt: string): Ceremony {
  const read = prompt.slice(0, MAX_READ);
  const own = read.replace(PASTED, '').trim();
  const pasted = own.length < read.trim().length;
  const sentences = own.split(/(?<=[.!?])\s+|\n+/).filter((one) => /\p{L}/u.test(one));
  if (!pasted && sentences.length > 0 && isQuick(own, sentences))
    return { intent: 'quick', complexity: 'low' };
  const weight = weigh(own, pasted);
  if (weight >= 3) return { intent: 'complex', complexity: weight >= 5 ? 'high' : 'medium' };
  return { intent: 'focused', complexity: weight >= 2 ? 'medium' : 'low' };
}

function isQuick(own: string, sentences: string[]): boolean {
  if (sentences.some(asks) && NO_CHANGE.test(own)) return true;
  return sentences.every((sentence) => {
    if (GREETS.test(sentence)) return true;
    if (AGAIN.test(bareOf(sentence).replace(/[.!\s]+$/, ''))) return true;
    return asks(sentence) && !clausesOf(sentence).some(isOrder);
  });
}

const bareOf = (text: string): string => text.trim().replace(POLITE, '');
const asks = (sentence: string): boolean => ASKS.test(bareOf(sentence)) || sentence.trimEnd().endsWith('?');
const isOrder = (clause: string): boolean => ORDERS.test(clause);

/** Returns the parts of a text that may each ask for something, without words of politeness. */
const clausesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?;:])\s+|\n+|,\s+|\s+(?:and|then)\s+(?=[a-z]+\b)|\s+-\s+/i)
    .map((clause) => bareOf(clause.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')))
    .filter((clause) => clause !== '');

function weigh(own: string, pasted: boolean): number {
  const clauses = clausesOf(own);
  const words = own.split(/\s+/).length;
  const items = Math.max(numberedIn(own)?.items.length ?? 0, own.match(/^\s*[-*•]\s+\S+ \S/gm)?.length ?? 0);
  if (items < 2 && !clauses.some(isOrder) && !WANTED.test(own)) return 0;
  let weight = items >= 2 ? 3 : 0;
  if (clauses.some((clause) => LARGEST.test(clause))) weight += 3;
  else if (clauses.some((clause) => LARGE.test(clause))) weight += 2;
  if (LARGE_MATTER.test(own)) weight += 1;
  if (EVERYWHERE.test(own)) weight += 2;
  if (WANTED.test(own)) weight += 2;
  if (clauses.filter(isOrder).length >= 3 || (own.match(/,/g)?.length ?? 0) >= 2) weight += 1;
  weight += words > 60 ? 2 : words > 20 ? 1 : 0;
  return pasted ? weight - 2 : weight;
}
