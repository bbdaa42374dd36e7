import type { ModelJudge } from './commands/judge-model.ts';
import type { Config } from './config.ts';
import type { Claims } from './db/as-user.ts';
import type { Database } from './db/open.ts';
import type { Embedder } from './embedding/embedder.ts';
import type { Log } from './log.ts';

/** What the composition root hands to handlers. */
export type Services = {
  config: Config;
  db: Database;
  log: Log;
  embedder: Embedder;
  /** a query's vector, null when the model is not there (yet) or too slow; never rejects */
  embedQuery(text: string): Promise<{ embedding: Float32Array; model: string } | null>;
  /** the model's opinion of a shell command that the rules do not know; null when there is none */
  judgeByModel: ModelJudge;
  wakeEmbedding(): void;
  wakeDistilling(): void;
  /** runs work after the answer; failures are logged; a graceful stop waits for it */
  inBackground(name: string, work: () => Promise<unknown>): void;
};

export type Caller = Claims & { keyId: string; name: string };
