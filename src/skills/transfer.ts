import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import {
  exportById,
  field,
  idCursor,
  type Placed,
  type RecordTable,
  recordTable,
  type TransferredRoom,
} from '../db/records.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { restoreInProjects } from '../sessions/restore.ts';
import { RESULTS, SKILL_NAME, skillLogs, skillMemories, skills } from './schema.ts';
import { MAX_FILES } from './skill-files.ts';

// Exports and restores every version of skills and of their memory, and the logs. Sessions are not exported,
// so a record does not contain their ids.

const name = z.string().regex(SKILL_NAME, 'is no name of a skill');
const noneOr = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const validity = { validFrom: field.instant, validUntil: noneOr(field.instant) };
const provenance = { evaluatedBy: field.text(1000), sourceSubagent: noneOr(field.text(1000)) };

const SkillRecord = z.object({
  type: z.literal('skill'),
  id: field.id,
  project: noneOr(field.project),
  name,
  description: field.text(50_000),
  category: noneOr(field.text(1000)),
  config: z.record(z.string(), z.unknown()).default({}),
  frontMatter: field.text(400_000).default(''),
  content: field.text(400_000),
  memoryPlace: noneOr(
    z.object({ at: z.number().int().min(0), before: field.text(1000), after: field.text(1000) }),
  ),
  files: z
    .array(
      z.object({
        path: field.text(1000),
        text: field.text(2_000_000),
        executable: z.boolean().default(false),
      }),
    )
    .max(MAX_FILES)
    .default([]),
  ...provenance,
  ...validity,
});

const MemoryRecord = z.object({
  type: z.literal('skill-memory'),
  id: field.id,
  project: noneOr(field.project),
  skill: name,
  version: field.count.min(1),
  text: field.text(400_000),
  added: noneOr(field.text(50_000)),
  compacted: z.boolean().default(false),
  ...provenance,
  ...validity,
});

const LogRecord = z.object({
  type: z.literal('skill-log'),
  id: field.id,
  project: noneOr(field.project),
  skill: field.text(1000).min(1).transform(indexable),
  action: field.text(1000),
  result: z.enum(RESULTS),
  durationMs: noneOr(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)),
  observationRef: noneOr(field.text(100)),
  agentId: noneOr(field.text(1000)),
  run: field.id,
  at: field.instant,
});

type AnyRecord = { id: string; project: string | null };

/** A table of the room, exported by its ids. */
function room(record: TransferredRoom['record'], rows: RecordTable, overlap: string): TransferredRoom {
  return {
    record,
    cursor: idCursor,
    exportPage: exportById(rows),
    restore: (tx, userId, placed) =>
      restoreInProjects(tx, userId, rows, placed as unknown as Placed<AnyRecord>[], () => overlap),
  };
}

const outOf = (type: string): Record<string, SQL> => ({
  type: sql.raw(`'${type}'`),
  project: projectNameOf(sql`t.project_id`),
});
const into = {
  validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."validFrom") end`,
};

/** The rooms of an export, see `TransferredRoom`. */
export const skillTransfer = {
  skills: room(
    SkillRecord,
    recordTable(skills, SkillRecord, { outOf: outOf('skill'), into }),
    'another version of this skill holds in the same period',
  ),
  memories: room(
    MemoryRecord,
    recordTable(skillMemories, MemoryRecord, { outOf: outOf('skill-memory'), into }),
    'another version of this memory has the same number or holds in the same period',
  ),
  logs: room(
    LogRecord,
    recordTable(skillLogs, LogRecord, { outOf: outOf('skill-log') }),
    'there is another such log',
  ),
};
