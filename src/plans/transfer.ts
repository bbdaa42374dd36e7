import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query } from '../db/open.ts';
import { field } from '../db/records.ts';
import { WRITERS } from '../http/key-scope.ts';
import { type TransferredRoom, transferred } from '../kinds/records/transfer.ts';
import { planChanges, planSteps, plans } from './schema.ts';
import { PlanStep, Report } from './view.ts';

// Export and import of plans, each with its steps and notes in one record. Sessions are not exported, so a record does
// not contain their ids; nor is what else changed in a plan.

const noneOr = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const number = z.number().int().min(1).max(100_000);
const text = field.text(50_000);
const instant = noneOr(field.instant);

const StepRecord = PlanStep.omit({ agentId: true, model: true, blocked: true, notes: true }).extend({
  proposed: z.boolean().default(false),
  dependencies: z.array(number).max(1000).default([]),
  holder: noneOr(text),
  report: noneOr(Report),
  leaseUntil: instant,
  startedAt: instant,
  endedAt: instant,
});

/** A note. Exports from before 0.6 have all changes here, of which the notes are taken. */
const NoteRecord = z.object({
  version: field.count.min(1),
  step: field.count,
  action: field.text(100),
  actor: noneOr(text),
  image: z.object({ text: field.text(400_000).optional(), writer: z.enum(WRITERS).optional() }),
  recordedAt: field.instant,
});

const steps = z.array(StepRecord).max(10_000).default([]);
const changes = z.array(NoteRecord).default([]);

/** Returns SQL for the rows of a plan `t` in another table, as JSON. */
const rowsOf = (table: string, { shape }: z.ZodObject, order: string, which = 'true') => {
  const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const fields = Object.keys(shape).map((name) => `'${name}', o.${columnOf(name)}`);
  return sql.raw(`coalesce((select json_agg(json_build_object(${fields.join(', ')}) order by o.${order})
    from ${table} o where o.plan_id = t.id and ${which}), '[]')`);
};

const heads = transferred(plans, 'plan', {
  hidden: ['changedBy'],
  fields: {
    goal: text,
    constraints: z.array(text).default([]),
    draftedBy: text,
    version: field.count.min(1),
    ...{ steps, changes },
  },
  outOf: {
    steps: rowsOf('plan_steps', StepRecord, 'number'),
    changes: rowsOf('plan_changes', NoteRecord, 'version', `o.action = 'noted'`),
  },
});

/** Returns a record as a row, in which times are dates. */
const asRow = <R extends object>(record: R) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) =>
      value !== null && /(?:At|Until)$/.test(name) ? [name, new Date(value)] : [name, value],
    ),
  ) as never;

export const PLAN_RECORDS: TransferredRoom = {
  ...heads,
  /** Stores the plans that the caller does not have, each with its steps and notes. */
  async restore(tx, records) {
    await query(tx)`select set_config('lore.restoring', 'on', true)`;
    const kept = await heads.restore(tx, records);
    const given = records as {
      id: string;
      steps: z.output<typeof steps>;
      changes: z.output<typeof changes>;
    }[];
    for (const { id: planId, steps, changes } of given.filter(({ id }) => kept.includes(id))) {
      const notes = changes.filter(({ action }) => action === 'noted');
      if (steps.length > 0) await tx.insert(planSteps).values(steps.map((one) => asRow({ ...one, planId })));
      if (notes.length > 0)
        await tx.insert(planChanges).values(notes.map((one) => asRow({ ...one, planId })));
    }
    await query(tx)`select set_config('lore.restoring', 'off', true)`;
    return kept;
  },
};
