import type { Incident, Session } from '../wire/routes.ts';
import { wholeId } from './client.ts';
import type { Define } from './commands.ts';
import { choice, id, listing, sub } from './options.ts';
import { clock, counted, plain, short } from './print.ts';
import { details, list } from './table.ts';

// What agents did: sessions, their errors, their tasks, and what they do again and again.

/** Returns how a session stands, and how it ended if the client said more than that it did. */
const stateOf = ({ status, outcome }: Session) =>
  outcome === null || outcome === 'other' ? status : `${status} (${outcome.replaceAll('_', ' ')})`;

/** Most errors of a session that are shown. */
const MAX_ERRORS = 20;

const sessions: Define = (command, { io, call }) => {
  listing(command, '20').action(async (query) => {
    const { sessions } = await call('GET /v1/sessions', { query });
    list(
      io,
      sessions,
      'No session yet.',
      'id session project branch state errors=errorsEncountered stopped=callsStopped files when=lastActivity',
      {
        session: (s) => s.shortTitle ?? '(no prompt)',
        state: stateOf,
        files: (s) => s.filesModified.length,
      },
      'files branch errors stopped project',
    );
  });
  sub(command, 'show <session>', 'what a session was about, what it changed, and what was said').action(
    async (id) => {
      const session = await call('GET /v1/sessions/{id}', { params: { id } });
      if (io.json) return io.print(session);
      const query = { session: session.id, limit: MAX_ERRORS };
      const { incidents } = await call('GET /v1/incidents', { query });
      io.log(plain(session.shortTitle ?? '(no prompt)'));
      details(io, session, 'id client project branch state when tools=toolsUsed files=filesModified errors', {
        client: (s) => s.clientSessionId,
        state: stateOf,
        when: (s) => `${clock(s.startedAt)} until ${clock(s.lastActivity)}`,
        errors: (s) => s.errorsEncountered || null,
      });
      for (const one of incidents.reverse())
        io.log(plain(`    ${short(one.id)} ${firstLine(one.error)} (${SOLVED[one.status] ?? one.status})`));
      details(io, session, 'stopped', {
        stopped: ({ callsStopped: n }) => n > 0 && `${counted(n, 'call')}, which never ran`,
      });
      for (const { command, tool, reason } of session.stopped)
        io.log(plain(`    ${tool === null ? '' : `${tool}: `}${command}\n      ${reason}`));
      for (const { prompt, answer, startedAt } of session.turns) {
        io.log(`\n${clock(startedAt)}  ${plain(prompt)}`);
        if (answer !== null) io.log(plain(answer).replace(/^/gm, '  '));
      }
    },
  );
};

const SOLVED: Record<string, string> = {
  open: 'not solved yet',
  unresolved: 'not solved',
  resolved: 'solved',
};

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

/** Returns what solved an error: what was done in between, and the call that worked if it is another one; or what was tried. */
function solvedBy({ resolution, target, tried }: Incident): string | null | undefined {
  if (resolution === null) return tried?.steps.join('; ');
  const { command, commands, edits } = resolution;
  const did = [...commands, ...new Set(edits.map(({ file }) => `edit of ${file}`))];
  if (command !== null && command !== target) did.push(command);
  return did.join('; ') || command;
}

const incidents: Define = (command, { io, call }) =>
  listing(command, '20')
    .addOption(
      choice(
        '-s, --status <status>',
        'open: its session goes on; unresolved: it ended',
        ...['unsolved', 'open', 'unresolved', 'resolved'],
      ).default('unsolved', 'open or unresolved'),
    )
    .action(async (query) => {
      const { incidents } = await call('GET /v1/incidents', { query });
      const none = `No ${query.status} errors.`;
      const special = { call: (i: Incident) => i.target ?? i.toolName, 'tried,_or_solved_by': solvedBy };
      const names = 'id project call error tried,_or_solved_by when=openedAt';
      list(io, incidents, none, names, special, 'when project');
    });

