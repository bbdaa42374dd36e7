import { sql } from 'drizzle-orm';
import type { InBackground } from '../base/timing/loop.ts';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';

/** A project's row is brought up to date at most this often. */
const EVERY_MS = 1_000;

/** Keeps the rows of `dashboard_projects` up to date, behind the answers. */
export type Dashboard = {
  /** Says that something happened in projects of a user. */
  touch(userId: string, projectIds: Iterable<string>): void;
  /** Brings all projects that still wait up to date at once. */
  flush(): void;
  /** Stops. Projects that still wait are not brought up to date; their next event does that. */
  stop(): void;
};

/**
 * Returns a {@link Dashboard}. A row is brought up to date in the background: at once, then at most once a second.
 *
 * @param everyMs 0: at once each time, because this process may end before a timer does
 */
export function createDashboard(
  services: { db: Database; inBackground: InBackground },
  everyMs = EVERY_MS,
): Dashboard {
  /** the projects that were brought up to date within the last second, and whether something happened since */
  const resting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();

  const refresh = (key: string) => {
    clearTimeout(resting.get(key)?.timer);
    resting.delete(key);
    if (everyMs > 0) resting.set(key, { timer: setTimeout(rested, everyMs, key).unref(), again: false });
    const [userId = '', projectId = ''] = key.split(' ');
    services.inBackground('dashboard', () =>
      asUser(services.db, { userId, role: 'member' }, (tx) =>
        query(tx, sql`select refresh_dashboard_project(${projectId}::uuid)`),
      ),
    );
  };
  const rested = (key: string) => {
    if (resting.get(key)?.again) refresh(key);
    else resting.delete(key);
  };

  return {
    touch(userId, projectIds) {
      for (const projectId of new Set(projectIds)) {
        const rest = resting.get(`${userId} ${projectId}`);
        if (rest) rest.again = true;
        else refresh(`${userId} ${projectId}`);
      }
    },
    flush() {
      for (const [key, { again }] of [...resting]) if (again) refresh(key);
    },
    stop() {
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}

/** Brings all of the caller's projects up to date, in the caller's transaction. */
export async function refreshDashboard(tx: Tx): Promise<void> {
  await query(tx, sql`select refresh_dashboard_project(id) from projects`);
}
