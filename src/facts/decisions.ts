import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { linkStated } from '../search/amendments.ts';
import { type Decision, decision } from './kinds.ts';
import { TIERS, type Tier } from './schema.ts';
import {
  getStatement,
  openStatement,
  outranked,
  type Provenance,
  type Put,
  provenanceColumns,
  refusal,
} from './statements.ts';

/** @throws Problem (409) when a change of this tier is lighter than the decision */
function refuseLighter(tier: Tier, { condition, tier: its }: Decision): void {
  if (TIERS.indexOf(tier) > TIERS.indexOf(its)) throw outranked(`“${condition}”`, its);
}

/**
 * States a decision. If a decision with the same condition and the same action is in force, it is confirmed. With
 * `supersedes`, a link to the other decision is made, and that decision ends when this one begins
 * (sql/temporal/settle_decision.sql).
 *
 * @throws Problem (400) when there is no such decision or it begins later, (409) when it comes from a weightier tier
 */
export async function makeDecision(
  tx: Tx,
  {
    condition,
    action,
    confidence,
    learnedFrom,
    supersedes,
    ...stated
  }: Omit<Provenance, 'source'> & {
    condition: string;
    action: string;
    confidence: number;
    learnedFrom?: string | undefined;
    supersedes?: string | undefined;
  },
): Promise<Decision & Pick<Put, 'outcome'>> {
  const older =
    supersedes === undefined
      ? null
      : await getStatement(tx, decision, supersedes).catch((error) => {
          throw error instanceof Problem ? badRequest('supersedes', error.detail) : error;
        });
  if (older) refuseLighter(stated.tier, older);
  const row = {
    ...(await provenanceColumns(tx, { ...stated, source: learnedFrom })),
    condition,
    action,
    confidence,
  };
  const [made] = await query<{ id: string; outcome: Put['outcome'] | 'empty' | 'late' }>(
    tx,
    sql`select * from make_decision(${JSON.stringify(row)}::jsonb, ${older?.validFrom ?? null}::timestamptz)`,
  );
  const { id, outcome } = made as NonNullable<typeof made>;
  if (outcome === 'late')
    throw badRequest(
      'validFrom',
      `must be later than the beginning of what it supersedes (${older?.validFrom})`,
    );
  if (outcome === 'empty')
    throw badRequest('validUntil', 'must be later than validFrom, which is now if it is not given');
  if (older !== null) await linkStated(tx, 'decision', id, older.id);
  return { ...((await openStatement(tx, decision, id)) as Decision), outcome };
}

/**
 * Ends a decision, without a successor.
 *
 * @param asked.at when it ends; default now
 * @throws Problem (409) when it comes from a weightier tier, or does not hold then
 */
export async function endDecision(
  tx: Tx,
  reference: string,
  asked: { at?: string | undefined; tier: Tier },
): Promise<Decision> {
  const { history: _, ...one } = await getStatement(tx, decision, reference);
  refuseLighter(asked.tier, one);
  const [row] = await query<{ ended: boolean }>(
    tx,
    sql`select end_decision(${one.id}::uuid, ${asked.at ?? null}::timestamptz) as ended`,
  );
  if (!row?.ended) {
    const detail = `It holds from ${one.validFrom} until ${one.validUntil ?? 'now and on'}; choose an instant within.`;
    throw refusal(409, 'Decision not current at that time', detail);
  }
  return (await openStatement(tx, decision, one.id)) as Decision;
}
