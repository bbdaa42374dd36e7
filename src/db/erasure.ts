import type { Tx } from './open.ts';

/** What a person wants erased. Each room erases its own part of it. All ids are of the caller's own rows. */
export type Erasure = {
  /** Lore's ids of the sessions that are erased whole, and the ids by which the client knows them */
  sessions: string[];
  clientSessions: string[];
  /** the project that is erased whole; null: none */
  projectId: string | null;
  /** the projects that have a live key: they stay, without records, because their hooks go on */
  attached: string[];
  /** the folders of that project, and those of other projects inside them */
  folders: { own: string[]; except: string[] };
  /** everything from before this instant (ISO 8601, or `infinity`); null: no matter when */
  before: string | null;
  /** errors that are erased, of the sessions above or from before the instant */
  incidents: string[];
  /** whether lessons and notes stay; they only lose what leads to the erased sessions */
  keepLearned: boolean;
};

/** Numbers of erased rows, by kind of record. */
export type Erased = Record<string, number>;

/** Erases a room's own rows as the caller, in a transaction of the caller. Returns their numbers. */
export type EraseRoom = (tx: Tx, erasure: Erasure) => Promise<Erased>;
