import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { type PATTERN_TYPES, patterns } from './schema.ts';

// Patterns as people see and change them. They are mined by mine.ts and by SQL: sql/patterns.

export type PatternType = (typeof PATTERN_TYPES)[number];

const known = sql`${patterns.successes} + ${patterns.failures}`;
const bound = (end: 'low' | 'high') =>
  sql<number | null>`(wilson_interval(${patterns.successes}, ${known})).${sql.raw(end)}::float8`;

const shown = {
  id: patterns.id,
  project: projectNameOf(patterns.projectId),
  type: patterns.type,
  name: patterns.name,
  namedBy: patterns.namedBy,
  triggers: patterns.triggers,
  template: patterns.template,
  /** in how many episodes it was seen */
  usageCount: patterns.episodes,
  sessions: patterns.sessions,
  successes: patterns.successes,
  failures: patterns.failures,
  successRate: sql<number | null>`${patterns.successes}::float8 / nullif(${known}, 0)`,
  rateLow: bound('low'),
  rateHigh: bound('high'),
  lift: patterns.lift,
  confidence: patterns.confidence,
  offered: patterns.offered,
  followed: patterns.followed,
  helped: patterns.helped,
  failed: patterns.harmed,
  pinned: patterns.pinned,
  private: patterns.private,
  status: patterns.status,
  lastUsed: patterns.lastUsed,
  validFrom: patterns.validFrom,
  validUntil: patterns.validUntil,
  createdAt: patterns.createdAt,
  updatedAt: patterns.updatedAt,
};

const select = (tx: Tx) => tx.select(shown).from(patterns);
export type Pattern = Awaited<ReturnType<typeof select>>[number];

/**
 * Returns patterns, those that were found last first.
 *
 * @param filter.status without it those that hold now; `rejected` and `closed` (no longer found, or of no help) otherwise
 * @throws Problem (400) when `before` is not a pattern of the caller
 */
export async function listPatterns(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    type?: PatternType | undefined;
    status?: 'active' | 'rejected' | 'closed' | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Pattern[]> {
  const { projectId, type, status = 'active', before } = filter;
  if (before !== undefined) await refuseUnknownBefore(tx, before);
  return select(tx)
    .where(
      and(
        projectId === undefined ? undefined : eq(patterns.projectId, projectId),
        type === undefined ? undefined : eq(patterns.type, type),
        eq(patterns.status, status === 'rejected' ? 'rejected' : 'active'),
        status === 'active' ? isNull(patterns.validUntil) : undefined,
        status === 'closed' ? sql`${patterns.validUntil} is not null` : undefined,
        before === undefined
          ? undefined
          : sql`(${patterns.createdAt}, ${patterns.id}) < (
              select b.created_at, b.id from patterns b where b.id = ${before}::uuid)`,
      ),
    )
    .orderBy(desc(patterns.createdAt), desc(patterns.id))
    .limit(filter.limit);
}

async function refuseUnknownBefore(tx: Tx, id: string) {
  const [row] = await tx.select({ id: patterns.id }).from(patterns).where(eq(patterns.id, id));
  if (row) return;
  const message = `you have no pattern ${id}`;
  throw new Problem({
    status: 400,
    title: 'Bad request',
    detail: `before: ${message}`,
    errors: [{ field: 'before', message }],
  });
}

/**
 * Returns a pattern by its id or the beginning of it, as it is cited.
 *
 * @throws Problem (404) when the caller has no such pattern, (409) when the beginning is that of several
 */
export async function getPattern(tx: Tx, reference: string): Promise<Pattern> {
  const prefix = idPrefix(reference);
  if (prefix === null) return theOne([], 'pattern', reference);
  const is =
    prefix.length === 36 ? eq(patterns.id, prefix) : sql`starts_with(${patterns.id}::text, ${prefix})`;
  return theOne(await select(tx).where(is).limit(2), 'pattern', reference);
}

/** Returns up to 50 of the sessions that a pattern was mined from. */
export async function sessionsOf(tx: Tx, id: string): Promise<string[]> {
  const [found] = await tx.select({ evidence: patterns.evidence }).from(patterns).where(eq(patterns.id, id));
  return found?.evidence ?? [];
}

export type PatternChange = {
  name?: string | undefined;
  pinned?: boolean | undefined;
  private?: boolean | undefined;
  status?: 'active' | 'rejected' | undefined;
};

/** Redacts what a person words. Call it before a transaction is opened. */
export const preparePattern = (change: PatternChange): PatternChange => redactValue(change, WHOLE);

/**
 * Changes a pattern as a person wants it. A name that a person gave stays when patterns are mined again. A
 * pattern that is pinned holds again, even if it was closed. A rejected pattern is no longer valid and is not
 * mined again. Returns the pattern.
 *
 * @param change a prepared change
 * @throws Problem (404) when the caller has no such pattern, (409) when it would be pinned and rejected
 */
export async function changePattern(tx: Tx, reference: string, change: PatternChange): Promise<Pattern> {
  const { id, ...is } = await getPattern(tx, reference);
  const { name, ...flags } = change;
  const status = change.status ?? is.status;
  const pinned = change.pinned ?? (change.status === 'rejected' ? false : is.pinned);
  if (pinned && status === 'rejected') {
    throw new Problem({
      status: 409,
      title: 'Rejected pattern',
      detail: 'A rejected pattern cannot be pinned. Nothing was changed.',
      errors: [{ field: 'pinned', message: 'the pattern is rejected' }],
    });
  }
  const reopened = pinned || (change.status === 'active' && is.status === 'rejected');
  await tx
    .update(patterns)
    .set({
      ...flags,
      pinned,
      ...(name !== undefined && { name, namedBy: 'person' as const }),
      ...(reopened && { validUntil: null }),
      ...(change.status === 'rejected' && {
        validUntil: sql`coalesce(valid_until, greatest(now(), valid_from))`,
      }),
      updatedAt: sql`now()`,
    })
    .where(eq(patterns.id, id));
  // a pattern of several projects may have come from this one, so these patterns are made anew
  if (change.private) await query(tx, sql`select share_patterns()`);
  return getPattern(tx, id);
}
