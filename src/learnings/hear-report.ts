import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { type Candidate, learningRequests, learnings } from './schema.ts';
import { namesIn } from './statements/masked.ts';

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
  const evidence = { kind: 'reported' };
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
  const waiting = candidates.map((candidate) => ({ ...about, evidence, candidate }));
  const unfit = report.unfit.map(({ text, reason }) => ({
    ...about,
    evidence,
    candidate: { lesson: text, context: '', keywords: [], appliesTo: [], confidence: 0 },
    status: 'done' as const,
    evaluator: 'rules',
    decision: 'discarded' as const,
    reason: `kept as text: ${reason}`,
    score: 0,
    finishedAt: new Date(),
  }));
  if (waiting.length > 0) await tx.insert(learningRequests).values(waiting);
  if (unfit.length > 0) await tx.insert(learningRequests).values(unfit);
  return waiting.length;
}

/** Returns the current lessons that subagents of a session taught, the newest first. */
export async function lessonsOfSubagents(tx: Tx, sessionId: string, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ lesson: learnings.lesson })
    .from(learnings)
    .where(
      and(
        eq(learnings.sourceSessionId, sessionId),
        isNotNull(learnings.sourceSubagent),
        eq(learnings.status, 'active'),
        isNull(learnings.validUntil),
        sql`${learnings.sourceIncidentId} is null`,
      ),
    )
    .orderBy(desc(learnings.createdAt))
    .limit(limit);
  return rows.map(({ lesson }) => lesson);
}
