import { desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Problem } from '../base/errors/problem.ts';
import { query, type Tx } from '../db/open.ts';
import { commandCache, commandChecks } from './schema.ts';
import {
  Check,
  codeOf,
  isShownWhole,
  type KnownVerdict,
  type Learned,
  modelVerdict,
  SENTENCES,
  sentenceOf,
  shapeVerdict,
} from './verdict.ts';

// Stores and reads checks and verdicts.

export type CheckToStore = {
  /** if given, the check is stored only once under it; if not, each time, so the caller must know that it is new */
  id?: string | undefined;
  /** when it was made, ISO 8601 */
  at: string;
  check?: Check | undefined;
  /** keep the model's verdict for the next time */
  remember?: boolean | undefined;
  /** null for a check that no hook asked for */
  sessionId: string | null;
  /** the client's id of the call; null for a check that no hook asked for */
  toolUseId: string | null;
};

/**
 * Stores checks, counts the uses of the verdicts that decided them, and keeps the model's verdicts. A check
 * whose id is already stored changes nothing.
 */
export async function storeChecks(tx: Tx, items: CheckToStore[]): Promise<void> {
  const checks = items.flatMap(({ check, ...item }) => (check ? [{ ...item, check }] : []));
  if (checks.length === 0) return;
  const rows = checks.map(({ id, at, check, sessionId, toolUseId }) => ({
    ...check,
    code: codeOf(check.key),
    session_id: sessionId,
    tool_use_id: toolUseId,
    entry_id: id ?? null,
    checked_at: at,
    lesson_id: check.lessonId,
  }));
  const columns = sql.raw(
    'session_id, tool_use_id, entry_id, checked_at, key, code, tool, command, cwd, decision, source, rule, lesson_id, severity, reason, cached, covered, ms',
  );
  const inserted = await query<{ id: string | null }>(tx)`
    insert into command_checks (${columns})
    select ${columns} from jsonb_populate_recordset(null::command_checks, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing returning entry_id as id`;
  const stored = new Set(inserted.map(({ id }) => id));
  const fresh = checks.filter(({ id }) => id === undefined || stored.has(id));
  const used = fresh.filter(({ check }) => check.cached).flatMap(({ check }) => check.shapes ?? [check.key]);
  if (used.length > 0) {
    await query(tx)`
      update command_cache c set hit_count = hit_count + u.n
      from (select key, count(*) as n from unnest(${sql.param(used)}::text[]) k(key) group by key) u
      where c.key = u.key`;
  }
  for (const { check, at, remember } of fresh)
    if (remember) await keepVerdict(tx, check, modelVerdict(check, new Date(at).getTime()), new Date(at));
}

/** Stores the shapes of commands that a person allowed. */
export async function storeShapes(tx: Tx, learned: Learned[], at: Date): Promise<void> {
  for (const { shape, root, ...one } of learned)
    await keepVerdict(tx, { ...one, cwd: root }, shapeVerdict({ shape }), at);
}

/** Stores a verdict. A person's stays, unless a person gives another one. */
async function keepVerdict(
  tx: Tx,
  { key, command, cwd }: { key: string; command: string; cwd: string },
  verdict: KnownVerdict,
  at: Date,
): Promise<void> {
  const expiresAt = verdict.expiresAt === null ? null : new Date(verdict.expiresAt);
  const row = { ...verdict, expiresAt, checkedAt: at };
  await tx
    .insert(commandCache)
    .values({ key, code: codeOf(key), command, cwd, ...row })
    .onConflictDoUpdate({
      target: [commandCache.userId, commandCache.key],
      set: row,
      setWhere: sql`${commandCache.checkedBy} <> 'person' or ${verdict.checkedBy} = 'person'`,
    });
}

/**
 * Returns at most `max` of the caller's verdicts that hold now, by key: those of people first, with the shapes that they
 * allowed, then the model's newest. Without the shapes if the caller has turned them off.
 */
export async function loadVerdicts(tx: Tx, max: number, shapes: boolean): Promise<Map<string, KnownVerdict>> {
  const rows = await query<KnownVerdict & { key: string }>(tx)`
    select key, decision, reason, checked_by as "checkedBy", once,
      extract(epoch from expires_at)::float8 * 1000 as "expiresAt"
    from command_cache
    where (expires_at is null or expires_at > now()) and (checked_by <> 'shape' or ${shapes})
    order by checked_by in ('person', 'shape') desc, checked_at desc limit ${max}`;
  return new Map(rows.map(({ key, ...verdict }) => [key, verdict]));
}

