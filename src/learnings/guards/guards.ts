import { randomUUID } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { badRequest } from '../../base/errors/problem.ts';
import { idPrefix, theOne } from '../../base/text/short-id.ts';
import { query, type Tx } from '../../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../../db/project-memory.ts';
import { redactValue } from '../../redaction/redact.ts';
import { GuardRule } from './rule.ts';
import { GUARD_SOURCES, guards } from './schema.ts';
import { canBeRead, sortsExamples, tryRule } from './verify.ts';

// Stores the rules of persons as data. A guard belongs to all versions of a lesson, and acts as long as that lesson is in
// force, where that lesson is.

/** Why a guard asks although its words forbid. The migration of 0.6 says the same of those that were there. */
const ASKS =
  'it was read out of a sentence in a prompt, so it asks; approve the lesson (lore lessons approve) to have such calls denied';
const PASSED = 'the person let different calls pass when it asked, so it only tells';

/** What a guard is made from. */
type NewGuard = {
  projectId: string;
  /** lineage of the lesson that says the rule in words */
  lineageId: string;
  rule: GuardRule;
  source: (typeof GUARD_SOURCES)[number];
  /** whether it asks at most, because nobody has confirmed what was read in the sentence */
  asks?: boolean | undefined;
  /** the session in which it was said: its calls do not count when the rule is tried on past calls */
  said?: { sessionId: string } | undefined;
};

type Guard = typeof guards.$inferSelect;

/**
 * Stores the guard of a lesson, after the rule was tried on its own examples and on past calls. A rule that fails is stored
 * as `refused`, with the reason. One of an author who knows less replaces none, and what a person paused stays paused. What a
 * person wrote themselves acts, whatever it stops.
 */
export async function putGuard(tx: Tx, made: NewGuard): Promise<Pick<Guard, 'id' | 'state' | 'reason'>> {
  const { projectId, lineageId, source, said } = made;
  const [known] = await tx.select().from(guards).where(eq(guards.lineageId, lineageId)).for('update');
  if (known && GUARD_SOURCES.indexOf(known.source) > GUARD_SOURCES.indexOf(source)) return known;
  // one that denies is a person's: they have stated or confirmed it
  const asks = made.asks && made.rule.then === 'deny' && known?.rule.then !== 'deny';
  const rule = redactValue(asks ? { ...made.rule, then: 'ask' as const } : made.rule);
  const wrong = source === 'person' ? null : await tryRule(tx, rule, { projectId, said });
  if (wrong !== null && source === 'model' && known && known.state !== 'refused') return known;
  const wanted = known?.state === 'paused' ? ('paused' as const) : ('on' as const);
  const state = wrong === null ? wanted : ('refused' as const);
  const id = known?.id ?? randomUUID();
  const resume = `lore guards resume ${id.slice(0, 8)} makes it stop them all the same`;
  const reason =
    wrong === null ? (asks ? ASKS : null) : `${wrong}, so it is told and stops nothing; ${resume}`;
  const values = { id, rule, source, state, reason };
  const [stored] = await tx
    .insert(guards)
    .values({ projectId, lineageId, ...values })
    .onConflictDoUpdate({
      target: [guards.userId, guards.lineageId],
      set: { ...values, updatedAt: sql`now()` },
    })
    .returning();
  return stored as NonNullable<typeof stored>;
}

/** A guard with the lesson that it guards, as people see it. `inForce`: whether the lesson is; if not, it does not act. */
export type ShownGuard = Pick<Guard, 'id' | 'rule' | 'source' | 'state' | 'reason' | 'hits'> &
  Record<'project' | 'lessonId' | 'lesson' | 'createdAt' | 'updatedAt', string> &
  Record<'inForce' | 'everywhere', boolean> & { lastHitAt: string | null };

/**
 * SQL for whether the lesson `l` of the guard `g` is in force. Only a person's word may stop a call: what an agent stated may
 * be told, and a person who writes a guard for it has made it their own. What an agent wrote down from a person's words acts
 * too, as a question at most: `putGuard` sees to that.
 */
