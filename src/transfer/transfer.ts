import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import * as audits from '../audits/transfer.ts';
import type { Tx } from '../db/open.ts';
import type { Imported, Placed, TransferredRoom } from '../db/records.ts';
import * as episodes from '../episodes/transfer.ts';
import { badRequest } from '../errors/problem.ts';
import { transferredDecisions, transferredFacts, transferredRelations } from '../facts/transfer.ts';
import * as findings from '../findings/transfer.ts';
import * as freshness from '../freshness/transfer.ts';
import * as guards from '../guards/transfer.ts';
import * as learnings from '../learnings/transfer.ts';
import { noteTransfer } from '../notes/transfer.ts';
import * as observations from '../observations/transfer.ts';
import * as patterns from '../patterns/transfer.ts';
import * as plans from '../plans/transfer.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import * as ratedSearches from '../search/ratings-transfer.ts';
import * as amendments from '../search/transfer.ts';
import * as turns from '../sessions/transfer.ts';
import * as skills from '../skills/transfer.ts';

/** The rooms that take part, in the order of an export. Each room exports and restores its own records. */
const ROOMS: TransferredRoom[] = [
  ...noteTransfer,
  learnings,
  guards,
  findings,
  findings.links,
  episodes,
  plans,
  freshness,
  transferredFacts,
  transferredRelations,
  transferredDecisions,
  // after the decisions that they link
  amendments,
  ratedSearches,
  audits,
  skills,
  turns,
  patterns,
  observations,
];
const typeOf = (room: TransferredRoom): string => room.record.shape.type.value;

const [first, ...others] = ROOMS.map(({ record }) => record);
const AnyRecord = z.discriminatedUnion('type', [first as NonNullable<typeof first>, ...others]);

/**
 * Returns whether an object of an imported file is a record of an export, and not a note of another program, which may
 * call its notes `decision` or `observation` too. A record has all the fields without which its kind is refused.
 */
export function isExported(value: Record<string, unknown>): boolean {
  const room = ROOMS.find((one) => typeOf(one) === value.type);
  if (!room) return false;
  // a damaged record counts as one too, so that it is refused with its reason
  if (value.type === 'learning' || (value.type === 'note' && typeof value.id === 'string')) return true;
  return Object.entries(room.record.shape).every(
    ([name, field]) => Object.hasOwn(value, name) || z.safeParse(field, undefined).success,
  );
}

type Cursor = { room: number; after: string[] | null };

/** Returns where a page ended (record type and cursor) as opaque text. */
const encode = (room: TransferredRoom, after: string[]) =>
  Buffer.from(JSON.stringify([typeOf(room), ...after])).toString('base64url');

/** @throws Problem (400) when the text is not the `next` of an export */
function decode(text: string): Cursor {
  try {
    const [type, ...after] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const room = ROOMS.findIndex((one) => typeOf(one) === type);
    return { room, after: (ROOMS[room] as TransferredRoom).cursor.parse(after) };
  } catch {
    throw badRequest('after', 'is not the `next` of an export');
  }
}

export type Page = { records: Record<string, unknown>[]; next: string | null };

/**
 * Returns a page of the caller's export, in the order of the rooms, with observations if they are wanted. `next` is the
 * `after` of the following page, null at the end.
 *
 * @throws Problem (400) when `after` is not the `next` of another page
 */
export async function exportPage(
  tx: Tx,
  options: {
    after?: string | undefined;
    projectId?: string | undefined;
    observations: boolean;
    limit: number;
  },
): Promise<Page> {
  const { projectId, limit } = options;
  const start = options.after === undefined ? { room: 0, after: null } : decode(options.after);
  const records: Page['records'] = [];
  let after = start.after;
  for (const room of ROOMS.slice(start.room)) {
    if (room === (observations as TransferredRoom) && !options.observations) continue;
    const missing = limit - records.length;
    const page = await room.exportPage(tx, { after, projectId, limit: missing });
    records.push(...page.records);
    if (page.last && (page.more || page.records.length === missing))
      return { records, next: encode(room, page.last) };
    after = null;
  }
  return { records, next: null };
}

type Sorted = {
  placed: { room: TransferredRoom; records: Placed<Record<string, unknown>>[] }[];
  failed: Imported['failed'];
};

/**
 * Redacts and checks the records of an import and sorts them by room. Those that are not valid records go to `failed`,
 * with the reason. Call it before a transaction is opened, because it is slow. Hooks are answered between two records.
 */
export async function sortRecords(given: Record<string, unknown>[]): Promise<Sorted> {
  const sorted: Sorted = { placed: ROOMS.map((room) => ({ room, records: [] })), failed: [] };
  for (const [i, value] of given.entries()) {
    const line = i + 1;
    await setImmediate();
    const { success, data, error } = AnyRecord.safeParse(redactValue(value, WHOLE));
    if (!success) {
      const said = error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`);
      sorted.failed.push({ line, reason: said.join('; ') });
      continue;
    }
    const into = sorted.placed.find(({ room }) => typeOf(room) === data.type);
    const record = (await into?.room.accept?.(data, value)) ?? data;
    into?.records.push({ line, record });
  }
  return sorted;
}

/** Lets each room restore the records that the caller does not have yet. Returns the counts and all failures. */
export async function restoreSorted(tx: Tx, userId: string, sorted: Sorted): Promise<Imported> {
  const total: Imported = { imported: 0, skipped: 0, failed: [...sorted.failed] };
  for (const { room, records } of sorted.placed) {
    const { imported, skipped, failed } = await room.restore(tx, userId, records);
    total.imported += imported;
    total.skipped += skipped;
    total.failed.push(...failed);
  }
  total.failed.sort((a, b) => a.line - b.line);
  return total;
}
