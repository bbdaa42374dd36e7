import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';

/** Has the server try again all work that it gave up. `lore doctor` shows what that is. */
export async function retry(config: Config, io: Io): Promise<void> {
  const { retried } = await callServer(config, 'POST /v1/dead-letters/retry');
  const { role } = await callServer(config, 'GET /v1/me');
  // the journal contains the events of all users, so only the owner may use it
  const journal = role === 'owner' ? await retryJournal(config) : { retried: 0, refused: 0 };
  const done = { retried: retried + journal.retried, refusedAgain: journal.refused };
  if (io.json) return io.print(done);
  io.log(done.retried === 0 ? 'There is nothing to try again.' : `Trying ${done.retried} again.`);
  if (done.refusedAgain > 0) hint(io, `The database refused ${done.refusedAgain} events again: lore doctor`);
}

async function retryJournal(config: Config): Promise<{ retried: number; refused: number }> {
  const before = await callServer(config, 'GET /v1/journal');
  const last = before.refused.at(-1);
  if (!last) return { retried: 0, refused: 0 };
  const after = await callServer(config, 'POST /v1/journal/retry');
  // older ones are lines that cannot be tried again, because they are not events
  return { retried: after.retried, refused: after.refused.filter(({ at }) => at > last.at).length };
}
