import type { Config } from '../config.ts';
import { callServer, type Health, type ModelStatus } from './client.ts';
import { ago, type Output, print, table } from './print.ts';

type Session = {
  project: string;
  status: string;
  shortTitle: string | null;
  errorsEncountered: number;
  lastActivity: string;
};
type Project = { name: string; lastActivity: string };

export async function status(config: Config, output: Output): Promise<void> {
  const health = await callServer<Health>(config, 'GET', '/health');
  const [{ projects }, { sessions }, { learnings }, model] = await Promise.all([
    callServer<{ projects: Project[] }>(config, 'GET', '/v1/projects'),
    callServer<{ sessions: Session[] }>(config, 'GET', '/v1/sessions?limit=10'),
    callServer<{ learnings: { status: string }[] }>(config, 'GET', '/v1/learnings?limit=500'),
    callServer<ModelStatus>(config, 'GET', '/v1/model'),
  ]);
  if (output.json) return print({ health, projects, sessions, model });
  const { database, embedding } = health;
  const countOf = (state: string) => learnings.filter((l) => l.status === state).length;
  console.log(`Lore ${health.version} on ${config.url}: ${health.status}
  database   ${database.engine}${database.ok ? '' : ', does not answer'}
  embedding  ${embedding.state}${embedding.model ? ` (${embedding.model})` : ''}${embedding.pending ? ', texts wait for their vector' : ''}${embedding.reason ? `: ${embedding.reason}` : ''}
  model      ${model.model === null ? 'none; rules write the lessons' : `${model.model}: ${model.state}`}
  projects   ${projects.length}
  lessons    ${countOf('active')} active, ${countOf('trial')} on trial, ${countOf('review')} for review`);
  if (sessions.length === 0) return console.log('No session yet. Attach a project with lore init <dir>.');
  console.log(
    table(
      ['session', 'project', 'status', 'errors', 'last activity'],
      sessions.map((s) => [
        s.shortTitle ?? '(no prompt)',
        s.project,
        s.status,
        s.errorsEncountered,
        ago(s.lastActivity),
      ]),
    ),
  );
}
