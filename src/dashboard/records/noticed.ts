import type { Finding, FindingChange, Incident, Note } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { percent, times, upper, writer } from '../data/words.ts';
import { clock } from '../ui/time.tsx';
import { type Action, linesPart, partOf, type RecordKind, type Row, type Standing } from './kind.ts';

// What somebody noticed: findings, notes and errors.

const FINDING: Record<Finding['status'], Standing> = {
  open: { tone: 'warn', word: 'Open' },
  in_progress: { tone: 'accent', word: 'In progress' },
  resolved: { tone: 'ok', word: 'Resolved' },
  wont_fix: { tone: 'quiet', word: 'Won’t fix' },
  duplicate: { tone: 'quiet', word: 'Duplicate' },
};
const place = ({ file, line }: Finding): string | null => file && `${file}${line === null ? '' : `:${line}`}`;

const findingRow = (one: Finding): Row => ({
  id: one.id,
  title: one.title,
  project: one.project,
  detail: [one.severity, place(one), one.proposedStatus !== null && 'seems to be solved'],
  at: one.createdAt,
  standing: FINDING[one.status],
});

const linkedRow = ({ id, title, status }: Finding['blocks'][number]): Row => ({
  id,
  title,
  standing: FINDING[status],
  href: `/records/finding/${id}`,
});

/** Returns what a person may do with a finding: close it, reopen it, answer what a task proposed. */
function findingActions({ id, status, proposedStatus }: Finding): Action[] {
  const patch = (body: FindingChange) => api('PATCH /v1/findings/{id}', { params: { id }, body });
  if (status !== 'open' && status !== 'in_progress')
    return [{ label: 'Reopen', run: () => patch({ status: 'open' }) }];
  const close = (label: string, to: Finding['status']): Action => ({
    label,
    yes: label,
    fields: [{ name: 'how', label: 'How it was settled, if you like', rows: 2 }],
    run: ({ how = '' }) => patch({ status: to, ...(how.trim() !== '' && { resolution: how.trim() }) }),
  });
  return [
    ...(proposedStatus === null
      ? []
      : [
          { label: 'Yes, it is solved', look: 'main', run: () => patch({ status: proposedStatus }) } as const,
          { label: 'No, it is open', run: () => patch({ proposedStatus: null }) },
        ]),
    close('Resolved', 'resolved'),
    close('Won’t fix', 'wont_fix'),
  ];
}

export const finding: RecordKind = {
  many: 'Findings',
  one: 'Finding',
  about: 'Problems that somebody noticed and nobody has solved yet',
  first: 'Agents write down what they notice beside their task; so can you: lore findings add.',
  states: [
    ['', 'Open'],
    ['resolved', 'Resolved'],
    ['wont_fix', 'Won’t fix'],
  ],
  list: async ({ project, state, limit }, signal) => {
    const only = state === '' ? { closed: false } : { status: state as Finding['status'] };
    return (await api('GET /v1/findings', { query: { project, ...only, limit }, ...signal })).findings.map(
      findingRow,
    );
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/findings/{id}', { params: { id }, ...signal });
    return {
      title: one.title,
      text: one.detail,
      standing: FINDING[one.status],
      project: one.project,
      notice: one.proposedStatus !== null && 'A task that changed its file seems to have solved it.',
      pairs: [
        ['Severity', one.severity],
        ['Where', place(one)],
        ['Noticed', clock(one.createdAt)],
        ['Closed', one.closedAt && clock(one.closedAt)],
        ['Resolution', one.resolution],
        ['Said by', writer(one.writtenBy)],
        ['Agent', one.agent],
        ['Solved in', one.solvedBy && 'see the task', `/records/episode/${one.solvedBy}`],
      ],
      parts: [
        ...partOf('Blocks', one.blocks.map(linkedRow)),
        ...partOf('Blocked by', one.blockedBy.map(linkedRow)),
        ...partOf('Related to', one.relatedTo.map(linkedRow)),
      ],
      actions: findingActions(one),
    };
  },
};

const noteStanding = ({ validUntil }: Note): Standing =>
  validUntil === null ? { tone: 'ok', word: 'Current' } : { tone: 'quiet', word: 'Replaced' };

export const note: RecordKind = {
  many: 'Notes',
  one: 'Note',
  about: 'What agents and people wrote down for each other',
  first: 'Agents write them at the end of their work; so can you: lore notes add.',
  tables: ['notes'],
  list: async ({ project, limit }, signal) =>
    (await api('GET /v1/notes', { query: { project, limit }, ...signal })).notes.map((one) => ({
      id: one.id,
      title: one.content,
      project: one.project,
      detail: [one.sender, `#${one.channel.split(':')[0]}`],
      at: one.createdAt,
      standing: noteStanding(one),
    })),
  read: async (id, signal) => {
    const one = await api('GET /v1/notes/{id}', { params: { id }, ...signal });
    return {
      title: one.content,
      standing: noteStanding(one),
      project: one.project,
      pairs: [
        ['Channel', `#${one.channel}`],
        ['Written', clock(one.createdAt)],
        ['Replaced', one.validUntil && clock(one.validUntil)],
        ['Confidence', percent(one.confidence)],
        ['Said by', writer(one.writtenBy)],
        ['Agent', one.sender],
        ['Replaces', one.supersedes && 'an earlier note', `/records/note/${one.supersedes}`],
      ],
      parts: Object.entries((one.metadata.breadcrumbs ?? {}) as Record<string, unknown>).flatMap(
        ([name, lines]) =>
          Array.isArray(lines) ? linesPart(upper(name.replaceAll('_', ' ')), lines.map(String), true) : [],
      ),
    };
  },
};

const ERROR: Record<Incident['status'], Standing> = {
  open: { tone: 'warn', word: 'Open' },
  resolved: { tone: 'ok', word: 'Resolved' },
  unresolved: { tone: 'bad', word: 'Not resolved' },
};

/** Returns what made it work: a change of files, or the command that passed. */
function fixOf({ edits, command, commands }: NonNullable<Incident['resolution']>): string {
  const files = [...new Set(edits.map(({ file }) => file.split('/').at(-1)))];
  return `Fixed by ${files.length > 0 ? `a change of ${files.join(', ')}` : (command ?? commands.at(-1) ?? 'another call')}`;
}

/** Returns an error as a line: what failed, and what resolved it. */
export const errorRow = (one: Incident): Row => ({
  id: one.id,
  title: one.error,
  code: true,
  detail: [one.toolName, one.call, one.times > 1 && times(one.times)],
  text: one.resolution && fixOf(one.resolution),
  at: one.openedAt,
  standing: ERROR[one.status],
  href: one.sessionId === null ? null : `/sessions/${one.sessionId}`,
});

export const error: RecordKind = {
  many: 'Errors',
  one: 'Error',
  about: 'Commands and tools that failed, and what made them work',
  first: 'When a command of an agent fails, it comes here, and so does its fix.',
  tables: ['incidents'],
  list: async ({ project, limit }, signal) =>
    (await api('GET /v1/incidents', { query: { project, limit }, ...signal })).incidents.map((one) => ({
      ...errorRow(one),
      project: one.project,
    })),
};
