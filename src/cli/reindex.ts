import { setTimeout as sleep } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import type { Config } from '../config.ts';
import type { EmbeddingModel, IndexHealth } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';

/**
 * Rebuilds the index, or with `model` changes the embedding model of the database to the server's. With `wait` it shows a
 * progress bar until the vectors are complete.
 */
export async function reindex(
  config: Config,
  io: Io,
  { model, wait }: { model?: boolean; wait: boolean },
): Promise<void> {
  if (model) return changeModel(config, io, wait);
  let index = await callServer(config, 'POST /v1/index/rebuild');
  if (wait)
    index = await follow(io, index, {
      ask: () => callServer(config, 'GET /v1/index'),
      left: ({ rebuilding, model, pending, failing }: IndexHealth) =>
        rebuilding || (model !== null && pending > failing),
      done: ({ embedded }) => embedded,
    });
  if (io.json) io.log(JSON.stringify(index, null, 2));
  else
    io.log(
      `${index.sources} records in ${index.documents} rows, ${index.embedded} embedded, ${index.pending} pending.`,
    );
}

async function changeModel(config: Config, io: Io, wait: boolean): Promise<void> {
  let change = await callServer(config, 'POST /v1/index/model');
  if (wait)
    change = await follow(io, change, {
      ask: () => callServer(config, 'GET /v1/index/model'),
      left: ({ next }: EmbeddingModel) => next !== null,
      done: ({ prepared }) => prepared,
    });
  const { inUse, next, prepared, documents } = change;
  if (io.json) io.log(JSON.stringify(change, null, 2));
  else if (next === null) io.log(`The embedding model of the database is ${inUse}.`);
  else
    io.log(
      `The database is being changed from ${inUse} to ${next}: ${prepared} of ${documents} vectors are made.`,
    );
}

/** Asks again and again until nothing is left, and shows how much is done. Returns the last answer. */
async function follow<T extends { documents: number }>(
  io: Io,
  first: T,
  { ask, left, done }: { ask: () => Promise<T>; left: (answer: T) => boolean; done: (answer: T) => number },
): Promise<T> {
  const bar = new cliProgress.SingleBar(
    { format: 'embedding {bar} {value}/{total}', stream: io.stderr, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  const shown = io.stderr.isTTY && !io.json;
  // counting costs the database time, so it is asked seldom
  let pause = 200;
  let answer = first;
  if (shown) bar.start(answer.documents, done(answer));
  while (left(answer)) {
    await sleep(pause);
    const asked = performance.now();
    answer = await ask();
    pause = Math.max(200, 10 * (performance.now() - asked));
    if (shown) {
      bar.setTotal(answer.documents);
      bar.update(done(answer));
    }
  }
  if (shown) bar.stop();
  return answer;
}
