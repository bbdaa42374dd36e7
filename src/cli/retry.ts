import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { type Output, print } from './print.ts';

/** A dead letter as `GET /v1/dead-letters` tells it. */
export type DeadLetter = { queue: string; about: string; reason: string; attempts: number };

/** Has the work that Lore gave up on tried again; `lore doctor` shows what that is. */
export async function retry(config: Config, output: Output): Promise<void> {
  const done = await callServer<{ retried: number }>(config, 'POST', '/v1/dead-letters/retry');
  if (output.json) return print(done);
  console.log(done.retried === 0 ? 'There is nothing to try again.' : `Trying ${done.retried} again.`);
}
