import { listNamed } from '../language/intent.ts';
import { rulesIn } from '../language/standing.ts';
import { clip } from '../shell/command-key.ts';
import type { COMPLEXITIES, EpisodeStep, TaskType } from './schema.ts';
import { targetKindOf } from './target-kind.ts';
import { changedFiles, type Unit, type WorkCall } from './walk.ts';
import { workItemsIn, workItemsOfBranch } from './work-items.ts';

const MAX_DESCRIPTION = 240;
const MAX_ACTION = 160;
const MAX_ITEMS = 10;
/** If an episode is too long, this many of its first steps are kept, and the last ones. */
const FIRST_STEPS = 100;
const LAST_STEPS = 200;

/** Returns what an episode is about in one line: the first sentences of its prompt, without pasted blocks. */
export function descriptionOf(unit: Unit): string {
  const first = unit.prompts[0]?.text ?? '';
  const text = first
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/<([a-z-]+)>[\s\S]*?<\/\1>/g, ' ')
    .trim();
  const paragraph = (text === '' ? first : text).split(/\n\s*\n/, 1)[0] ?? '';
  const line = paragraph.replace(/\s+/g, ' ').trim();
  if (line === '') return unit.agentType ? `${unit.agentType} subagent` : 'untitled';
  if (line.length <= MAX_DESCRIPTION) return line;
  // cuts after a whole sentence if one ends in the second half, else after a whole word
  const cut = clip(line, MAX_DESCRIPTION - 1);
  const sentence = /^.*[.!?](?=\s)/.exec(cut)?.[0] ?? '';
  return sentence.length > MAX_DESCRIPTION / 2 ? sentence : `${cut.replace(/\s+\S*$/, '')}…`;
}

