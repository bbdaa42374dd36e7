import { z } from '@hono/zod-openapi';
import { Problem } from '../base/errors/problem.ts';
import { countStopped, stoppedIn } from '../commands/stopped.ts';
import { Check } from '../commands/verdict.ts';
import type { Database, Tx } from '../db/open.ts';
import { limit, time } from '../http/schemas.ts';
import { countErrors } from '../incidents/incidents.ts';
import { auditOf } from '../kinds/audits.ts';
import { episodesOfSession } from '../kinds/episodes/episodes.ts';
import { served } from '../kinds/records/serve.ts';
import { lessonsCreated, lessonsMade } from '../learnings/learnings.ts';
import { lessonsThatHelped } from '../offers/offers.ts';
import { hookedCall } from './calls.ts';
import { listInProject } from './projects.ts';
import {
  listEvents,
  listSessions,
  listTurns,
  sessionMeant,
  shownEvents,
  shownTurns,
} from './read-sessions.ts';
import { SESSION_STATUSES } from './schema.ts';
import { shownSessions } from './sessions.ts';

const Session = z.object(shownSessions.shape).openapi('Session');

const Event = z.object(shownEvents.shape).openapi('Event');
const Turn = z.object(shownTurns.shape).openapi('Turn');
/** Most turns of a session that are returned. */
const MAX_TURNS = 500;

const Audit = z
  .object({
    status: z.enum(['pending', 'waiting', 'done', 'failed']),
    verdict: z.enum(['success', 'partial', 'failed']).nullable(),
    errorsFound: z.array(
      z.object({
        type: z.string(),
        description: z.string(),
        cause: z.string().nullable(),
        resolution: z.string().nullable(),
        preventable: z.boolean().nullable(),
      }),
    ),
    recommendedNextSteps: z.array(z.string()),
    evaluatedBy: z.string().nullable(),
    tokens: z.number(),
    /** why there is no verdict */
    reason: z.string().nullable(),
    finishedAt: time.nullable(),
  })
  .openapi('Audit');

/** What other rooms count of a session. */
const Counts = z.object({
  /** lessons that it was offered and that helped it, and lessons that it led to */
  learningsApplied: z.number(),
  learningsCreated: z.number(),
  /** calls that Lore did not let run; they are no errors */
  callsStopped: z.number(),
});

const StoppedCall = z
  .object({
    /** names its check, see `/v1/commands/checks` */
    code: z.string(),
    tool: z.string().nullable(),
    command: z.string(),
    /** hold: a lesson stopped it once, so that it was read first */
    decision: z.enum(['deny', 'hold']),
    /** `guard`: a person's rule; `lesson`: one that helped before */
    source: Check.shape.source,
    rule: z.string().nullable(),
    lessonId: z.string().nullable(),
    reason: z.string(),
    checkedAt: time,
  })
  .openapi('StoppedCall');
/** Most stopped calls of a session that are returned. */
const MAX_STOPPED = 200;

const HookedCall = z
  .object({
    /** the client's id of the session */
    session: z.string(),
    project: z.string(),
    agentId: z.string().nullable(),
    agentType: z.string().nullable(),
  })
  .openapi('HookedCall');

const ListedSession = Session.extend(Counts.shape).openapi('ListedSession');

/** A session with what other rooms know of it. */
const WholeSession = Session.extend({
  ...Counts.shape,
  /** the lessons that it led to, as they are now */
  lessonsMade: z.array(
    z.object({
      id: z.string(),
      lesson: z.string(),
      status: z.enum(['active', 'proposed']),
      validUntil: time.nullable(),
    }),
  ),
  /** the calls that Lore did not let run, the oldest first; the last 200 */
  stopped: z.array(StoppedCall),
  turns: z.array(Turn),
  events: z.array(Event),
  episodes: z.array(z.object({ id: z.string(), line: z.string() })),
  /** what a model said when it looked back; null if none was asked */
  audit: z.union([Audit, z.null()]),
}).openapi('WholeSession');

async function withCounts<S extends { id: string }>(tx: Tx, sessions: S[]) {
  const ids = sessions.map(({ id }) => id);
  const [applied, created] = [await lessonsThatHelped(tx, ids), await lessonsCreated(tx, ids)];
  const [errors, stopped] = [await countErrors(tx, ids), await countStopped(tx, ids)];
  return sessions.map((session) => ({
    ...session,
    errorsEncountered: errors.get(session.id) ?? 0,
    callsStopped: stopped.get(session.id) ?? 0,
    learningsApplied: applied.get(session.id) ?? 0,
    learningsCreated: created.get(session.id) ?? 0,
  }));
}

export const sessionRoutes = served<{ db: Database }>((route) => {
  route(
    'GET /v1/sessions',
    'Sessions, the last active first',
    {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        status: z.enum(SESSION_STATUSES).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(200, 20),
      }),
      answer: z.object({ sessions: z.array(ListedSession) }),
    },
    async ({ as, query: { project, ...filter } }) => ({
      sessions: await as(async (tx) => {
        const list = (projectId?: string) => listSessions(tx, projectId, filter);
        return withCounts(tx, await listInProject(tx, project, list));
      }),
    }),
  );
  route(
    'GET /v1/calls/{id}',
    'The session, project and agent of a call that the client is making, by the client’s id of the call',
    {
      params: z.object({ id: z.string().min(1).max(300) }),
      answer: HookedCall,
      problems: { 404: 'No hook reported this call' },
    },
    async ({ as, params: { id } }) => {
      const call = await as((tx) => hookedCall(tx, id));
      if (call) return call;
      throw new Problem({
        status: 404,
        title: 'Call not found',
        detail: `No hook reported a call ${id} today.`,
      });
    },
  );
  route(
    'GET /v1/sessions/{id}',
    "A session by Lore's id or the client's, or 8 characters of either, with its turns and events in order",
    {
      params: z.object({ id: z.string().min(1).max(200) }),
      query: z.object({ events: limit(5000, 1000) }),
      answer: WholeSession,
      problems: { 404: 'No such session', 409: 'The id is ambiguous' },
    },
    ({ as, params, query }) =>
      as(async (tx) => {
        const found = await sessionMeant(tx, params.id);
        const [whole] = await withCounts(tx, [found]);
        return {
          ...(whole as NonNullable<typeof whole>),
          lessonsMade: await lessonsMade(tx, found.id),
          stopped: await stoppedIn(tx, found.id, MAX_STOPPED),
          turns: await listTurns(tx, found.clientSessionId, MAX_TURNS),
          events: await listEvents(tx, found.id, query.events),
          episodes: await episodesOfSession(tx, found.id),
          audit: await auditOf(tx, found.id),
        };
      }),
  );
});
