import type { Config } from '../config.ts';
import type { Episode, EpisodeChange } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import { projectHere } from './here.ts';
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
  show(io, await callServer(config, 'GET /v1/episodes/{id}', { params: { id } }));
}

function show(io: Io, episode: Episode): void {
  if (io.json) {
    io.print(episode);
    return;
  }
  const line = (name: string, value: string | number | null) =>
    value === null || value === '' ? undefined : io.log(`  ${name.padEnd(11)}${plain(String(value))}`);
  const passed = (value: boolean | null) => (value === null ? null : value ? 'passed' : 'failed');
  const ids = (list: string[]) => list.map((id) => id.slice(0, 8)).join(', ');
  const { steps, toolsUsed } = episode;
  io.log(plain(episode.description));
  line('id', episode.id);
  line('project', episode.private ? `${episode.project} (private to it)` : episode.project);
  line('session', episode.session);
  line('type', `${episode.type}, ${episode.complexity} complexity`);
  line('outcome', OUTCOMES[episode.outcome]);
  line('error', episode.error);
  line('tests', passed(episode.testsPassed));
  line('build', passed(episode.buildPassed));
  line('branch', episode.branch);
  line('work items', episode.workItems.join(', '));
  line('began', episode.startedAt);
  line('ended', episode.endedAt);
  line('calls took', episode.durationMs === null ? null : `${(episode.durationMs / 1000).toFixed(1)} s`);
  line('tokens', episode.tokens);
  line('files', episode.filesModified.join(', '));
  line(
    'tools',
    Object.entries(toolsUsed)
      .map(([tool, n]) => `${tool} ${n}`)
      .join(', '),
  );
  line('findings', ids(episode.findings));
  line('lessons', ids(episode.learnings));
  line('said last', episode.lastMessage);
  const marks = { true: '+', false: 'x', null: '?' };
  for (const { thought, action, tool, targetKind, ok, stopped } of steps) {
    if (thought !== null) io.log(`    “${plain(thought)}”`);
    io.log(
      `  ${stopped ? '-' : marks[String(ok) as keyof typeof marks]} ${tool}${targetKind === null ? '' : ` (${targetKind})`} ${plain(action)}`,
    );
  }
}

/** Corrects an episode, or keeps it in its project. */
export async function changeEpisode(
  config: Config,
  io: Io,
  id: string,
  change: EpisodeChange,
): Promise<void> {
  show(io, await callServer(config, 'PATCH /v1/episodes/{id}', { params: { id }, body: change }));
}

/** Says whether the episodes of a project stay in it. */
export async function keepPrivate(
  config: Config,
  io: Io,
  options: { project?: string; off?: boolean },
): Promise<void> {
  const project = options.project ?? (await projectHere(config, io, { make: true }));
  const body = { project, private: options.off !== true };
  const answer = await callServer(config, 'PUT /v1/projects/private-episodes', { body });
  if (io.json) return io.print(answer);
  const how = body.private ? 'stay in it' : 'are found from everywhere';
  io.log(`Episodes of ${plain(project)} ${how} (${answer.changed} changed)`);
}
