import type { Guard, GuardRule, Learning, LearningChange, WholeLearning } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { counted, joined, percent, shortId, times, upper, writer } from '../data/words.ts';
import { clock } from '../ui/time.tsx';
import {
  type Action,
  linesPart,
  type Part,
  partOf,
  type RecordKind,
  type Row,
  type Standing,
  sessionPair,
} from './kind.ts';

// Lessons, and the rules of persons: lessons that act at calls.

export function lessonStanding({ status, validUntil }: Pick<Learning, 'status' | 'validUntil'>): Standing {
  if (validUntil !== null) return { tone: 'quiet', word: 'Ended' };
  return status === 'proposed' ? { tone: 'quiet', word: 'Proposed' } : { tone: 'ok', word: 'Active' };
}

/** Returns what came of a lesson, in words; false if nobody knows yet. */
function outcomes({ successCount, failureCount }: Learning): string | false {
  const all = successCount + failureCount;
  return all > 0 && `helped ${successCount} of ${all}`;
}

/** A person's own word has no confidence. */
const sure = ({ evaluatedBy, confidence }: Learning): string =>
  evaluatedBy === 'person' ? 'stated by you' : `${percent(confidence)} sure`;

const confirm = ({ id, status }: Learning): Action => ({
  label: 'Confirm',
  look: 'main',
  run: () =>
    status === 'proposed'
      ? api('POST /v1/learnings/{id}/approve', { params: { id } })
      : api('POST /v1/learnings/{id}/feedback', { params: { id }, body: { helpful: true } }),
});

const reject = ({ id }: Learning): Action => ({
  label: 'Reject',
  look: 'bad',
  question: 'No agent is told this any more. Its history stays.',
  yes: 'Reject it',
  fields: [{ name: 'reason', label: 'Why, if you like', rows: 2 }],
  run: ({ reason = '' }) =>
    api('POST /v1/learnings/{id}/retire', { params: { id }, query: { reason: reason.trim() || undefined } }),
});

function edits(lesson: Learning): Action[] {
  // the changed lesson is a version of its own
  const patch = async (body: LearningChange) => {
    const { id } = await api('PATCH /v1/learnings/{id}', { params: { id: lesson.id }, body });
    return `/learnings/${id}`;
  };
  return [
    {
      label: 'Edit',
      yes: 'Save',
      fields: [
        { name: 'lesson', label: 'Lesson', rows: 5, value: lesson.lesson },
        { name: 'context', label: 'When it applies', rows: 2, value: lesson.context },
        { name: 'why', label: 'Why', rows: 2, value: lesson.why ?? '' },
        { name: 'appliesTo', label: 'Applies to, with commas between', value: lesson.appliesTo.join(', ') },
      ],
      run: ({ lesson: words, context, why = '', appliesTo = '' }) =>
        patch({
          lesson: words ?? lesson.lesson,
          context: context ?? lesson.context,
          why: why.trim() || null,
          appliesTo: [...new Set(appliesTo.split(',').map((one) => one.trim()))].filter(Boolean),
        }),
    },
    {
      label: lesson.everywhere ? 'Only here' : 'In all projects',
      run: () => patch({ everywhere: !lesson.everywhere }),
    },
  ];
}

/** Returns how a lesson was worded and judged, the newest first. */
function historyPart({ id: own, versions, judgements }: WholeLearning): Part[] {
  const rows: Row[] = [
    ...judgements.map(({ finishedAt, event, decision, reason }) => ({
      title:
        decision === 'merged'
          ? 'Learned again'
          : upper(event === 'rejected' ? event : (decision ?? 'judged')),
      detail: [
        decision !== 'merged' && reason?.replace(/\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '$1'),
      ],
      at: finishedAt ?? '',
      id: `${finishedAt} ${event}`,
      href: null,
    })),
    ...versions.map(({ id, validFrom, supersedes, evaluatedBy, lesson }) => ({
      id,
      title: `${supersedes ? 'Rewritten' : 'Written'} by ${writer(evaluatedBy)}`,
      detail: [versions.length > 1 && lesson],
      at: validFrom,
      href: id === own ? null : `/learnings/${id}`,
    })),
  ];
  return partOf(
    'History',
    rows.filter(({ at }) => at !== '').sort((a, b) => (b.at ?? '').localeCompare(a.at ?? '')),
  );
}

