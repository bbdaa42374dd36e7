import type { Config } from '../config.ts';
import { headOf, look } from '../freshness/look.ts';
import { callServer } from './client.ts';
import { projectHere, rootHere } from './here.ts';
import type { Io } from './io.ts';
import { called, plain } from './print.ts';

/** Most citations that are looked at: as many as one report may contain. */
const MAX_LOOKS = 500;

/** Looks at what the notes and lessons of the project here cite, reports what is seen, and says what is stale. */
export async function freshness(config: Config, io: Io, options: { project?: string }): Promise<void> {
  const project = options.project ?? (await projectHere(config, io));
  const { citations } = await callServer(config, 'GET /v1/freshness', {
    query: { project, limit: MAX_LOOKS },
  });
  if (citations.length === 0) {
    if (io.json) return io.print({ looked: 0, stale: 0, citations: [] });
    return io.log('Nothing here is cited by a note or a lesson.');
  }
  const root = rootHere(io);
  const looked = citations.map(({ kind, id, ref }) => ({ kind, id, ref, ...look(root, ref) }));
  const body = { head: headOf(root), looked };
  const report = await callServer(config, 'POST /v1/freshness', { body });
  const now = await callServer(config, 'GET /v1/freshness', { query: { project, limit: MAX_LOOKS } });
  const stale = now.citations.filter(({ state }) => state === 'changed' || state === 'gone');
  if (io.json) return io.print({ ...report, citations: now.citations });
  for (const { kind, id, ref, state } of stale) {
    io.log(
      `${state === 'gone' ? 'gone   ' : 'changed'}  ${plain(ref.replace(/^(file|symbol):/, ''))}  (${called(kind)} ${id.slice(0, 8)})`,
    );
  }
  io.log(`${report.looked} looked at, ${report.stale} of them stale`);
}
