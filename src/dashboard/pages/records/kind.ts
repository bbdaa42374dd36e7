import type { Decision, Fact, Finding, Pattern, Relation } from '../../../wire/routes.ts';
import type { Tone } from '../../ui/status-dot.tsx';
import { clock } from '../../ui/time.tsx';

// What the pages of records show of each kind. The pages themselves (../records.tsx, ../record.tsx) are the same for all.

export type Standing = { tone: Tone; word: string };

/** A record as lists show it. */
export type Row = {
  id: string;
  title: string;
  project: string | null;
  detail: (string | false | null)[];
  /** when it began, or came up last */
  at: string;
  standing: Standing;
  /** the page that shows it, if it is not that of a record */
  href?: string;
};

/** A record that a person may do something about. */
export type Acted =
  | { kind: 'fact'; is: Fact }
  | { kind: 'relation'; is: Relation }
  | { kind: 'decision'; is: Decision }
  | { kind: 'finding'; is: Finding }
  | { kind: 'pattern'; is: Pattern };

/** A record as its own page shows it. */
export type Shown = {
  title: string;
  text?: string | null;
  standing: Standing;
  project: string | null;
  validFrom: string;
  validUntil: string | null;
  /** what the two times are called, and what is said while there is no second one */
  times?: readonly [from: string, until: string, still: string];
  /** what else there is to say in a few words */
  pairs: [name: string, value: string | null][];
  origin: { session?: string | null; agent?: string | null; by: string; evidence?: string | null };
  /** what is longer: steps, files, texts */
  parts?: { title: string; lines: string[]; code?: boolean; links?: string[] }[];
  history?: { at: string; title: string; detail: string }[];
  /** the record as the API tells it, for what can be done about it */
  of?: Acted;
};

type Asked = {
  project: string | undefined;
  asOf: string | undefined;
  state: string;
  before: string | undefined;
};
type Signal = { signal: AbortSignal };

export type RecordKind = {
  many: string;
  one: string;
  about: string;
  /** how the first ones come about */
  first: string;
  /** whether the API tells what there was at an instant */
  asOf?: boolean;
  /** by which the list can be filtered, the usual one first */
  states?: readonly (readonly [value: string, word: string])[];
  list(asked: Asked, signal: Signal): Promise<Row[]>;
  /** absent: it has no page of its own */
  read?(id: string, signal: Signal): Promise<Shown>;
};

/** Rows of a page of a list. */
export const PAGE = 50;
/** Rows of a list that does not come in pages. */
export const ALL = 500;

export const writer = (by: 'person' | 'agent' | null): string =>
  by === null ? 'not known' : by === 'person' ? 'you' : 'an agent';
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** “from 3 Nov 2026, 12:00 until 14:02” */
export const periodOf = ({ validFrom, validUntil }: { validFrom: string; validUntil: string | null }) =>
  `from ${clock(validFrom)}${validUntil === null ? ' on' : ` until ${clock(validUntil)}`}`;
