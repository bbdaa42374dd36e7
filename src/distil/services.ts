import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { AskModel } from '../llm/ask.ts';
import type { Log } from '../log.ts';

/** What distilling needs of the server. */
export type DistilServices = {
  db: Database;
  embedder: Embedder;
  /** null if no model is set up; then only what rules notice is kept */
  ask: AskModel | null;
  log: Log;
  /** the account whose transcripts are on this machine */
  ownerId: string | null;
  wake(worker: 'embed'): void;
};
