import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { runsPackage } from '../shell/runners.ts';
import { shorten } from '../text/clip.ts';
import { type Call, callOf } from './call.ts';
import { fits, prepare } from './judge.ts';
import type { Example, GuardRule, Match } from './rule.ts';

// A rule acts only if it does what its author wanted, as far as its own examples show, and if it is about few of the
// calls that the project has seen: a rule about every tenth call was understood wrongly.

/** How many of a project's last calls a rule is tried on. */
const MAX_PAST = 2_000;
/** The share of past calls that a rule may be about. */
const MAX_SHARE = 0.01;
/** So many calls it may be about in any case: of a new project there are only a few. */
const FEW = 2;

/** What trying a rule showed. `reason` says in words why it does not act; null if it does. */
export type Trial = { reason: string | null; pastCalls: number; pastHits: number };

/** Where examples play: a project of its own, in which nothing has passed yet. */
const STAGE = { root: '/project', cwd: '/project', home: '/home/person', tmp: '/tmp' };

/** Returns an example as a call. One of a rule about a branch need not say that it is on that branch, or on another. */
function exampleCall({ branch: wanted }: GuardRule, { tool, input, branch }: Example, breaks: boolean): Call {
  const usual = wanted === undefined ? 'main' : breaks ? wanted.replaceAll('*', 'x') : 'some-other-branch';
  return callOf({ tool_name: tool, tool_input: input }, { ...STAGE, branch: branch ?? usual });
}

/** Returns what is wrong with a rule by its own examples; null if it sorts them rightly. */
export function sortsExamples(rule: GuardRule): string | null {
  try {
    prepare(rule);
  } catch (error) {
    return `an expression in it cannot be read: ${(error as Error).message}`;
  }
  const missed = rule.breaks.find((one) => !fits(rule, exampleCall(rule, one, true)));
  if (missed) return `it does not see its own example of a call that breaks the rule: ${shown(missed)}`;
  const hit = rule.keeps.find((one) => fits(rule, exampleCall(rule, one, false)));
  return hit
    ? `it would stop its own example of a call that keeps the rule: ${shown(hit)}; what makes a call innocent goes into \`without\` or \`except\``
    : null;
}

const shown = ({ tool, input }: Example): string => {
  const text = typeof input.command === 'string' ? input.command : `${tool} ${JSON.stringify(input)}`;
  return shorten(text, 120);
};

/**
 * Tries a rule on its own examples and on the project's last calls.
 *
 * @param said the session in which it was said: its calls do not count, because they led to the rule
 */
export async function tryRule(
  tx: Tx,
  rule: GuardRule,
  { projectId, said }: { projectId: string; said?: { sessionId: string } | undefined },
): Promise<Trial> {
  const wrong = sortsExamples(rule);
  if (wrong !== null) return { reason: wrong, pastCalls: 0, pastHits: 0 };
  const past = sql`
    select distinct on (e.session_id, coalesce(e.tool_use_id, e.id::text)) e.id, e.tool_name as tool,
      e.payload -> 'tool_input' as input, coalesce(e.payload ->> 'cwd', s.root) as cwd, s.root, s.branch
    from events e join sessions s on s.id = e.session_id
    where s.project_id = ${projectId} and e.tool_name is not null
      and e.event in ('PreToolUse', 'PostToolUse', 'PostToolUseFailure')
      and e.session_id is distinct from ${said?.sessionId ?? null}::uuid
    order by e.session_id, coalesce(e.tool_use_id, e.id::text), e.id`;
  const [counted] = await query<{ n: number }>(
    tx,
    sql`select least(count(*), ${MAX_PAST})::int as n from (${past}) p`,
  );
  const rows = await query<Past>(
    tx,
    sql`select * from (select * from (${past}) p order by id desc limit ${MAX_PAST}) p
        where ${sql.join(rule.when.map(mayFit), sql` or `)}`,
  );
  let pastHits = 0;
  for (const [n, { tool, input, ...place }] of rows.entries()) {
    // hooks that have come meanwhile are answered
    if (n % 20 === 19) await setImmediate();
    if (fits(rule, callOf({ tool_name: tool, tool_input: input }, { ...STAGE, ...place }))) pastHits += 1;
  }
  const pastCalls = counted?.n ?? 0;
  // before anybody asked for it, nobody ran what must come first: such a rule is about all calls of its kind, rightly
  const isRare = rule.unless !== undefined || pastHits <= Math.max(FEW, pastCalls * MAX_SHARE);
  const reason = `it is about ${pastHits} of the project's last ${pastCalls} calls, and more than one in a hundred is too many`;
  return { reason: isRare ? null : reason, pastCalls, pastHits };
}

type Past = {
  tool: string;
  input: Record<string, unknown> | null;
  cwd: string | null;
  root: string | null;
  branch: string | null;
};

/** Returns SQL for whether a past call may fit at all, so that most of them are not read. */
function mayFit(match: Match) {
  if (match.kind === 'content') return sql`p.tool in ('Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit')`;
  if (match.kind === 'mcp') return sql`starts_with(p.tool, 'mcp__')`;
  const names = match.kind === 'path' ? match.globs.map(longest) : [nameOf(match.program)];
  const has = (name: string) => sql`strpos(normalize(lower(p.input::text)), normalize(lower(${name}))) > 0`;
  return sql`(${sql.join(names.map(has), sql` or `)})`;
}

/** The part of a program's name that all its spellings have: `docker` of `docker-compose`. */
function nameOf(program: string): string {
  const [name = ''] = program.trim().split(/\s+/);
  return runsPackage(name) ? '' : ((name.split('/').at(-1) ?? '').split(/[-*\d.]/)[0] ?? '');
}

/** Returns the longest piece of a glob without wildcards and folders. */
const longest = (glob: string): string =>
  glob
    .replace(/\{[^}]*\}/g, '*')
    .split(/[*?/]/)
    .reduce((a, b) => (b.length > a.length ? b : a), '');