/** Uses up a verdict that holds once. Returns false when it has already been used up. */
export async function spendVerdict(tx: Tx, key: string): Promise<boolean> {
  const spent = await query(tx)`delete from command_cache where key = ${key} and once returning key`;
  return spent.length > 0;
}

/** A check as it is shown to the person who decides about the command. */
export const ShownCheck = z.object({
  code: z.string(),
  ...Check.pick({ command: true, cwd: true, decision: true, source: true, rule: true, severity: true }).shape,
  /** the tool, if it was not the shell; then `command` says in one line what it was about to do */
  tool: z.string().nullable(),
  /** false: part of the command is not shown, because it is private or too long; then it cannot be allowed */
  whole: z.boolean(),
  /** null: no session asked for it */
  project: z.string().nullable(),
  sentence: z.enum(SENTENCES),
  /** the rule or lesson that stopped it */
  lessonId: z.string().nullable(),
  reason: z.string(),
  /** what a person may decide about it; empty if it was allowed, or held only once */
  choices: z.array(z.enum(['once', 'always', 'keep'])),
  /** what a person said of a call that was held: whether it was right to stop it */
  judged: z.enum(['right', 'wrong']).nullable(),
  checkedAt: z.string(),
});
export type ShownCheck = z.infer<typeof ShownCheck>;

/** What a person may decide about a command: allow it the next time, or from now on, or keep it denied. */
type Choice = ShownCheck['choices'][number];

/** Returns what `overrule` would accept for a command that was denied, or that nobody could verify. */
export function choicesFor(check: { command: string; catastrophic: boolean; covered: boolean }): Choice[] {
  if (check.catastrophic || !isShownWhole(check.command)) return ['keep'];
  return check.covered ? ['once', 'always', 'keep'] : ['once', 'keep'];
}

type Wanted = { code?: string; decision?: string; project?: string; limit: number };

/**
 * Returns the caller's latest check of each command, the newest first. A call that was held is usually made again and
 * passes, so of the held ones it is the latest time that they were.
 */
export async function listChecks(tx: Tx, wanted: { [K in keyof Wanted]: Wanted[K] | undefined }) {
  const { code = null, decision = null, project = null, limit } = wanted;
  const held = decision === 'held';
  const rows = await query<Omit<ShownCheck, 'whole' | 'choices' | 'sentence'> & { covered: boolean }>(tx)`
    with latest as (
      select distinct on (key) * from (
        select * from command_checks k
        where (${code}::text is null or k.code = ${code})
          and (not ${held} or k.source in ('guard', 'lesson'))
        order by k.checked_at desc, k.id desc limit ${RECENT}) recent
      order by key, id desc)
    select l.code, l.tool, l.command, l.cwd, p.name as project, l.decision, l.source, l.rule,
      l.lesson_id as "lessonId", l.severity, l.reason, l.covered, l.judged,
      to_json(l.checked_at) as "checkedAt"
    from latest l
    left join sessions s on s.id = l.session_id
    left join projects p on p.id = s.project_id
    where (${held} or ${decision}::text is null or l.decision = ${decision})
      and (${project}::text is null or p.name = ${project})
    order by l.id desc limit ${limit}`;
  return rows.map(({ covered, ...row }): ShownCheck => {
    const { decision, command } = row;
    const passed = decision === 'allow' || decision === 'hold';
    const about = { command, catastrophic: row.severity === 'catastrophic', covered };
    const choices = passed ? [] : choicesFor(about);
    return { ...row, sentence: sentenceOf(row), whole: isShownWhole(command), choices };
  });
}

/** How many of the newest checks are searched for the ones to list. */
const RECENT = 2_000;

/** A verdict that holds, as people read it. */
export const ShownVerdict = z.object({
  code: z.string(),
  command: z.string(),
  cwd: z.string(),
  decision: z.enum(['allow', 'deny']),
  reason: z.string(),
  /** shape: a person let a command of it run; `reason` says what it fits, `command` by which it was learned */
  checkedBy: z.enum(['model', 'person', 'shape']),
  once: z.boolean(),
  /** how often it was used */
  hitCount: z.number().int(),
  checkedAt: z.string(),
  /** null: it holds until it is used up or taken back */
  expiresAt: z.string().nullable(),
});

