import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { query } from '../../db/open.ts';
import { refuseOtherProject } from '../../hooks/key-project.ts';
import { whoSent } from '../../hooks/peer.ts';
import { storeRecovered } from '../../hooks/recover.ts';
import type { HookServices } from '../../hooks/types.ts';
import { asFarAs } from '../../http/env.ts';
import { served } from '../../http/serve.ts';
import { isOwnSession } from '../../llm/claude.ts';
import { linesIn, moveCursor, readCursor, readTranscript } from '../../sessions/transcript.ts';

// Events that never reached the server, for clients on other machines: the hook of a session's start sends the transcripts
// that the server cannot read itself (hooks/transcripts.cjs). Whoever has a key of hooks can send anything as a transcript.
// So it counts for no more than events sent one by one: the same checks of the project and of who sent a prompt, the same
// redaction. No path of it is ever opened here.

/** A transcript by the names that the client gives: of a session, or of a subagent in it. */
const FILE = /^([\w-]{1,100})(?:\/subagents\/[\w-]{1,150})?\.jsonl$/;

const Piece = z
  .strictObject({
    /** the transcript, by its name in the client's folder for the project */
    file: z.string().max(300).regex(FILE, 'is no transcript of a session or subagent'),
    /** of the session that starts */
    cwd: z
      .string()
      .max(4096)
      .regex(/^[^\0]+$/, 'must be a folder, without NUL'),
    /** where the lines begin, in bytes */
    from: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    /** whole lines; '' to ask how far it is read */
    text: z.string().refine((text) => text === '' || text.endsWith('\n'), 'must end with a whole line'),
    /** the prompt before the lines, as the last answer said */
    promptId: z.string().max(200).nullish(),
  })
  .openapi('TranscriptPiece');
const Read = z
  .object({
    /** where the next piece begins, in bytes */
    offset: z.number(),
    promptId: z.string().nullable(),
    /** how many events were new */
    recovered: z.number(),
    /** when the key was made: nothing from before is taken */
    since: z.iso.datetime(),
  })
  .openapi('TranscriptRead');

/** The route that takes transcripts of other machines. */
export const transcriptRoutes = served((route, services: HookServices) =>
  route(
    'POST /v1/transcripts',
    'Lines of a transcript on another machine, for events that no hook could deliver',
    { body: Piece, answer: Read, problems: { 403: 'Of another project than the key is for' } },
    async ({ body: { file, cwd, from, text, promptId }, caller, as, connection }) => {
      const { db, config } = services;
      const mine = asFarAs(services, caller);
      const own = (session_id: string, cwd: string | null | undefined) =>
        refuseOtherProject(services, mine, { hook_event_name: 'Transcript', session_id, cwd });
      const claims = await own(FILE.exec(file)?.[1] as string, cwd);
      // what was before was not meant for this account: the folder may hold what its person did for another one
      const made = sql`select created_at as at from api_keys where id = ${caller.keyId}`;
      const [key] = await as((tx) => query<{ at: Date }>(tx, made));
      const since = new Date(key?.at ?? Date.now());
      const told = { recovered: 0, since: since.toISOString() };
      if (text === '')
        return { ...told, offset: (await readCursor(db, claims, file))?.offset ?? 0, promptId: null };
      const lines = linesIn([Buffer.from(text)]);
      const { events, next, settled, ...read } = await readTranscript(file, from, lines, promptId ?? null);
      const said = events.filter(({ event }) => !isOwnSession(config.home, event.cwd));
      for (const { event } of new Map(said.map((one) => [one.event.session_id, one])).values())
        await own(event.session_id, event.cwd);
      const wanted = said
        .filter(({ at }) => at >= since)
        .map(({ event, at }) => ({ event: { ...event, transcript_path: null }, at }));
      const prompt = wanted.find(({ event }) => event.hook_event_name === 'UserPromptSubmit');
      const by = prompt ? await whoSent(services, claims, prompt.event, connection) : null;
      const recovered = await storeRecovered(services, claims, wanted, by);
      await moveCursor(db, claims, { path: file, offset: next, updatedAt: new Date() });
      return { ...told, offset: settled, promptId: read.promptId, recovered };
    },
  ),
);
