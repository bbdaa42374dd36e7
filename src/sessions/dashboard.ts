import type { InBackground } from '../base/timing/loop.ts';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';

/** A project's row is brought up to date at most this often. */
const EVERY_MS = 1_000;

/** Keeps the rows of `dashboard_projects` up to date, behind the answers. */
export type Dashboard = ReturnType<typeof createDashboard>;

/**
 * Returns a {@link Dashboard}. Rows are brought up to date in the background: at once, then at most once a second.
 *
 * @param everyMs 0: at once each time, because this process may end before a timer does
 */
export function createDashboard(services: { db: Database; inBackground: InBackground }, everyMs = EVERY_MS) {
  const waiting = new Map<string, { userId: string; projectId: string }>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    for (const { userId, projectId } of waiting.values())
      services.inBackground('dashboard', () =>
        asUser(
          services.db,
          { userId, role: 'member' },
          (tx) => query(tx)`select refresh_dashboard_project(${projectId}::uuid)`,
        ),
      );
    waiting.clear();
  };
  const beat = () => {
    timer = waiting.size > 0 && everyMs > 0 ? setTimeout(beat, everyMs).unref() : undefined;
    flush();
  };
  return {
    /** Says that something happened in projects of a user. */
    touch(userId: string, projectIds: Iterable<string>) {
      for (const projectId of projectIds) waiting.set(`${userId} ${projectId}`, { userId, projectId });
      if (timer === undefined) beat();
    },
    /** Brings all projects that still wait up to date at once. */
    flush,
    /** Stops. Projects that still wait are not brought up to date; their next event does that. */
    stop() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** Brings all of the caller's projects up to date, in the caller's transaction. */
export async function refreshDashboard(tx: Tx): Promise<void> {
  await query(tx)`select refresh_dashboard_project(id) from projects`;
}
