import { desc, eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { commandCache, commandChecks } from './schema.ts';
import {
  type Check,
  codeOf,
  isShownWhole,
  type KnownVerdict,
  type Learned,
  modelVerdict,
  type Sentence,
  sentenceOf,
  shapeVerdict,
} from './verdict.ts';

// Stores and reads checks and verdicts.

/** `remember`: keep the model's verdict for the next time. */
export type CheckToStore = {
  /**
   * if given, the check is stored only once under it; if not, it is stored each time, so the caller must know
   * it is new
   */
  id?: string | undefined;
  /** when it was made, ISO 8601 */
  at: string;
  check?: Check | undefined;
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
  }));
  const inserted = await query<{ id: string | null }>(
    tx,
    sql`insert into command_checks (session_id, tool_use_id, entry_id, checked_at, key, code, tool, command, cwd, decision, source,
          rule, lesson_id, severity, reason, cached, covered, ms)
        select session_id, tool_use_id, entry_id, checked_at, key, code, tool, command, cwd, decision, source,
          rule, "lessonId", severity, reason, cached, covered, ms
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (session_id uuid, tool_use_id text, entry_id uuid,
          checked_at timestamptz, key text, code text, tool text, command text, cwd text, decision text, source text,
          rule text, "lessonId" uuid, severity text, reason text, cached boolean, covered boolean, ms real)
        on conflict do nothing returning entry_id as id`,
  );
  const stored = new Set(inserted.map(({ id }) => id));
  const fresh = checks.filter(({ id }) => id === undefined || stored.has(id));
  const used = fresh.filter(({ check }) => check.cached).flatMap(({ check }) => check.shapes ?? [check.key]);
  if (used.length > 0) {
    await query(
      tx,
      sql`update command_cache c set hit_count = hit_count + u.n
          from (select key, count(*) as n from unnest(${sql.param(used)}::text[]) k(key) group by key) u
          where c.key = u.key`,
    );
  }
  for (const { check, at, remember } of fresh) if (remember) await storeModelVerdict(tx, check, new Date(at));
}

async function storeModelVerdict(tx: Tx, check: Check, at: Date): Promise<void> {
  const { decision, reason, checkedBy, expiresAt } = modelVerdict(check, at.getTime());
  const row = { decision, reason, checkedBy, checkedAt: at, expiresAt: new Date(expiresAt as number) };
  await tx
    .insert(commandCache)
    .values({ key: check.key, code: codeOf(check.key), command: check.command, cwd: check.cwd, ...row })
    .onConflictDoUpdate({
      target: [commandCache.userId, commandCache.key],
      set: row,
      // a person may have given a verdict while the model was asked
      setWhere: sql`${commandCache.checkedBy} <> 'person'`,
    });
}

/** Stores the shapes of commands that a person allowed. One that is known already stays as it is. */
export async function storeShapes(tx: Tx, learned: Learned[], at: Date): Promise<void> {
  for (const { key, shape, command, root } of learned) {
    const { expiresAt: _, ...verdict } = shapeVerdict({ shape });
    await tx
      .insert(commandCache)
      .values({ key, code: codeOf(key), command, cwd: root, ...verdict, checkedAt: at })
      .onConflictDoNothing();
  }
}

/**
 * Returns at most `max` of the caller's verdicts that hold now, by key: those of people first, with the shapes that they
 * allowed, then the model's newest. Without the shapes if the caller has turned them off.
 */
export async function loadVerdicts(tx: Tx, max: number, shapes: boolean): Promise<Map<string, KnownVerdict>> {
  const rows = await query<KnownVerdict & { key: string }>(
    tx,
    sql`select key, decision, reason, checked_by as "checkedBy", once,
          extract(epoch from expires_at)::float8 * 1000 as "expiresAt"
        from command_cache
        where (expires_at is null or expires_at > now()) and (checked_by <> 'shape' or ${shapes})
        order by checked_by in ('person', 'shape') desc, checked_at desc limit ${max}`,
  );
  return new Map(rows.map(({ key, ...verdict }) => [key, verdict]));
}

/** Uses up a verdict that holds once. Returns false when it has already been used up. */
export async function spendVerdict(tx: Tx, key: string): Promise<boolean> {
  const spent = await query(tx, sql`delete from command_cache where key = ${key} and once returning key`);
  return spent.length > 0;
}

