import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import type { Embedder, EmbeddingStatus } from './embedding/embedder.ts';

// A database has one embedding model, because vectors of two models cannot be compared. A server with another model
// searches by words and writes no vectors (sql/index/embedding_model.sql).

/** The embedder of a server, which is ready only if its model is that of the database. */
export type DatabaseEmbedder = Embedder & {
  /** the same embedder, whatever model the database uses */
  own: Embedder;
  /** the model whose vectors the database uses, as it was last known; null: none yet */
  inUse(): string | null;
  /** takes note of the model, as somebody has just read it */
  note(inUse: string | null): void;
};

/** Returns the embedder of a server on this database. */
export async function embedderOf(db: Database, own: Embedder): Promise<DatabaseEmbedder> {
  let inUse = await readModel(db);
  const status = () => statusWith(inUse, own.status());
  return {
    ...own,
    own,
    ready: own.ready.then(status),
    status,
    async embed(texts, options) {
      const { state, reason } = status();
      // while the model is loading the call waits, as always
      if (state === 'unavailable') throw new Error(`Embedding is unavailable: ${reason}`);
      return own.embed(texts, options);
    },
    inUse: () => inUse,
    note(read) {
      inUse = read;
    },
  };
}

/** Returns the model whose vectors count on a server: that of the database, or the one that it would begin with. */
export const countedModel = (embedder: Pick<DatabaseEmbedder, 'inUse' | 'status'>): string | null =>
  embedder.inUse() ?? embedder.status().model;

async function readModel(db: Database): Promise<string | null> {
  const [row] = await askSystem<{ model: string | null }>(db)`
    select embedding_model as model from lore.instance`;
  return row?.model ?? null;
}

/** Says how a server's embedding does on a database with this model. */
function statusWith(inUse: string | null, own: EmbeddingStatus): EmbeddingStatus {
  if (own.state !== 'ready' || inUse === null || inUse === own.model) return own;
  const reason = `this database has the vectors of ${inUse}, and this server the model ${own.model}. Start it with the database's model (LORE_MODEL_DIR), or run lore reindex --model to change the database to this server's`;
  return { model: null, state: 'unavailable', reason };
}
