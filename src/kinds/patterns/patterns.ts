import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { idPrefix, theOne } from '../../base/text/short-id.ts';
import type { Tx } from '../../db/open.ts';
import { projectNameOf } from '../../sessions/projects.ts';
import { type PATTERN_TYPES, patterns } from './schema.ts';

// Patterns as people see and change them. SQL counts them at night: sql/patterns.

export type PatternType = (typeof PATTERN_TYPES)[number];

const shown = {
  id: patterns.id,
  project: projectNameOf(patterns.projectId),
  type: patterns.type,
  name: patterns.name,
  triggers: patterns.triggers,
  template: patterns.template,
  /** in how many episodes it was seen */
  usageCount: patterns.episodes,
  sessions: patterns.sessions,
  successes: patterns.successes,
  failures: patterns.failures,
  successRate: sql<
    number | null
  >`${patterns.successes}::float8 / nullif(${patterns.successes} + ${patterns.failures}, 0)`,
  seenIn: patterns.evidence,
  status: patterns.status,
  lastUsed: patterns.lastUsed,
  validFrom: patterns.validFrom,
  validUntil: patterns.validUntil,
  createdAt: patterns.createdAt,
  updatedAt: patterns.updatedAt,
};

const select = (tx: Tx) => tx.select(shown).from(patterns);
export type Pattern = Awaited<ReturnType<typeof select>>[number];

const STATUS: Record<'active' | 'rejected' | 'closed', SQL | undefined> = {
  active: and(eq(patterns.status, 'active'), isNull(patterns.validUntil)),
  rejected: eq(patterns.status, 'rejected'),
  closed: and(eq(patterns.status, 'active'), isNotNull(patterns.validUntil)),
};

/**
 * Returns patterns, those that were found last first.
 *
 * @param filter.status without it those that hold now; `closed`: no longer found
 * @throws Problem (404) when `before` is not a pattern of the caller
 */
export async function listPatterns(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    type?: PatternType | undefined;
    status?: keyof typeof STATUS | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Pattern[]> {
  const { projectId, type, status = 'active', before } = filter;
  const last = before === undefined ? undefined : await getPattern(tx, before);
  return select(tx)
    .where(
      and(
        projectId === undefined ? undefined : eq(patterns.projectId, projectId),
        type === undefined ? undefined : eq(patterns.type, type),
        STATUS[status],
        last &&
          sql`(${patterns.createdAt}, ${patterns.id}) < (
            select b.created_at, b.id from patterns b where b.id = ${last.id}::uuid)`,
      ),
    )
    .orderBy(desc(patterns.createdAt), desc(patterns.id))
    .limit(filter.limit);
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

/**
 * Rejects a pattern, or takes that back. A rejected one is no longer valid, and stays away when it is counted again.
 *
 * @throws Problem (404) when the caller has no such pattern
 */
export async function changePattern(
  tx: Tx,
  reference: string,
  status: 'active' | 'rejected',
): Promise<Pattern> {
  const { id } = await getPattern(tx, reference);
  const validUntil = status === 'rejected' ? sql`coalesce(valid_until, greatest(now(), valid_from))` : null;
  await tx.update(patterns).set({ status, validUntil, updatedAt: sql`now()` }).where(eq(patterns.id, id));
  return getPattern(tx, id);
}
