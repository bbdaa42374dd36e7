import type { Episode, Guard, ListedEpisode, Pattern } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { counted, times } from '../../data/session.ts';
import { clock } from '../../ui/time.tsx';
import { ALL, PAGE, percent, periodOf, type RecordKind, type Standing } from './kind.ts';

const patternStanding = ({ status, validUntil, pinned }: Pattern): Standing => {
  if (status === 'rejected') return { tone: 'quiet', word: 'Rejected' };
  if (validUntil !== null) return { tone: 'quiet', word: 'Closed' };
  return { tone: 'ok', word: pinned ? 'Pinned' : 'Active' };
};
const TYPES: Record<Pattern['type'], string> = {
  error_recovery: 'what solved an error',
  tool_sequence: 'the first steps of such a task',
  task_template: 'how a task is done',
  refactor: 'a change made again and again',
  skill: 'use of a skill',
};

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
  list: async ({ project, before, state }, signal) => {
    const query = { project, before, status: state as 'active', limit: PAGE };
    return (await api('GET /v1/patterns', { query, ...signal })).patterns.map((one) => ({
      id: one.id,
      title: one.name,
      project: one.project,
      detail: [TYPES[one.type], `seen in ${counted(one.sessions, 'session')}`],
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
      validFrom: one.validFrom,
      validUntil: one.validUntil,
      pairs: [
        ['What it is', TYPES[one.type]],
        ['Comes with', one.triggers.join(', ') || null],
        ['Went well', known === 0 ? 'not known' : `${one.successes} of ${known} times`],
        ['Last used', clock(one.lastUsed)],
      ],
      origin: {
        by: 'plain rules',
        evidence: `seen ${times(one.usageCount)} in ${counted(one.sessions, 'session')}`,
      },
      parts: [
        { title: 'Steps', lines: one.template.steps },
        { title: 'Files', lines: one.template.commonFiles, code: true },
        {
          title: 'Seen in',
          lines: one.seenIn.map((session) => `Session ${session.slice(0, 8)}`),
          links: one.seenIn.map((session) => `/sessions/${session}`),
        },
      ],
      of: { kind: 'pattern', is: one },
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
  list: async ({ project, before }, signal) => {
    if (before !== undefined) return [];
    const query = { project, limit: ALL };
    const { skills } = await api('GET /v1/skills', { query, ...signal });
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
    const own = { params: { name: one.name }, query: { project: one.project ?? undefined } };
    const past = await api('GET /v1/skills/{name}/history', { ...own, ...signal });
    return {
      title: one.name,
      text: one.description,
      standing: skillStanding(one),
      project: one.project,
      validFrom: one.validFrom,
      validUntil: one.validUntil,
      pairs: [
        ['Runs', String(one.runs)],
        ['Went well', one.successRate === null ? 'not known' : percent(one.successRate)],
        ['Last run', one.lastRun && clock(one.lastRun)],
      ],
      origin: { session: null, agent: null, by: 'you' },
      parts: [{ title: 'What it says', lines: [one.content], code: true }],
      history: past.versions.map((row) => ({
        at: row.validFrom,
        title: `Version of ${counted(row.tokens, 'token')}`,
        detail: periodOf(row),
      })),
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
  endedAt === null ? { tone: 'accent', word: 'In progress' } : EPISODE[outcome];

export const episode: RecordKind = {
  many: 'Earlier work',
  one: 'Earlier work',
  about: 'What agents did, task by task, and how it ended',
  first: 'Let an agent work: what it does is cut into tasks when it has been quiet for a while.',
  list: async ({ project, before }, signal) =>
    (await api('GET /v1/episodes', { query: { project, before, limit: PAGE }, ...signal })).episodes.map(
      (one) => ({
        id: one.id,
        title: one.description,
        project: one.project,
        detail: [one.type],
        at: one.startedAt,
        standing: episodeStanding(one),
      }),
    ),
  read: async (id, signal) => {
    const one: Episode = await api('GET /v1/episodes/{id}', { params: { id }, ...signal });
    const stepOf = ({ tool, action, ok }: Episode['steps'][number]) =>
      `${tool}${ok === false ? ' failed' : ''}: ${action}`;
    return {
      title: one.description,
      text: one.error ?? one.lastMessage,
      standing: episodeStanding(one),
      project: one.project,
      validFrom: one.startedAt,
      validUntil: one.endedAt,
      times: ['Began', 'Ended', 'in progress'],
      pairs: [['Type', one.type]],
      origin: { session: one.session, agent: null, by: 'what the agent did' },
      parts: [
        { title: 'Steps', lines: one.steps.map(stepOf), code: true },
        { title: 'Files', lines: one.filesModified, code: true },
      ],
    };
  },
};

const GUARD: Record<Guard['state'], Standing> = {
  on: { tone: 'ok', word: 'Acts' },
  paused: { tone: 'quiet', word: 'Paused' },
  refused: { tone: 'warn', word: 'Inactive' },
};

export const rule: RecordKind = {
  many: 'Your rules',
  one: 'Your rule',
  about: 'Sentences of yours that stop a call, ask you, or tell the agent',
  first: 'Tell an agent “never …” or “always …”: Lore keeps it, and acts on it.',
  list: async ({ project, before }, signal) => {
    if (before !== undefined) return [];
    const { guards } = await api('GET /v1/guards', { query: { project, limit: ALL }, ...signal });
    return guards.map((one) => ({
      id: one.id,
      title: one.lesson,
      project: one.project,
      detail: [one.about, one.hits === 0 ? 'has not acted yet' : `acted ${times(one.hits)}`],
      at: one.lastHitAt ?? one.createdAt,
      standing: one.inForce ? GUARD[one.state] : { tone: 'quiet', word: 'Ended' },
      href: `/learnings/${one.lessonId}`,
    }));
  },
};
