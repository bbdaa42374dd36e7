import { TIERS, type Tier } from '../../src/kinds/schema.ts';

// What the facts of one key must be after a list of changes, worked out by brute force: time is a row of cells, and each
// cell holds the value of that moment. The rules are those of docs/knowledge.md, written down a second time.

/** So many days before the changes and after them are moments. Between them each change has a moment of its own. */
export const DAYS = 12;
const PAST_START = Date.UTC(2024, 0, 1);
const FUTURE_START = Date.UTC(2090, 0, 1);
const DAY_MS = 86_400_000;

/** Moments are the numbers of cells. */
export type Change =
  | { do: 'put'; value: string; tier: Tier; from?: number | undefined; until?: number | undefined }
  | { do: 'end'; tier: Tier; at?: number | undefined }
  | { do: 'undo' };
export type Result = 'opened' | 'confirmed' | 'ended' | 'undone' | 'empty' | 'outranked' | 'nothing';

/** The row that holds at each moment. Two cells with the same object are one row. */
type Cells = ({ value: string; weight: number } | null)[];

const weightOf = (tier: Tier) => TIERS.length - TIERS.indexOf(tier);

/** The facts of one key, as so many changes leave them. */
export function keyModel(changes: number) {
  const length = 2 * DAYS + changes;
  let cells: Cells = new Array(length).fill(null);
  const standing: Cells[] = [];
  /** what was believed after each change that was one, and when that was recorded */
  const beliefs: { recorded: string; cells: Cells }[] = [];
  /** when each change was recorded; undefined if it changed nothing */
  const recorded: (string | undefined)[] = [];

  return {
    beliefs,
    /** Returns when a cell is, as text; undefined for the moment of a change that changed nothing. */
    instantOf(cell: number): string | undefined {
      if (cell < DAYS) return new Date(PAST_START + cell * DAY_MS).toISOString();
      const future = cell - DAYS - changes;
      if (future >= 0) return new Date(FUTURE_START + future * DAY_MS).toISOString();
      return recorded[cell - DAYS];
    },
    /** Makes the next change. Returns what comes of it. */
    apply(change: Change): Result {
      const after = [...cells];
      const result =
        change.do === 'undo'
          ? standing.length > 0
            ? 'undone'
            : 'nothing'
          : made(change, after, DAYS + recorded.length);
      if (result === 'undone') cells = standing.pop() as Cells;
      if (result === 'opened' || result === 'ended') {
        standing.push(cells);
        cells = after;
      }
      return result;
    },
    /** Keeps when the last change was recorded; undefined if it changed nothing. */
    keep(at: string | undefined): void {
      if (at !== undefined) beliefs.push({ recorded: at, cells });
      recorded.push(at);
    },
  };
}

function made(change: Exclude<Change, { do: 'undo' }>, cells: Cells, now: number): Result {
  const weight = weightOf(change.tier);
  const begin = (change.do === 'put' ? change.from : change.at) ?? now;
  const held = cells[begin] ?? null;
  if (change.do === 'put') return put(change, cells, { now, begin, weight });
  if (held === null) return 'nothing';
  if (held.weight > weight) return 'outranked';
  cells.forEach((row, i) => {
    if (i >= begin && row === held) cells[i] = null;
  });
  return 'ended';
}

function put(
  {
    value,
    from,
    until = null,
  }: { value: string; from?: number | undefined; until?: number | null | undefined },
  cells: Cells,
  { now, begin, weight }: { now: number; begin: number; weight: number },
): Result {
  if (until !== null && until <= begin) return 'empty';
  const held = cells[begin] ?? null;
  const isPeriod = from !== undefined && until !== null;
  const heldEnd = held === null ? Number.NaN : endOf(cells, begin);
  const same = held?.value === value;
  if (held && same && weight <= held.weight) {
    const inside = isPeriod && until < heldEnd;
    if (until === null || until === heldEnd || inside) return 'confirmed';
  }
  const next = cells.findIndex((row, i) => i > begin && row !== null && row !== held);
  const stop = until ?? Math.min(next < 0 ? cells.length : next, heldEnd <= now ? heldEnd : cells.length);
  if (cells.slice(begin, stop).some((row) => row !== null && row.weight > weight)) return 'outranked';
  const fresh = { value, weight };
  if (held && same && until === null) {
    // from a weightier tier
    cells.forEach((row, i) => {
      if (row === held) cells[i] = fresh;
    });
    return 'opened';
  }
  const opened = held && same && weight === held.weight ? held : fresh;
  const rest = isPeriod && held ? { ...held } : null;
  for (let i = begin; i < cells.length; i++) {
    if (i < stop) cells[i] = opened;
    else if (cells[i] === held) cells[i] = rest;
  }
  return 'opened';
}

function endOf(cells: Cells, begin: number): number {
  const end = cells.findIndex((row, i) => i > begin && row !== cells[begin]);
  return end < 0 ? cells.length : end;
}
