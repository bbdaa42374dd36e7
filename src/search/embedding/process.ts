// Entry point of the embedding process. It loads a model, then works off the jobs that it is sent.
import type { Report, Request } from './embedder.ts';
import { loadModel, type Model } from './model.ts';

type Job = Request & {
  /** places of the texts not embedded yet, the longest first, so that texts of similar length are embedded together */
  left: number[];
  vectors: Float32Array[];
};

const jobs: Record<Request['priority'], Job[]> = { query: [], batch: [] };
let model: Model | undefined;
let working = false;

/** Texts are embedded together if they have at most this many characters in all; a longer text alone. */
const MAX_TOGETHER = 500;

const send = (report: Report) => process.send?.(report);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

process.on('message', (request: Request) => {
  const { texts, priority } = request;
  const left = [...texts.keys()].sort((a, b) => (texts[b]?.length ?? 0) - (texts[a]?.length ?? 0));
  jobs[priority].push({ ...request, left, vectors: [] });
  work();
});
// Only the parent ends this process, by SIGKILL or by ending itself. A Ctrl-C meant for the parent comes here as well.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => {});

try {
  model = await loadModel(JSON.parse(process.argv[2] ?? '{}').modelDir);
  send({ type: 'status', status: { model: model.id, state: 'ready' } });
  work();
} catch (error) {
  send({ type: 'status', status: { model: null, state: 'unavailable', reason: messageOf(error) } });
}

// Embeds one long text or a few short ones per turn, so that a query that arrives meanwhile waits for those only.
async function work() {
  if (!model || working) return;
  working = true;
  for (;;) {
    const queue = jobs.query.length > 0 ? jobs.query : jobs.batch;
    const job = queue[0];
    if (!job) break;
    try {
      const longest = job.texts[job.left[0] ?? 0]?.length ?? 0;
      const fitting = Math.max(1, Math.floor(MAX_TOGETHER / Math.max(1, longest)));
      const places = job.left.splice(0, Math.min(model.together, fitting));
      const made = await model.embed(places.map((place) => job.texts[place] ?? ''));
      places.forEach((place, n) => {
        job.vectors[place] = made[n] as Float32Array;
      });
      if (job.left.length === 0) {
        queue.shift();
        send({ type: 'vectors', id: job.id, vectors: job.vectors });
      }
    } catch (error) {
      queue.shift();
      send({ type: 'failed', id: job.id, reason: messageOf(error) });
    }
    await new Promise(setImmediate);
  }
  working = false;
}
