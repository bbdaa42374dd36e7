import type { Config } from '../config.ts';
import { callServer, type Health } from './client.ts';
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
  const [{ projects }, { sessions }, { learnings }] = await Promise.all([
    callServer<{ projects: Project[] }>(config, 'GET', '/v1/projects'),
    callServer<{ sessions: Session[] }>(config, 'GET', '/v1/sessions?limit=10'),
    callServer<{ learnings: { status: string }[] }>(config, 'GET', '/v1/learnings?limit=500'),
  ]);
  if (output.json) return print({ health, projects, sessions });
  const { database, embedding } = health;
  console.log(`Lore ${health.version} on ${config.url}: ${health.status}
  database   ${database.engine}${database.ok ? '' : ', does not answer'}
  embedding  ${embedding.state}${embedding.model ? ` (${embedding.model})` : ''}${embedding.pending ? ', texts wait for their vector' : ''}${embedding.reason ? `: ${embedding.reason}` : ''}
  projects   ${projects.length}
  lessons    ${learnings.filter((l) => l.status === 'active').length} active, ${learnings.filter((l) => l.status === 'review').length} for review`);
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
