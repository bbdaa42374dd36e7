import type { Config } from '../config.ts';
import type { Query } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import type { Io } from './io.ts';
import { ago, plain } from './print.ts';
import { table } from './table.ts';

const OUTCOMES = { success: 'worked', error: 'failed', stopped: 'stopped', unknown: 'not verified' };
const NAMES = Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[];

/** Lists episodes, the newest first. */
export async function listEpisodes(
  config: Config,
  io: Io,
  options: Omit<Query<'GET /v1/episodes'>, 'outcome'> & { outcome?: string },
): Promise<void> {
  const before = await wholeId(config, 'GET /v1/episodes/{id}', options.before);
  const outcome = NAMES.find((name) => [name, OUTCOMES[name]].includes(options.outcome ?? ''));
  const { episodes } = await callServer(config, 'GET /v1/episodes', {
    query: { ...options, before, outcome },
  });
  if (io.json) return io.print(episodes);
  if (episodes.length === 0) return io.log('No episodes.');
  io.log(
    table(
      io,
      ['id', 'type', 'outcome', 'project', 'task', 'files', 'when'],
      episodes.map((e) => [
        e.id.slice(0, 8),
        e.type,
        e.endedAt === null ? 'goes on' : OUTCOMES[e.outcome],
        e.project,
        e.description,
        e.filesModified.length,
        ago(e.startedAt),
      ]),
      { drop: ['files', 'type', 'project'] },
    ),
  );
}

/** Shows an episode with its steps. */
export async function showEpisode(config: Config, io: Io, id: string): Promise<void> {
  const episode = await callServer(config, 'GET /v1/episodes/{id}', { params: { id } });
  if (io.json) return io.print(episode);
  const line = (name: string, value: string | null) =>
    value === null || value === '' ? undefined : io.log(`  ${name.padEnd(11)}${plain(value)}`);
  io.log(plain(episode.description));
  line('id', episode.id);
  line('project', episode.project);
  line('session', episode.session);
  line('type', episode.type);
  line('outcome', OUTCOMES[episode.outcome]);
  line('error', episode.error);
  line('began', episode.startedAt);
  line('ended', episode.endedAt);
  line('files', episode.filesModified.join(', '));
  line('said last', episode.lastMessage);
  const marks = { true: '+', false: 'x', null: '?' };
  for (const { action, tool, targetKind, ok, stopped } of episode.steps) {
    const mark = stopped ? '-' : marks[String(ok) as keyof typeof marks];
    io.log(`  ${mark} ${tool}${targetKind === null ? '' : ` (${targetKind})`} ${plain(action)}`);
  }
}
