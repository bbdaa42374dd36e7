import type { ModelJudge } from './commands/judge-model.ts';
import type { Check } from './commands/verdict.ts';
import type { VerdictMemory } from './commands/verdict-memory.ts';
import type { Config } from './config.ts';
import type { Claims } from './db/as-user.ts';
import type { Database } from './db/open.ts';
import type { Embedder } from './embedding/embedder.ts';
import type { Journal } from './hooks/journal.ts';
import type { KnownSessions } from './hooks/known-sessions.ts';
import type { Log } from './log.ts';
import type { ApplicabilityJudge } from './search/applicability.ts';

/** What the composition root hands to handlers. */
export type Services = {
  config: Config;
  db: Database;
  log: Log;
  /** events that are answered before they are stored; null where there is no disk for it */
  journal: Journal | null;
  sessions: KnownSessions;
  verdicts: VerdictMemory;
  /** stores a check that no hook asked for, most often behind the answer */
  keepCheck(claims: Claims, check: Check, remember: boolean): Promise<void>;
  embedder: Embedder;
  /** a query's vector, null when the model is not there (yet) or too slow; never rejects */
  embedQuery(text: string): Promise<{ embedding: Float32Array; model: string } | null>;
  /** the model's opinion of a shell command that the rules do not know; null when there is none */
  judgeByModel: ModelJudge;
  /** the model's opinion on which results apply to a query; the results as they are without one */
  judgeApplicability: ApplicabilityJudge;
  wakeEmbedding(): void;
  wakeDistilling(): void;
  /** runs work after the answer; failures are logged; a graceful stop waits for it */
  inBackground(name: string, work: () => Promise<unknown>): void;
};

export type Caller = Claims & { keyId: string; name: string };
