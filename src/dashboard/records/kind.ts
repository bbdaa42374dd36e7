import type { Table } from '../data/live.ts';
import type { Tone } from '../ui/states.tsx';

// Everything that Lore keeps is shown by two pages, a list (list.tsx) and one record (one.tsx). A kind says how its records
// are read, what is shown of them, and what a person may do with them.

export type Standing = { tone: Tone; word: string; busy?: boolean };

/** A field of a form: a line, several lines, or one of a few. */
type Input = {
  name: string;
  label: string;
  value?: string;
  rows?: number;
  mono?: boolean;
  options?: readonly (readonly [value: string, word: string])[];
};

/** What a person may do with a record: a button, which first asks or shows a form where that is needed. */
export type Action = {
  label: string;
  look?: 'main' | 'bad' | 'link';
  /** of answers, whether it is the one that holds */
  pressed?: boolean;
  /** it stands behind “…” */
  rare?: boolean;
  question?: string;
  fields?: Input[];
  /** what the button behind the question or the form says */
  yes?: string;
  /** does it; may return the address that shows what came of it */
  run(values: Record<string, string>): Promise<unknown>;
};

/** A record, or a part of one, as lists show it. */
export type Row = {
  id: string;
  title: string;
  /** the title is a command, a path or an output */
  code?: boolean;
  /** null: of all projects */
  project?: string | null;
  detail?: (string | false | null | undefined)[];
  /** what is longer, below */
  text?: string | null | undefined;
  /** when it began, or came up last */
  at?: string;
  standing?: Standing;
  /** how much of it is done */
  done?: readonly [done: number, total: number];
  /** how deep it stands below what it depends on */
  indent?: number;
  /** the page that shows it, if it is not that of its kind; null: none does */
  href?: string | null | undefined;
  actions?: Action[];
};

export type Part = { title: string; rows: Row[]; aside?: string | false; empty?: string };

/** A record as its own page shows it. */
export type Shown = {
  title: string;
  text?: string | null;
  standing: Standing;
  project: string | null;
  /** what it waits for */
  notice?: string | false | null;
  done?: readonly [done: number, total: number];
  /** what there is to say in a few words, and where that leads */
  pairs: (readonly [name: string, value: string | null | undefined, href?: string | null])[];
  parts?: Part[];
  actions?: Action[];
};

type Asked = {
  project: string | undefined;
  asOf: string | undefined;
  state: string;
  q: string | undefined;
  limit: number;
};
type Signal = { signal: AbortSignal };

export type RecordKind = {
  many: string;
  one: string;
  about: string;
  /** how the first ones come about */
  first: string;
  /** where its pages are, if not below /records */
  path?: string;
  /** the tables whose changes make its pages stale; those of the others are not sent to the page */
  tables?: Table[];
  /** whether the API tells what there was at an instant */
  asOf?: boolean;
  /** what the field says by which the list can be searched */
  words?: string;
  /** whether the list has a heading for each day */
  byDay?: boolean;
  /** by which the list can be filtered, the usual one first */
  states?: readonly (readonly [value: string, word: string])[];
  /** the most rows that the API gives at once */
  most?: number;
  /** what can be done without a record */
  actions?: Action[];
  list(asked: Asked, signal: Signal): Promise<Row[]>;
  /** absent: it has no page of its own */
  read?(id: string, signal: Signal): Promise<Shown>;
};

/** Returns the pair that leads to a session. */
export const sessionPair = (id: string | null | undefined): Shown['pairs'][number] => [
  'Session',
  id?.slice(0, 8),
  id && `/sessions/${id}`,
];

/** Returns a part whose rows are lines; none if there are none. */
export const linesPart = (title: string, lines: string[], code = false): Part[] =>
  lines.length === 0 ? [] : [{ title, rows: lines.map((line, n) => ({ id: `${n}`, title: line, code })) }];

/** Returns a part that is there if it has rows. */
export const partOf = (title: string, rows: Row[], aside: string | false = false): Part[] =>
  rows.length === 0 ? [] : [{ title, rows, aside }];
