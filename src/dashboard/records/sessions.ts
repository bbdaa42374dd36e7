import type { Audit, Offered, Session, StoppedCall } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { addressOfRecord, byWhat, counted, NAMES, neededOf, shortId, times, upper } from '../data/words.ts';
import { clock, duration, isStale } from '../ui/time.tsx';
import { linesPart, type Part, partOf, type RecordKind, type Row, type Standing } from './kind.ts';
import { lessonStanding } from './lessons.ts';
import { errorRow } from './noticed.ts';
import { episodeRow } from './worked.ts';

// Sessions: what was asked, what the agent did, what went wrong, and what it was told.

function standingOf({ status, waitingFor, lastActivity }: Session): Standing {
  if (status === 'failed') return { tone: 'bad', word: 'Failed' };
  if (status === 'stopped') return { tone: 'warn', word: 'Stopped' };
  if (status === 'completed') return { tone: 'ok', word: 'Completed' };
  if (waitingFor !== null) return { tone: 'warn', word: 'Needs you' };
  // its client may be gone without a word
  return isStale(lastActivity)
    ? { tone: 'quiet', word: 'Not heard of' }
    : { tone: 'accent', word: 'Active', busy: true };
}

const lasted = ({ startedAt, endedAt, lastActivity }: Session): string =>
  duration(Math.max(0, Date.parse(endedAt ?? lastActivity) - Date.parse(startedAt)));

/** The events of the client, as a person would say them. */
const MOMENTS: Record<string, string> = {
  SessionStart: 'at its start',
  UserPromptSubmit: 'with a prompt',
  PreToolUse: 'before a call',
  PostToolUse: 'after a call',
  PostToolUseFailure: 'after a call that failed',
  PostToolBatch: 'after some calls',
  SubagentStart: 'at the start of a subagent',
};
const OUTCOMES: Record<string, string> = {
  helped: 'it helped',
  failed: 'it did not help',
  unused: 'not made use of',
};

/** Returns what a session was told, the newest first; what each of its agents was told is one row. */
function toldPart(offers: Offered[]): Part {
  const told = new Map<string, { one: Offered; n: number }>();
  for (const one of [...offers].reverse()) {
    const same = [one.text, one.event, one.outcome].join(' ');
    told.set(same, { one: told.get(same)?.one ?? one, n: (told.get(same)?.n ?? 0) + 1 });
  }
  return {
    title: 'What it was told',
    aside:
      offers.length > 0 &&
      counted(
        offers.reduce((sum, one) => sum + one.tokens, 0),
        'token',
      ),
    empty: 'Nothing. Lessons are told when they fit what the agent is about to do.',
    rows: [...told.entries()].map(([id, { one, n }]) => ({
      id,
      title: one.text,
      detail: [
        NAMES[one.kind],
        MOMENTS[one.event] ?? one.event,
        n > 1 && times(n),
        one.outcome && OUTCOMES[one.outcome],
      ],
      at: one.offeredAt,
      href: addressOfRecord(one.kind, one.sourceId),
    })),
  };
}

const stoppedRow = (call: StoppedCall): Row => ({
  id: `${call.code} ${call.checkedAt}`,
  title: call.command,
  code: true,
  detail: [byWhat(call)],
  text: call.reason,
  at: call.checkedAt,
  href: `/safety?check=${call.code}`,
});

/** Returns what a model said when it looked back on the session. */
const auditLines = ({ verdict, reason, errorsFound, recommendedNextSteps }: Audit): string[] => [
  ...(verdict || reason ? [[verdict && upper(verdict), reason].filter(Boolean).join(': ')] : []),
  ...errorsFound.map(({ type, description }) => `${type}: ${description}`),
  ...recommendedNextSteps.map((step) => `Next: ${step}`),
];

