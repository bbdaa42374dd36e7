import { sql } from 'drizzle-orm';
import { wasOnlyStopped } from '../commands/stopped.ts';
import { query, type Tx } from '../db/open.ts';
import { clip } from '../text/clip.ts';
import { gaveUp, readReport } from './read-report.ts';
import { stepOfAgent } from './session-steps.ts';
import { tryEnd, tryNote } from './steps.ts';

/** Longest outcome of a step, in characters. */
const MAX_OUTCOME = 2_000;
/** Most steps of a plan that are proposed and not accepted. */
const MAX_PROPOSED = 20;
/**
 * Reads what a subagent said at its end. Its report about its step ends the step, and its recommendations become
 * proposed steps. If Lore stopped all of its calls, its step is stopped.
 */
export async function endAgent(
  tx: Tx,
  session: { id: string },
  agent: { agentId: string | null; agentType: string | null; message: string },
): Promise<void> {
  const read = readReport(agent.message);
  const held = await stepOfAgent(tx, session.id, agent);
  if (!held) return;
  const { planId, number } = held;
  const shown = agent.agentType ?? 'agent';
  const outcome = clip(read.text, MAX_OUTCOME);
  const said = outcome === '' ? undefined : outcome;
  const end = {
    holder: null,
    agent: shown,
    outcome: said,
    report: { verdict: read.verdict, nextSteps: read.nextSteps },
  };
  const { agentId } = agent;
  if (agentId !== null && (await wasOnlyStopped(tx, session.id, { agentId })))
    await tryEnd(tx, planId, number, { ...end, to: 'stopped' });
  else if (read.verdict === 'failed') await tryEnd(tx, planId, number, { ...end, to: 'failed' });
  else if (read.verdict === 'partial' || (read.verdict === null && gaveUp(read.text))) {
    const text = `Not finished: ${said ?? 'nothing was said'}`;
    await tryNote(tx, planId, number, { text, agent: shown, writtenBy: 'agent' });
    await tryEnd(tx, planId, number, { ...end, to: 'pending' });
  } else await tryEnd(tx, planId, number, { ...end, to: 'completed' });
  for (const text of read.nextSteps) await propose(tx, planId, number, text, shown);
}

/** Adds a proposed step after the step `after`, unless the plan already has a step with the same words. */
async function propose(tx: Tx, planId: string, after: number, text: string, by: string): Promise<void> {
  await query(
    tx,
    sql`insert into plan_steps (plan_id, number, description, proposed, dependencies, changed_by)
        select ${planId}, (select max(number) + 1 from plan_steps where plan_id = ${planId}), ${text}, true,
          array[${after}::int], ${by}
        where not exists (select from plan_steps
            where plan_id = ${planId} and lower(description) = lower(${text}))
          and (select count(*) from plan_steps where plan_id = ${planId} and proposed) < ${MAX_PROPOSED}`,
  );
}
