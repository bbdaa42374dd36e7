import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import {
  field,
  type Imported,
  insertRecords,
  type Placed,
  recordTable,
  restoreRecords,
  type TransferredRoom,
} from '../db/records.ts';
import { WRITERS } from '../http/key-scope.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { AGENT_TEMPLATE, PLAN_STATUSES, planChanges, planSteps, plans, STEP_STATUSES } from './schema.ts';

// Export and import of plans, each with its steps and its history in one record. Sessions are not exported,
// so a record does not contain their ids.

const noneOr = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const number = z.number().int().min(1).max(100_000);
const numbers = z.array(number).max(1000).default([]);
const text = field.text(50_000);

const report = z.object({
  verdict: noneOr(z.enum(['success', 'partial', 'failed'])),
  errorsFound: z
    .array(z.object({ type: text, description: text, resolution: text, incidentId: noneOr(field.id) }))
    .default([]),
  nextSteps: z.array(text).default([]),
  unfit: z.array(z.object({ text, reason: text })).default([]),
});

const StepRecord = z.object({
  number,
  description: text,
  status: z.enum(STEP_STATUSES),
  proposed: z.boolean().default(false),
  dependencies: numbers,
  assignedTo: noneOr(text),
  holder: noneOr(text),
  leaseUntil: noneOr(field.instant),
  attempts: field.count.default(0),
  waitingFor: noneOr(text),
  outcome: noneOr(text),
  report: noneOr(report),
  startedAt: noneOr(field.instant),
  endedAt: noneOr(field.instant),
});

/** The fields of a plan itself. */
const Head = z.object({
  id: field.id,
  goal: text,
  status: z.enum(PLAN_STATUSES),
  projectType: noneOr(text),
  constraints: z.array(text).default([]),
  learnings: z.array(field.id).default([]),
  agentTemplate: text.default(AGENT_TEMPLATE),
  draftedBy: text,
  createdAt: field.instant,
  closedAt: noneOr(field.instant),
});

/** Returns the form of a row's image, which names its fields as the columns are. */
const imageOf = (form: z.ZodObject): z.ZodType<Record<string, unknown>> =>
  z.object(
    Object.fromEntries(
      Object.entries(form.shape).map(([name, type]) => [
        name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
        type,
      ]),
    ),
  ) as never;
const StepImage = imageOf(StepRecord.omit({ holder: true }).extend({ agentId: z.null().default(null) }));
const PlanImage = imageOf(Head);

const ChangeRecord = z.object({
  version: field.count.min(1),
  step: field.count,
  action: field.text(100),
  actor: noneOr(text),
  image: z.union([
    StepImage,
    PlanImage,
    z.object({ text: field.text(400_000), writer: z.enum(WRITERS).optional() }),
  ]),
  recordedAt: field.instant,
});

export const record = Head.extend({
  type: z.literal('plan'),
  project: field.project,
  version: field.count.min(1),
  updatedAt: field.instant,
  steps: z.array(StepRecord).max(1000).default([]),
  changes: z.array(ChangeRecord).default([]),
});
type PlanRecord = z.infer<typeof record>;

const own = record.omit({ steps: true, changes: true });
const PLAN_ROWS = recordTable(plans, own, {
  outOf: { type: sql`'plan'`, project: projectNameOf(sql`t.project_id`) },
});

export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's plans behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{
    record: Record<string, unknown>;
    id: string;
    steps: unknown;
    changes: unknown;
  }>(
    tx,
    sql`select ${PLAN_ROWS.asJson} as record, t.id,
          coalesce((select json_agg(json_build_object('number', s.number, 'description', s.description,
              'status', s.status, 'proposed', s.proposed, 'dependencies', s.dependencies, 'assignedTo', s.assigned_to,
              'holder', s.holder, 'leaseUntil', s.lease_until, 'attempts', s.attempts, 'waitingFor', s.waiting_for,
              'outcome', s.outcome, 'report', s.report, 'startedAt', s.started_at, 'endedAt', s.ended_at)
              order by s.number)
            from plan_steps s where s.plan_id = t.id), '[]') as steps,
          coalesce((select json_agg(json_build_object('version', c.version, 'step', c.step, 'action', c.action,
              'actor', c.actor, 'image', c.image - '{session_id,tool_use_id,agent_id}'::text[],
              'recordedAt', c.recorded_at) order by c.version)
            from plan_changes c where c.plan_id = t.id), '[]') as changes
        from plans t
        where (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return {
    records: rows.map(({ record, steps, changes }) => ({ ...record, steps, changes })),
    last: last ? [last.id] : null,
  };
};

const date = (instant: string | null) => (instant === null ? null : new Date(instant));

/** Stores the plans that the caller does not have, each with its steps and its history. */
export async function restore(tx: Tx, userId: string, placed: Placed<PlanRecord>[]): Promise<Imported> {
  await query(tx, sql`select set_config('lore.restoring', 'on', true)`);
  const insert = async (records: PlanRecord[]) => {
    const heads = records.map(({ steps: _, changes: __, ...head }) => head);
    const kept = await insertRecords(tx, PLAN_ROWS, heads, await ensureProjects(tx, heads));
    for (const { id: planId, steps, changes } of records.filter(({ id }) => kept.includes(id))) {
      if (steps.length > 0) {
        await tx.insert(planSteps).values(
          steps.map(({ leaseUntil, startedAt, endedAt, ...step }) => ({
            ...step,
            planId,
            leaseUntil: date(leaseUntil),
            startedAt: date(startedAt),
            endedAt: date(endedAt),
          })),
        );
      }
      if (changes.length > 0) {
        await tx.insert(planChanges).values(
          changes.map(({ recordedAt, ...change }) => ({
            ...change,
            planId,
            recordedAt: new Date(recordedAt),
          })),
        );
      }
    }
    return kept;
  };
  const { imported, skipped, refused } = await restoreRecords(tx, userId, PLAN_ROWS, placed, insert);
  await query(tx, sql`select set_config('lore.restoring', 'off', true)`);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
