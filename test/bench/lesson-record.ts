import { randomUUID } from 'node:crypto';

/** Returns a lesson as an export has it: POST /v1/import takes it as it is, without judging it. */
export function lessonRecord(
  project: string,
  lesson: string,
  { context, appliesTo, daysAgo }: { context: string; appliesTo: string[]; daysAgo: number },
) {
  const id = randomUUID();
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  return {
    type: 'learning',
    id,
    lineageId: id,
    project,
    status: 'active',
    lesson,
    context,
    appliesTo,
    keywords: [],
    confidence: 0.8,
    priorConfidence: 0.8,
    evaluatedBy: 'rules',
    validFrom: at,
    lastConfirmedAt: at,
    createdAt: at,
    updatedAt: at,
  };
}
