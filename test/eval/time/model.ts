import { TIERS, type Tier } from '../../../src/kinds/schema.ts';

// What the facts of one key must be after a list of changes, worked out by brute force: time is a row of cells, and each
// cell holds the value of that moment. The rules are those of docs/knowledge.md, written down a second time.

/** Moments before and after the time of the changes, a day apart. Between them each change has a moment of its own. */
export const PAST = 12;
const FUTURE = PAST;
const PAST_START = Date.UTC(2024, 0, 1);
const FUTURE_START = Date.UTC(2090, 0, 1);
const DAY_MS = 86_400_000;

/** A moment: `past` and `future` count days, `change` is the moment at which an earlier change was recorded. */
export type Moment = { at: 'past' | 'future' | 'change'; n: number };

export type Change =
  | { do: 'put'; value: string; tier: Tier; from?: Moment | undefined; until?: Moment | undefined }
  | { do: 'end'; tier: Tier; at?: Moment | undefined }
  | { do: 'undo' };

export type Result = 'opened' | 'confirmed' | 'ended' | 'undone' | 'empty' | 'outranked' | 'nothing';

type Row = { value: string; weight: number };
/** The row that holds at each moment. Two cells with the same object are one row. */
type Cells = (Row | null)[];

const weightOf = (tier: Tier) => TIERS.length - TIERS.indexOf(tier);

/** The facts of one key, as `changes` changes leave them. */
export class KeyModel {
  private cells: Cells;
  private readonly standing: Cells[] = [];
  /** what was believed after each change that was one, by the number of the change */
  readonly beliefs: { change: number; cells: Cells }[] = [];
  /** when each change was recorded, as text; undefined if it changed nothing */
  readonly recorded: (string | undefined)[] = [];
  /** what came of each change */
  readonly results: Result[] = [];

  constructor(changes: number) {
    this.cells = new Array(PAST + changes + FUTURE).fill(null);
  }

  private cellOf({ at, n }: Moment): number {
    if (at === 'past') return n;
    if (at === 'change') return PAST + n;
    return this.cells.length - FUTURE + n;
  }

  /** Returns when a cell is, as text; undefined for the moment of a change that changed nothing. */
  instantOf(cell: number): string | undefined {
    if (cell < PAST) return new Date(PAST_START + cell * DAY_MS).toISOString();
    const future = cell - (this.cells.length - FUTURE);
    if (future >= 0) return new Date(FUTURE_START + future * DAY_MS).toISOString();
    return this.recorded[cell - PAST];
  }

  momentText(moment: Moment): string {
    return this.instantOf(this.cellOf(moment)) as string;
  }

  /** Returns a change without the moments of changes that have not been made. */
  possible(change: Change): Change {
    const known = (moment: Moment | undefined) =>
      moment?.at === 'change' && this.recorded[moment.n] === undefined ? undefined : moment;
    if (change.do === 'put') return { ...change, from: known(change.from), until: known(change.until) };
    return change.do === 'end' ? { ...change, at: known(change.at) } : change;
  }

  get length(): number {
    return this.cells.length;
  }

  /** Makes the next change. Returns what comes of it. */
  apply(change: Change): Result {
    const before = this.cells;
    const number = this.recorded.length;
    const after = [...before];
    const result = this.make(change, after, PAST + number);
    if (change.do === 'undo') {
      if (result === 'undone') this.cells = this.standing.pop() as Cells;
    } else if (result === 'opened' || result === 'ended') {
      this.standing.push(before);
      this.cells = after;
    }
    this.results.push(result);
    return result;
  }

  /** Keeps when the last change was recorded; undefined if it changed nothing. */
  keep(recordedAt: string | undefined): void {
    if (recordedAt !== undefined) this.beliefs.push({ change: this.recorded.length, cells: this.cells });
    this.recorded.push(recordedAt);
  }

  private make(change: Change, cells: Cells, now: number): Result {
    if (change.do === 'undo') return this.standing.length > 0 ? 'undone' : 'nothing';
    const weight = weightOf(change.tier);
    const first = change.do === 'put' ? change.from : change.at;
    const begin = first === undefined ? now : this.cellOf(first);
    const held = cells[begin] ?? null;
    if (change.do === 'end') {
      if (held === null) return 'nothing';
      if (held.weight > weight) return 'outranked';
      cells.forEach((row, i) => {
        if (i >= begin && row === held) cells[i] = null;
      });
      return 'ended';
    }
    return this.put(change, cells, { now, begin, held, weight });
  }

  private put(
    change: Change & { do: 'put' },
    cells: Cells,
    at: { now: number; begin: number; held: Row | null; weight: number },
  ): Result {
    const { now, begin, held, weight } = at;
    const until = change.until === undefined ? null : this.cellOf(change.until);
    if (until !== null && until <= begin) return 'empty';
    const isPeriod = change.from !== undefined && until !== null;
    const heldEnd = held === null ? Number.NaN : endOf(cells, begin);
    const same = held?.value === change.value;
    if (held && same && weight <= held.weight) {
      const inside = isPeriod && until < heldEnd;
      if (until === null || until === heldEnd || inside) return 'confirmed';
    }
    const next = cells.findIndex((row, i) => i > begin && row !== null && row !== held);
    const stop = until ?? Math.min(next < 0 ? cells.length : next, heldEnd <= now ? heldEnd : cells.length);
    if (cells.slice(begin, stop).some((row) => row !== null && row.weight > weight)) return 'outranked';
    const fresh: Row = { value: change.value, weight };
    if (held && same && until === null) {
      // from a weightier tier
      cells.forEach((row, i) => {
        if (row === held) cells[i] = fresh;
      });
      return 'opened';
    }
    const opened = held && same && weight === held.weight ? held : fresh;
    const rest: Row | null = isPeriod && held ? { ...held } : null;
    for (let i = begin; i < cells.length; i++) {
      if (i < stop) cells[i] = opened;
      else if (cells[i] === held) cells[i] = rest;
    }
    return 'opened';
  }
}

function endOf(cells: Cells, begin: number): number {
  const end = cells.findIndex((row, i) => i > begin && row !== cells[begin]);
  return end < 0 ? cells.length : end;
}