const IN_FORCE = sql`(l.valid_until is null and (g.source = 'agent' or (l.status = 'active'
  and ((l.evaluated_by = 'person' and l.source_subagent is null) or g.source = 'person'))))`;

const shownGuards = (tx: Tx, where: SQL, limit: number): Promise<ShownGuard[]> =>
  query<ShownGuard>(tx)`
    select g.id, p.name as project, l.everywhere, l.id as "lessonId", l.lesson, ${IN_FORCE} as "inForce", g.rule,
      g.source, g.state, g.reason, g.hits,
      to_json(g.last_hit_at) as "lastHitAt", to_json(g.created_at) as "createdAt", to_json(g.updated_at) as "updatedAt"
    from guards g
    join projects p on p.id = g.project_id
    join lateral (select * from learnings v where v.lineage_id = g.lineage_id
      order by v.valid_until desc nulls first, v.valid_from desc limit 1) l on true
    where ${where}
    order by g.created_at desc, g.id limit ${limit}`;

/** Returns the caller's guards, the newest first: of a project with those of all projects; of a lesson, in any version. */
export const listGuards = (
  tx: Tx,
  wanted: { projectId?: string | undefined; lessonId?: string | undefined; limit: number },
): Promise<ShownGuard[]> => {
  const { projectId = null, lessonId = null, limit } = wanted;
  const where = sql`(${projectId}::uuid is null or g.project_id = ${projectId}::uuid or l.everywhere)
    and (${lessonId}::uuid is null or g.lineage_id in (select o.lineage_id from learnings o where o.id = ${lessonId}::uuid))`;
  return shownGuards(tx, where, limit);
};

/** Returns the guards in a project that stop nothing, because they would stop too many of its past calls. */
export const refusedGuards = async (tx: Tx, projectId: string): Promise<GuardInForce[]> =>
  (await listGuards(tx, { projectId, limit: MAX_GUARDS }))
    .filter(({ state, inForce }) => inForce && state === 'refused')
    .map(({ lessonId, lesson, rule }) => ({ lessonId, lesson, rule, passes: [], unconfirmed: false }));

/**
 * Returns a guard by its id or that of its lesson, in any version of the lesson; the beginning of the id is enough.
 *
 * @throws Problem (404) if there is none, (409) if the beginning fits several
 */
export async function getGuard(tx: Tx, reference: string): Promise<ShownGuard> {
  const prefix = idPrefix(reference) ?? '?';
  const where = sql`starts_with(g.id::text, ${prefix}) or g.lineage_id in
    (select o.lineage_id from learnings o where starts_with(o.id::text, ${prefix}))`;
  return theOne(await shownGuards(tx, where, 2), 'guard', reference);
}

/**
 * Stores the rule that a person writes for a lesson, in place of the one that it has. Returns the guard's id.
 *
 * @param reference id of the lesson, or of the guard that it has, or the beginning of it
 * @throws Problem (400) if the rule does not sort its own examples rightly, (404) if there is no such lesson
 */
export async function writeGuard(tx: Tx, reference: string, rule: GuardRule): Promise<string> {
  const wrong = sortsExamples(rule);
  if (wrong !== null)
    throw badRequest('rule', `${wrong}. Change \`when\`, or the calls in \`breaks\` and \`keeps\``);
  const prefix = idPrefix(reference) ?? '?';
  const found = await query<{ projectId: string; lineageId: string }>(tx)`
    select project_id as "projectId", lineage_id as "lineageId" from learnings where starts_with(id::text, ${prefix})
    union select project_id, lineage_id from guards where starts_with(id::text, ${prefix}) limit 2`;
  return (await putGuard(tx, { ...theOne(found, 'lesson', reference), rule, source: 'person' })).id;
}

/** Guards that ask only because nobody has confirmed them yet say why. */
const UNCONFIRMED = sql`(g.state = 'on' and g.rule ->> 'then' = 'ask' and g.reason is not null)`;

const becomes = (then: 'deny' | 'tell', reason: string | null): SQL =>
  sql`update guards g set rule = jsonb_set(rule, '{then}', to_jsonb(${then}::text)), reason = ${reason}, updated_at = now()
      where ${UNCONFIRMED}`;

