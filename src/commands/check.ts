import { homedir, tmpdir } from 'node:os';
import { desc, eq, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { Problem } from '../problem.ts';
import { redactText } from '../redaction/redact.ts';
import { cacheKey, readScript } from './cache-key.ts';
import type { PolicyVerdict } from './judge.ts';
import type { ModelJudge } from './judge-model.ts';
import type { Surroundings } from './paths.ts';
import { policyFor } from './rule-files.ts';
import { commandCache, commandChecks } from './schema.ts';
import {
  answer,
  byModel,
  byRules,
  type CheckedCommand,
  codeOf,
  type Decided,
  judgeCommand,
} from './verdict.ts';

export type CheckServices = { db: Database; judgeByModel: ModelJudge; config: { failClosed: boolean } };

const CACHE_DAYS = 7;

/** Where a command runs: the project's folder and the person's. */
export function surroundings(cwd: string, root: string | null): Surroundings {
  const clean = cwd.replace(/\/+$/, '') || '/';
  return {
    cwd: clean,
    root: root?.replace(/\/+$/, '') || clean,
    home: homedir(),
    tmp: tmpdir(),
    read: readScript,
  };
}

/** The folder of the caller's own rule file: the data folder is the owner's. */
export const personalRules = (config: { home: string }, { role }: Claims): string | null =>
  role === 'owner' ? config.home : null;

/**
 * Judges a command: a person's verdict, then the rules, then the cache, then the model. A catastrophic rule outranks
 * the person, any rule's deny outranks the model. Never throws for a command's content.
 */
export async function checkCommand(
  services: CheckServices,
  claims: Claims,
  asked: Asked,
): Promise<CheckedCommand> {
  const judged = judge(asked);
  const settled = await asUser(services.db, claims, (tx) => settle(tx, judged));
  return settled ?? askModel(services, claims, judged);
}

/** What is known of a command before the database is asked. */
type Judged = {
  asked: Asked;
  verdict: PolicyVerdict;
  key: string;
  /** the command and its folder as they may be kept: redacted before they are cut, half a secret is not recognised */
  shown: { command: string; cwd: string };
  /** what the model may see: redacted, and as good as whole: it gets no long ones */
  text: string;
  start: number;
};

/** The rules' verdict. Without side effects, but reads the files that the command would run. */
export function judge(asked: Asked): Judged {
  const start = performance.now();
  const { command, place } = asked;
  const { policy } = policyFor({ root: place.root, personal: asked.personal });
  const { verdict, text } = judgeCommand(command, place, policy);
  const key = cacheKey(command, verdict.invocations, place);
  return {
    asked,
    verdict,
    key,
    text,
    start,
    shown: { command: text.slice(0, 4000), cwd: redactText(place.cwd) },
  };
}

/** The verdict of a person, the rules or the cache; null when only the model can tell. */
export const decide = async (tx: Tx, judged: Judged): Promise<Decided | null> =>
  (await lookUp(tx, judged.key, judged.verdict)) ?? byRules(judged.verdict);

/** The same, written down. */
export async function settle(tx: Tx, judged: Judged): Promise<CheckedCommand | null> {
  const decided = await decide(tx, judged);
  if (!decided) return null;
  await recordCheck(tx, judged, decided);
  return answer(decided, judged.key);
}

/** The model's verdict on what nobody else could settle, written down. No transaction may be open: it takes seconds. */
export async function askModel(
  services: CheckServices,
  claims: Claims,
  judged: Judged,
): Promise<CheckedCommand> {
  const { text: command, shown, verdict } = judged;
  const { place, command: asked } = judged.asked;
  const about = { command, cwd: shown.cwd, parts: verdict.parts, length: asked.length, place };
  const opinion = await services.judgeByModel(claims, about);
  const checked = byModel(opinion, verdict, services.config);
  await asUser(services.db, claims, async (tx) => {
    if (opinion && opinion.decision !== 'ask') await remember(tx, judged, checked);
    await recordCheck(tx, judged, checked);
  });
  return answer(checked, judged.key);
}

async function recordCheck(tx: Tx, judged: Judged, decided: Decided): Promise<void> {
  if (judged.asked.record) await insertCheck(tx, checkOf(judged, decided));
}

/** A check as `command_checks` keeps it. */
export type Check = Pick<Decided, 'decision' | 'source' | 'reason' | 'cached'> & {
  sessionId: string | null;
  key: string;
  command: string;
  cwd: string;
  rule: string | null;
  severity: string | null;
  ms: number;
};

export function checkOf({ asked, key, shown, start }: Judged, decided: Decided): Check {
  const { decision, source, rule = null, severity = null, cached } = decided;
  const reason = redactText(decided.reason);
  const ms = performance.now() - start;
  return { sessionId: asked.sessionId, key, ...shown, decision, source, rule, severity, reason, cached, ms };
}

export async function insertCheck(tx: Tx, check: Check): Promise<void> {
  const { sessionId, key, command, cwd, decision, source, rule, severity, reason, cached, ms } = check;
  // plain SQL: every command waits for it, and Drizzle takes 0.3 ms to put it together
  await query(
    tx,
    sql`insert into command_checks
          (session_id, key, code, command, cwd, decision, source, rule, severity, reason, cached, ms)
        values (${sessionId}, ${key}, ${codeOf(key)}, ${command}, ${cwd}, ${decision}, ${source}, ${rule}, ${severity},
          ${reason}, ${cached}, ${ms})`,
  );
}

type Asked = {
  command: string;
  place: Surroundings;
  sessionId: string | null;
  /** false for a repeated delivery of the same hook event */
  record: boolean;
  /** folder of the caller's own rule file */
  personal: string | null;
};
async function lookUp(tx: Tx, key: string, verdict: PolicyVerdict): Promise<Decided | null> {
  type Row = { decision: 'allow' | 'deny'; reason: string; checkedBy: string; once: boolean };
  const [row] = await query<Row>(
    tx,
    sql`select decision, reason, checked_by as "checkedBy", once from command_cache
        where key = ${key} and (expires_at is null or expires_at > now())`,
  );
  if (!row) return null;
  const person = row.checkedBy === 'person';
  // the rules outrank the model; only a catastrophic rule outranks the person
  const barred = verdict.parts.some(
    (p) => p.decision === 'deny' && (!person || p.severity === 'catastrophic'),
  );
  if (barred && row.decision === 'allow') return null;
  if (!person && verdict.decision !== 'unknown') return null;
  if (row.once) await tx.delete(commandCache).where(eq(commandCache.key, key));
  else
    await tx
      .update(commandCache)
      .set({ hitCount: sql`${commandCache.hitCount} + 1` })
      .where(eq(commandCache.key, key));
  return { decision: row.decision, reason: row.reason, source: person ? 'person' : 'model', cached: true };
}

async function remember(tx: Tx, { key, shown }: Judged, checked: Decided): Promise<void> {
  const row = {
    decision: checked.decision as 'allow' | 'deny',
    reason: redactText(checked.reason),
    checkedBy: 'model',
    expiresAt: new Date(Date.now() + CACHE_DAYS * 86_400_000),
  };
  await tx
    .insert(commandCache)
    .values({ key, code: codeOf(key), ...shown, ...row })
    .onConflictDoUpdate({
      target: [commandCache.userId, commandCache.key],
      set: { ...row, checkedAt: sql`now()` },
    });
}

/**
 * A person's verdict on a command that was checked before, for the next time or for good.
 *
 * @throws Problem (404) when no check has that code, (409) when a catastrophic rule stands against allowing it
 */
export async function overrule(
  tx: Tx,
  code: string,
  verdict: { decision: 'allow' | 'deny'; once: boolean },
): Promise<{ command: string; cwd: string }> {
  const [check] = await tx
    .select()
    .from(commandChecks)
    .where(eq(commandChecks.code, code))
    .orderBy(desc(commandChecks.id))
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
  const row = {
    decision: verdict.decision,
    reason: `${verdict.decision === 'allow' ? 'allowed' : 'denied'} by a person`,
    checkedBy: 'person',
    once: verdict.once,
    expiresAt: null,
  };
  await tx
    .insert(commandCache)
    .values({ key: check.key, code, command: check.command, cwd: check.cwd, ...row })
    .onConflictDoUpdate({
      target: [commandCache.userId, commandCache.key],
      set: { ...row, checkedAt: sql`now()` },
    });
  return { command: check.command, cwd: check.cwd };
}

export type CommandMetrics = {
  checks: number;
  allowed: number;
  denied: number;
  unverified: number;
  /** share of checks that somebody (rules, model, person) decided */
  safetyRate: number | null;
  overrides: number;
  byRule: Record<string, number>;
  bySource: Record<string, number>;
  latencyMs: { p50: number | null; p95: number | null };
};

/** The caller's checks since an instant. */
export async function commandMetrics(tx: Tx, since: Date): Promise<CommandMetrics> {
  const from = since.toISOString();
  const [row] = await query<CommandMetrics & { p50: number | null; p95: number | null }>(
    tx,
    sql`with c as (select * from command_checks where checked_at >= ${from}::timestamptz)
        select count(*)::int as checks,
          count(*) filter (where decision = 'allow')::int as allowed,
          count(*) filter (where decision = 'deny')::int as denied,
          count(*) filter (where source = 'none')::int as unverified,
          (count(*) filter (where source <> 'none'))::float8 / nullif(count(*), 0) as "safetyRate",
          count(*) filter (where source = 'person')::int as overrides,
          coalesce((select jsonb_object_agg(rule, n) from
            (select rule, count(*) as n from c where rule is not null group by rule) r), '{}') as "byRule",
          coalesce((select jsonb_object_agg(source, n) from
            (select source, count(*) as n from c group by source) s), '{}') as "bySource",
          percentile_cont(0.5) within group (order by ms)::float8 as p50,
          percentile_cont(0.95) within group (order by ms)::float8 as p95
        from c`,
  );
  const { p50, p95, ...counts } = row as NonNullable<typeof row>;
  return { ...counts, latencyMs: { p50, p95 } };
}
