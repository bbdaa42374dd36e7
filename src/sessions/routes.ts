import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { theOne } from '../base/text/short-id.ts';
import { callsStopped, StoppedCall, stoppedIn } from '../commands/stopped.ts';
import type { Database, Tx } from '../db/open.ts';
import { limit, time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { errorsMet } from '../incidents/incidents.ts';
import { auditOf } from '../kinds/audits.ts';
import { episodesOfSession } from '../kinds/episodes/episodes.ts';
import { kindOf } from '../kinds/kind.ts';
import { lessonsCreated, lessonsMade } from '../learnings/learnings.ts';
import { lessonsThatHelped } from '../offers/offers.ts';
import { HookedCall, hookedCall } from './calls.ts';
import { listInProject } from './projects.ts';
import { events, SESSION_STATUSES, turns } from './schema.ts';
import { getSession, kindOfSessions, sessionsNamed } from './sessions.ts';

const number = z.number();
/** With what other rooms count of a session. */
const shownSessions = kindOfSessions({
  errorsEncountered: { as: number, sql: errorsMet(sql`t.id`) },
  /** lessons that it was offered and that helped it, and lessons that it led to */
  learningsApplied: { as: number, sql: lessonsThatHelped(sql`t.id`) },
  learningsCreated: { as: number, sql: lessonsCreated(sql`t.id`) },
  /** calls that Lore did not let run; they are no errors */
  callsStopped: { as: number, sql: callsStopped(sql`t.id`) },
});
const Session = z.object(shownSessions.shape).openapi('Session');

const shownEvents = kindOf('session', events, ['sessionId', 'dedupKey', 'payload', 'receivedAt'], {
  id: { as: number, sql: sql`t.id::float8` },
});
const shownTurns = kindOf('session', turns, ['session', 'projectId', 'startKey', 'branch', 'said'], {
  answer: { as: z.string().nullable(), sql: sql`t.said` },
});
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

/** Most stopped calls of a session that are returned. */
const MAX_STOPPED = 200;

/** A session with what other rooms know of it. */
const WholeSession = Session.extend({
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
  stopped: z.array(z.object(StoppedCall.shape).openapi('StoppedCall')),
  turns: z.array(Turn),
  events: z.array(Event),
  episodes: z.array(z.object({ id: z.string(), line: z.string() })),
  /** what a model said when it looked back; null if none was asked */
  audit: z.union([Audit, z.null()]),
}).openapi('WholeSession');

/**
 * Returns a session by Lore's id or the client's, or by the beginning of either.
 *
 * @throws Problem (404) when the caller has none, (409) when several begin so
 */
async function sessionMeant(tx: Tx, reference: string) {
  const found = await getSession(tx, reference);
  const { id } = found ?? theOne(await sessionsNamed(tx, reference), 'session', reference);
  return theOne(await shownSessions.read(tx, sql`t.id = ${id}::uuid`), 'session', reference);
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
      answer: z.object({ sessions: z.array(Session) }),
    },
    async ({ as, query: { project, status, ...page } }) => {
      const list = (tx: Tx) => (id?: string) =>
        shownSessions.list(
          tx,
          [id && sql`t.project_id = ${id}::uuid`, status && sql`t.status = ${status}`],
          page,
        );
      return { sessions: await as((tx) => listInProject(tx, project, list(tx))) };
    },
  );
  route(
    'GET /v1/calls/{id}',
    'The session, project and agent of a call that the client is making, by the client’s id of the call',
    {
      params: z.object({ id: z.string().min(1).max(300) }),
      answer: z.object(HookedCall.shape).openapi('HookedCall'),
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
        const inTurns = sql`order by t.started_at, t.id limit ${MAX_TURNS}::int`;
        const inOrder = sql`order by t.occurred_at, t.id limit ${query.events}::int`;
        return {
          ...found,
          lessonsMade: await lessonsMade(tx, found.id),
          stopped: await stoppedIn(tx, found.id, MAX_STOPPED),
          turns: await shownTurns.read(tx, sql`t.session = ${found.clientSessionId}`, inTurns),
          events: await shownEvents.read(tx, sql`t.session_id = ${found.id}`, inOrder),
          episodes: await episodesOfSession(tx, found.id),
          audit: await auditOf(tx, found.id),
        };
      }),
  );
});
