import { getTableColumns, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { learnedBetween } from '../learnings/learned.ts';
import { keepsEpisodes } from '../sessions/projects.ts';
import { clip } from '../shell/command-key.ts';
import { evidenceOf } from './evidence.ts';
import { type COMPLEXITIES, type EpisodeStep, episodes, type TaskType } from './schema.ts';
import { changedFiles, type Unit } from './walk.ts';
import { workItemsIn, workItemsOfBranch } from './work-items.ts';

/** What the transcripts tell of an episode. */
export type Thoughts = { byCall: ReadonlyMap<string, string>; tokens: number | null };

const MAX = { description: 240, action: 160, message: 4000, files: 500, file: 1000, items: 10 };
/** If an episode is too long, this many of its first steps are kept, and the last ones. */
const FIRST_STEPS = 100;
const LAST_STEPS = 200;

/**
 * Stores an episode of a session. If one that begins with the same event is there, it is changed; it keeps its id and
 * what a person corrected. Returns the id.
 */
export async function storeUnit(
  tx: Tx,
  session: { id: string; projectId: string },
  unit: Unit,
  { byCall, tokens }: Thoughts,
): Promise<string> {
  const took = unit.calls.flatMap(({ durationMs }) => durationMs ?? []);
  const files = changedFiles(unit);
  const said = {
    startKey: unit.startKey,
    description: descriptionOf(unit.prompts[0] ?? ''),
    type: typeOf(unit, files),
    complexity: complexityOf(unit, files),
    branch: unit.branch,
    workItems: [...unit.prompts.flatMap(workItemsIn), ...workItemsOfBranch(unit.branch ?? '')]
      .filter((item, i, all) => all.indexOf(item) === i)
      .slice(0, MAX.items),
    steps: stepsOf(unit, byCall),
    toolsUsed: toolsOf(unit),
    filesModified: files.slice(0, MAX.files).map((file) => clip(file, MAX.file)),
    ...evidenceOf(unit),
    lastMessage: clip(unit.said ?? '', MAX.message) || null,
    durationMs: took.length === 0 ? null : Math.round(took.reduce((sum, ms) => sum + ms, 0)),
    tokens: tokens === null ? null : Math.min(tokens, 2_147_483_647),
  };
  const values = {
    ...wellFormed(said),
    startedAt: unit.startedAt,
    endedAt: unit.closed ? unit.lastAt : null,
  };
  const columns = getTableColumns(episodes);
  const changed = Object.keys(values).map((name) => {
    const { name: column } = columns[name as keyof typeof values];
    const given = sql.raw(`excluded.${column}`);
    if (name === 'tokens') return [name, sql`coalesce(${given}, ${episodes.tokens})`];
    if (name !== 'description' && name !== 'type') return [name, given];
    return [
      name,
      sql`case when ${column} = any (${episodes.corrected}) then ${columns[name]} else ${given} end`,
    ];
  });
  const [row] = await tx
    .insert(episodes)
    .values({
      ...values,
      projectId: session.projectId,
      sessionId: session.id,
      private: sql`${keepsEpisodes(sql`${session.projectId}::uuid`)}` as unknown as boolean,
    })
    .onConflictDoUpdate({
      target: [episodes.userId, episodes.sessionId, episodes.startKey],
      set: { ...Object.fromEntries(changed), updatedAt: sql`now()` },
    })
    .returning({ id: episodes.id });
  return (row as { id: string }).id;
}

/** Replaces halves of characters that a cut has left, because JSON in the database must not contain them. */
const wellFormed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'string' ? inner.toWellFormed().replaceAll('\0', '') : inner,
  );

/** Links a session's episodes with the lessons that were learned from them, which may be written later. */
export async function linkLearnings(tx: Tx, sessionId: string): Promise<void> {
  const next = sql`(select min(n.started_at) from episodes n
    where n.user_id = e.user_id and n.session_id = e.session_id and n.started_at > e.started_at)`;
  const learned = learnedBetween(sql`e.session_id`, sql`null::text`, sql`e.started_at`, next);
  await query(
    tx,
    sql`with found as (
          select e.id, ${learned} as learnings
          from episodes e where e.user_id = auth.uid() and e.session_id = ${sessionId})
        update episodes e set learnings = f.learnings from found f
        where e.user_id = auth.uid() and e.id = f.id and e.learnings <> f.learnings`,
  );
}

/** Returns what an episode is about in one line: the first paragraph of its prompt, without pasted blocks. */
function descriptionOf(prompt: string): string {
  const text = prompt.replace(/```[\s\S]*?(?:```|$)/g, ' ').trim() || prompt;
  const line = (text.split(/\n\s*\n/, 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  return line.length <= MAX.description ? line : `${clip(line, MAX.description - 1).replace(/\s+\S*$/, '')}…`;
}

const BUG = /\b(?:fix(?:es|ed)?|bug|broken|fail(?:s|ed|ing)?|crash(?:es|ed)?|errors?|wrong|flaky|hotfix)\b/i;
const REFACTOR = /\b(?:refactor|rename|extract|simplify|clean ?up|cleanup|restructure)\b/i;
/** An agent that only answers makes few calls. */
const FEW_CALLS = 5;

/** Returns the kind of a task: by whether files were changed, and by a few words of its prompt. */
function typeOf({ prompts: [prompt = ''], calls }: Unit, files: string[]): TaskType {
  if (files.length === 0) return calls.length > FEW_CALLS ? 'investigation' : 'question';
  return BUG.test(prompt) ? 'bugfix' : REFACTOR.test(prompt) ? 'refactor' : 'feature';
}

/** Returns how much there was to do, by the files that were changed, the calls that were made, and the subagents. */
function complexityOf({ calls, agents }: Unit, files: string[]): (typeof COMPLEXITIES)[number] {
  if (files.length >= 6 || calls.length >= 40 || agents.length >= 3) return 'high';
  return files.length <= 1 && calls.length <= 8 ? 'low' : 'medium';
}

function stepsOf({ calls }: Unit, thoughts: ReadonlyMap<string, string>): EpisodeStep[] {
  const steps = calls.map(({ toolUseId, tool, action, purpose, ok, stopped }) => ({
    thought: thoughts.get(toolUseId) ?? null,
    action: clip(action.replace(/\s+/g, ' ').trim(), MAX.action),
    tool,
    targetKind: purpose,
    ok,
    ...(stopped && { stopped: true as const }),
  }));
  if (steps.length <= FIRST_STEPS + LAST_STEPS) return steps;
  return [...steps.slice(0, FIRST_STEPS), ...steps.slice(-LAST_STEPS)];
}

function toolsOf({ calls }: Unit): Record<string, number> {
  const tools = new Map<string, number>();
  for (const { tool } of calls) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  return Object.fromEntries(tools);
}
