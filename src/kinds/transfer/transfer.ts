import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { badRequest } from '../../base/errors/problem.ts';
import { indexable } from '../../db/columns.ts';
import { field } from '../../db/records.ts';
import { MAX_BYTES, tooLarge } from '../../http/middleware.ts';
import { limit } from '../../http/schemas.ts';
import { served } from '../../http/serve.ts';
import { GUARD_RECORDS } from '../../learnings/guards/transfer.ts';
import { LEARNING_RECORDS } from '../../learnings/transfer.ts';
import { PLAN_RECORDS } from '../../plans/transfer.ts';
import { redactValue, WHOLE } from '../../redaction/redact.ts';
import { AMENDMENT_RECORDS } from '../../search/amendments.ts';
import { theProject } from '../../sessions/projects.ts';
import { TURN_RECORDS } from '../../sessions/transfer.ts';
import { Answer } from '../audit-form.ts';
import { NOTE_RECORDS } from '../notes.ts';
import { redactOutput, toKept, toText } from '../outputs.ts';
import { ended, since, type TransferredRoom, transferred } from '../records/transfer.ts';
import * as tables from '../schema.ts';
import { MAX_FILES, SKILL_NAME } from '../skills/skill-file.ts';
import { JsonValue, Step } from '../values.ts';

// What is known, as it is exported and imported. Each room exports and restores its own records.

const { text } = field;
const name = text(8192).min(1).transform(indexable);
const files = z.array(z.object({ path: text(1000), text: text(2_000_000), executable: z.boolean() }));
const lines = z.array(text(10_000)).max(100);
const GIVEN_OR_NOW = `coalesce(r."createdAt", now())`;
/** Made anew of what is restored. */
const COMPUTED = z.unknown().optional();
/** A record for each row of a statement, so that both clocks are kept. */
const BOTH_CLOCKS = { id: 'uuid', recorded_at: 'timestamptz' } as const;

/** A channel or an agent: those that are there, of a project if its notes are, and no description is written over. */
const named = (table: PgTable, type: string, used: string): TransferredRoom =>
  transferred(table, type, {
    fields: { name },
    conflict: `(user_id, name) do update set description = excluded.description
      where t.description is null and excluded.description is not null`,
    order: { name: 'text' },
    ofProject: (id) => sql`exists (
      select from notes n where n.project_id = ${id}::uuid and n.${sql.raw(used)} = t.name)`,
  });

