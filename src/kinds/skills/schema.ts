import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { NO_PROJECT, ownRows, time, userId, validity } from '../../db/columns.ts';
import { inProject, inSession } from '../../sessions/schema.ts';
import type { SkillFile } from './skill-files.ts';

/** A skill's name and the project whose own it is; null: the user's. */
export type SkillKey = { name: string; projectId: string | null };

/** A skill without a project belongs to its user, and is found from every project. */
const NONE = sql.raw(`'${NO_PROJECT}'::uuid`);

/** Skills. Each row is a version; an exclusion constraint in SQL keeps the periods of a skill's versions apart. */
export const skills = pgTable(
  'skills',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    /** the project, or a fixed id if there is none, because a constraint does not treat two nulls as equal */
    scope: uuid('scope').notNull().generatedAlwaysAs(sql`coalesce(project_id, ${NONE})`),
    /** the name of the folder that holds its SKILL.md, by which the client calls it */
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** the front matter as it was written, with its fences; empty if there is none */
    frontMatter: text('front_matter').notNull().default(''),
    /** what follows the front matter */
    content: text('content').notNull(),
    /** the text files beside the SKILL.md, in the order of their paths */
    files: jsonb('files').$type<SkillFile[]>().notNull().default([]),
    ...validity(),
  },
  (t) => [
    primaryKey({ name: 'skills_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('skills_name').on(t.userId, t.name, t.scope, t.validFrom),
    ownRows(),
  ],
);

/** The runs of skills, and what came of them. */
export const skillLogs = pgTable(
  'skill_logs',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    sessionId: uuid('session_id'),
    agentId: text('agent_id'),
    /** a name as it was called; the skill need not be known to Lore */
    skill: text('skill').notNull(),
    /** `started`: it is not known how it ended */
    result: text('result', { enum: ['started', 'succeeded', 'failed'] }).notNull(),
    /** the client's id of the call of its tool; null if the skill was read from Lore */
    toolUseId: text('tool_use_id'),
    at: time('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'skill_logs_own', columns: [t.userId, t.id] }),
    unique('skill_logs_call').on(t.userId, t.sessionId, t.toolUseId),
    inProject(t),
    inSession(t),
    index('skill_logs_skill').on(t.userId, t.skill, t.at),
    index('skill_logs_session').on(t.sessionId),
    ownRows(),
  ],
);