const OPENING =
  /^(?:(?:(?:ok(?:ay)?|thanks?|great|please|now|next|hey|hi|hello|also|and|so|then)[\s,.!:]+)|(?:(?:can|could|would|will) you|we (?:need|have|want) to|i(?:'d| would) like (?:you )?to|i (?:need|want) (?:you )?to|let'?s|help me(?: to)?|you (?:should|must)|(?:AB)?#\d+:?|[A-Z][A-Z0-9]+-\d+:?)\s+|(?:please|now|go)\s+)+/i;

const VERBS: [TaskType, RegExp][] = [
  [
    'bugfix',
    /^(?:fix|repair|solve|resolve|debug|correct|unbreak|patch|hotfix|make .{0,80}\b(?:pass|work)s?\b)/i,
  ],
  [
    'refactor',
    /^(?:refactor|rename|extract|simplify|restructure|reorgani[sz]e|clean ?up|tidy|inline|dedup|deduplicate|split|modulari[sz]e|decouple|convert|replace|move|port|migrate .{1,80}\bto\b|rewrite|unify|remove (?:the )?(?:dead|unused|duplicate))\b/i,
  ],
  [
    'investigation',
    /^(?:investigate|analy[sz]e|find out|look (?:into|at|for)|check (?:why|whether|if|how|what|the)|research|explore|audit|review|profile|diagnose|search|trace|compare|list|verify|measure|read|reproduce|run|show|inspect|assess|evaluate)\b/i,
  ],
  [
    'feature',
    /^(?:add|implement|create|build|support|introduce|write|generate|enable|allow|extend|integrate|set ?up|make|let|provide|draft|document|design|install|configure|migrate|upgrade|update|bump|deploy|release|export|import|handle|send|cache|speed|optimi[sz]e|improve|translate|pin)\b/i,
  ],
];
const QUESTION =
  /^(?:what|why|how|which|who|where|when|is|are|does|do|did|can|could|should|would|will|was|were|has|have|explain|tell me|describe|summari[sz]e)\b/i;
const BUG =
  /\b(?:bug|broken|fail(?:s|ed|ing|ure)?|error|crash(?:es|ed|ing)?|wrong(?:ly)?|regression|flaky|exception|traceback|hang(?:s|ing)?|leak(?:s|ing)?|incorrect(?:ly)?|(?:does|do|did|is|are|was)(?:n't| not) (?:\w+ )?(?:work|load|start|show|match|\w+ing)|no longer|stopped working|instead of|blank|twice|chokes?|off by one|loses?)\b/i;

/** “Always use pnpm instead of npm” says nothing about the kind of the task beside it. */
const withoutRules = (prompt: string): string =>
  rulesIn(prompt)
    .reduce((rest, words) => rest.replace(words, ''), prompt)
    .trim();

/** Returns the kind of a task: by how its prompt begins, else by its words, else by the branch and what was done. */
export function typeOf(unit: Unit): TaskType {
  const prompt = (unit.prompts[0]?.text ?? '').trim();
  const text = listNamed(prompt) ?? withoutRules(prompt);
  const order = text.replace(OPENING, '');
  const changed = changedFiles(unit).length > 0;
  const asks = QUESTION.test(order) && !/^(?:can|could|would|will) you\b/i.test(text);
  const byVerb = VERBS.find(([, pattern]) => pattern.test(order))?.[0];
  if (!changed) {
    if (byVerb === 'bugfix') return 'bugfix';
    if (asks || (byVerb === undefined && /\?\s*$/.test(text)))
      return unit.calls.length > 5 ? 'investigation' : 'question';
    if (byVerb === undefined)
      return BUG.test(text) ? 'bugfix' : unit.calls.length > 0 ? 'investigation' : 'question';
    return byVerb === 'feature' && unit.calls.length === 0 ? 'question' : byVerb;
  }
  if (byVerb !== undefined && byVerb !== 'investigation') return byVerb;
  if (BUG.test(text) || /(?:^|\/)(?:fix|bugfix|hotfix|bug)[/-]/i.test(unit.branch ?? '')) return 'bugfix';
  if (/(?:^|\/)(?:refactor|cleanup|chore)[/-]/i.test(unit.branch ?? '')) return 'refactor';
  return byVerb ?? 'feature';
}

/** Returns how much there was to do, by the files that were changed, the calls that were made, and the subagents. */
export function complexityOf(unit: Unit): (typeof COMPLEXITIES)[number] {
  const files = changedFiles(unit).length;
  const calls = [unit, ...unit.children].reduce((sum, one) => sum + one.calls.length, 0);
  if (files >= 6 || calls >= 40 || unit.children.length >= 3) return 'high';
  return files <= 1 && calls <= 8 ? 'low' : 'medium';
}

/** Returns the work items that an episode's prompts or its branch name. */
export const workItemsOf = (unit: Unit): string[] =>
  [
    ...new Set([
      ...unit.prompts.flatMap(({ text }) => workItemsIn(text)),
      ...(unit.branch === null ? [] : workItemsOfBranch(unit.branch)),
    ]),
  ].slice(0, MAX_ITEMS);

/** Returns the calls of an episode's own agent as steps. */
export function stepsOf(unit: Unit, thoughts: ReadonlyMap<string, string>): EpisodeStep[] {
  const steps = unit.calls.map((call) => ({
    thought: thoughts.get(call.toolUseId) ?? null,
    action: clip(actionOf(call).replace(/\s+/g, ' ').trim(), MAX_ACTION),
    tool: call.tool,
    targetKind: targetKindOf(call),
    ok: call.ok,
    ...(call.stopped && { stopped: true as const }),
  }));
  if (steps.length <= FIRST_STEPS + LAST_STEPS) return steps;
  return [...steps.slice(0, FIRST_STEPS), ...steps.slice(-LAST_STEPS)];
}

const actionOf = ({ tool, target, command, file, about }: WorkCall): string =>
  (command === null ? (file ?? about) : null) ?? target ?? command ?? tool;

/** Returns how often each tool was called. */
export function toolsOf(unit: Unit): Record<string, number> {
  const tools: Record<string, number> = Object.create(null);
  for (const { tool } of unit.calls) tools[tool] = (tools[tool] ?? 0) + 1;
  return { ...tools };
}
