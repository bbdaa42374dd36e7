import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { learnedBetween } from '../learnings/learned.ts';
import { keepsEpisodes } from '../sessions/projects.ts';
import { clip } from '../shell/command-key.ts';
import { complexityOf, descriptionOf, stepsOf, toolsOf, typeOf, workItemsOf } from './describe.ts';
import { evidenceOf } from './evidence.ts';
import { changedFiles, type Unit } from './walk.ts';

/** An episode that is to be stored. */
export type Drafted = { unit: Unit; thoughts: ReadonlyMap<string, string>; tokens: number | null };

const MAX_MESSAGE = 4000;
const MAX_FILES = 500;
/** Longest path of a file that is stored, in characters. */
const MAX_FILE = 1000;

/**
 * Stores the episodes of a session. If an episode that begins with the same event is already stored, it is
 * changed. It keeps its id and what a person corrected. Returns the ids, in order.
 */
export async function storeUnits(
  tx: Tx,
  session: { id: string; projectId: string },
  drafts: Drafted[],
): Promise<string[]> {
  const ids = new Map<Unit, string>();
  // a subagent's episode may begin before that of its parent is stored
  const parentsFirst = [...drafts].sort(
    (a, b) => Number(a.unit.parent !== null) - Number(b.unit.parent !== null),
  );
  for (const draft of parentsFirst) {
    const parentId = draft.unit.parent ? (ids.get(draft.unit.parent) ?? null) : null;
    ids.set(draft.unit, await storeUnit(tx, session, draft, parentId));
  }
  await linkLearnings(tx, session.id);
  return drafts.map(({ unit }) => ids.get(unit) as string);
}

async function storeUnit(
  tx: Tx,
  session: { id: string; projectId: string },
  { unit, thoughts, tokens }: Drafted,
  parentId: string | null,
): Promise<string> {
  const told = unit.calls.flatMap(({ durationMs }) => durationMs ?? []);
  const files = changedFiles(unit)
    .slice(0, MAX_FILES)
    .map((file) => clip(file, MAX_FILE));
  const values = {
    startKey: unit.startKey,
    agentId: unit.agentId,
    agentType: unit.agentType,
    description: descriptionOf(unit),
    type: typeOf(unit),
    complexity: complexityOf(unit),
    branch: unit.branch,
    workItems: workItemsOf(unit),
    steps: stepsOf(unit, thoughts),
    toolsUsed: toolsOf(unit),
    filesModified: files,
    ...evidenceOf(unit),
    lastMessage: clip(unit.said.at(-1)?.text ?? '', MAX_MESSAGE) || null,
    startedAt: unit.startedAt,
    endedAt: unit.closed ? unit.lastAt : null,
    durationMs: told.length === 0 ? null : Math.round(told.reduce((sum, ms) => sum + ms, 0)),
    tokens: tokens === null ? null : Math.min(tokens, 2_147_483_647),
    prompts: unit.prompts.flatMap(({ key }) => (key === '' ? [] : key)),
  };
  const [row] = await query<{ id: string }>(
    tx,
    sql`insert into episodes as e (project_id, session_id, start_key, agent_id, agent_type, parent_id, description, type,
          complexity, branch, work_items, steps, tools_used, files_modified, outcome, tests_passed, build_passed, error,
          last_message, started_at, ended_at, duration_ms, tokens, prompts, private)
        select ${session.projectId}, ${session.id}, r."startKey", r."agentId", r."agentType", ${parentId}::uuid,
          r.description, r.type, r.complexity, r.branch, r."workItems", r.steps, r."toolsUsed", r."filesModified",
          r.outcome, r."testsPassed", r."buildPassed", r.error, r."lastMessage", r."startedAt", r."endedAt",
          r."durationMs", r.tokens, r.prompts,
          ${keepsEpisodes(sql`${session.projectId}::uuid`)}
        from jsonb_to_record(${JSON.stringify(wellFormed(values))}::jsonb) as r (
          "startKey" text, "agentId" text, "agentType" text, description text, type text, complexity text, branch text,
          "workItems" text[], steps jsonb, "toolsUsed" jsonb, "filesModified" text[], outcome text,
          "testsPassed" boolean, "buildPassed" boolean, error text, "lastMessage" text, "startedAt" timestamptz,
          "endedAt" timestamptz, "durationMs" bigint, tokens int, prompts text[])
        on conflict (user_id, session_id, start_key) do update set
          agent_type = coalesce(excluded.agent_type, e.agent_type),
          parent_id = coalesce(excluded.parent_id, e.parent_id),
          description = case when 'description' = any (e.corrected) then e.description else excluded.description end,
          type = case when 'type' = any (e.corrected) then e.type else excluded.type end,
          complexity = excluded.complexity, branch = excluded.branch, work_items = excluded.work_items,
          steps = excluded.steps, tools_used = excluded.tools_used, files_modified = excluded.files_modified,
          outcome = excluded.outcome, tests_passed = excluded.tests_passed, build_passed = excluded.build_passed,
          error = excluded.error, last_message = excluded.last_message, started_at = excluded.started_at,
          ended_at = excluded.ended_at, duration_ms = excluded.duration_ms,
          tokens = coalesce(excluded.tokens, e.tokens), prompts = excluded.prompts, updated_at = now()
        returning e.id`,
  );
  return (row as { id: string }).id;
}

/** Replaces halves of characters that a cut has left, because JSON in the database must not contain them. */
const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'string' ? inner.toWellFormed().replaceAll('\0', '') : inner,
  );

/** SQL for the ids of the lessons that were learned from an episode `e`, up to where the next one begins. */
export const learnedFrom = learnedBetween(
  sql`e.session_id`,
  sql`e.agent_id`,
  sql`e.started_at`,
  sql`(
    select min(n.started_at) from episodes n
    where n.user_id = e.user_id and n.session_id = e.session_id and n.agent_id is null
      and n.started_at > e.started_at)`,
);

/**
 * Links a session's episodes with the lessons that were learned from them. The lessons may be written later.
 */
async function linkLearnings(tx: Tx, sessionId: string): Promise<void> {
  await query(
    tx,
    sql`with found as (
          select e.id, ${learnedFrom} as learnings
          from episodes e where e.user_id = auth.uid() and e.session_id = ${sessionId})
        update episodes e set learnings = f.learnings from found f
        where e.user_id = auth.uid() and e.id = f.id and e.learnings <> f.learnings`,
  );
}
