import type { DownloadProgress, ModelSource } from './find-model.ts';

// What the server and the process that embeds say to each other.

/** Where embedding stands. `model` names the kind of vectors: those of two models must never be compared. */
export type EmbeddingStatus = {
  /** Null until a model is loaded. */
  model: string | null;
  state: 'loading' | 'ready' | 'unavailable';
  source?: ModelSource;
  /** Why it is unavailable, or is being loaded a second time. */
  reason?: string;
};

export type Request = { id: number; priority: 'query' | 'batch'; texts: string[] };

export type Report =
  | { type: 'status'; status: EmbeddingStatus }
  | { type: 'progress'; progress: DownloadProgress }
  | { type: 'event'; message: string }
  /** The vectors of a job one after another. */
  | { type: 'vectors'; id: number; vectors: Float32Array }
  | { type: 'failed'; id: number; reason: string };
