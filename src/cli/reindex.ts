import { setTimeout as sleep } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import type { Output } from './print.ts';

/** Rebuilds the index. With `wait` it shows a progress bar until the index and its vectors are complete. */
export async function reindex(config: Config, output: Output, options: { wait: boolean }): Promise<void> {
  let index = await callServer(config, 'POST /v1/index/rebuild');
  if (options.wait) {
    const bar = new cliProgress.SingleBar(
      { format: 'embedding {bar} {value}/{total}', stream: process.stderr, clearOnComplete: true },
      cliProgress.Presets.shades_classic,
    );
    const shown = process.stderr.isTTY && !output.json;
    // counting costs the database time, so it is asked seldom
    let pause = 200;
    if (shown) bar.start(index.documents, index.embedded);
    while (index.rebuilding || (index.model !== null && index.pending > index.failing)) {
      await sleep(pause);
      const asked = performance.now();
      index = await callServer(config, 'GET /v1/index');
      pause = Math.max(200, 10 * (performance.now() - asked));
      if (shown) {
        bar.setTotal(index.documents);
        bar.update(index.embedded);
      }
    }
    if (shown) bar.stop();
  }
  if (output.json) console.log(JSON.stringify(index, null, 2));
  else
    console.log(
      `${index.sources} records in ${index.documents} rows, ${index.embedded} embedded, ${index.pending} pending.`,
    );
}
