import type { CheckServices } from '../commands/check.ts';
import type { Check, CheckedCommand } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import type { Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Log } from '../log.ts';
import type { InBackground } from '../loop.ts';
import type { Offer } from '../offers/frame.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Entry, Journal } from './journal.ts';
import type { KnownSessions } from './known-sessions.ts';

/** What the client reads: an empty object means no opinion. */
export type HookOutput = {
  hookSpecificOutput?: {
    hookEventName: string;
    additionalContext?: string;
    permissionDecision?: 'allow' | 'deny';
    permissionDecisionReason?: string;
  };
};

/** What the hooks need of the server. */
export type HookServices = CheckServices & {
  config: Pick<Config, 'home' | 'failClosed' | 'injectTokens'>;
  db: Database;
  log: Log;
  /** null: there is no disk to keep one on, so everything is stored before it is answered */
  journal: Journal | null;
  sessions: KnownSessions;
  /** a query's vector; null when the model is not there or too slow */
  embedQuery(text: string): Promise<{ embedding: Float32Array; model: string } | null>;
  wake(worker: 'distil'): void;
  inBackground: InBackground;
};

/** A hook event to be answered. */
export type Asked = {
  claims: Claims;
  /** as it came: a redacted command is not the one that would run */
  raw: HookEvent;
  /** redacted, as it is stored */
  event: HookEvent;
  at: Date;
};

/** An event that is being stored for the first time. */
export type Stored = {
  session: Session;
  event: HookEvent;
  at: Date;
  /** what the tool worked on, comparable between calls */
  target: string | null;
  check?: Check | undefined;
  /** sessions that have incidents which this event may answer; an incident that is opened is added */
  withOpenErrors: Set<string>;
};

export type Answer = { checked: CheckedCommand; kept: Pick<Entry, 'check' | 'remember'> };

/** What a hook event means to Lore. */
export type Moment = {
  /** Whether the event is stored before it is answered, or behind the answer. */
  stored: 'before' | 'behind';
  /** Whether events that the server missed are looked for in the transcripts. */
  recovers?: boolean;
  /** What is recorded beside the event itself. */
  record?: (tx: Tx, stored: Stored) => Promise<void>;
  /** What is settled by it. Returns how many candidate lessons it queued. */
  settle?: (tx: Tx, session: Session, event: HookEvent) => Promise<number>;
  /** What is put before the agent. */
  offer?: (services: HookServices, asked: Asked) => Promise<Offer[]>;
  /** A verdict that is answered, and what of it is kept. */
  answer?: (services: HookServices, asked: Asked) => Promise<Answer | null>;
};
