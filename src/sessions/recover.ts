import { basename } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Database } from '../db/open.ts';
import { transcriptCursors } from './schema.ts';
import { NO_TURN, readLines, recentTranscripts, type TranscriptEvent } from './transcript.ts';
import { linesOf } from './transcript-lines.ts';

/** Transcripts that are older are not read: they are from before Lore was used, or have been read already. */
const WINDOW_MS = 7 * 86_400_000;

/**
 * Stores the events that never reached the server. It reads them from the transcripts of the project in which a session
 * starts: that session's and those that changed in the last week. Each event is stored once, however often this runs. A
 * transcript that cannot be read is logged and skipped.
 *
 * @param path transcript of the session that starts
 * @param isTheirs returns whether the caller may have a transcript read
 * @param store stores events in the same way as hooks do, and returns how many were new
 */
export async function recoverMissedEvents(
  { db, log }: { db: Database; log: Log },
  claims: Claims,
  path: string,
  isTheirs: (file: string) => Promise<boolean>,
  store: (events: TranscriptEvent[]) => Promise<number>,
): Promise<void> {
  let recovered = 0;
  for (const { file, size } of await recentTranscripts(path, Date.now() - WINDOW_MS)) {
    if (!(await isTheirs(file))) continue;
    const known = await readCursor(db, claims, file);
    if (size === known) continue;
    // one that got shorter was written anew; events are stored only once anyway
    const from = known < size ? known : 0;
    const about = { session: basename(file, '.jsonl'), path: file };
    try {
      const { events, next } = await readLines(linesOf(file, { from }), from, NO_TURN, about);
      recovered += await store(events);
      await moveCursor(db, claims, file, next);
    } catch (error) {
      log.warn({ file, error }, 'transcript not recovered; it is tried again at the next session start');
    }
  }
  if (recovered > 0) log.info({ recovered }, 'events recovered from transcripts');
}

/** Returns how far a transcript has been read, in bytes. */
async function readCursor(db: Database, claims: Claims, file: string): Promise<number> {
  const [row] = await asUser(db, claims, (tx) =>
    tx
      .select({ offset: transcriptCursors.offset })
      .from(transcriptCursors)
      .where(eq(transcriptCursors.path, indexable(file))),
  );
  return row?.offset ?? 0;
}

/** Notes how far a transcript has been read. */
async function moveCursor(db: Database, claims: Claims, file: string, offset: number): Promise<void> {
  await asUser(db, claims, (tx) =>
    tx
      .insert(transcriptCursors)
      .values({ path: indexable(file), offset })
      .onConflictDoUpdate({
        target: [transcriptCursors.userId, transcriptCursors.path],
        set: { offset, updatedAt: sql`now()` },
        where: and(sql`${transcriptCursors.offset} <> ${offset}`),
      }),
  );
}
