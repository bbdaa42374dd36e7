import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { type Amendment, linkStated, listAmendments } from '../search/amendments.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { TIERS, type Tier } from './schema.ts';
import {
  asOfRows,
  badField,
  type Instants,
  inScopeOf,
  listStatements,
  type Provenance,
  type Put,
  provenanceColumns,
  refuseUnmade,
  type Statement,
  statementColumns,
} from './statements.ts';

export type StatedDecision = Omit<Provenance, 'source'> & {
  condition: string;
  action: string;
  confidence: number;
  learnedFrom?: string | undefined;
  /** id of the decision that this one replaces, or the beginning of it */
  supersedes?: string | undefined;
};
export type Decision = Omit<Statement, 'source'> & {
  condition: string;
  action: string;
  confidence: number;
  learnedFrom: string | null;
};

const columns = sql`${statementColumns}, t.condition, t.action, t.confidence, t.source as "learnedFrom"`;

const withoutSource = ({ source: _, ...decision }: Decision & { source?: unknown }): Decision => decision;

/** Returns a decision without secrets, as it may be stored. Call it before a transaction is opened. */
export const prepareDecision = (stated: StatedDecision): StatedDecision => redactValue(stated, WHOLE);

/**
 * States a decision. If a decision with the same condition and the same action is in force, it is confirmed.
 * With `supersedes`, a link to the other decision is made, and that decision ends when this one begins
 * (sql/temporal/settle_decision.sql).
 *
 * @throws Problem (400) when there is no such decision or it begins later, (409) when it comes from a weightier tier
 */
export async function makeDecision(tx: Tx, stated: StatedDecision): Promise<Decision & Pick<Put, 'outcome'>> {
  const { condition, action, confidence, learnedFrom, supersedes } = stated;
  const older = supersedes === undefined ? null : await toSupersede(tx, supersedes, stated.tier);
  const provenance = await provenanceColumns(tx, { ...stated, source: learnedFrom });
  const row = { ...provenance, condition, action, confidence };
  const [made] = await query<{ id: string; outcome: 'opened' | 'confirmed' | 'empty' | 'late' }>(
    tx,
    sql`select * from make_decision(${JSON.stringify(row)}::jsonb, ${older?.validFrom ?? null}::timestamptz)`,
  );
  const { id, outcome } = made as NonNullable<typeof made>;
  if (outcome === 'late') {
    throw badField(
      'validFrom',
      `must be later than the beginning of what it supersedes (${older?.validFrom})`,
    );
  }
  if (outcome === 'empty') {
    throw badField('validUntil', 'must be later than validFrom, which is now if it is not given');
  }
  if (older !== null) await linkStated(tx, 'decision', id, older.id);
  return { ...(await getDecision(tx, id)), outcome };
}

async function toSupersede(tx: Tx, reference: string, tier: Tier): Promise<Decision> {
  const older = await getDecision(tx, reference).catch((error) => {
    if (error instanceof Problem) throw badField('supersedes', error.detail);
    throw error;
  });
  if (TIERS.indexOf(tier) > TIERS.indexOf(older.tier)) {
    refuseUnmade({ outcome: 'outranked', id: older.id, by: older }, `“${older.condition}”`);
  }
  return older;
}

/** Returns the decisions that were in force at the instants of a question. */
export async function listDecisions(
  tx: Tx,
  filter: Instants & { project?: string | undefined; before?: string | undefined; limit: number },
): Promise<Decision[]> {
  const where = await inScopeOf(tx, filter.project);
  const found = await listStatements<Decision & Statement>(tx, 'decision', columns, { ...filter, where });
  return found.map(withoutSource);
}

/**
 * Returns a decision by its id, in force or not. The beginning of the id is enough (8 characters or more), with or
 * without the `lore:` that offers cite it with.
 *
 * @param instants with `recordedAsOf`, as it was believed then; with `asOf`, only if it was in force then
 * @throws Problem 404 if there is no such decision, 409 if the beginning fits several
 */
export async function getDecision(tx: Tx, reference: string, instants: Instants = {}): Promise<Decision> {
  const prefix = idPrefix(reference);
  const believed =
    instants.recordedAsOf === undefined
      ? sql`t.recorded_until is null`
      : sql`tstzrange(t.recorded_at, t.recorded_until) @> ${instants.recordedAsOf}::timestamptz`;
  const from = instants.asOf === undefined ? sql`decisions t` : asOfRows('decision', instants);
  const found =
    prefix === null
      ? []
      : await query<Decision & Statement>(
          tx,
          sql`select ${columns} from ${from}
              where t.user_id = auth.uid() and ${believed} and starts_with(t.id::text, ${prefix}) limit 2`,
        );
  const then = Object.keys(instants).length > 0 ? ' at that time' : '';
  return withoutSource(theOne(found, 'decision', `${reference}${then}`));
}

/** Returns every row of a decision, in the order in which Lore learned them, and the links that it is part of. */
export async function decisionHistory(
  tx: Tx,
  id: string,
): Promise<{ history: Decision[]; amendments: Amendment[] }> {
  const rows = await query<Decision & Statement>(
    tx,
    sql`select ${columns} from decisions t where t.user_id = auth.uid() and t.id = ${id}::uuid
        order by t.recorded_at limit 500`,
  );
  return {
    history: rows.map(withoutSource),
    amendments: await listAmendments(tx, { records: [id], limit: 50 }),
  };
}

/**
 * Ends a decision, without a successor.
 *
 * @param at when it ends; default now
 * @throws Problem (409) when it comes from a weightier tier, or does not hold then
 */
export async function endDecision(
  tx: Tx,
  decision: Decision,
  asked: { at?: string | undefined; tier: Tier },
): Promise<Decision> {
  if (TIERS.indexOf(asked.tier) > TIERS.indexOf(decision.tier)) {
    refuseUnmade({ outcome: 'outranked', id: decision.id, by: decision }, `“${decision.condition}”`);
  }
  const [row] = await query<{ ended: boolean }>(
    tx,
    sql`select end_decision(${decision.id}::uuid, ${asked.at ?? null}::timestamptz) as ended`,
  );
  if (!row?.ended) {
    const detail = `It holds from ${decision.validFrom} until ${decision.validUntil ?? 'now and on'}; choose an instant within.`;
    throw new Problem({ status: 409, title: 'Decision not current at that time', detail });
  }
  return getDecision(tx, decision.id);
}
