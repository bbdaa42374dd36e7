import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import type { InBackground } from '../timing/loop.ts';
import { asUser, type Claims } from './as-user.ts';
import type { Database, Tx } from './open.ts';

/** What is kept in memory for each project that is worked on, so that a hook need not ask the database. */
export type ProjectMemory<T> = {
  /** Returns what was read last; reads it if it is not in memory. */
  of(claims: Claims, projectId: string): Promise<T>;
  /** The same, but waits for a reading that is under way. */
  newest(claims: Claims, projectId: string): Promise<T>;
  /** Returns what was read last if it is in memory. */
  peek(claims: Claims, projectId: string): T | undefined;
  /**
   * Reads the project `<user> <project>` again, or all projects if none is named. Until then the old value is
   * used.
   */
  refresh(which?: string): void;
  /** Forgets the projects of a user. */
  forget(userId: string): void;
};

/** What a memory needs to read: its readings count as work in the background. */
export type ReadingServices = { db: Database; log: Log; inBackground: InBackground };

type Held<T> = {
  claims: Claims;
  projectId: string;
  /** what was read last; undefined: nothing yet */
  value?: { read: T };
  /** the last reading, which may be under way */
  reading: Promise<T>;
  busy: boolean;
  /** it has changed since the reading under way began */
  again: boolean;
};

const MAX_PROJECTS = 200;

/**
 * Returns a memory of what `read` returns for a project. `read` runs as the project's user. Call `refresh`
 * when that has changed. If a reading fails, what was read before is forgotten.
 *
 * @param what name of the things that are read, for the log
 */
export function createProjectMemory<T>(
  services: ReadingServices,
  what: string,
  read: (tx: Tx, projectId: string) => Promise<T>,
): ProjectMemory<T> {
  const projects = new LRUCache<string, Held<T>>({ max: MAX_PROJECTS });
  const keyOf = (claims: Claims, projectId: string) => `${claims.userId} ${projectId}`;

  /** Reads for `held`. What changes meanwhile is read again afterwards. */
  function start(key: string, held: Omit<Held<T>, 'reading'>): Held<T> {
    const { claims, projectId, value } = held;
    // an agent waits for the first reading only
    const options = { readOnly: true, urgent: value === undefined };
    const reading = asUser(services.db, claims, (tx) => read(tx, projectId), options);
    const started: Held<T> = Object.assign(held, { reading, busy: true, again: false });
    const kept = reading.then(
      (loaded) => {
        started.value = { read: loaded };
        started.busy = false;
        if (started.again && projects.get(key) === started) start(key, started);
      },
      (error) => {
        services.log.warn({ error }, `${what} could not be read`);
        if (projects.get(key) === started) projects.delete(key);
      },
    );
    services.inBackground(`read ${what}`, () => kept);
    return started;
  }

  function hold(claims: Claims, projectId: string): Held<T> {
    const key = keyOf(claims, projectId);
    const held = projects.get(key) ?? start(key, { claims, projectId, busy: false, again: false });
    projects.set(key, held);
    return held;
  }

  return {
    async of(claims, projectId) {
      const { value, reading } = hold(claims, projectId);
      return value ? value.read : reading;
    },
    newest: (claims, projectId) => hold(claims, projectId).reading,
    peek: (claims, projectId) => projects.get(keyOf(claims, projectId))?.value?.read,
    refresh(which) {
      for (const [key, held] of [...projects]) {
        if (which !== undefined && which !== key) continue;
        if (held.busy) held.again = true;
        else start(key, held);
      }
    },
    forget(userId) {
      for (const key of [...projects.keys()]) if (key.startsWith(`${userId} `)) projects.delete(key);
    },
  };
}