/** Returns the caller's verdicts that hold now, the newest first. */
export function listVerdicts(tx: Tx, { code, limit }: { code?: string | undefined; limit: number }) {
  return query<z.infer<typeof ShownVerdict>>(tx)`
    select code, command, cwd, decision, reason, checked_by as "checkedBy", once, hit_count as "hitCount",
      to_json(checked_at) as "checkedAt", to_json(expires_at) as "expiresAt"
    from command_cache
    where (expires_at is null or expires_at > now()) and (${code ?? null}::text is null or code = ${code ?? null})
    order by checked_at desc, key desc limit ${limit}`;
}

const unknownCode = (detail: string) => new Problem({ status: 404, title: 'Unknown code', detail });

/**
 * Removes the caller's verdict on a command, so that the command is judged anew the next time. Returns its
 * key.
 *
 * @throws Problem (404) when no verdict has that code
 */
export async function takeBack(tx: Tx, code: string): Promise<string[]> {
  const gone = await query<{ key: string }>(tx)`delete from command_cache where code = ${code} returning key`;
  if (gone.length > 0) return gone.map(({ key }) => key);
  throw unknownCode(
    `No verdict holds under the code ${code}. lore verdicts (GET /v1/commands/verdicts) lists those that do.`,
  );
}

/** A verdict for once is about the call that waits now, and not about an equal one tomorrow. */
const ONCE_MS = 3_600_000;

/**
 * Stores a person's verdict on a command that was checked before.
 *
 * @param code the sixteen characters that `lore allow` lists
 * @param verdict `once`: it holds for the next time within an hour, else until it is taken back
 * @throws Problem (404) when no check has that code; (409) when it may not be allowed, see `choicesFor`
 */
export async function overrule(
  tx: Tx,
  code: string,
  { decision, once }: { decision: 'allow' | 'deny'; once: boolean },
): Promise<{ key: string; command: string; cwd: string; known: KnownVerdict }> {
  const [check] = await tx
    .select()
    .from(commandChecks)
    .where(eq(commandChecks.code, code))
    // a check that a person's verdict decided does not tell what the rules say
    .orderBy(sql`${commandChecks.source} = 'person'`, desc(commandChecks.id))
    .limit(1);
  if (!check) throw unknownCode(`No command was checked under the code ${code}.`);
  const { key, tool, command, cwd, covered } = check;
  const catastrophic = check.severity === 'catastrophic';
  if (
    decision === 'allow' &&
    !choicesFor({ command, catastrophic, covered }).includes(once ? 'once' : 'always')
  ) {
    const detail = catastrophic
      ? `${check.rule} guards against what cannot be undone. Run it yourself if you must: ${command}`
      : isShownWhole(command)
        ? 'It runs files that the server does not read for you, so it may do something else the next time. Allow it once (lore allow CODE --once).'
        : 'Part of the command is private or too long to be kept, so nobody can see what they would allow. Run it yourself if you must.';
    const title =
      catastrophic || !isShownWhole(command) ? 'Cannot be allowed' : 'Cannot be allowed permanently';
    throw new Problem({ status: 409, title, detail });
  }
  // a verdict that keeps the deny keeps its reason too, which says why and what to do instead
  const keeps = decision === 'deny' && check.decision === 'deny';
  const reason = keeps ? check.reason : `${decision === 'allow' ? 'allowed' : 'denied'} by a person`;
  const expiresAt = once ? Date.now() + ONCE_MS : null;
  const known: KnownVerdict = { decision, reason, checkedBy: 'person', once, expiresAt };
  const shown = tool === null ? command : `${tool} ${command}`;
  await keepVerdict(tx, { key, command: shown, cwd }, known, new Date());
  return { key, command, cwd, known };
}

/**
 * Keeps what a person says of the latest time that a call was held: whether it was right to stop it.
 *
 * @param judged null takes it back
 * @throws Problem (404) when no call was held under that code
 */
export async function judgeHold(tx: Tx, code: string, judged: ShownCheck['judged']): Promise<void> {
  const kept = await query(tx)`
    update command_checks set judged = ${judged}
    where id = (select max(k.id) from command_checks k where k.code = ${code} and k.source in ('guard', 'lesson'))
    returning 1`;
  if (kept.length === 0) throw unknownCode(`No call was held under the code ${code}.`);
}

/** Returns the persons' rules because of which the client asked about these calls of a session. */
export async function rulesAsking(tx: Tx, sessionId: string, toolUseIds: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(tx)`
    select distinct lesson_id as id from command_checks
    where session_id = ${sessionId} and tool_use_id = any (${sql.param(toolUseIds)}::text[])
      and source = 'guard' and decision = 'ask' and lesson_id is not null`;
  return rows.map(({ id }) => id);
}
