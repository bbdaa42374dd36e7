import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { runsPackage } from '../shell/runners.ts';
import { shorten } from '../text/clip.ts';
import { type Call, type CallPlace, callOf } from './call.ts';
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
const ELSEWHERE = 'some-other-branch';

/** Returns an example as a call. One of a rule about a branch need not say that it is on that branch, or on another. */
export function exampleCall(
  rule: GuardRule,
  { tool, input, branch }: Example,
  kind: 'breaks' | 'keeps',
): Call {
  const on = (rule.branch ?? 'main').replaceAll('*', 'x');
  const away = rule.branch === undefined ? 'main' : ELSEWHERE;
  return callOf(
    { tool_name: tool, tool_input: input },
    { ...STAGE, branch: branch ?? (kind === 'breaks' ? on : away) },
  );
}

/** Returns what is wrong with a rule by its own examples; null if it sorts them rightly. */
export function sortsExamples(rule: GuardRule): string | null {
  try {
    prepare(rule);
  } catch (error) {
    return `an expression in it cannot be read: ${(error as Error).message}`;
  }
  const missed = rule.breaks.find((one) => !fits(rule, exampleCall(rule, one, 'breaks')));
  if (missed) return `it does not see its own example of a call that breaks the rule: ${shown(missed)}`;
  const hit = rule.keeps.find((one) => fits(rule, exampleCall(rule, one, 'keeps')));
  return hit ? `it would stop its own example of a call that keeps the rule: ${shown(hit)}` : null;
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
  const { calls, hits } = await tryOnPast(tx, rule, projectId, said?.sessionId ?? null);
  // before anybody asked for it, nobody ran what must come first: such a rule is about all calls of its kind, rightly
  const few = rule.unless !== undefined || hits <= Math.max(FEW, calls * MAX_SHARE);
  const reason = few
    ? null
    : `it is about ${hits} of the project's last ${calls} calls, and more than one in a hundred is too many`;
  return { reason, pastCalls: calls, pastHits: hits };
}

type Past = {
  tool: string;
  input: Record<string, unknown> | null;
  cwd: string | null;
  root: string | null;
  branch: string | null;
};

async function tryOnPast(tx: Tx, rule: GuardRule, projectId: string, except: string | null) {
  const past = sql`
    select distinct on (e.session_id, coalesce(e.tool_use_id, e.id::text)) e.id, e.tool_name, e.payload, s.root, s.branch
    from events e join sessions s on s.id = e.session_id
    where s.project_id = ${projectId} and e.tool_name is not null
      and e.event in ('PreToolUse', 'PostToolUse', 'PostToolUseFailure')
      and e.session_id is distinct from ${except}::uuid
    order by e.session_id, coalesce(e.tool_use_id, e.id::text), e.id`;
  const [counted] = await query<{ n: number }>(
    tx,
    sql`select least(count(*), ${MAX_PAST})::int as n from (${past}) p`,
  );
  const rows = await query<Past>(
    tx,
    sql`select p.tool_name as tool, p.payload -> 'tool_input' as input, p.payload ->> 'cwd' as cwd, p.root, p.branch
        from (select * from (${past}) p order by id desc limit ${MAX_PAST}) p
        where ${sql.join(rule.when.map(mayFit), sql` or `)}`,
  );
  let hits = 0;
  for (const [n, { tool, input, cwd, root, branch }] of rows.entries()) {
    // hooks that have come meanwhile are answered
    if (n % 20 === 19) await setImmediate();
    const place: CallPlace = { root, cwd: cwd ?? root, home: STAGE.home, tmp: STAGE.tmp, branch };
    if (fits(rule, callOf({ tool_name: tool, tool_input: input }, place))) hits += 1;
  }
  return { calls: counted?.n ?? 0, hits };
}

/** Returns SQL for whether a past call may fit at all, so that most of them are not read. */
function mayFit(match: Match) {
  const command = sql`p.payload #>> '{tool_input,command}'`;
  switch (match.kind) {
    case 'command': {
      const name = match.program.trim().split(/\s+/)[0] ?? '';
      return sql`strpos(lower(${command}), ${longest(nameOf(name)).toLowerCase()}) > 0`;
    }
    case 'path': {
      const names = match.globs.map((glob) => longest(glob));
      return sql`(${sql.join(
        names.map(
          (name) => sql`strpos(normalize((p.payload -> 'tool_input')::text), normalize(${name})) > 0`,
        ),
        sql` or `,
      )})`;
    }
    case 'content':
      return sql`p.tool_name in ('Edit', 'MultiEdit', 'Write', 'NotebookEdit')`;
    case 'mcp':
      return sql`starts_with(p.tool_name, 'mcp__')`;
  }
}

/** The part of a program's name that all its spellings have: `docker` of `docker-compose`. */
const nameOf = (program: string): string =>
  runsPackage(program) ? '' : ((program.split('/').at(-1) ?? '').replace(/[\d.]+$/, '').split('-')[0] ?? '');

/** Returns the longest piece of a glob without wildcards and folders. */
const longest = (glob: string): string =>
  glob.split(/[*?/]/).reduce((a, b) => (b.length > a.length ? b : a), '');