export const learning: RecordKind = {
  many: 'Lessons',
  one: 'Lesson',
  path: '/learnings',
  about: 'What went wrong before, and what to do instead',
  first:
    'Let your agent work. When it makes a mistake and mends it, or you tell it “never …” or “always …”, the lesson appears here.',
  tables: ['learnings'],
  words: 'Search by words',
  states: [
    ['active', 'Active'],
    ['proposed', 'Proposed'],
    ['ended', 'Ended'],
  ],
  list: async ({ project, state, q, limit }, signal) => {
    const query = { project, status: state as 'active', q, limit };
    return (await api('GET /v1/learnings', { query, ...signal })).learnings.map((one) => ({
      id: one.id,
      title: one.lesson,
      project: one.project,
      detail: [sure(one), outcomes(one)],
      text: state === 'proposed' && one.sourceError ? `For: ${one.sourceError}` : null,
      at: one.validUntil ?? one.createdAt,
      standing: lessonStanding(one),
      actions: state === 'proposed' ? [confirm(one), reject(one)] : [],
    }));
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/learnings/{id}', { params: { id }, ...signal });
    const { guards } = await api('GET /v1/guards', { query: { lesson: id }, ...signal });
    const now = one.versions.find(({ validUntil }) => validUntil === null);
    const { told, helped, failed } = one.inSessions;
    const { words } = (one.judgements.at(-1)?.evidence ?? {}) as { words?: unknown };
    return {
      title: one.lesson,
      text: joined([one.context && upper(one.context), one.why && `Why: ${one.why}`]).replace(' · ', '\n'),
      standing: lessonStanding(one),
      project: one.everywhere ? null : one.project,
      notice:
        one.stale?.map(({ ref, state }) => `${ref} ${state === 'gone' ? 'is' : 'has'} ${state}`).join('; ') ||
        one.missing,
      pairs: [
        ['How sure', sure(one).replace(' sure', '')],
        ['Told', told === 0 ? 'never' : `in ${counted(told, 'session')}`],
        [
          'Came of it',
          guards.length === 0 && helped + failed > 0
            ? `helped in ${counted(helped, 'session')}${failed > 0 ? `, did not in ${failed}` : ''}`
            : null,
        ],
        ['Applies to', one.appliesTo.join(', ')],
        ['Learned', clock(one.createdAt)],
        ['Last confirmed', clock(one.lastConfirmedAt)],
        ['Written by', writer(one.evaluatedBy)],
        ['Agent', one.sourceSubagent],
        sessionPair(one.sourceSessionId),
        ['Evidence', typeof words === 'string' ? `“${words}”` : null],
        ['Replaced', one.validUntil !== null && now ? 'see the current one' : null, `/learnings/${now?.id}`],
      ],
      parts: [
        ...partOf('When it acts', guards.map(ruleRow)),
        ...(one.sourceError === null ? [] : linesPart('The error that it answers', [one.sourceError], true)),
        ...historyPart(one),
      ],
      actions: one.validUntil === null ? [confirm(one), ...edits(one), reject(one)] : [],
    };
  },
};

const RULE: Record<Guard['state'], Standing> = {
  on: { tone: 'ok', word: 'Acts' },
  paused: { tone: 'quiet', word: 'Paused' },
  refused: { tone: 'warn', word: 'Inactive' },
};
const ruleStanding = ({ inForce, state }: Guard): Standing =>
  inForce ? RULE[state] : { tone: 'quiet', word: 'Ended' };
const acted = ({ hits }: Guard): string => (hits === 0 ? 'has not acted yet' : `acted ${times(hits)}`);

const ruleRow = (one: Guard): Row => ({
  id: one.id,
  title: `${upper(one.about)}.`,
  detail: [one.state === 'refused' ? upper(one.reason ?? '') : acted(one)],
  standing: ruleStanding(one),
  href: `/records/rule/${one.id}`,
});

const exampleOf = ({ tool, input }: GuardRule['breaks'][number]): string =>
  typeof input.command === 'string' ? input.command : `${tool} ${input.file_path ?? JSON.stringify(input)}`;

function ruleActions({ id, state, rule }: Guard): Action[] {
  const set = (to: 'on' | 'paused') => api('PATCH /v1/guards/{id}', { params: { id }, body: { state: to } });
  return [
    state === 'on'
      ? { label: 'Pause', run: () => set('paused') }
      : { label: 'Resume', look: 'main', run: () => set('on') },
    {
      label: 'Edit',
      yes: 'Save',
      question: 'It is kept if it fits every call in breaks and none in keeps.',
      fields: [
        {
          name: 'then',
          label: 'What happens at such a call',
          value: rule.then,
          options: [
            ['tell', 'Tell the agent'],
            ['ask', 'Ask me'],
            ['deny', 'Stop it'],
          ],
        },
        {
          name: 'rule',
          label: 'The rule as data',
          rows: 10,
          mono: true,
          value: JSON.stringify({ ...rule, then: undefined }, null, 2),
        },
      ],
      run: async ({ then, rule: text = '' }) =>
        api('PUT /v1/guards/{id}', { params: { id }, body: { ...JSON.parse(text), then } }),
    },
  ];
}

export const rule: RecordKind = {
  many: 'Your rules',
  one: 'Your rule',
  about: 'Sentences of yours that stop a call, ask you, or tell the agent',
  first: 'Tell an agent “never …” or “always …”: Lore keeps it, and acts on it.',
  list: async ({ project, limit }, signal) =>
    (await api('GET /v1/guards', { query: { project, limit }, ...signal })).guards.map((one) => ({
      id: one.id,
      title: one.lesson,
      project: one.project,
      detail: [one.about, acted(one)],
      at: one.lastHitAt ?? one.createdAt,
      standing: ruleStanding(one),
    })),
  read: async (id, signal) => {
    const one = await api('GET /v1/guards/{id}', { params: { id }, ...signal });
    return {
      title: one.lesson,
      text: `${upper(one.about)}.`,
      standing: ruleStanding(one),
      project: one.everywhere ? null : one.project,
      notice: one.state !== 'on' && one.reason,
      pairs: [
        ['Acted', one.hits === 0 ? 'at no call yet' : `at ${counted(one.hits, 'call')}`],
        ['Last', one.lastHitAt && clock(one.lastHitAt)],
        ['Written by', writer(one.source === 'literal' ? 'rules' : one.source)],
        ['Lesson', shortId(one.lessonId), `/learnings/${one.lessonId}`],
      ],
      parts: [
        ...linesPart('It is about', one.rule.breaks.map(exampleOf), true),
        ...linesPart('And not about', one.rule.keeps.map(exampleOf), true),
      ],
      actions: one.inForce ? ruleActions(one) : [],
    };
  },
};
