import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { NO_PROJECT, ownRows, provenance, time, userId, validity } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';
import type { MemoryPlace } from './skill-file.ts';
import type { SkillFile } from './skill-files.ts';

/** The name of a skill. It is also the name of a folder, so it must not be a path to another place. */
export const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** A skill's name and the project whose own it is; null: the user's. */
export type SkillKey = { name: string; projectId: string | null };

/** Who changes something, and in which session. */
export type Writer = {
  evaluatedBy: 'person' | 'agent';
  agent?: string | undefined;
  sessionId: string | null;
};

/** A skill without a project belongs to its user, and is found from every project. */
const NONE = sql.raw(`'${NO_PROJECT}'::uuid`);

/** The project, or a fixed id if there is none, because a constraint does not treat two nulls as equal. */
const scope = () => uuid('scope').notNull().generatedAlwaysAs(sql`coalesce(project_id, ${NONE})`);

/** Skills. Each row is a version; an exclusion constraint in SQL keeps the periods of a skill's versions apart. */
export const skills = pgTable(
  'skills',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    scope: scope(),
    /** the name of the folder that holds its SKILL.md, by which the client calls it */
    name: text('name').notNull(),
    description: text('description').notNull(),
    category: text('category'),
    /** the other fields of the front matter */
    config: jsonb('config').$type<Record<string, unknown>>().notNull().default({}),
    /** the front matter as it was written, with its fences; empty if there is none */
    frontMatter: text('front_matter').notNull().default(''),
    /** what follows the front matter, without the section `## Memory` */
    content: text('content').notNull(),
    /** where that section stands in the file; null if the file has none */
    memoryPlace: jsonb('memory_place').$type<MemoryPlace>(),
    /** the text files beside the SKILL.md, in the order of their paths */
    files: jsonb('files').$type<SkillFile[]>().notNull().default([]),
    ...provenance(),
    ...validity(),
  },
  (t) => [
    primaryKey({ name: 'skills_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('skills_name').on(t.userId, t.name, t.scope, t.validFrom),
    ownRows(),
  ],
);

/** What was noted under `## Memory` of a skill. Each row is a version of the whole section. */
export const skillMemories = pgTable(
  'skill_memories',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    scope: scope(),
    skill: text('skill').notNull(),
    /** counted from 1 for each skill */
    version: integer('version').notNull(),
    text: text('text').notNull(),
    /** the entry that this version added; null if the whole text was written */
    added: text('added'),
    /** whether rules made it shorter; the version before it has all */
    compacted: boolean('compacted').notNull().default(false),
    ...provenance(),
    ...validity(),
  },
  (t) => [
    primaryKey({ name: 'skill_memories_own', columns: [t.userId, t.id] }),
    unique('skill_memories_version').on(t.userId, t.scope, t.skill, t.version),
    inProject(t),
    ownRows(),
  ],
);

export const RESULTS = ['started', 'succeeded', 'failed'] as const;

/** What was done with a skill, and what came of it. The statistics of skills are counted from these rows. */
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
    action: text('action').notNull(),
    result: text('result', { enum: RESULTS }).notNull(),
    durationMs: bigint('duration_ms', { mode: 'number' }),
    observationRef: text('observation_ref'),
    /** the run that it belongs to; logs of one run count once */
    run: uuid('run').notNull(),
    /** the client's id of the call of its tool; null if it was logged through the API */
    toolUseId: text('tool_use_id'),
    at: time('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'skill_logs_own', columns: [t.userId, t.id] }),
    unique('skill_logs_call').on(t.userId, t.sessionId, t.toolUseId),
    inProject(t),
    inSession(t),
    index('skill_logs_skill').on(t.userId, t.skill, t.at),
    index('skill_logs_order').on(t.userId, t.at),
    index('skill_logs_session').on(t.sessionId),
    ownRows(),
  ],
);