/** In the order of an export. */
const ROOMS: TransferredRoom[] = [
  // before the notes that would make them
  named(tables.channels, 'channel', 'channel'),
  named(tables.agents, 'agent', 'sender'),
  NOTE_RECORDS,
  transferred(tables.findings, 'finding', { into: { closedAt: since('closedAt') } }),
  // records of their own, because one finding may come long before the other
  transferred(tables.findingLinks, 'findingLink', {
    columns: { from: 'fromId', to: 'toId' },
    fields: { from: field.id, to: field.id },
    hidden: ['createdAt'],
    only: 'r."from" <> r."to" and 2 = (select count(*) from findings f where f.id in (r."from", r."to"))',
    order: { kind: 'text', from_id: 'uuid', to_id: 'uuid' },
    ofProject: (id) => sql`2 = (
      select count(*) from findings f where f.id in (t.from_id, t.to_id) and f.project_id = ${id}::uuid)`,
  }),
  // baselines, which follow the records that cite
  transferred(tables.citations, 'citation', {
    hidden: ['root', 'checkedAt'],
    columns: { id: 'sourceId' },
    fields: { kind: z.enum(['note', 'learning']), id: field.id, ref: name },
    order: { kind: 'text', source_id: 'uuid', ref: 'text' },
    which: sql`t.hash is not null`,
  }),
  transferred(tables.facts, 'fact', {
    order: BOTH_CLOCKS,
    columns: { entityType: 'type' },
    fields: { entityType: field.text(500).min(1), value: JsonValue },
  }),
  transferred(tables.relations, 'relation', { order: BOTH_CLOCKS }),
  transferred(tables.decisions, 'decision', { order: BOTH_CLOCKS }),
  transferred(tables.sessionAudits, 'audit', {
    // what is imported is done, so the model is not asked again
    fields: { answer: Answer, status: z.unknown().transform(() => 'done') },
    which: sql`t.answer is not null`,
  }),
  transferred(tables.episodes, 'episode', {
    columns: { taskType: 'type' },
    fields: { taskType: z.enum(tables.TASK_TYPES), steps: z.array(Step).max(1000).default([]) },
    into: { endedAt: `greatest(r."endedAt", r."startedAt")` },
  }),
  // every version; how often they ran stays behind
  transferred(tables.skills, 'skill', {
    fields: {
      name: z.string().regex(SKILL_NAME, 'is no name of a skill'),
      frontMatter: text(400_000).default(''),
      content: text(400_000),
      files: files.max(MAX_FILES).default([]),
    },
    into: ended,
  }),
  transferred(tables.patterns, 'pattern', {
    // its sessions
    hidden: ['evidence'],
    columns: { patternType: 'type' },
    fields: {
      patternType: z.enum(tables.PATTERN_TYPES),
      template: z.object({ steps: lines, commonFiles: lines }),
    },
    into: ended,
  }),
  // long outputs, redacted again: an export may come from anywhere. Those of before 0.7 come without their calls
  transferred(tables.observations, 'observation', {
    fields: {
      id: z.string().regex(/^[0-9a-f]{12}$/),
      content: text(1_000_000),
      createdAt: field.instant.nullable().default(null),
      ...{ hash: COMPUTED, characters: COMPUTED, lines: COMPUTED },
    },
    outOf: { content: sql`translate(encode(t.content, 'base64'), E'\n', '')` },
    into: { content: `decode(convert_from(r.content, 'UTF8'), 'base64')`, createdAt: GIVEN_OR_NOW },
    order: { id: 'text' },
    ofProject: (id) => sql`exists (
      select from observation_sources s where s.observation_id = t.id and s.project_id = ${id}::uuid)`,
    rows: 8,
    accept: async (record, { content }) => {
      const { text, whole } = await redactOutput(await toText(Buffer.from(String(content), 'base64')));
      return { ...record, ...(await toKept({ text, whole: whole && record.whole === true })) };
    },
  }),
  transferred(tables.observationSources, 'observationSource', {
    only: 'exists (select from observations o where o.id = r."observationId")',
    order: { session: 'text', event_key: 'text', observation_id: 'text' },
  }),
  LEARNING_RECORDS,
  GUARD_RECORDS,
  PLAN_RECORDS,
  // after the decisions that they link
  AMENDMENT_RECORDS,
  TURN_RECORDS,
];
const typeOf = (room: TransferredRoom): string => room.record.shape.type.value;
/** The types of records, in the order in which they are imported. */
export const TYPES = ROOMS.map(typeOf);
/** These are many, and exported only if they are asked for. */
const OUTPUTS = ['observation', 'observationSource'];
/** What exports had before 0.7. */
const OLD = 'rated-search';

const [first, ...others] = ROOMS.map(({ record }) => record);
const AnyRecord = z.discriminatedUnion('type', [first as NonNullable<typeof first>, ...others]);

/**
 * Returns whether an object of an imported file is a record of an export, and not a note of another program, which may
 * call its notes `decision` too. A record has all the fields without which its kind is refused.
 */
export function isExported(value: Record<string, unknown>): boolean {
  const room = ROOMS.find((one) => typeOf(one) === value.type);
  if (!room) return value.type === OLD && 'ratedAt' in value;
  // a damaged record counts as one too, so that it is refused with its reason
  if (value.type === 'learning' || (value.type === 'note' && typeof value.id === 'string')) return true;
  return Object.entries(room.record.shape).every(
    ([name, field]) => Object.hasOwn(value, name) || z.safeParse(field, undefined).success,
  );
}

