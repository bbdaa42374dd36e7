import type { Config } from '../config.ts';
import { attachmentsIn } from '../files/attachments.ts';
import { callServer } from './client.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';
import { ago, counted, uncheckedLine } from './print.ts';
import { table } from './table.ts';

export async function status(config: Config, io: Io): Promise<void> {
  const health = await callServer(config, 'GET /health');
  const [{ projects }, { sessions }, { learnings }, model, { unchecked }] = await Promise.all([
    callServer(config, 'GET /v1/projects'),
    callServer(config, 'GET /v1/sessions', { query: { limit: '10' } }),
    callServer(config, 'GET /v1/learnings', { query: { limit: '500' } }),
    callServer(config, 'GET /v1/model'),
    callServer(config, 'GET /v1/hooks/unchecked'),
  ]);
  if (io.json) return io.print({ health, projects, sessions, model, unchecked });
  const { database, embedding } = health;
  const attached = attachmentsIn(config.home).length;
  const countOf = (state: string) => learnings.filter((l) => l.status === state).length;
  io.log(`Lore ${health.version} on ${config.url}: ${health.status}
  database   ${database.engine}${database.ok ? '' : ', does not answer'}
  embedding  ${embedding.state}${embedding.model ? ` (${embedding.model})` : ''}${embedding.pending ? ', texts wait for their vector' : ''}${embedding.reason ? `: ${embedding.reason}` : ''}
  model      ${model.model === null ? 'none; rules write the lessons' : `${model.model}: ${model.state}`}
  projects   ${projects.length}${attached > 0 ? `; hooks are in ${counted(attached, 'settings file')}` : ''}
  lessons    ${countOf('active')} active, ${countOf('proposed')} proposed`);
  for (const one of unchecked) hint(io, `  unchecked  ${uncheckedLine(one)}`, ' '.repeat(13));
  const begin =
    attached > 0 ? 'Start your client in an attached project.' : 'Attach a project with lore init <dir>.';
  if (sessions.length === 0) return hint(io, `No session yet. ${begin}`);
  io.log(
    table(
      io,
      ['session', 'project', 'status', 'errors', 'last activity'],
      sessions.map((s) => [
        s.shortTitle ?? '(no prompt)',
        s.project,
        s.status,
        s.errorsEncountered,
        ago(s.lastActivity),
      ]),
      { drop: ['errors', 'project'] },
    ),
  );
}
