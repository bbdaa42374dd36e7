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
import { Report } from './view.ts';

// Export and import of plans, each with its steps and its history in one record. Sessions are not exported,
// so a record does not contain their ids.

const noneOr = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const number = z.number().int().min(1).max(100_000);
const text = field.text(50_000);
const instant = noneOr(field.instant);

const StepRecord = z.object({
  number,
  description: text,
  status: z.enum(STEP_STATUSES),
  proposed: z.boolean().default(false),
  dependencies: z.array(number).max(1000).default([]),
  assignedTo: noneOr(text),
  holder: noneOr(text),
  leaseUntil: instant,
  attempts: field.count.default(0),
  waitingFor: noneOr(text),
  outcome: noneOr(text),
  report: noneOr(Report),
  startedAt: instant,
  endedAt: instant,
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
  closedAt: instant,
});

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Returns the form of a row's image, which names its fields as the columns are. */
const imageOf = ({ shape }: z.ZodObject) =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, type]) => [columnOf(name), type])));

const ChangeRecord = z.object({
  version: field.count.min(1),
  step: field.count,
  action: field.text(100),
  actor: noneOr(text),
  image: z.union([
    imageOf(StepRecord.omit({ holder: true }).extend({ agentId: z.null().default(null) })),
    imageOf(Head),
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

const PLAN_ROWS = recordTable(plans, record.omit({ steps: true, changes: true }), {
  outOf: { type: sql`'plan'`, project: projectNameOf(sql`t.project_id`) },
});
/** Returns SQL for the rows of a plan `t` in another table, as JSON. */
const rowsOf = (table: string, { shape }: z.ZodObject, order: string) => {
  const fields = Object.keys(shape).map((name) => `'${name}', o.${columnOf(name)}`);
  return sql.raw(`coalesce((select json_agg(json_build_object(${fields.join(', ')}) order by o.${order})
    from ${table} o where o.plan_id = t.id), '[]')`);
};

export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's plans behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{ record: object; id: string; steps: unknown; changes: { image: object }[] }>(
    tx,
    sql`select ${PLAN_ROWS.asJson} as record, t.id, ${rowsOf('plan_steps', StepRecord, 'number')} as steps,
          ${rowsOf('plan_changes', ChangeRecord, 'version')} as changes
        from plans t
        where (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  const unbound = { session_id: undefined, tool_use_id: undefined, agent_id: undefined };
  return {
    records: rows.map(({ record, steps, changes }) => ({
      ...record,
      steps,
      changes: changes.map((change) => ({ ...change, image: { ...change.image, ...unbound } })),
    })),
    last: last ? [last.id] : null,
  };
};

/** Returns a record as a row, in which times are dates. */
const asRow = <R extends object>(record: R) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) =>
      value !== null && /(?:At|Until)$/.test(name) ? [name, new Date(value)] : [name, value],
    ),
  ) as never;

/** Stores the plans that the caller does not have, each with its steps and its history. */
export async function restore(tx: Tx, userId: string, placed: Placed<PlanRecord>[]): Promise<Imported> {
  await query(tx, sql`select set_config('lore.restoring', 'on', true)`);
  const insert = async (records: PlanRecord[]) => {
    const heads = records.map(({ steps: _, changes: __, ...head }) => head);
    const kept = await insertRecords(tx, PLAN_ROWS, heads, await ensureProjects(tx, heads));
    for (const { id: planId, steps, changes } of records.filter(({ id }) => kept.includes(id))) {
      if (steps.length > 0) await tx.insert(planSteps).values(steps.map((one) => asRow({ ...one, planId })));
      if (changes.length > 0)
        await tx.insert(planChanges).values(changes.map((one) => asRow({ ...one, planId })));
    }
    return kept;
  };
  const { imported, skipped, refused } = await restoreRecords(tx, userId, PLAN_ROWS, placed, insert);
  await query(tx, sql`select set_config('lore.restoring', 'off', true)`);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
