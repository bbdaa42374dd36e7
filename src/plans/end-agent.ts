import type { z } from 'zod';
import { clip } from '../base/text/clip.ts';
import { objectIn } from '../base/text/json.ts';
import { wasOnlyStopped } from '../commands/stopped.ts';
import type { Tx } from '../db/open.ts';
import { addStep } from './plans.ts';
import { getPlan } from './read-plans.ts';
import { stepOfAgent } from './session-steps.ts';
import { tryEnd, tryNote } from './steps.ts';
import type { Report } from './view.ts';

/** Longest outcome of a step, and longest recommendation, in characters. */
const MAX_TEXT = 2_000;
/** Most recommendations that are read, and most steps of a plan that are proposed and not accepted. */
const MAX_PROPOSED = 20;

/** What a subagent says at the end of its work: its report as JSON, fenced or bare, and what else it said. */
type ReadReport = z.infer<typeof Report> & { text: string };

const VERDICTS = ['success', 'partial', 'failed'] as const;
const REPORT = /```(?:json)?\s*\n?(\{[\s\S]*?\})\s*```|(\{\s*"(?:verdict|recommendedNextSteps)"[\s\S]*\})/gi;

/** Reads what a subagent said last. What does not fit the form is left in the text. */
function readReport(message: string): ReadReport {
  for (const [source, fenced, bare] of [...message.matchAll(REPORT)].reverse()) {
    const given = objectIn(fenced ?? bare ?? '');
    if (!given || !('verdict' in given || 'recommendedNextSteps' in given)) continue;
    const { verdict, recommendedNextSteps: next } = given;
    return {
      verdict: VERDICTS.find((one) => one === verdict) ?? null,
      nextSteps: (Array.isArray(next) ? next : [])
        .flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? clip(one.trim(), MAX_TEXT) : []))
        .slice(0, MAX_PROPOSED),
      text: message.replace(source, '').trim(),
    };
  }
  return { verdict: null, nextSteps: [], text: message.trim() };
}

/**
 * Reads what a subagent said at its end. Its report about its step ends the step, and its recommendations become
 * proposed steps. If Lore stopped all of its calls, its step is stopped.
 */
export async function endAgent(
  tx: Tx,
  session: { id: string },
  agent: { agentId: string | null; agentType: string | null; message: string },
): Promise<void> {
  const held = await stepOfAgent(tx, session.id, agent);
  if (!held) return;
  const { text, ...report } = readReport(agent.message);
  const { planId, number } = held;
  const { agentId, agentType } = agent;
  const shown = agentType ?? 'agent';
  const outcome = clip(text, MAX_TEXT) || undefined;
  const end = { holder: null, agent: shown, outcome, report };
  if (agentId !== null && (await wasOnlyStopped(tx, session.id, { agentId })))
    await tryEnd(tx, planId, number, { ...end, to: 'stopped' });
  else if (report.verdict === 'failed') await tryEnd(tx, planId, number, { ...end, to: 'failed' });
  else if (report.verdict === 'partial') {
    const note = `Not finished: ${outcome ?? 'nothing was said'}`;
    await tryNote(tx, planId, number, { text: note, agent: shown, writtenBy: 'agent' });
    await tryEnd(tx, planId, number, { ...end, to: 'pending' });
  } else await tryEnd(tx, planId, number, { ...end, to: 'completed' });
  for (const next of report.nextSteps) await propose(tx, planId, number, next, shown);
}

/** Adds a proposed step after the step `after`, unless the plan already has a step with the same words. */
async function propose(tx: Tx, plan: string, after: number, description: string, by: string): Promise<void> {
  const { steps } = await getPlan(tx, plan);
  if (steps.some((step) => step.description.toLowerCase() === description.toLowerCase())) return;
  if (steps.filter(({ proposed }) => proposed).length >= MAX_PROPOSED) return;
  await addStep(tx, { plan, by }, { description, dependencies: [after], proposed: true });
}
