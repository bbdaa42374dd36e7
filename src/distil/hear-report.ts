import type { Tx } from '../db/open.ts';
import { namesIn } from '../language/names.ts';
import { discarded } from '../learnings/admit.ts';
import type { Candidate } from '../learnings/candidate.ts';
import { keepJudgement, queueRequests } from '../learnings/requests.ts';

/** The lessons in a subagent's report, and the parts of it that did not fit the form. */
type Reported = {
  learnings: { lesson: string; context: string; confidence: number; appliesTo: string[] }[];
  unfit: { text: string; reason: string }[];
};

/**
 * Queues the lessons in a subagent's report as candidates. What did not fit the form is stored as a discarded
 * judgement at once, with the reason.
 *
 * @returns how many wait to be judged
 */
export async function hearReport(
  tx: Tx,
  session: { id: string; projectId: string },
  agentId: string | null,
  report: Reported,
): Promise<number> {
  const about = { projectId: session.projectId, sessionId: session.id, agentId, event: 'SubagentStop' };
  const evidence = { kind: 'reported' } as const;
  const candidates = report.learnings.map(({ lesson, context, confidence, appliesTo }): Candidate => {
    const names = namesIn(lesson);
    return {
      lesson,
      context,
      confidence,
      keywords: names,
      appliesTo: appliesTo.length > 0 ? appliesTo : names,
    };
  });
  await queueRequests(
    tx,
    candidates.map((candidate) => ({ ...about, evidence, candidate })),
  );
  for (const { text, reason } of report.unfit) {
    const candidate = { lesson: text, context: '', keywords: [], appliesTo: [], confidence: 0 };
    const admission = discarded(`kept as text: ${reason}`);
    await keepJudgement(tx, about, { candidate, evidence, evaluator: 'rules', admission });
  }
  return candidates.length;
}
