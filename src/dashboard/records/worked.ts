import type { Episode, ListedEpisode, Pattern } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { counted, percent, times } from '../data/words.ts';
import { clock } from '../ui/time.tsx';
import { type Action, linesPart, type RecordKind, type Row, type Standing, sessionPair } from './kind.ts';

// What was worked: patterns, skills and tasks.

function patternStanding({ status, validUntil }: Pattern): Standing {
  if (status === 'rejected') return { tone: 'quiet', word: 'Rejected' };
  if (validUntil !== null) return { tone: 'quiet', word: 'Closed' };
  return { tone: 'ok', word: 'Active' };
}

function patternActions({ id, status, validUntil }: Pattern): Action[] {
  const patch = (status: Pattern['status']) =>
    api('PATCH /v1/patterns/{id}', { params: { id }, body: { status } });
  if (status === 'rejected') return [{ label: 'Take back', run: () => patch('active') }];
  if (validUntil !== null) return [];
  return [
    {
      label: 'Reject',
      look: 'bad',
      question: 'No agent is told this pattern any more, also if it is seen again.',
      yes: 'Reject it',
      run: () => patch('rejected'),
    },
  ];
}

export const pattern: RecordKind = {
  many: 'Patterns',
  one: 'Pattern',
  about: 'Which command solved which error, and how tasks of one type begin',
  first: 'Each night Lore counts what was done: what recurs in two sessions or more comes here.',
  states: [
    ['active', 'Active'],
    ['rejected', 'Rejected'],
    ['closed', 'Closed'],
  ],
  list: async ({ project, state, limit }, signal) => {
    const query = { project, status: state as 'active', limit };
    return (await api('GET /v1/patterns', { query, ...signal })).patterns.map((one) => ({
      id: one.id,
      title: one.name,
      project: one.project,
      detail: [`seen in ${counted(one.sessions, 'session')}`],
      at: one.lastUsed,
      standing: patternStanding(one),
    }));
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/patterns/{id}', { params: { id }, ...signal });
    const known = one.successes + one.failures;
    return {
      title: one.name,
      standing: patternStanding(one),
      project: one.project,
      pairs: [
        ['Comes with', one.triggers.join(', ')],
        ['Went well', known === 0 ? 'not known' : `${one.successes} of ${known} times`],
        ['Seen', `${times(one.usageCount)} in ${counted(one.sessions, 'session')}`],
        ['Last used', clock(one.lastUsed)],
        ['Since', clock(one.validFrom)],
      ],
      parts: [
        ...linesPart('Steps', one.template.steps),
        ...linesPart('Files', one.template.commonFiles, true),
      ],
      actions: patternActions(one),
    };
  },
};

const skillStanding = ({ validUntil }: { validUntil: string | null }): Standing =>
  validUntil === null ? { tone: 'ok', word: 'In use' } : { tone: 'quiet', word: 'Retired' };

export const skill: RecordKind = {
  many: 'Skills',
  one: 'Skill',
  about: 'Instructions for a kind of task, and how their runs went',
  first: 'Bring those of your client: lore skills sync <folder>.',
  list: async ({ project, limit }, signal) => {
    const { skills } = await api('GET /v1/skills', { query: { project, limit }, ...signal });
    return skills.map((one) => ({
      id: one.id,
      title: one.name,
      project: one.project,
      detail: [
        one.description,
        counted(one.runs, 'run'),
        one.successRate !== null && `${percent(one.successRate)} went well`,
      ],
      at: one.lastRun ?? one.validFrom,
      standing: skillStanding(one),
    }));
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/skills/{name}', { params: { name: id }, ...signal });
    return {
      title: one.name,
      text: one.description,
      standing: skillStanding(one),
      project: one.project,
      pairs: [
        ['Runs', String(one.runs)],
        ['Went well', one.successRate === null ? null : percent(one.successRate)],
        ['Last run', one.lastRun && clock(one.lastRun)],
      ],
      parts: linesPart('What it says', [one.content], true),
    };
  },
};

const EPISODE: Record<ListedEpisode['outcome'], Standing> = {
  success: { tone: 'ok', word: 'Worked' },
  error: { tone: 'bad', word: 'Failed' },
  stopped: { tone: 'warn', word: 'Stopped' },
  unknown: { tone: 'quiet', word: 'Not verified' },
};
const episodeStanding = ({ endedAt, outcome }: ListedEpisode): Standing =>
  endedAt === null ? { tone: 'accent', word: 'In progress', busy: true } : EPISODE[outcome];

/** Returns a task as a line. */
export const episodeRow = (one: ListedEpisode): Row => ({
  id: one.id,
  title: one.description,
  detail: [one.type, episodeStanding(one).word.toLowerCase()],
  at: one.startedAt,
  standing: episodeStanding(one),
  href: `/records/episode/${one.id}`,
});

export const episode: RecordKind = {
  many: 'Earlier work',
  one: 'Earlier work',
  about: 'What agents did, task by task, and how it ended',
  first: 'Let an agent work: what it does is cut into tasks when it has been quiet for a while.',
  list: async ({ project, limit }, signal) =>
    (await api('GET /v1/episodes', { query: { project, limit }, ...signal })).episodes.map((one) => ({
      ...episodeRow(one),
      project: one.project,
    })),
  read: async (id, signal) => {
    const one: Episode = await api('GET /v1/episodes/{id}', { params: { id }, ...signal });
    return {
      title: one.description,
      text: one.error ?? one.lastMessage,
      standing: episodeStanding(one),
      project: one.project,
      pairs: [['Type', one.type], ['Began', clock(one.startedAt)], sessionPair(one.session)],
      parts: [
        ...linesPart(
          'Steps',
          one.steps.map(({ tool, action, ok }) => `${tool}${ok === false ? ' failed' : ''}: ${action}`),
          true,
        ),
        ...linesPart('Files', one.filesModified, true),
      ],
    };
  },
};