/** A check as it is shown to the person who decides about the command. */
export type ShownCheck = {
  code: string;
  /** the tool, if it was not the shell; then `command` says in one line what it was about to do */
  tool: string | null;
  command: string;
  /** false: part of the command is not shown, because it is private or too long; then it cannot be allowed */
  whole: boolean;
  cwd: string;
  /** null: no session asked for it */
  project: string | null;
  /** `hold`: a lesson stopped it once, so that it was read first */
  decision: 'allow' | 'deny' | 'ask' | 'hold';
  sentence: Sentence;
  /** `guard`: a person's rule decided; `lesson`: one that helped before */
  source: Check['source'];
  rule: string | null;
  /** the rule or lesson that stopped it */
  lessonId: string | null;
  severity: string | null;
  reason: string;
  /** what a person may decide about it; empty if it was allowed, or held only once */
  choices: Choice[];
  /** what a person said of a call that was held */
  judged: 'right' | 'wrong' | null;
  checkedAt: string;
};

/** What a person may decide about a command: allow it the next time, or from now on, or keep it denied. */
export type Choice = 'once' | 'always' | 'keep';

/** Returns what `overrule` would accept for a command that was denied, or that nobody could verify. */
export function choicesFor(check: { command: string; catastrophic: boolean; covered: boolean }): Choice[] {
  if (check.catastrophic || !isShownWhole(check.command)) return ['keep'];
  return check.covered ? ['once', 'always', 'keep'] : ['once', 'keep'];
}

/**
 * Returns the caller's latest check of each command before an instant, the newest first. A call that was held is usually
 * made again and passes, so of the held ones it is the latest time that they were.
 */
export async function listChecks(
  tx: Tx,
  wanted: {
    code?: string | undefined;
    decision?: string | undefined;
    /** the name of a project */
    project?: string | undefined;
    before?: Before | undefined;
    limit: number;
  },
): Promise<ShownCheck[]> {
  const { code, decision, project, limit } = wanted;
  const { instant, after } = parts(wanted.before);
  const rows = await query<Omit<ShownCheck, 'whole' | 'choices' | 'sentence'> & { covered: boolean }>(
    tx,
    sql`with latest as (
          select distinct on (key) * from (
            select * from command_checks k
            where (${code ?? null}::text is null or k.code = ${code ?? null})
              and (${decision ?? null}::text is distinct from 'held' or k.source in ('guard', 'lesson'))
              and k.checked_at < ${instant}::timestamptz
              and (${after}::text is null
                or k.id < (select max(c.id) from command_checks c where c.code = ${after}))
            order by k.checked_at desc, k.id desc limit ${RECENT}) recent
          order by key, id desc)
        select l.code, l.tool, l.command, l.cwd, p.name as project, l.decision, l.source, l.rule,
          l.lesson_id as "lessonId", l.severity, l.reason, l.covered, l.judged,
          to_json(l.checked_at) as "checkedAt"
        from latest l
        left join sessions s on s.id = l.session_id
        left join projects p on p.id = s.project_id
        where (${decision ?? null}::text is null or l.decision = ${decision ?? null}
            or ${decision ?? null} = 'held')
          and (${project ?? null}::text is null or p.name = ${project ?? null})
        order by l.id desc limit ${limit}`,
  );
  return rows.map(({ covered, ...row }) => {
    const catastrophic = row.severity === 'catastrophic';
    const choices =
      row.decision === 'allow' || row.decision === 'hold'
        ? []
        : choicesFor({ command: row.command, catastrophic, covered });
    return { ...row, sentence: sentenceOf(row), whole: isShownWhole(row.command), choices };
  });
}
/** Where a page begins: at an instant, or behind the command with this code, the last one of the page before. */
type Before = Date | string;
const parts = (before: Before | undefined) => ({
  instant: before instanceof Date ? before.toISOString() : 'infinity',
  after: typeof before === 'string' ? before : null,
});

/** How many of the newest checks are searched for the ones to list. */
const RECENT = 2_000;

/** A verdict that holds, as people read it. */
export type ShownVerdict = {
  code: string;
  command: string;
  cwd: string;
  decision: 'allow' | 'deny';
  reason: string;
  checkedBy: 'model' | 'person' | 'shape';
  once: boolean;
  /** how often it was used */
  hitCount: number;
  checkedAt: string;
  /** null: it holds until it is used up or taken back */
  expiresAt: string | null;
};

/** Returns the caller's verdicts that hold now, the newest first. */
export function listVerdicts(
  tx: Tx,
  { code, before, limit }: { code?: string | undefined; before?: Before | undefined; limit: number },
): Promise<ShownVerdict[]> {
  const { instant, after } = parts(before);
  return query<ShownVerdict>(
    tx,
    sql`select code, command, cwd, decision, reason, checked_by as "checkedBy", once, hit_count as "hitCount",
          to_json(checked_at) as "checkedAt", to_json(expires_at) as "expiresAt"
        from command_cache
        where (expires_at is null or expires_at > now()) and checked_at < ${instant}::timestamptz
          and (${code ?? null}::text is null or code = ${code ?? null})
          and (${after}::text is null
            or (checked_at, key) < (select c.checked_at, c.key from command_cache c where c.code = ${after} limit 1))
        order by checked_at desc, key desc limit ${limit}`,
  );
}

