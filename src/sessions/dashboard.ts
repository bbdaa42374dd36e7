import { sql } from 'drizzle-orm';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { InBackground } from '../timing/loop.ts';

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
 * Returns a {@link Dashboard}. A row is brought up to date in the background, at most once a second.
 *
 * @param everyMs 0: at once each time, because this process may end before a timer does
 */
export function createDashboard(
  services: { db: Database; inBackground: InBackground },
  everyMs = EVERY_MS,
): Dashboard {
  const waiting = new Map<string, NodeJS.Timeout>();
  /** when each project was refreshed last; only those of the last second are kept */
  const refreshed = new Map<string, number>();

  const refresh = (key: string) => {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
    const now = Date.now();
    for (const [one, at] of refreshed) if (now - at >= everyMs) refreshed.delete(one);
    refreshed.set(key, now);
    const [userId = '', projectId = ''] = key.split(' ');
    services.inBackground('dashboard', () =>
      asUser(services.db, { userId, role: 'member' }, (tx) =>
        query(tx, sql`select refresh_dashboard_project(${projectId}::uuid)`),
      ),
    );
  };

  return {
    touch(userId, projectIds) {
      for (const projectId of new Set(projectIds)) {
        const key = `${userId} ${projectId}`;
        if (waiting.has(key)) continue;
        const wait = (refreshed.get(key) ?? 0) + everyMs - Date.now();
        if (wait <= 0) refresh(key);
        else waiting.set(key, setTimeout(refresh, wait, key).unref());
      }
    },
    flush() {
      for (const key of [...waiting.keys()]) refresh(key);
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** Brings all of the caller's projects up to date, in the caller's transaction. */
export async function refreshDashboard(tx: Tx): Promise<void> {
  await query(tx, sql`select refresh_dashboard_project(id) from projects`);
}
