import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject } from '../sessions/schema.ts';

/** `stopped`: it has ended undone, because Lore let no call run that was made for it */
export const PLAN_STATUSES = ['planning', 'in_progress', 'completed', 'failed', 'stopped'] as const;
export const STEP_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'stopped'] as const;

/** What several agents do together. Triggers in SQL count its versions and keep every change. */
export const plans = pgTable(
  'plans',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** the session in which it was drafted; null: none, or it was erased */
    sessionId: uuid('session_id'),
    goal: text('goal').notNull(),
    status: text('status', { enum: PLAN_STATUSES }).notNull().default('planning'),
    constraints: text('constraints').array().notNull().default(sql`'{}'`),
    /** who drafted it: a person or an agent by the API, the rules, a model by its name */
    draftedBy: text('drafted_by').notNull(),
    /** counts its changes and those of its steps, from 1 on */
    version: integer('version').notNull().default(1),
    /** who made the last change */
    changedBy: text('changed_by'),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
    closedAt: time('closed_at'),
  },
  (t) => [
    primaryKey({ name: 'plans_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('plans_order').on(t.userId, t.projectId, t.createdAt, t.id),
    index('plans_recent').on(t.userId, t.createdAt, t.id),
    index('plans_session').on(t.userId, t.sessionId).where(sql`session_id is not null`),
    ownRows(),
  ],
);

const inPlan = (t: { userId: typeof plans.userId; planId: typeof plans.id }, name: string) =>
  foreignKey({ name, columns: [t.userId, t.planId], foreignColumns: [plans.userId, plans.id] }).onDelete(
    'cascade',
  );

/** The steps of plans. Their dependencies make no circle. */
export const planSteps = pgTable(
  'plan_steps',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    planId: uuid('plan_id').notNull(),
    /** from 1 on */
    number: integer('number').notNull(),
    description: text('description').notNull(),
    status: text('status', { enum: STEP_STATUSES }).notNull().default('pending'),
    /** it was only proposed, and is done only after somebody accepts it */
    proposed: boolean('proposed').notNull().default(false),
    /** the numbers of the steps that must be completed before it */
    dependencies: integer('dependencies').array().notNull().default(sql`'{}'`),
    assignedTo: text('assigned_to'),
    /** distinguishes two agents with the same name */
    holder: text('holder'),
    /** the client's subagent that does it, and the session and call that started it */
    agentId: text('agent_id'),
    sessionId: uuid('session_id'),
    toolUseId: text('tool_use_id'),
    leaseUntil: time('lease_until'),
    /** how often it was claimed */
    attempts: integer('attempts').notNull().default(0),
    /** what it waits for besides other steps, such as a person */
    waitingFor: text('waiting_for'),
    outcome: text('outcome'),
    report: jsonb('report').$type<{
      verdict: 'success' | 'partial' | 'failed' | null;
      nextSteps: string[];
    }>(),
    changedBy: text('changed_by'),
    startedAt: time('started_at'),
    endedAt: time('ended_at'),
  },
  (t) => [
    primaryKey({ name: 'plan_steps_own', columns: [t.userId, t.id] }),
    unique('plan_steps_number').on(t.userId, t.planId, t.number),
    inPlan(t as never, 'plan_steps_plan'),
    index('plan_steps_lease').on(t.leaseUntil).where(sql`status = 'in_progress'`),
    // partial, so that it is not mistaken for one to find a step by its number with
    index('plan_steps_session').on(t.userId, t.sessionId).where(sql`session_id is not null`),
    ownRows(),
  ],
);

/** Every change of a plan, and every note on it. */
export const planChanges = pgTable(
  'plan_changes',
  {
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity(),
    userId: userId(),
    planId: uuid('plan_id').notNull(),
    version: integer('version').notNull(),
    /** 0: the plan itself */
    step: integer('step').notNull(),
    action: text('action').notNull(),
    actor: text('actor'),
    /** the row after the change; of a note its text */
    image: jsonb('image').$type<Record<string, unknown>>().notNull(),
    recordedAt: time('recorded_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'plan_changes_own', columns: [t.userId, t.id] }),
    unique('plan_changes_version').on(t.userId, t.planId, t.version),
    inPlan(t as never, 'plan_changes_plan'),
    ownRows(),
  ],
);