/**
 * Removes the caller's verdict on a command, so that the command is judged anew the next time. Returns its
 * key.
 *
 * @throws Problem (404) when no verdict has that code
 */
export async function takeBack(tx: Tx, code: string): Promise<string[]> {
  const gone = await query<{ key: string }>(
    tx,
    sql`delete from command_cache where code = ${code} returning key`,
  );
  if (gone.length > 0) return gone.map(({ key }) => key);
  throw new Problem({
    status: 404,
    title: 'Unknown code',
    detail: `No verdict holds under the code ${code}. lore verdicts (GET /v1/commands/verdicts) lists those that do.`,
  });
}

/** A verdict for once is about the call that waits now, and not about an equal one tomorrow. */
const ONCE_MS = 3_600_000;

/**
 * Stores a person's verdict on a command that was checked before.
 *
 * @param code the sixteen characters that `lore allow` lists
 * @param verdict `once`: it holds for the next time within an hour, else until it is taken back
 * @throws Problem (404) when no check has that code; (409) when the command is allowed but a catastrophic
 *   rule forbids it, or part of it cannot be shown, or when it is allowed for good but runs files that its
 *   key does not cover
 */
export async function overrule(
  tx: Tx,
  code: string,
  verdict: { decision: 'allow' | 'deny'; once: boolean },
): Promise<{ key: string; command: string; cwd: string; known: KnownVerdict }> {
  const [check] = await tx
    .select()
    .from(commandChecks)
    .where(eq(commandChecks.code, code))
    // a check that a person's verdict decided does not tell what the rules say
    .orderBy(sql`${commandChecks.source} = 'person'`, desc(commandChecks.id))
    .limit(1);
  if (!check) {
    throw new Problem({
      status: 404,
      title: 'Unknown code',
      detail: `No command was checked under the code ${code}.`,
    });
  }
  if (verdict.decision === 'allow' && check.severity === 'catastrophic') {
    throw new Problem({
      status: 409,
      title: 'Cannot be allowed',
      detail: `${check.rule} guards against what cannot be undone. Run it yourself if you must: ${check.command}`,
    });
  }
  if (verdict.decision === 'allow' && !verdict.once && !check.covered) {
    throw new Problem({
      status: 409,
      title: 'Cannot be allowed permanently',
      detail:
        'It runs files that the server does not read for you, so it may do something else the next time. Allow it once (lore allow CODE --once).',
    });
  }
  if (verdict.decision === 'allow' && !isShownWhole(check.command)) {
    throw new Problem({
      status: 409,
      title: 'Cannot be allowed',
      detail:
        'Part of the command is private or too long to be kept, so nobody can see what they would allow. Run it yourself if you must.',
    });
  }
  const keeps = verdict.decision === 'deny' && check.decision === 'deny';
  const row = {
    decision: verdict.decision,
    // a verdict that keeps the deny keeps its reason too, which says why and what to do instead
    reason: keeps ? check.reason : `${verdict.decision === 'allow' ? 'allowed' : 'denied'} by a person`,
    checkedBy: 'person',
    once: verdict.once,
    expiresAt: verdict.once ? Date.now() + ONCE_MS : null,
  };
  const stored = { ...row, expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt) };
  const command = check.tool === null ? check.command : `${check.tool} ${check.command}`;
  await tx
    .insert(commandCache)
    .values({ key: check.key, code, command, cwd: check.cwd, ...stored })
    .onConflictDoUpdate({
      target: [commandCache.userId, commandCache.key],
      set: { ...stored, checkedAt: sql`now()` },
    });
  return { key: check.key, command: check.command, cwd: check.cwd, known: row };
}

/**
 * Keeps what a person says of the latest time that a call was held: whether it was right to stop it.
 *
 * @param judged null takes it back
 * @throws Problem (404) when no call was held under that code
 */
export async function judgeHold(tx: Tx, code: string, judged: 'right' | 'wrong' | null): Promise<void> {
  const kept = await query(
    tx,
    sql`update command_checks set judged = ${judged}
        where id = (select max(k.id) from command_checks k where k.code = ${code} and k.source in ('guard', 'lesson'))
        returning 1`,
  );
  if (kept.length > 0) return;
  throw new Problem({
    status: 404,
    title: 'Unknown code',
    detail: `No call was held under the code ${code}. GET /v1/commands/checks?decision=held lists those that were.`,
  });
}

/** Returns the persons' rules because of which the client asked about these calls of a session. */
export async function rulesAsking(tx: Tx, sessionId: string, toolUseIds: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select distinct lesson_id as id from command_checks
        where session_id = ${sessionId} and tool_use_id = any (${sql.param(toolUseIds)}::text[])
          and source = 'guard' and decision = 'ask' and lesson_id is not null`,
  );
  return rows.map(({ id }) => id);
}
