import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import { insertNotes, projectIdsOf, storableKey, WHOLE } from '../notes/notes.ts';
import { Problem } from '../problem.ts';
import { redactValue } from '../redaction/redact.ts';
import { type LearningRecord, type NoteRecord, TransferRecord } from './records.ts';

/** Where a page ended: notes go by project, time and arrival, then lessons by their id. */
const Cursor = z.union([
  z.tuple([z.literal('note'), z.guid(), z.iso.datetime({ offset: true }), z.string().regex(/^\d{1,18}$/)]),
  z.tuple([z.literal('learning'), z.guid()]),
]);
type Cursor = z.infer<typeof Cursor>;

const encode = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** @throws Problem (400) when it is not one that an export gave */
function decode(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    const message = 'is not the `next` of an export';
    const errors = [{ field: 'after', message }];
    throw new Problem({ status: 400, title: 'Bad request', detail: `after: ${message}`, errors, cause });
  }
}

export type Page = { records: Record<string, unknown>[]; next: string | null };

/**
 * A page of all that the caller can take along: notes in their order, then every version of every lesson. `next` leads
 * to the page that follows, null at the end.
 *
 * @throws Problem (400) when `after` is not the `next` of another page
 */
export async function exportPage(
  tx: Tx,
  options: { after?: string | undefined; projectId?: string | undefined; limit: number },
): Promise<Page> {
  const { projectId, limit } = options;
  const after = options.after === undefined ? undefined : decode(options.after);
  const page: Page = { records: [], next: null };
  if (after?.[0] !== 'learning') {
    const rows = await exportedNotes(tx, after, projectId, limit);
    page.records = rows.map(({ record }) => record);
    const last = rows.at(-1);
    if (last && rows.length === limit) {
      page.next = encode(['note', last.projectId, last.record.createdAt, String(last.seq)]);
      return page;
    }
  }
  const missing = limit - page.records.length;
  const rows = await exportedLearnings(tx, after?.[0] === 'learning' ? after[1] : null, projectId, missing);
  page.records.push(...rows.map(({ record }) => record));
  const last = rows.at(-1);
  if (last && rows.length === missing) page.next = encode(['learning', last.record.id]);
  return page;
}

const within = (projectId: string | undefined): SQL =>
  projectId === undefined ? sql`true` : sql`t.project_id = ${projectId}::uuid`;

function exportedNotes(tx: Tx, after: Cursor | undefined, projectId: string | undefined, limit: number) {
  const later =
    after?.[0] === 'note'
      ? sql`(t.project_id, t.created_at, t.seq) > (${after[1]}::uuid, ${after[2]}::timestamptz, ${after[3]}::bigint)`
      : sql`true`;
  return query<{ record: { createdAt: string }; projectId: string; seq: string | number }>(
    tx,
    sql`select t.project_id as "projectId", t.seq, json_build_object('type', 'note', 'id', t.id, 'project', p.name,
          'channel', t.channel, 'sender', t.sender, 'senderProject', t.sender_project, 'content', t.content,
          'confidence', t.confidence, 'mentions', t.mentions, 'messageType', t.message_type,
          'conversation', t.conversation, 'key', t.dedup_key, 'supersedes', t.supersedes, 'metadata', t.metadata,
          'createdAt', t.created_at, 'validUntil', t.valid_until) as record
        from notes t join projects p on p.id = t.project_id
        where t.user_id = auth.uid() and ${within(projectId)} and ${later}
        order by t.project_id, t.created_at, t.seq limit ${limit}`,
  );
}

