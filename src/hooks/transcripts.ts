import { createRoute, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { asUser } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import type { Caller } from '../http/env.ts';
import { connectionOf } from '../http/remote-address.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem } from '../http/schemas.ts';
import { isOwnSession } from '../llm/claude-folder.ts';
import { moveCursor, readCursor } from '../sessions/recover.ts';
import { linesIn, NO_TURN, readLines } from '../sessions/transcript.ts';
import { refuseOtherProject } from './key-project.ts';
import { whoSent } from './peer.ts';
import { storeRecovered } from './recover.ts';
import type { HookServices } from './types.ts';

// Events that never reached the server, for clients on other machines: the hook of a session's start sends the
// transcripts that the server cannot read itself (hooks/transcripts.cjs). Whoever has a key of hooks can send anything as
// a transcript. So it counts for no more than events sent one by one do: the same checks of the project and of the sender
// of prompts, the same redaction, and nothing from the future. No path of it is ever opened here.

/** A transcript by the names that the client gives: of a session, or of a subagent in it. */
const FILE = /^([\w-]{1,100})(?:\/subagents\/[\w-]{1,150})?\.jsonl$/;

const offset = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Turn = z.object({ promptId: z.string().max(200).nullable(), from: offset.nullable() });

const route = createRoute({
  method: 'post',
  path: '/v1/transcripts',
  summary: 'Lines of a transcript on another machine, for events that no hook could deliver (at most 1 MB)',
  request: body(
    z
      .strictObject({
        /** the transcript, by its name in the client's folder for the project */
        file: z.string().max(300).regex(FILE, 'is no transcript of a session or subagent'),
        /** the folder of the session that starts */
        cwd: z
          .string()
          .max(4096)
          .regex(/^[^\0]+$/, 'must be a folder, without NUL'),
        /** where in the transcript the lines begin and end, in bytes */
        from: offset,
        to: offset,
        /** whole lines; '' to ask how far the transcript is read, or to pass a line that is too long to be sent */
        text: z.string().refine((text) => text === '' || text.endsWith('\n'), 'must end with a whole line'),
        /** what the answer before said, for the next piece of the same transcript */
        turn: Turn.nullish(),
      })
      .openapi('TranscriptPiece'),
  ),
  responses: {
    200: json(
      z
        .object({
          /** where the next piece begins, in bytes */
          offset,
          turn: Turn,
          /** how many events were new */
          recovered: z.number().int(),
          /** when the key was made: nothing from before is taken, so older transcripts need not be sent */
          since: z.iso.datetime(),
        })
        .openapi('TranscriptRead'),
      'How far it is read now',
    ),
    403: problem('Of another project than the key is for'),
    ...commonProblems,
  },
});

/** The route that takes transcripts of other machines. */
export function transcriptRoutes(services: HookServices): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const { db } = services;
    const caller = c.get('caller');
    const { file, cwd, from, to, text, turn: given } = c.req.valid('json');
    const turn = given ?? NO_TURN;
    const session = FILE.exec(file)?.[1] as string;
    const at = (session_id: string, cwd: string | null | undefined) =>
      refuseOtherProject(services, caller, { hook_event_name: 'Transcript', session_id, cwd });
    const claims = await at(session, cwd);
    const made = await keyMade(db, caller);
    const since = made.toISOString();
    if (to <= from)
      return c.json({ offset: await readCursor(db, claims, file), turn: NO_TURN, recovered: 0, since }, 200);
    const read =
      text === ''
        ? { events: [], offset: to, turn, next: turn.from ?? to }
        : await readLines(linesIn(text), from, turn, { session });
    const said = read.events.filter(({ event }) => !isOwnSession(services.config.home, event.cwd));
    for (const { event } of new Map(said.map((one) => [one.event.session_id, one])).values())
      await at(event.session_id, event.cwd);
    const events = said.filter(({ at: time }) => time >= made);
    const prompt = events.find(({ event }) => event.hook_event_name === 'UserPromptSubmit');
    const by = prompt ? await whoSent(services, claims, prompt.event, connectionOf(c)) : null;
    const recovered = await storeRecovered(services, claims, events, by);
    await moveCursor(db, claims, file, read.next);
    return c.json({ offset: read.offset, turn: read.turn, recovered, since }, 200);
  });
  return app;
}

/**
 * Returns when the caller's key was made. What happened before was not meant for this account: the folder may hold what
 * its person did for another one, or before Lore was attached.
 */
async function keyMade(db: Database, caller: Caller): Promise<Date> {
  const of = sql`select created_at as at from api_keys where id = ${caller.keyId}`;
  const [row] = await asUser(db, caller, (tx) => query<{ at: Date }>(tx, of), { readOnly: true });
  return row ? new Date(row.at) : new Date();
}
