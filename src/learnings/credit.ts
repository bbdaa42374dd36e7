import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Advice, adviceOf, adviceTold, follow, notFollowed } from '../incidents/fixes/fixes.ts';
import { loadIncidents } from '../incidents/incidents.ts';
import type { Follower } from '../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import { FALLS_BELOW, moveLesson } from './states.ts';

/** Weight of the first judgement, as a number of observed outcomes. */
const PRIOR_STRENGTH = 4;

/**
 * Returns a lesson's confidence: the mean of the Beta posterior (c₀·k + s) / (k + s + f). The first judgement c₀ counts
 * as k = `PRIOR_STRENGTH` pseudo-observations; s and f are the successes and failures counted since. Source: Gelman et
 * al., Bayesian Data Analysis, 3rd ed., §2.4 (binomial model with a conjugate Beta prior).
 */
export const betaConfidence = (prior: number, successes: number, failures: number): number =>
  (prior * PRIOR_STRENGTH + successes) / (PRIOR_STRENGTH + successes + failures);

/**
 * Counts one more outcome of a lesson and updates its confidence. A lesson that is no person's word and has stopped
 * helping falls back to trial.
 */
export async function countOutcome(
  tx: Tx,
  learningId: string,
  outcome: 'helped' | 'failed',
  about: { sessionId: string | null; evaluator: string },
): Promise<void> {
  const [row] = await query<Record<'prior' | 'successes' | 'failures', number> & { byPerson: boolean }>(tx)`
    select prior_confidence as prior, success_count as successes, failure_count as failures,
      evaluated_by = 'person' as "byPerson"
    from learnings where id = ${learningId} for update`;
  if (!row) return;
  const successes = row.successes + (outcome === 'helped' ? 1 : 0);
  const failures = row.failures + (outcome === 'failed' ? 1 : 0);
  const confidence = betaConfidence(row.prior, successes, failures);
  await query(tx)`update learnings
    set success_count = ${successes}, failure_count = ${failures}, confidence = ${confidence}, updated_at = now(),
      last_confirmed_at = case when ${outcome}::text = 'helped' then now() else last_confirmed_at end
    where id = ${learningId}`;
  if (outcome === 'failed' && !row.byPerson && confidence < FALLS_BELOW)
    await moveLesson(tx, learningId, 'failing', about);
}

/**
 * Follows a session's story to settle the lessons that it was offered. A lesson helped if its error was met, its advice was
 * followed and then it passed. It failed if its advice was followed and the error stayed. If it held a call and the next one
 * did what it says, it was followed, and nobody knows whether that was needed. Otherwise nothing is counted. Returns null if no lesson waits to be settled.
 */
export async function followLessons(tx: Tx, sessionId: string): Promise<Follower | null> {
  const offered = await unsettledOffers(tx, sessionId, 'lesson');
  if (offered.length === 0) return null;
  const lessons = await adviceOfLessons(
    tx,
    offered.map(({ sourceId }) => sourceId),
  );
  const followed = offered.map(({ sourceId: id, since, atCall }) => ({
    ...{ id, since: new Date(since), so: notFollowed(atCall) },
    ...(lessons.get(id) ?? { advice: null, taughtBy: null }),
  }));
  return {
    since: new Date(Math.min(...followed.map(({ since }) => since.getTime()))),
    see(steps) {
      for (const { advice, since, so } of followed) {
        const after = steps.filter(({ at }) => at >= since);
        if (advice !== null) follow(advice, after, so);
      }
    },
    async settle(tx) {
      for (const { id, so, taughtBy } of followed) {
        await settleOffers(tx, sessionId, id, so.outcome);
        if (so.outcome === 'unused' || so.outcome === 'unknown') continue;
        const counted = { sessionId, evaluator: 'rules' };
        await countOutcome(tx, id, so.outcome, counted);
        if (so.outcome === 'helped' && taughtBy !== sessionId) await moveLesson(tx, id, 'recurred', counted);
      }
      // a lesson that nobody makes use of is told less: the servers that hold it in memory read it again
      await query(tx)`
        select pg_notify('lore_learnings', s.user_id || ' ' || s.project_id) from sessions s where s.id = ${sessionId}`;
    },
  };
}

/**
 * Returns what lessons advise (null: they belong to no error, or to one whose answer cannot be seen in a session), and which
 * session taught them, by their ids.
 */
async function adviceOfLessons(tx: Tx, ids: string[]) {
  type Told = Record<'id' | 'lesson' | 'by', string> & Record<'incidentId' | 'taughtBy', string | null>;
  const rows = await query<Told>(tx)`
    select id, source_incident_id as "incidentId", lesson, evaluated_by as by, source_session_id as "taughtBy"
    from learnings where id = any (${sql.param(ids)}::uuid[])`;
  const found = await loadIncidents(
    tx,
    rows.flatMap(({ incidentId }) => incidentId ?? []),
  );
  const incidents = new Map(found.map((incident) => [incident.id, incident]));
  return new Map(
    rows.map(({ id, incidentId, lesson, by, taughtBy }) => {
      const incident = incidents.get(incidentId ?? '');
      const told = by.startsWith('agent') ? adviceTold : adviceOf;
      const advice: Advice | null = incident ? told(incident, lesson) : null;
      return [id, { advice, taughtBy }] as const;
    }),
  );
}