export const session: RecordKind = {
  many: 'Sessions',
  one: 'Session',
  path: '/sessions',
  about: 'What was said and done, day by day',
  first: 'Attach Lore to a project with lore init, then start your agent in it.',
  // changes of sessions are not sent to the page, but changes of their project's row are
  tables: ['dashboard_projects', 'incidents', 'command_checks'],
  byDay: true,
  most: 200,
  states: [
    ['', 'All'],
    ['active', 'Active'],
    ['completed', 'Completed'],
    ['failed', 'Failed'],
    ['stopped', 'Stopped'],
  ],
  list: async ({ project, state, limit }, signal) => {
    const query = { project, status: (state || undefined) as Session['status'] | undefined, limit };
    return (await api('GET /v1/sessions', { query, ...signal })).sessions.map((one) => ({
      id: one.clientSessionId,
      title: one.shortTitle ?? 'No prompt yet',
      project: one.project,
      detail: [
        lasted(one),
        one.errorsEncountered > 0 && counted(one.errorsEncountered, 'error'),
        one.callsStopped > 0 && `${counted(one.callsStopped, 'call')} stopped`,
        one.waitingFor && neededOf(one.waitingFor),
        one.learningsApplied > 0 && `${counted(one.learningsApplied, 'lesson')} helped`,
        one.learningsCreated > 0 && `${counted(one.learningsCreated, 'lesson')} learned`,
      ],
      at: one.lastActivity,
      standing: standingOf(one),
    }));
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/sessions/{id}', { params: { id }, query: { events: 1 }, ...signal });
    const own = { query: { session: one.clientSessionId, limit: 200 }, ...signal };
    const [{ episodes }, { incidents }, { offers }] = await Promise.all([
      api('GET /v1/episodes', own),
      api('GET /v1/incidents', own),
      api('GET /v1/sessions/{id}/offers', { params: { id }, query: { limit: 500 }, ...signal }),
    ]);
    const tools = Object.entries(one.toolsUsed).sort(([, a], [, b]) => b - a);
    return {
      title: one.turns[0]?.prompt ?? one.shortTitle ?? 'No prompt yet',
      text: one.summary,
      standing: standingOf(one),
      project: one.project,
      notice:
        (one.waitingFor && neededOf(one.waitingFor)) ||
        (one.callsStopped > 0 &&
          `${counted(one.callsStopped, 'call')} stopped${one.status === 'stopped' ? '; nothing else ran' : ''}`),
      pairs: [
        ['Lasted', lasted(one)],
        ['Began', clock(one.startedAt)],
        ['Branch', one.branch],
        ['Tools', tools.map(([name, calls]) => `${name} ${calls}`).join(', ')],
        ['Files', one.filesModified.length > 0 ? String(one.filesModified.length) : null],
        ['Tokens', one.tokens?.toLocaleString()],
        ['Model', one.model],
        ['Plan', one.planId && shortId(one.planId), `/plans/${one.planId}`],
      ],
      parts: [
        ...partOf('What was stopped', one.stopped.map(stoppedRow)),
        {
          title: 'Tasks',
          rows: [...episodes].reverse().map(episodeRow),
          empty: 'None yet. What the agent did is cut into tasks when it has been quiet for a while.',
        },
        ...partOf(
          'What went wrong',
          incidents.map((error) => ({ ...errorRow(error), href: null })).reverse(),
        ),
        ...partOf(
          'What it taught',
          one.lessonsMade.map(({ id: lesson, lesson: title, ...state }) => ({
            id: lesson,
            title,
            standing: lessonStanding(state),
            href: `/learnings/${lesson}`,
          })),
        ),
        toldPart(offers),
        ...(one.audit ? linesPart('Looking back', auditLines(one.audit)) : []),
        ...partOf(
          'What was said',
          one.turns.map((turn) => ({
            id: turn.id,
            title: upper(turn.prompt),
            text: turn.answer,
            at: turn.startedAt,
          })),
        ),
      ],
    };
  },
};
