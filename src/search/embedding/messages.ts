import type { ModelSource } from './find-model.ts';

// The messages between the server and the embedding process.

/** The state of embedding. `model` names the kind of vectors: vectors of two models must never be compared. */
export type EmbeddingStatus = {
  /** Null until a model is loaded. */
  model: string | null;
  state: 'loading' | 'ready' | 'unavailable';
  source?: ModelSource;
  /** Why embedding is unavailable, or why the model is being loaded a second time. */
  reason?: string;
};

export type Request = { id: number; priority: 'query' | 'batch'; texts: string[] };

export type Report =
  | { type: 'status'; status: EmbeddingStatus }
  | { type: 'event'; message: string }
  | { type: 'vectors'; id: number; vectors: Float32Array[] }
  | { type: 'failed'; id: number; reason: string };
