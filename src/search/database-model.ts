import { sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { EmbeddingStatus } from '../embedding/messages.ts';

// A database has one embedding model, because vectors of two models cannot be compared. A server with another model
// searches by words and writes no vectors (sql/index/embedding_model.sql).

/** The model whose vectors a database uses, and the one that it is being changed to; null: none. */
export type Models = { inUse: string | null; next: string | null };

/** The embedder of a server, which is ready only if its model is that of the database. */
export type DatabaseEmbedder = Embedder & {
  /** the same embedder, whatever model the database uses: for the vectors of the next model */
  own: Embedder;
  /** what the database was last known to use */
  models(): Models;
  /** takes note of what the database uses, as somebody has just read it */
  note(models: Models): void;
};

/** Returns the embedder of a server on this database. */
export async function embedderOf(db: Database, own: Embedder): Promise<DatabaseEmbedder> {
  let models = await readModels(db);
  const status = () => statusWith(models, own.status());
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
    models: () => models,
    note(read) {
      models = read;
    },
  };
}

/** Returns the model whose vectors count on a server: that of the database, or the one that it would begin with. */
export const countedModel = (embedder: Pick<DatabaseEmbedder, 'models' | 'status'>): string | null =>
  embedder.models().inUse ?? embedder.status().model;

/** Returns the models of a database. */
export async function readModels(db: Database): Promise<Models> {
  const [row] = await askSystem<Models>(
    db,
    sql`select embedding_model as "inUse", next_model as next from lore.instance`,
  );
  return row ?? { inUse: null, next: null };
}

/** Says how a server's embedding does on a database with these models. */
function statusWith({ inUse, next }: Models, own: EmbeddingStatus): EmbeddingStatus {
  if (own.state !== 'ready' || inUse === null) return own;
  if (inUse === own.model) {
    if (next === null) return own;
    const reason = `this database is being changed to the vectors of ${next}. After that this server searches by words, unless it is started with that model`;
    return { ...own, reason };
  }
  const reason =
    next === own.model
      ? `this database is being changed from the vectors of ${inUse} to those of this server's model, ${own.model}, which is used once all are made (lore reindex --model shows how far that is)`
      : `this database has the vectors of ${inUse}, and this server the model ${own.model}. Start it with the database's model (LORE_EMBEDDING_MODEL, LORE_MODEL_DIR), or run lore reindex --model to change the database to this server's`;
  return { model: null, state: 'unavailable', reason };
}
