import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { ago } from './print.ts';

export async function listAmendments(
  config: Config,
  io: Io,
  options: { project?: string; record?: string; limit: string },
): Promise<void> {
  const { amendments } = await callServer(config, 'GET /v1/amendments', { query: options });
  if (io.json) return io.print(amendments);
  if (amendments.length === 0) return io.log('Nothing amends anything.');
  for (const { id, newer, older, evidence, createdAt, undoneAt } of amendments) {
    const state = undoneAt === null ? '' : ', undone';
    const { words, similarity } = evidence;
    const why = similarity === null ? words : `“${words}”, similarity ${similarity.toFixed(2)}`;
    io.log(`${id.slice(0, 8)}  ${why}, ${ago(createdAt)}${state}`);
    for (const [name, side] of [
      ['newer', newer],
      ['older', older],
    ] as const) {
      io.log(`  ${name} ${side.id.slice(0, 8)}  ${side.content.split('\n')[0]}`);
    }
  }
}

export async function changeAmendment(
  config: Config,
  io: Io,
  id: string,
  change: 'undo' | 'restore',
): Promise<void> {
  const link = await callServer(config, `POST /v1/amendments/{id}/${change}`, { params: { id } });
  if (io.json) return io.print(link);
  io.log({ undo: 'Undone', restore: 'Restored' }[change], id);
}
