import { setImmediate } from 'node:timers/promises';
import { shorten } from '../../base/text/clip.ts';
import { query, type Tx } from '../../db/open.ts';
import { type Call, type CallPlace, callOf } from './call.ts';
import { fits, prepare } from './judge.ts';
import type { Example, GuardRule } from './rule.ts';

// A rule acts only if it does what its author wanted, as far as its own examples show, and if it is about few of the
// calls that the project has seen: a rule about every tenth call was probably understood wrongly.

/** How many of a project's last calls a rule is tried on. */
const MAX_PAST = 1_000;
/** The share of past calls that a rule may be about. */
const MAX_SHARE = 0.01;
/** So many calls it may be about in any case: of a new project there are only a few. */
const FEW = 2;

/** Where examples play: a project of its own, in which nothing has passed yet. */
const STAGE = { root: '/project', cwd: '/project', home: '/home/person', tmp: '/tmp' };

const exampleCall = ({ tool, input, branch = 'main' }: Example): Call =>
  callOf({ tool_name: tool, tool_input: input }, { ...STAGE, branch });

/** Returns why a rule cannot be tried; null if it can. */
export function canBeRead(rule: GuardRule): string | null {
  try {
    prepare(rule);
    return null;
  } catch (error) {
    return `an expression in it cannot be read: ${(error as Error).message}`;
  }
}

/** Returns what is wrong with a rule by its own examples; null if it sorts them rightly. */
export function sortsExamples(rule: GuardRule): string | null {
  const unread = canBeRead(rule);
  if (unread !== null) return unread;
  const missed = rule.breaks.find((one) => !fits(rule, exampleCall(one)));
  if (missed) return `it does not see its own example of a call that breaks the rule: ${shown(missed)}`;
  const hit = rule.keeps.find((one) => fits(rule, exampleCall(one)));
  return hit
    ? `it would stop its own example of a call that keeps the rule: ${shown(hit)}; what makes a call innocent goes into \`without\` or \`except\``
    : null;
}

const shown = ({ tool, input }: Example): string => {
  const text = typeof input.command === 'string' ? input.command : `${tool} ${JSON.stringify(input)}`;
  return shorten(text, 120);
};

/**
 * Tries a rule on its own examples and on the project's last calls that ran (what a guard stopped says nothing against it).
 * Returns why it does not act; null if it does.
 *
 * @param said the session in which it was said: its calls do not count, because they led to the rule
 */
export async function tryRule(
  tx: Tx,
  rule: GuardRule,
  { projectId, said }: { projectId: string; said?: { sessionId: string } | undefined },
): Promise<string | null> {
  const wrong = sortsExamples(rule);
  if (wrong !== null) return wrong;
  const past = await query<
    { tool: string; input: Record<string, unknown> | null } & Pick<CallPlace, 'cwd' | 'root' | 'branch'>
  >(tx)`select e.tool_name as tool, e.payload -> 'tool_input' as input,
      coalesce(e.payload ->> 'cwd', s.root) as cwd, s.root, s.branch
    from events e join sessions s on s.id = e.session_id
    where s.project_id = ${projectId} and e.tool_name is not null
      and e.event in ('PostToolUse', 'PostToolUseFailure')
      and e.session_id is distinct from ${said?.sessionId ?? null}::uuid
    order by e.id desc limit ${MAX_PAST}`;
  let hits = 0;
  for (const [n, { tool, input, ...place }] of past.entries()) {
    // hooks that have come meanwhile are answered
    if (n % 20 === 19) await setImmediate();
    if (fits(rule, callOf({ tool_name: tool, tool_input: input }, { ...STAGE, ...place }))) hits += 1;
  }
  // before anybody asked for it, nobody ran what must come first: such a rule is about all calls of its kind, rightly
  const isRare = rule.unless !== undefined || hits <= Math.max(FEW, past.length * MAX_SHARE);
  return isRare
    ? null
    : `it would stop ${hits} of the project's last ${past.length} calls, more than one in a hundred`;
}