function exportedLearnings(tx: Tx, after: string | null, projectId: string | undefined, limit: number) {
  // sessions and incidents stay behind, so ids that lead to them would lead nowhere
  return query<{ record: { id: string } }>(
    tx,
    sql`select json_build_object('type', 'learning', 'id', t.id, 'project', p.name, 'lineageId', t.lineage_id,
          'supersedes', t.supersedes, 'status', t.status, 'lesson', t.lesson, 'context', t.context, 'why', t.why,
          'errorType', t.error_type, 'keywords', t.keywords, 'appliesTo', t.applies_to, 'signature', t.signature,
          'target', t.target, 'branch', t.branch, 'confidence', t.confidence, 'priorConfidence', t.prior_confidence,
          'usageCount', t.usage_count, 'successCount', t.success_count, 'failureCount', t.failure_count,
          'qualityScore', t.quality_score, 'evaluatedBy', t.evaluated_by, 'sourceSubagent', t.source_subagent,
          'sourceError', t.source_error, 'validFrom', t.valid_from, 'validUntil', t.valid_until,
          'lastConfirmedAt', t.last_confirmed_at, 'createdAt', t.created_at, 'updatedAt', t.updated_at) as record
        from learnings t join projects p on p.id = t.project_id
        where t.user_id = auth.uid() and ${within(projectId)}
          and (${after}::uuid is null or t.id > ${after}::uuid)
        order by t.id limit ${limit}`,
  );
}

/** What became of each record, by its place from 1 on. */
export type Imported = { imported: number; skipped: number; failed: { line: number; reason: string }[] };

type Placed<R> = { line: number; record: R };
export type Sorted = {
  notes: Placed<NoteRecord>[];
  learnings: Placed<LearningRecord>[];
  failed: Imported['failed'];
};

