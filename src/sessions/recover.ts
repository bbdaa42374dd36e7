import { eq } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Database } from '../db/open.ts';
import { transcriptCursors } from './schema.ts';
import { readTranscript, recentTranscripts, type TranscriptEvent, UNTIL_MS } from './transcript.ts';

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
  for (const { file, size, changed } of await recentTranscripts(path, Date.now() - WINDOW_MS)) {
    if (!(await isTheirs(file))) continue;
    const now = new Date();
    try {
      const cursor = await readCursor(db, claims, file);
      if (cursor && changed + UNTIL_MS < cursor.updatedAt.getTime()) continue;
      // one that got shorter was written anew; events are stored only once anyway
      const from = cursor && cursor.offset <= size ? cursor.offset : 0;
      const { events, next } = await readTranscript(file, from);
      recovered += await store(events);
      await moveCursor(db, claims, { path: indexable(file), offset: next, updatedAt: now });
    } catch (error) {
      log.warn({ file, error }, 'transcript not recovered; it is tried again at the next session start');
    }
  }
  if (recovered > 0) log.info({ recovered }, 'events recovered from transcripts');
}

type Cursor = { offset: number; updatedAt: Date };

/**
 * Returns where the next reading of a transcript begins, and when it was read last; undefined if it never was. `file`: its
 * path, or its name on another machine
 */
export async function readCursor(db: Database, claims: Claims, file: string): Promise<Cursor | undefined> {
  const { path, offset, updatedAt } = transcriptCursors;
  const [row] = await asUser(db, claims, (tx) =>
    tx
      .select({ offset, updatedAt })
      .from(transcriptCursors)
      .where(eq(path, indexable(file))),
  );
  return row;
}

export async function moveCursor(db: Database, claims: Claims, to: Cursor & { path: string }): Promise<void> {
  const target = [transcriptCursors.userId, transcriptCursors.path];
  await asUser(db, claims, (tx) =>
    tx.insert(transcriptCursors).values(to).onConflictDoUpdate({ target, set: to }),
  );
}
