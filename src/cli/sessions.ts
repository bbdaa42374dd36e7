import type { Config } from '../config.ts';
import type { Incident, Session } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { ago, clock, counted, plain } from './print.ts';
import { table } from './table.ts';

/** Returns how a session stands, and how it ended if the client said more than that it did. */
const stateOf = ({ status, outcome }: Session) =>
  outcome === null || outcome === 'other' ? status : `${status} (${outcome.replaceAll('_', ' ')})`;

const calls = (n: number) => `${n} ${n === 1 ? 'call' : 'calls'}, which never ran`;

/** Lists sessions, the last active first. */
export async function listSessions(
  config: Config,
  io: Io,
  options: Query<'GET /v1/sessions'>,
): Promise<void> {
  const { sessions } = await callServer(config, 'GET /v1/sessions', { query: options });
  if (io.json) return io.print(sessions);
  if (sessions.length === 0) return io.log('No session yet.');
  io.log(
    table(
      io,
      ['id', 'session', 'project', 'branch', 'state', 'errors', 'stopped', 'files', 'when'],
      sessions.map((s) => [
        s.id.slice(0, 8),
        s.shortTitle ?? '(no prompt)',
        s.project,
        s.branch,
        stateOf(s),
        s.errorsEncountered,
        s.callsStopped,
        s.filesModified.length,
        ago(s.lastActivity),
      ]),
      { drop: ['files', 'branch', 'errors', 'project', 'stopped'] },
    ),
  );
}

/** Most errors of a session that are shown. */
const MAX_ERRORS = 20;

/** Shows a session: what it was about, what it changed, its errors, what it was told, and its turns. */
export async function showSession(config: Config, io: Io, id: string): Promise<void> {
  const session = await callServer(config, 'GET /v1/sessions/{id}', { params: { id } });
  if (io.json) return io.print(session);
  const line = (name: string, value: string | null) =>
    value ? io.log(`  ${name.padEnd(9)}${plain(value)}`) : undefined;
  io.log(plain(session.shortTitle ?? '(no prompt)'));
  line('id', session.id);
  line('client', session.clientSessionId);
  line('project', session.project);
  line('branch', session.branch);
  line('state', stateOf(session));
  line('when', `${clock(session.startedAt)} until ${clock(session.lastActivity)}`);
  line(
    'tools',
    Object.entries(session.toolsUsed)
      .map(([name, calls]) => `${name} ${calls}`)
      .join(', '),
  );
  line('files', session.filesModified.join(', '));
  line('errors', session.errorsEncountered === 0 ? null : String(session.errorsEncountered));
  const { incidents } = await callServer(config, 'GET /v1/incidents', {
    query: { session: session.id, limit: MAX_ERRORS },
  });
  for (const one of incidents.reverse())
    io.log(plain(`    ${one.id.slice(0, 8)} ${firstLine(one.error)} (${SOLVED[one.status] ?? one.status})`));
  line('told', toldOf(session.lessonsTold));
  line('stopped', session.callsStopped === 0 ? null : calls(session.callsStopped));
  for (const { command, tool, reason } of session.stopped) {
    io.log(plain(`    ${tool === null ? '' : `${tool}: `}${command}`));
    io.log(plain(`      ${reason}`));
  }
  for (const { prompt, answer, startedAt } of session.turns) {
    io.log(`\n${clock(startedAt)}  ${plain(prompt)}`);
    if (answer !== null) io.log(plain(answer).replace(/^/gm, '  '));
  }
}

const SOLVED: Record<string, string> = {
  open: 'not solved yet',
  unresolved: 'not solved',
  resolved: 'solved',
};

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

/** Returns how many lessons a session was told, with their ids; null if none. */
const toldOf = (ids: string[]): string | null =>
  ids.length === 0
    ? null
    : `${counted(ids.length, 'lesson')}: ${ids.map((id) => `lore:${id.slice(0, 8)}`).join(', ')}`;

/**
 * Returns what solved an error: what was done in between, and the call that worked if it is another one.
 * Null: not solved.
 */
function solvedBy({ resolution, target }: Incident): string | null {
  if (resolution === null) return null;
  const { command, commands, edits } = resolution;
  const did = [...commands, ...new Set(edits.map(({ file }) => `edit of ${file}`))];
  if (command !== null && command !== target) did.push(command);
  return did.join('; ') || command;
}

/** Lists errors, the newest first, with what solved them or what was tried in vain. */
export async function listIncidents(
  config: Config,
  io: Io,
  options: Query<'GET /v1/incidents'>,
): Promise<void> {
  const { incidents } = await callServer(config, 'GET /v1/incidents', { query: options });
  if (io.json) return io.print(incidents);
  if (incidents.length === 0) return io.log(`No ${options.status} errors.`);
  io.log(
    table(
      io,
      ['id', 'project', 'call', 'error', 'tried, or solved by', 'when'],
      incidents.map((i) => [
        i.id.slice(0, 8),
        i.project,
        i.target ?? i.toolName,
        i.error,
        solvedBy(i) ?? i.tried?.steps.join('; ') ?? '',
        ago(i.openedAt),
      ]),
      { drop: ['when', 'project'] },
    ),
  );
}
