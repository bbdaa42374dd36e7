import type { Finding, Note } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { PAGE, percent, type RecordKind, type Standing, writer } from './kind.ts';

const FINDING: Record<Finding['status'], Standing> = {
  open: { tone: 'warn', word: 'Open' },
  in_progress: { tone: 'accent', word: 'In progress' },
  resolved: { tone: 'ok', word: 'Resolved' },
  wont_fix: { tone: 'quiet', word: 'Won’t fix' },
  duplicate: { tone: 'quiet', word: 'Duplicate' },
};
const place = ({ file, line }: Finding): string | null =>
  file === null ? null : `${file}${line === null ? '' : `:${line}`}`;

export const finding: RecordKind = {
  many: 'Findings',
  one: 'Finding',
  about: 'Problems that somebody noticed and nobody has solved yet',
  first: 'Agents write down what they notice beside their task; so can you: lore findings add.',
  states: [
    ['', 'Open'],
    ['resolved', 'Resolved'],
    ['wont_fix', 'Won’t fix'],
    ['duplicate', 'Duplicates'],
  ],
  list: async ({ project, before, state }, signal) => {
    const only = state === '' ? { closed: false } : { status: state as Finding['status'] };
    const query = { project, before, ...only, limit: PAGE };
    return (await api('GET /v1/findings', { query, ...signal })).findings.map((one) => ({
      id: one.id,
      title: one.title,
      project: one.project,
      detail: [one.severity, place(one), one.proposedStatus !== null && 'seems to be solved'],
      at: one.createdAt,
      standing: FINDING[one.status],
    }));
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/findings/{id}', { params: { id }, ...signal });
    const linked = (title: string, others: Finding['blocks']) =>
      others.length === 0
        ? []
        : [
            {
              title,
              lines: others.map((other) => `${other.title} (${FINDING[other.status].word.toLowerCase()})`),
              links: others.map((other) => `/records/finding/${other.id}`),
            },
          ];
    return {
      title: one.title,
      text: one.detail,
      standing: FINDING[one.status],
      project: one.project,
      validFrom: one.createdAt,
      validUntil: one.closedAt,
      times: ['Noticed', 'Closed', 'not yet'],
      pairs: [
        ['Severity', one.severity],
        ['Where', place(one)],
        ['Resolution', one.resolution],
      ],
      origin: { agent: one.agent, by: writer(one.writtenBy) },
      parts: [
        ...linked('Blocks', one.blocks),
        ...linked('Blocked by', one.blockedBy),
        ...linked('Related to', one.relatedTo),
        ...(one.resembles === null
          ? []
          : [
              {
                title: 'Solved before',
                lines: [one.resembles.resolution ?? one.resembles.title],
                links: [`/records/finding/${one.resembles.id}`],
              },
            ]),
        ...(one.proposedStatus === null || one.proposedBy === null
          ? []
          : [
              {
                title: 'Seems to be solved in',
                lines: ['See the task'],
                links: [`/records/episode/${one.proposedBy}`],
              },
            ]),
        ...(one.solvedBy === null
          ? []
          : [{ title: 'Solved in', lines: ['See the task'], links: [`/records/episode/${one.solvedBy}`] }]),
      ],
      of: { kind: 'finding', is: one },
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
  list: async ({ project, before }, signal) =>
    (await api('GET /v1/notes', { query: { project, before, limit: PAGE }, ...signal })).notes.map((one) => ({
      id: one.id,
      title: one.content,
      project: one.project,
      detail: [one.sender, `#${one.channel}`, one.stale.length > 0 && 'cites what has changed'],
      at: one.createdAt,
      standing: noteStanding(one),
    })),
  read: async (id, signal) => {
    const one = await api('GET /v1/notes/{id}', { params: { id }, ...signal });
    const crumbs = Object.entries((one.metadata.breadcrumbs ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string[]] => Array.isArray(entry[1]) && entry[1].length > 0,
    );
    return {
      title: one.content,
      standing: noteStanding(one),
      project: one.project,
      validFrom: one.createdAt,
      validUntil: one.validUntil,
      times: ['Written', 'Replaced', 'not yet'],
      pairs: [
        ['Channel', `#${one.channel}`],
        ['Type', one.messageType],
        ['Confidence', percent(one.confidence)],
        ['Mentions', one.mentions.join(', ') || null],
        ['Changed since', one.stale.map(({ ref, state }) => `${ref} (${state})`).join(', ') || null],
      ],
      origin: { agent: one.sender, by: writer(one.writtenBy) },
      parts: [
        ...crumbs.map(([name, lines]) => ({
          title: `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`,
          lines: lines.map(String),
          code: true,
        })),
        ...(one.supersedes === null
          ? []
          : [{ title: 'Replaces', lines: ['An earlier note'], links: [`/records/note/${one.supersedes}`] }]),
      ],
    };
  },
};
