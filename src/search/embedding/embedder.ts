import { type ChildProcess, fork } from 'node:child_process';
import { LRUCache } from 'lru-cache';
import { entryFile } from '../../base/files/package-root.ts';
import { type Backoff, backoffMs } from '../../base/timing/backoff.ts';

/** The state of embedding. `model` names the kind of vectors: vectors of two models must never be compared. */
export type EmbeddingStatus = {
  /** null until a model is loaded */
  model: string | null;
  state: 'loading' | 'ready' | 'unavailable';
  /** why embedding is unavailable, or why the model is being loaded a second time */
  reason?: string;
};

/** The messages between the server and the embedding process. */
export type Request = { id: number; priority: 'query' | 'batch'; texts: string[] };
export type Report =
  | { type: 'status'; status: EmbeddingStatus }
  | { type: 'vectors'; id: number; vectors: Float32Array[] }
  | { type: 'failed'; id: number; reason: string };

export type Embedder = {
  status(): EmbeddingStatus;
  /** Resolves when loading has succeeded or failed; never rejects. */
  ready: Promise<EmbeddingStatus>;
  /**
   * Returns one mean-pooled, L2-normalised vector of 384 numbers per text. A text's vector does not depend on the other
   * texts in the call. Only the first 256 word pieces of a text count. Jobs of priority 'query' go before 'batch' jobs
   * (the default) and wait at most for the few texts being embedded. While the model is loading the call waits.
   *
   * @param options.userId the user whose texts they are. Vectors are remembered for each user apart, so that
   *   the time of an answer does not tell what other users have asked
   * @param options.signal once it is aborted, the vectors are not waited for any longer
   *
   * @throws {Error} when embedding is unavailable, the embedding process dies, the embedder is closed, or the signal is
   *   aborted
   */
  embed(
    texts: string[],
    options: { userId: string; priority?: 'query' | 'batch'; signal?: AbortSignal | undefined },
  ): Promise<Float32Array[]>;
  /** Ends the embedding process. Calls that still wait are rejected. */
  close(): Promise<void>;
};

export type EmbedderOptions = {
  /** the data folder: shown in the list of processes, so that people see whose process this is */
  home: string;
  /** folder of the model; undefined: the one that comes with Lore */
  modelDir?: string | undefined;
  /** gets a message for people about each end and start of the process */
  onEvent?: (message: string) => void;
};

/** Lessons are compared with each other again and again, and prompts repeat. 3 MB of vectors save most of that work. */
const MAX_REMEMBERED = 2_000;

const PAUSES: Backoff = { firstMs: 2_000, maxMs: 10 * 60_000 };

type Job = { request: Request; resolve: (vectors: Float32Array[]) => void; reject: (error: Error) => void };

// Longer texts have more than 256 word pieces anyway, unless they consist of blanks or of words of hundreds of letters.
const MAX_CHARACTERS = 8_192;

/**
 * Starts loading the model in a process of its own and returns the embedder at once. It is a process and not a worker
 * thread, because onnxruntime-node 1.14 can be loaded by only one thread in the life of a process. A process that dies,
 * or cannot load a model, is started again after a random pause of up to ten minutes. Embedding is unavailable meanwhile.
 */
export function startEmbedder({ onEvent, ...model }: EmbedderOptions): Embedder {
  const jobs = new Map<number, Job>();
  const remembered = new LRUCache<string, Float32Array>({ max: MAX_REMEMBERED });
  let status: EmbeddingStatus = { model: null, state: 'loading' };
  let child: ChildProcess | undefined;
  let deaths = 0;
  let retry: NodeJS.Timeout | undefined;
  /** why the process under way found no model */
  let unloadable: string | undefined;
  let closed = false;
  let lastId = 0;
  let settle: (status: EmbeddingStatus) => void;
  const ready = new Promise<EmbeddingStatus>((resolve) => {
    settle = resolve;
  });

  function setUnavailable(reason: string) {
    status = { model: null, state: 'unavailable', reason };
    settle(status);
    for (const job of jobs.values()) job.reject(unavailable(reason));
    jobs.clear();
  }

  function receive(report: Report) {
    if (closed) return;
    if (report.type === 'status') {
      if (report.status.state === 'unavailable') {
        unloadable = report.status.reason ?? 'no model could be loaded';
        child?.kill('SIGKILL');
        return;
      }
      deaths = 0;
      status = report.status;
      return settle(status);
    }
    const job = jobs.get(report.id);
    if (!job) return;
    jobs.delete(report.id);
    if (report.type === 'failed') return job.reject(new Error(`Embedding failed: ${report.reason}`));
    job.resolve(report.vectors);
  }

  // Sending to a process that has just died fails. Its jobs are rejected when the end of the process is noticed.
  const send = (request: Request) => child?.send(request, () => {});

  function embedInChild(texts: string[], priority: Request['priority'], signal?: AbortSignal) {
    signal?.throwIfAborted();
    const request = { id: ++lastId, priority, texts };
    return new Promise<Float32Array[]>((resolve, reject) => {
      jobs.set(request.id, { request, resolve, reject });
      const giveUp = () => jobs.delete(request.id) && reject(signal?.reason);
      signal?.addEventListener('abort', giveUp, { once: true });
      send(request);
    });
  }

  function ended(how: string) {
    child = undefined;
    remembered.clear(); // the next process may find another model
    if (closed) return;
    const pause = backoffMs(++deaths, PAUSES);
    const reason = `${unloadable ?? how}; it is started again in ${Math.ceil(pause / 1_000)} s`;
    unloadable = undefined;
    setUnavailable(reason);
    onEvent?.(reason);
    retry = setTimeout(start, pause).unref();
  }

  async function start() {
    try {
      const file = entryFile('search/embedding/process');
      if (closed) return;
      const started = fork(file, [JSON.stringify(model)], {
        execArgv: [],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      child = started;
      let stderr = '';
      started.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr = (stderr + text).slice(-1_000);
      });
      started.on('message', receive);
      started.on('error', (error) => onEvent?.(`The embedding process: ${error.message}`));
      started.on('close', (code, signal) => {
        if (!closed && stderr) onEvent?.(`The embedding process wrote: ${stderr.trim()}`);
        ended(`The embedding process ended (${signal ?? `exit code ${code}`})`);
      });
      for (const job of jobs.values()) send(job.request);
    } catch (error) {
      ended(String(error));
    }
  }

  start();

  return {
    status: () => status,
    ready,
    async embed(texts, { userId, priority = 'batch', signal }) {
      if (status.state === 'unavailable') throw unavailable(status.reason);
      const cut = texts.map((text) => text.slice(0, MAX_CHARACTERS));
      const known = new Map(cut.map((text) => [text, remembered.get(`${userId} ${text}`)]));
      const missing = [...known].flatMap(([text, vector]) => (vector ? [] : [text]));
      const made = missing.length > 0 ? await embedInChild(missing, priority, signal) : [];
      missing.forEach((text, i) => {
        known.set(text, made[i]);
      });
      return cut.map((text) => {
        const vector = known.get(text) as Float32Array;
        remembered.set(`${userId} ${text}`, vector);
        return vector;
      });
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      setUnavailable('the embedder is closed');
      const last = child;
      if (!last) return;
      await new Promise((resolve) => {
        last.once('close', resolve);
        // A kill loses nothing: a model is put in place by one rename.
        last.kill('SIGKILL');
      });
    },
  };
}

function unavailable(reason: string | undefined): Error {
  return new Error(`Embedding is unavailable: ${reason}`);
}