/** Returns where the next page begins. @throws Problem (400) when the text is not the `next` of an export */
function decode(text: string): { room: number; after: string[] } {
  try {
    const [type, ...after] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const room = ROOMS.findIndex((one) => typeOf(one) === type);
    return { room, after: (ROOMS[room] as TransferredRoom).cursor.parse(after) };
  } catch {
    throw badRequest('after', 'is not the `next` of an export');
  }
}

/**
 * Redacts and checks the records of an import and sorts them by type. `failed`: those that are not valid records, with the
 * reason. Call it before a transaction is opened, because it is slow. Hooks are answered between two records.
 */
async function sortRecords(given: Record<string, unknown>[]) {
  const found = new Map<string, Record<string, unknown>[]>(ROOMS.map((room) => [typeOf(room), []]));
  const failed: { line: number; reason: string }[] = [];
  for (const [i, value] of given.entries()) {
    await setImmediate();
    const { data, error } = AnyRecord.safeParse(redactValue(value, WHOLE));
    const room = ROOMS.find((one) => typeOf(one) === data?.type);
    const said = error?.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`);
    const accepted = data && (await Promise.resolve(room?.accept?.(data, value) ?? data).catch(() => null));
    if (accepted) found.get(data.type)?.push(accepted);
    else if (value.type !== OLD)
      failed.push({ line: i + 1, reason: said?.join('; ') ?? 'content: is not a deflated text in Base64' });
  }
  return { found, failed };
}

const record = z.record(z.string(), z.unknown());
/** `next`: the `after` of the next page; null at the end */
const Exported = z.object({ records: z.array(record), next: z.string().nullable() }).openapi('Exported');
/** `line` counts the records from 1 on */
const failed = z.array(z.object({ line: z.number(), reason: z.string() }));
const Counts = z.object({ imported: z.number(), skipped: z.number(), failed }).openapi('Imported');

/** Routes that export and import a user's records. */
export const transferRoutes = served((route) => {
  route(
    'GET /v1/export',
    'Notes, findings, plans, logs, every version of lessons, skills, facts, relations and decisions, page by page',
    {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        after: z.string().min(1).max(500).optional(),
        /** whether long outputs are wanted too */
        observations: z.literal('true').optional(),
        limit: limit(1000, 500),
      }),
      answer: Exported,
    },
    ({ as, query: { project, observations, limit, after: given } }) =>
      as(async (tx) => {
        const projectId = project === undefined ? undefined : (await theProject(tx, project)).id;
        const start = given === undefined ? { room: 0, after: null } : decode(given);
        const records: Record<string, unknown>[] = [];
        let after: string[] | null = start.after;
        for (const room of ROOMS.slice(start.room)) {
          if (!observations && OUTPUTS.includes(typeOf(room))) continue;
          const page = await room.exportPage(tx, { after, projectId, limit: limit - records.length });
          records.push(...page.records);
          // where the page ended, as opaque text
          const end = page.last && JSON.stringify([typeOf(room), ...page.last]);
          if (end) return { records, next: Buffer.from(end).toString('base64url') };
          after = null;
        }
        return { records, next: null };
      }),
  );
  route(
    'POST /v1/import',
    'Restore up to 1,000 records of an export; those already there are left as they are',
    {
      body: z.strictObject({ records: z.array(record).min(1).max(1000) }).openapi('RecordsToImport'),
      answer: Counts,
      wakes: ['embed'],
    },
    async ({ as, body: { records }, bytes }) => {
      // a skill with its files may be longer, but it comes alone
      if (records.length > 1 && (await bytes()) > MAX_BYTES) throw tooLarge(MAX_BYTES);
      const { found, failed } = await sortRecords(records);
      const imported = await as(async (tx) => {
        let stored = 0;
        for (const room of ROOMS) stored += (await room.restore(tx, found.get(typeOf(room)) ?? [])).length;
        return stored;
      });
      return { imported, skipped: records.length - failed.length - imported, failed };
    },
  );
});
