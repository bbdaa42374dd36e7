import type { LRUCache } from 'lru-cache';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { InBackground } from '../base/timing/loop.ts';
import type { CheckServices } from '../commands/check.ts';
import type { Permissions } from '../commands/permissions.ts';
import type { Check, CheckedCommand } from '../commands/verdict.ts';
import type { Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Servers } from '../db/servers.ts';
import type { Kept, Redacted } from '../kinds/outputs.ts';
import type { GuardInForce, GuardMemory } from '../learnings/guards/guards.ts';
import type { ModelFor } from '../llm/choose.ts';
import type { Offer, ShownOffer } from '../offers/frame.ts';
import type { CallMemory } from '../offers/recall/call-lessons.ts';
import type { Voice } from '../offers/voice.ts';
import type { PlanMemory } from '../plans/read-plans.ts';
import type { Push } from '../realtime/push/push.ts';
import type { Dashboard } from '../sessions/dashboard.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Journal } from './journal.ts';
import type { Entry } from './journal-file.ts';
import type { KnownSession, KnownSessions } from './known-sessions.ts';
import type { Ends } from './peer.ts';

/**
 * What a person has set: how much their agents are told, and what answers to calls may say to the client, for all
 * projects and for those with a setting of their own.
 */
export type PersonSettings = {
  voice: Voice;
  permissions: Permissions;
  own: ReadonlyMap<string, Permissions>;
};

/** The answer that the client reads. An empty object means no opinion. */
export type HookOutput = {
  hookSpecificOutput?: {
    hookEventName: string;
    additionalContext?: string;
    /** what the model reads in place of the tool's output, in the tool's own shape */
    updatedToolOutput?: Record<string, unknown>;
    permissionDecision?: 'allow' | 'deny' | 'ask';
    permissionDecisionReason?: string;
  };
  /** what the client shows to the person, and not to the agent */
  systemMessage?: string;
  /** what Lore's own hook should look at on its machine and report; it does not hand this on to the client */
  lore?: {
    look?: { kind: string; id: string; ref: string }[];
    project?: string;
    /** whether it should send the transcripts of the project, which the server cannot read itself */
    transcripts?: boolean;
  };
};

/** What a server remembers of deliveries. */
export type Deliveries = {
  answers: LRUCache<string, { sender: string; at: number; key: string; answer: Promise<HookOutput> }>;
  /** the last event of each session */
  last: LRUCache<string, string>;
  /** ids for the calls of a client that gives none */
  calls: LRUCache<string, string>;
};

/** What the hooks need of the server. */
export type HookServices = CheckServices & {
  config: Config;
  db: Database;
  log: Log;
  servers: Servers;
  /** null if there is no disk for a journal; then every event is stored before it is answered */
  journal: Journal | null;
  sessions: KnownSessions;
  /** what people have set */
  settings: {
    /** waits for the database only if they were never read */
    of(claims: Claims): Promise<PersonSettings>;
    /** as far as they are in memory, else what is usual */
    known(claims: Claims): PersonSettings;
    /** reads them anew when they are needed next */
    forget(userId: string): void;
  };
  deliveries: Deliveries;
  callLessons: CallMemory;
  guards: GuardMemory;
  plans: PlanMemory;
  /** the model for work behind the answers */
  modelFor: ModelFor;
  dashboard: Dashboard;
  push: Pick<Push, 'look'>;
  /** returns a query's vector; null if the model is missing or too slow */
  embedQuery(claims: Claims, text: string): Promise<{ embedding: Float32Array; model: string } | null>;
  wake(worker: 'distil' | 'cut'): void;
  inBackground: InBackground;
  /** for a server that hears no changes: reads again what the answer takes from memory */
  readAhead?(asked: Pick<Asked, 'claims' | 'event' | 'at'>): Promise<void>;
};

/** A hook event that waits for its answer. */
export type Asked = {
  claims: Claims;
  /** the event as the client sent it; a redacted command would not be the one that runs */
  raw: HookEvent;
  /** the redacted event, as it is stored */
  event: HookEvent;
  /** the whole output of the tool, if it is cut in the event */
  output: Redacted | null;
  at: Date;
  /** null: it is not in memory, and the database does not tell it in time */
  session: KnownSession | null;
  /** what the answer to a call may say */
  permissions: Permissions;
  /** the rules of persons that the call would break, looked for once: the answer and the offers need them */
  broken?: Promise<GuardInForce[]>;
  /** the same for a repeated delivery, see `answerOnce` */
  key: string;
  /** the connection that it came by; null if it is not known */
  connection: Ends | null;
  /** whether the plugin's hook sent it, so that its agents and skills are there */
  plugin: boolean;
};

/** An event that is being stored for the first time. */
export type Stored = {
  claims: Claims;
  session: Session;
  event: HookEvent;
  at: Date;
  /** what the tool works on, comparable between calls */
  target: string | null;
  check?: Check | undefined;
  /** what the answer to the event showed the agent */
  offers?: ShownOffer[] | undefined;
  /** how long an agent holds a step of a plan from its last call on; undefined: it was read from a transcript */
  leaseSeconds?: number | undefined;
};

/** What is decided on a call: by the verdict on its command, or by a person's rule for the project. */
export type Answer = {
  checked: Pick<CheckedCommand, 'decision' | 'reason' | 'outward'> & {
    source: CheckedCommand['source'] | 'guard' | 'lesson';
  };
  kept: Pick<Entry, 'check' | 'remember'>;
};

/** An output that is kept, and what the client hands to the model in its place. */
export type Masked = { kept: Kept; updatedToolOutput: Record<string, unknown> };

/** What a hook event means to Lore. */
export type EventHandler = {
  /**
   * Records more than the event itself, and settles what ends with it, such as a turn or a session. A number that it returns
   * is that of the candidate lessons that it queued.
   */
  record?: (tx: Tx, stored: Stored) => Promise<number> | Promise<void>;
  /** Returns what is put before the agent. */
  offer?: (services: HookServices, asked: Asked) => Promise<Offer[]>;
  /** most tokens of what is offered, if that is less than for other events */
  mostTokens?: number;
  /** most tokens of a working state, in addition to `mostTokens` */
  stateTokens?: number;
  /** Returns what is answered beside what the agent is told. */
  beside?: (services: HookServices, asked: Asked) => Promise<Pick<HookOutput, 'lore' | 'systemMessage'>>;
  /** Runs behind the answer. */
  behind?: (services: HookServices, asked: Asked) => Promise<void>;
  /** Returns an extract to answer with in place of the tool's output. */
  mask?: (services: HookServices, asked: Asked) => Promise<Masked | null>;
  /** Returns a verdict to answer with, and what of it is stored. */
  answer?: (services: HookServices, asked: Asked) => Promise<Answer | null>;
};
