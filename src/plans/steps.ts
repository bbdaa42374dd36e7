import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { theOne } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { planId, readPlan } from './read-plans.ts';
import { type Note, PlanStep, type Report } from './view.ts';

/** Why nothing was done with a step, see sql/plans/change_step.sql. */
export type Fault = 'missing' | 'held' | 'free' | 'waits' | 'proposed' | 'closed';

/** A step after an action, with its plan's version. */
export const Acted = z
  .object({ plan: z.object({ id: z.string(), version: z.number(), status: z.string() }), step: PlanStep })
  .openapi('ActedStep');
export type Acted = z.infer<typeof Acted>;

/** Runs a function of sql/plans/change_step.sql. Returns why it did nothing; null if it did. */
async function run(tx: Tx, call: SQL): Promise<Fault | null> {
  const [row] = await query<{ fault: Fault | null }>(tx)`select ${call} as fault`;
  return row?.fault ?? null;
}

export type Claim = {
  /** distinguishes two agents with the same name */
  holder: string;
  /** the name that is shown */
  agent: string;
  leaseSeconds: number;
  /** Lore's id of the session and the client's call that start the agent */
  sessionId?: string;
  toolUseId?: string;
};

/** Claims a step of a plan. Returns why it could not be claimed; null if the caller holds it now. */
export const tryClaim = (tx: Tx, plan: string, number: number, claim: Claim): Promise<Fault | null> =>
  run(
    tx,
    sql`claim_step(${plan}, ${number}::int, ${claim.holder}, ${claim.agent}, ${claim.leaseSeconds}::int,
      ${claim.sessionId ?? null}::uuid, ${claim.toolUseId ?? null}::text)`,
  );

/**
 * How a step ends, or is given back (pending). `holder`: it ends only if nobody else holds it; null: whoever
 * holds it.
 */
export type End = {
  to: 'completed' | 'failed' | 'stopped' | 'pending';
  holder: string | null;
  agent: string;
  outcome?: string | undefined;
  report?: Report;
};

/** Ends a step or gives it back. Returns why not; null if it was done. */
export const tryEnd = (tx: Tx, plan: string, number: number, end: End): Promise<Fault | null> =>
  run(
    tx,
    sql`end_step(${plan}, ${number}::int, ${end.to}, ${end.holder}::text, ${end.agent},
      ${end.outcome ?? null}::text, ${end.report ? JSON.stringify(end.report) : null}::jsonb)`,
  );

/** Adds a note to a step, or to the plan itself (0). Returns why not; null if it was done. */
export const tryNote = (tx: Tx, plan: string, number: number, note: Omit<Note, 'at'>) =>
  run(tx, sql`note_step(${plan}, ${number}::int, ${note.text}, ${note.agent}, ${note.writtenBy})`);

/**
 * Tries something with a step, and returns how the step then stands.
 *
 * @param reference the plan, as the caller names it
 * @param attempt one of the functions above
 * @throws Problem (404) when there is no such plan or step, (409) with the present step when nothing was done
 */
export async function tryStep(
  tx: Tx,
  reference: string,
  number: number,
  attempt: (plan: string) => Promise<Fault | null>,
): Promise<Acted> {
  const plan = await planId(tx, reference);
  // sent together: while the plan is locked, no trip to the database lies between the two
  const [fault, whole] = await Promise.all([attempt(plan), readPlan(tx, plan)]);
  const found = (whole?.steps ?? []).filter((one) => one.number === number);
  const about = { id: plan, version: whole?.version ?? 0, status: whole?.status ?? '' };
  const now = { plan: about, step: theOne(found, 'step', `${number} of plan ${reference}`) };
  if (fault === null) return now;
  throw new Problem({
    status: 409,
    title: FAULTS[fault][0],
    detail: `${whyNot(fault, number)}. Nothing was changed.`,
    current: now,
  });
}

/** For each fault its title, and what it says of the step. */
const FAULTS: Record<Fault, [string, string]> = {
  missing: ['Step not found', 'is not there'],
  held: ['Step is held', 'is held by another agent'],
  free: ['Nobody holds the step', 'is held by nobody'],
  waits: ['Step waits for others', 'waits for steps before it that are not completed'],
  proposed: ['Step is only proposed', 'is proposed and was not accepted yet'],
  closed: ['Step has ended', 'has ended, or its plan has'],
};

/** Returns why nothing was done, as a sentence for an agent or a person. */
export const whyNot = (fault: Fault, number: number): string => `Step ${number} ${FAULTS[fault][1]}`;
