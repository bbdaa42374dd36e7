import type { Tx } from '../db/open.ts';
import {
  type Imported,
  insertRecords,
  type Placed,
  type RecordTable,
  restoreRecords,
} from '../db/records.ts';
import { ensureProjects } from './projects.ts';

type RecordOfProject = { id: string; project: string | null };

/**
 * Returns what stores the records that the caller does not have, each in its project, which is created on first use.
 *
 * @param refusal says why a record that conflicts with another row was refused; without it, it counts as one that the
 *   caller has
 */
export const restoreInProjects =
  <R extends RecordOfProject>(rows: RecordTable, refusal?: (record: R) => string) =>
  async (tx: Tx, placed: Placed<R>[]): Promise<Imported> => {
    const insert = async (records: R[]) =>
      insertRecords(tx, rows, records, await ensureProjects(tx, records));
    const { imported, skipped, refused } = await restoreRecords(tx, rows, placed, insert);
    if (!refusal) return { imported, skipped: skipped + refused.length, failed: [] };
    return {
      imported,
      skipped,
      failed: refused.map(({ line, record }) => ({ line, reason: refusal(record) })),
    };
  };
