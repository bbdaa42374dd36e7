import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { badRequest } from '../../base/errors/problem.ts';
import type { Database, Tx } from '../../db/open.ts';
import type { Imported, Placed, TransferredRoom } from '../../db/records.ts';
import { MAX_BYTES, tooLarge } from '../../http/middleware.ts';
import { type Router, router } from '../../http/router.ts';
import { limit } from '../../http/schemas.ts';
import * as guards from '../../learnings/guards/transfer.ts';
import * as learnings from '../../learnings/transfer.ts';
import * as plans from '../../plans/transfer.ts';
import { redactValue, WHOLE } from '../../redaction/redact.ts';
import * as ratedSearches from '../../search/ratings-transfer.ts';
import * as amendments from '../../search/transfer.ts';
import { findProject } from '../../sessions/projects.ts';
import * as turns from '../../sessions/transfer.ts';
import * as episodes from '../episodes/transfer.ts';
import * as patterns from '../patterns/transfer.ts';
import { serve } from '../records/serve.ts';
import * as skills from '../skills/transfer.ts';
import { KINDS } from '../transfer.ts';

/** The rooms that take part, in the order of an export. Each room exports and restores its own records. */
const ROOMS: TransferredRoom[] = [
  ...KINDS,
  learnings,
  guards,
  episodes,
  plans,
  // after the decisions that they link
  amendments,
  ratedSearches,
  skills,
  turns,
  patterns,
];
const typeOf = (room: TransferredRoom): string => room.record.shape.type.value;
/** What exports had before 0.7, and what is made anew of notes or not at all. */
const OLD = ['channel', 'agent', 'citation', 'observation'];

const [first, ...others] = ROOMS.map(({ record }) => record);
const AnyRecord = z.discriminatedUnion('type', [first as NonNullable<typeof first>, ...others]);

/**
 * Returns whether an object of an imported file is a record of an export, and not a note of another program, which may
 * call its notes `decision` too. A record has all the fields without which its kind is refused.
 */
export function isExported(value: Record<string, unknown>): boolean {
  const room = ROOMS.find((one) => typeOf(one) === value.type);
  if (!room)
    return OLD.includes(String(value.type)) && ('createdAt' in value || 'sources' in value || 'ref' in value);
  // a damaged record counts as one too, so that it is refused with its reason
  if (value.type === 'learning' || (value.type === 'note' && typeof value.id === 'string')) return true;
  return Object.entries(room.record.shape).every(
    ([name, field]) => Object.hasOwn(value, name) || z.safeParse(field, undefined).success,
  );
}

/** Returns where a page ended (record type and cursor) as opaque text. */
const encode = (room: TransferredRoom, after: string[]) =>
  Buffer.from(JSON.stringify([typeOf(room), ...after])).toString('base64url');

/** @throws Problem (400) when the text is not the `next` of an export */
function decode(text: string): { room: number; after: string[] } {
  try {
    const [type, ...after] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const room = ROOMS.findIndex((one) => typeOf(one) === type);
    return { room, after: (ROOMS[room] as TransferredRoom).cursor.parse(after) };
  } catch {
    throw badRequest('after', 'is not the `next` of an export');
  }
}

/** Returns a page of the caller's export, in the order of the rooms. */
async function exportPage(
  tx: Tx,
  options: { after?: string | undefined; projectId?: string | undefined; limit: number },
): Promise<z.output<typeof Exported>> {
  const { projectId, limit } = options;
  const start = options.after === undefined ? { room: 0, after: null } : decode(options.after);
  const records: Record<string, unknown>[] = [];
  let after = start.after;
  for (const room of ROOMS.slice(start.room)) {
    const missing = limit - records.length;
    const page = await room.exportPage(tx, { after, projectId, limit: missing });
    records.push(...page.records);
    if (page.last && (page.more || page.records.length === missing))
      return { records, next: encode(room, page.last) };
    after = null;
  }
  return { records, next: null };
}

type Sorted = { placed: Map<string, Placed<Record<string, unknown>>[]>; total: Imported };

/**
 * Redacts and checks the records of an import and sorts them by type. Those that are not valid records have failed, with
 * the reason. Call it before a transaction is opened, because it is slow. Hooks are answered between two records.
 */
async function sortRecords(given: Record<string, unknown>[]): Promise<Sorted> {
  const sorted: Sorted = { placed: new Map(), total: { imported: 0, skipped: 0, failed: [] } };
  for (const [i, value] of given.entries()) {
    const line = i + 1;
    await setImmediate();
    const { success, data, error } = AnyRecord.safeParse(redactValue(value, WHOLE));
    const room = ROOMS.find((one) => typeOf(one) === data?.type);
    if (success && room) {
      const record = (await room.accept?.(data, value)) ?? data;
      sorted.placed.set(data.type, [...(sorted.placed.get(data.type) ?? []), { line, record }]);
    } else if (OLD.includes(String(value.type))) sorted.total.skipped += 1;
    else {
      const said = error?.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`);
      sorted.total.failed.push({ line, reason: said?.join('; ') ?? 'record' });
    }
  }
  return sorted;
}

/** Lets each room restore the records that the caller does not have yet. Returns the counts and all failures. */
async function restoreSorted(tx: Tx, { placed, total }: Sorted): Promise<Imported> {
  for (const room of ROOMS) {
    const { imported, skipped, failed } = await room.restore(
      tx,
      (placed.get(typeOf(room)) ?? []) as Placed<never>[],
    );
    total.imported += imported;
    total.skipped += skipped;
    total.failed.push(...failed);
  }
  total.failed.sort((a, b) => a.line - b.line);
  return total;
}

const record = z.record(z.string(), z.unknown());
/** `next`: the `after` of the next page; null at the end */
const Exported = z.object({ records: z.array(record), next: z.string().nullable() }).openapi('Exported');
/** `line` counts the records from 1 on */
const failed = z.array(z.object({ line: z.number(), reason: z.string() }));
const Counts = z.object({ imported: z.number(), skipped: z.number(), failed }).openapi('Imported');

/** Routes that export and import a user's records. */
export function transferRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/export',
    'Notes, findings, plans, logs, every version of lessons, skills, facts, relations and decisions, page by page',
    {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        after: z.string().min(1).max(500).optional(),
        limit: limit(1000, 500),
      }),
      answer: Exported,
    },
    ({ as, query: { project, ...options } }) =>
      as(async (tx) => {
        if (project === undefined) return exportPage(tx, options);
        const found = await findProject(tx, project);
        return found ? exportPage(tx, { ...options, projectId: found.id }) : { records: [], next: null };
      }),
  );
  route(
    'POST /v1/import',
    'Restore up to 1,000 records of an export; those already there are left as they are',
    {
      body: z.strictObject({ records: z.array(record).min(1).max(1000) }).openapi('RecordsToImport'),
      answer: Counts,
    },
    async ({ as, body: { records }, bytes }) => {
      // a skill with its files may be longer, but it comes alone
      if (records.length > 1 && (await bytes()) > MAX_BYTES) throw tooLarge(MAX_BYTES);
      const sorted = await sortRecords(records);
      const imported = await as((tx) => restoreSorted(tx, sorted));
      services.wake('embed');
      return imported;
    },
  );
  return app;
}