const OUTCOMES = { success: 'worked', error: 'failed', stopped: 'stopped', unknown: 'not verified' };
type Outcome = keyof typeof OUTCOMES;

const episodes: Define = (command, cli) => {
  const { io, call } = cli;
  listing(command)
    .option('--outcome <outcome>', 'success, error or unknown; worked, failed or not verified mean the same')
    .option('--session <id>', 'only of this session')
    .option('--before <id>', 'the page after this episode', id)
    .action(async (options) => {
      const before = await wholeId(cli.config, 'GET /v1/episodes/{id}', options.before);
      const outcome = (Object.keys(OUTCOMES) as Outcome[]).find((name) =>
        [name, OUTCOMES[name]].includes(options.outcome),
      );
      const { episodes } = await call('GET /v1/episodes', { query: { ...options, before, outcome } });
      list(
        io,
        episodes,
        'No episodes.',
        'id type outcome project task=description files when=startedAt',
        {
          outcome: (e) => (e.endedAt === null ? 'goes on' : OUTCOMES[e.outcome]),
          files: (e) => e.filesModified.length,
        },
        'files type project',
      );
    });
  sub(command, 'show <id>', 'an episode with its steps').action(async (id) => {
    const episode = await call('GET /v1/episodes/{id}', { params: { id } });
    if (io.json) return io.print(episode);
    io.log(plain(episode.description));
    details(
      io,
      episode,
      'id project session type outcome error began=startedAt ended=endedAt files=filesModified said_last=lastMessage',
      {
        outcome: (e) => OUTCOMES[e.outcome],
      },
    );
    for (const { action, tool, targetKind, ok, stopped } of episode.steps) {
      const mark = stopped ? '-' : ok === null ? '?' : ok ? '+' : 'x';
      io.log(`  ${mark} ${tool}${targetKind === null ? '' : ` (${targetKind})`} ${plain(action)}`);
    }
  });
};

const patterns: Define = (command, cli) => {
  const { io, call } = cli;
  listing(command)
    .option('-t, --type <type>', 'error_recovery or tool_sequence')
    .option('-s, --status <status>', 'active, rejected or closed')
    .option('--before <id>', 'the page after this pattern', id)
    .action(async (options) => {
      const before = await wholeId(cli.config, 'GET /v1/patterns/{id}', options.before);
      const { patterns } = await call('GET /v1/patterns', { query: { ...options, before } });
      patterns.sort((a, b) => b.usageCount - a.usageCount);
      const names = 'id type project pattern=name seen=usageCount worked=successRate last=lastUsed';
      list(io, patterns, 'No patterns.', names, {}, 'last type project');
    });
  sub(command, 'show <id>', 'a pattern, whole').action(async (id) => {
    const p = await call('GET /v1/patterns/{id}', { params: { id } });
    if (io.json) return io.print(p);
    io.log(plain(p.name));
    details(io, p, 'id type project when=triggers step files seen worked state last_seen=lastUsed', {
      step: () => p.template.steps.map((step) => step.replace(':', ' ')),
      files: () => p.template.commonFiles.join(', '),
      seen: () => `${p.usageCount} times in ${p.sessions} sessions`,
      worked: () => p.successRate !== null && `${p.successes} of ${p.successes + p.failures} times`,
      state: () => (p.status === 'active' ? p.validUntil && 'closed' : p.status),
    });
  });
  for (const [name, text, body, done] of [
    ['reject', 'never find it again', { status: 'rejected' }, 'is rejected'],
    ['restore', 'take a rejection back', { status: 'active' }, 'is restored'],
  ] as const)
    sub(command, `${name} <id>`, text).action(async (id) => {
      const pattern = await call('PATCH /v1/patterns/{id}', { params: { id }, body });
      io.answer(pattern, `${short(pattern.id)} ${done}: ${plain(pattern.name)}`);
    });
};

export const commands = { sessions, incidents, episodes, patterns };