/** Lets the guard of a lesson deny what it asks about until somebody confirms it, because a person has. */
export async function letDeny(tx: Tx, lineageId: string): Promise<void> {
  await query(tx)`${becomes('deny', null)} and lineage_id = ${lineageId}`;
}

/** So many different calls that a person let pass show that the rule was understood wrongly. */
const MOST_PASSES = 2;

/**
 * Takes a person's answer to the question of a guard that nobody had confirmed. “No” confirms it: from now on it denies.
 * “Yes” says that it is not about this call, and a second one that it should only tell.
 *
 * @param call what the answer was about, in the form in which the same call has the same text
 */
export async function answerGuard(
  tx: Tx,
  lessonId: string,
  answer: 'yes' | 'no',
  call: string,
): Promise<void> {
  const [known] = await query<{ lineageId: string; passes: string[] }>(tx)`
    select g.lineage_id as "lineageId", g.passes from guards g join learnings l on l.lineage_id = g.lineage_id
    where l.id = ${lessonId}::uuid and ${UNCONFIRMED} for update of g`;
  if (!known) return;
  if (answer === 'no') return letDeny(tx, known.lineageId);
  const passes = [...new Set([...known.passes, call])];
  const set = sql`update guards set passes = ${sql.param(passes)}::text[], updated_at = now()`;
  await query(tx)`${set} where lineage_id = ${known.lineageId}`;
  if (passes.length >= MOST_PASSES)
    await query(tx)`${becomes('tell', PASSED)} and lineage_id = ${known.lineageId}`;
}

/** Lets a guard rest; or act again, because a person says so. Returns its id. @throws Problem as `getGuard` */
export async function setGuard(tx: Tx, reference: string, state: 'on' | 'paused'): Promise<string> {
  const { id, rule, state: before } = await getGuard(tx, reference);
  const reason = state === 'paused' ? 'a person paused it' : null;
  // an older rule may have conditions that are gone, and would be about more without them
  if (before !== state && GuardRule.safeParse(rule).success)
    await tx.update(guards).set({ state, reason, updatedAt: sql`now()` }).where(eq(guards.id, id));
  return id;
}

/** Counts one more call at which the guards of these lessons told, asked or denied something. */
export async function countHits(tx: Tx, lessonIds: string[], at: Date): Promise<void> {
  if (lessonIds.length === 0) return;
  await query(tx)`
    update guards set hits = hits + 1, last_hit_at = greatest(last_hit_at, ${at.toISOString()}::timestamptz)
    where lineage_id in (select lineage_id from learnings where id = any (${sql.param(lessonIds)}::uuid[]))`;
}

/** A guard that acts, as it is held in memory. */
export type GuardInForce = {
  lessonId: string;
  /** the person's sentence */
  lesson: string;
  rule: GuardRule;
  /** calls that it is not about, because a person let them pass */
  passes: string[];
  /** whether the person's answer to its question decides what becomes of it */
  unconfirmed: boolean;
};

/** Most guards of a project that act. */
const MAX_GUARDS = 200;

/** Returns the guards that act now in a project: its own, and those of lessons that are active in all projects. */
const guardsInForce = (tx: Tx, projectId: string): Promise<GuardInForce[]> =>
  query<GuardInForce>(tx)`select l.id as "lessonId", l.lesson, g.rule, g.passes, ${UNCONFIRMED} as unconfirmed
    from guards g join learnings l on l.lineage_id = g.lineage_id
    where (g.project_id = ${projectId} or l.everywhere and l.status = 'active') and g.state = 'on' and ${IN_FORCE}
    order by g.created_at desc, g.id limit ${MAX_GUARDS}`;

/** The hook before a call must answer within a millisecond, so the guards of projects that are worked on are kept here. */
export type GuardMemory = ProjectMemory<GuardInForce[]>;

/** Returns a memory of the guards in a database. Call `refresh` when guards or their lessons were changed. */
export const createGuardMemory = (services: ReadingServices): GuardMemory =>
  createProjectMemory(services, 'guards', async (tx, projectId) =>
    // an imported rule may hold an expression that this engine does not know
    (await guardsInForce(tx, projectId)).filter(({ rule }) => canBeRead(rule) === null),
  );