/** Redacts and checks records as they came; what is none is named in `failed`. Before a transaction is opened. */
export function sortRecords(given: Record<string, unknown>[]): Sorted {
  const sorted: Sorted = { notes: [], learnings: [], failed: [] };
  given.forEach((value, i) => {
    const line = i + 1;
    const { success, data: record, error } = TransferRecord.safeParse(redactValue(value, WHOLE));
    if (!success) {
      const said = error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`);
      sorted.failed.push({ line, reason: said.join('; ') });
    } else if (record.type === 'note') {
      // redacted a moment ago, so two keys that are secrets would be one
      const { key } = value as { key?: string | null };
      sorted.notes.push({ line, record: { ...record, key: key ? storableKey(key) : null } });
    } else sorted.learnings.push({ line, record });
  });
  return sorted;
}

/**
 * Restores records that the caller does not have yet, under their own ids. An id that another account of the same
 * database holds is replaced by one derived from it and the caller, everywhere the same, so that importing again finds
 * the record; what refers to it is led there.
 */
export async function restoreRecords(tx: Tx, userId: string, sorted: Sorted): Promise<Imported> {
  const notes = await restore(tx, userId, sorted.notes, {
    table: sql.raw('notes'),
    insert: insertNotes,
    known: (records) => keysOf(tx, records),
  });
  const learnings = await restore(tx, userId, sorted.learnings, {
    table: sql.raw('learnings'),
    insert: insertLearnings,
    known: async () => [],
  });
  const failed = [
    ...sorted.failed,
    ...learnings.refused.map(({ line, record }) => ({
      line,
      reason: `another version of this lesson (lineage ${record.lineageId}) holds in the same period`,
    })),
  ];
  return {
    imported: notes.imported + learnings.imported,
    // a note is only refused for one that is there, by its key
    skipped: notes.skipped + notes.refused.length + learnings.skipped,
    failed: failed.sort((a, b) => a.line - b.line),
  };
}

type Restorable = { id: string; supersedes: string | null };

async function restore<R extends Restorable>(
  tx: Tx,
  userId: string,
  placed: Placed<R>[],
  into: {
    table: SQL;
    /** gives the ids of the rows that nothing stood in the way of */
    insert: (tx: Tx, rows: R[]) => Promise<string[]>;
    /** the ids of the records that are there under another id */
    known: (records: R[]) => Promise<string[]>;
  },
): Promise<{ imported: number; skipped: number; refused: Placed<R>[] }> {
  if (placed.length === 0) return { imported: 0, skipped: 0, refused: [] };
  const derived = (id: string) => derivedId(userId, id);
  const ids = [...new Set(placed.map(({ record }) => record.id))];
  const mine = new Set(
    (
      await query<{ id: string }>(
        tx,
        sql`select id from ${into.table} where id in
              (select t::uuid from jsonb_array_elements_text(${JSON.stringify([...ids, ...ids.map(derived)])}::jsonb) t)`,
      )
    ).map(({ id }) => id),
  );
  const known = new Set(await into.known(placed.map(({ record }) => record)));
  const seen = new Set<string>();
  const fresh = placed.filter(({ record: { id } }) => {
    const there = mine.has(id) || mine.has(derived(id)) || known.has(id) || seen.has(id);
    seen.add(id);
    return !there;
  });
  const kept = new Set(
    await into.insert(
      tx,
      fresh.map(({ record }) => record),
    ),
  );
  const left = fresh.filter(({ record }) => !kept.has(record.id));
  const moved = new Set(
    await into.insert(
      tx,
      left.map(({ record }) => ({ ...record, id: derived(record.id) })),
    ),
  );
  await relink(tx, into.table, derived, [
    ...fresh.flatMap(({ record }) => record.supersedes ?? []),
    ...left.map(({ record }) => record.id),
  ]);
  const refused = left.filter(({ record }) => !moved.has(derived(record.id)));
  return { imported: kept.size + moved.size, skipped: placed.length - fresh.length, refused };
}

/** Leads references to records that got another id to that id. */
async function relink(tx: Tx, table: SQL, derived: (id: string) => string, references: string[]) {
  if (references.length === 0) return;
  const pairs = [...new Set(references)].map((id) => ({ id, derived: derived(id) }));
  await query(
    tx,
    sql`update ${table} t set supersedes = r.derived
        from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r (id uuid, derived uuid)
        where t.supersedes = r.id and not exists (select 1 from ${table} o where o.id = r.id)
          and exists (select 1 from ${table} o where o.id = r.derived)`,
  );
}

/** A UUID (version 8) that only this account gets for this id. */
function derivedId(userId: string, id: string): string {
  const hex = createHash('sha256').update(`${userId} ${id}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

async function keysOf(tx: Tx, records: NoteRecord[]): Promise<string[]> {
  const keyed = records.filter((record) => record.key !== null);
  if (keyed.length === 0) return [];
  const rows = await query<{ key: string }>(
    tx,
    sql`select dedup_key as key from notes where dedup_key in
          (select jsonb_array_elements_text(${JSON.stringify(keyed.map(({ key }) => key))}::jsonb))`,
  );
  const there = new Set(rows.map(({ key }) => key));
  return keyed.filter(({ key }) => there.has(key as string)).map(({ id }) => id);
}

/** Gives the ids of those that neither an id nor a version of the same lesson stood in the way of. */
async function insertLearnings(tx: Tx, records: LearningRecord[]): Promise<string[]> {
  if (records.length === 0) return [];
  const projectIds = await projectIdsOf(tx, records);
  const values = records.map(({ project, ...record }) => ({ ...record, projectId: projectIds.get(project) }));
  const inserted = await query<{ id: string }>(
    tx,
    sql`insert into learnings (id, project_id, lineage_id, supersedes, status, lesson, context, why, error_type,
          keywords, applies_to, signature, target, branch, confidence, prior_confidence, usage_count, success_count,
          failure_count, quality_score, evaluated_by, source_subagent, source_error, valid_from, valid_until,
          last_confirmed_at, created_at, updated_at)
        select l.id, l."projectId", l."lineageId", l.supersedes, l.status, l.lesson, l.context, l.why, l."errorType",
          l.keywords, l."appliesTo", l.signature, l.target, l.branch, l.confidence, l."priorConfidence",
          l."usageCount", l."successCount", l."failureCount", l."qualityScore", l."evaluatedBy", l."sourceSubagent",
          l."sourceError", l."validFrom",
          case when l."validUntil" is not null then greatest(l."validUntil", l."validFrom") end,
          l."lastConfirmedAt", l."createdAt", l."updatedAt"
        from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as l (id uuid, "projectId" uuid, "lineageId" uuid,
          supersedes uuid, status text, lesson text, context text, why text, "errorType" text, keywords text[],
          "appliesTo" text[], signature text, target text, branch text, confidence real, "priorConfidence" real,
          "usageCount" int, "successCount" int, "failureCount" int, "qualityScore" real, "evaluatedBy" text,
          "sourceSubagent" text, "sourceError" text, "validFrom" timestamptz, "validUntil" timestamptz,
          "lastConfirmedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz)
        on conflict do nothing
        returning id`,
  );
  return inserted.map(({ id }) => id);
}
