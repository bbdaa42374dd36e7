import type { Config } from '../config.ts';
import type { Pattern, PatternChange } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import type { Io } from './io.ts';
import { ago, percent, plain } from './print.ts';
import { table } from './table.ts';

/** Lists patterns, the pinned and the most frequent first. */
export async function listPatterns(
  config: Config,
  io: Io,
  options: Query<'GET /v1/patterns'>,
): Promise<void> {
  const before = await wholeId(config, 'GET /v1/patterns/{id}', options.before);
  const { patterns } = await callServer(config, 'GET /v1/patterns', { query: { ...options, before } });
  patterns.sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.usageCount - a.usageCount);
  if (io.json) return io.print(patterns);
  if (patterns.length === 0) return io.log('No patterns.');
  io.log(
    table(
      io,
      ['id', 'type', 'project', 'pattern', 'seen', 'worked', 'last'],
      patterns.map((p) => [
        p.id.slice(0, 8),
        p.type.replace('_', ' '),
        p.project ?? 'all',
        `${p.pinned ? '* ' : ''}${p.name}`,
        p.usageCount,
        p.successRate === null ? '' : percent(p.successRate),
        ago(p.lastUsed),
      ]),
      { drop: ['last', 'type', 'project'] },
    ),
  );
}

export async function showPattern(config: Config, io: Io, id: string): Promise<void> {
  show(io, await callServer(config, 'GET /v1/patterns/{id}', { params: { id } }));
}

function show(io: Io, p: Pattern): void {
  if (io.json) {
    io.print(p);
    return;
  }
  const line = (name: string, value: string | null) =>
    value ? io.log(`  ${name.padEnd(11)}${plain(value)}`) : undefined;
  io.log(plain(p.name));
  line('id', p.id);
  line('type', p.type.replace('_', ' '));
  line('project', p.project ?? 'several');
  line('when', p.triggers.join(', '));
  for (const step of p.template.steps) line('step', step.replace(':', ' '));
  line('files', p.template.commonFiles.join(', '));
  line('tools', p.template.typicalTools.join(', '));
  line('seen', `${p.usageCount} times in ${p.sessions} sessions`);
  if (p.successRate !== null)
    line('worked', `${p.successes} of ${p.successes + p.failures} times: ${percent(p.successRate)}`);
  const state = [p.pinned && 'pinned', p.private && 'private', p.status === 'rejected' && 'rejected'];
  line(
    'state',
    [...state.filter(Boolean), p.validUntil && p.status !== 'rejected' && 'closed']
      .filter(Boolean)
      .join(', '),
  );
  line('last seen', p.lastUsed);
}

/** Changes a pattern; `done` says in a word or two what was done. */
export async function changePattern(
  config: Config,
  io: Io,
  id: string,
  change: PatternChange,
  done: string,
): Promise<void> {
  const pattern = await callServer(config, 'PATCH /v1/patterns/{id}', { params: { id }, body: change });
  if (io.json) return io.print(pattern);
  io.log(`${pattern.id.slice(0, 8)} ${done}: ${plain(pattern.name)}`);
}
