import { LRUCache } from 'lru-cache';
import type { Log } from '../base/log.ts';
import type { InBackground } from '../base/timing/loop.ts';
import { asUser, type Claims } from './as-user.ts';
import type { Database, Tx } from './open.ts';

/** What is kept in memory for each project that is worked on, so that a hook need not ask the database. */
export type ProjectMemory<T> = ReturnType<typeof createProjectMemory<T>>;

/** What a memory needs to read: its readings count as work in the background. */
export type ReadingServices = { db: Database; log: Log; inBackground: InBackground };

/** `reading`: the last one; `again`: it has changed since that began */
type Held<T> = { read(): Promise<T>; value?: { is: T }; reading: Promise<T>; busy: boolean; again: boolean };

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
) {
  const projects = new LRUCache<string, Held<T>>({ max: MAX_PROJECTS });
  const keyOf = (claims: Claims, projectId: string) => `${claims.userId} ${projectId}`;

  /** Reads. What changes meanwhile is read again afterwards. */
  function start(key: string, held: Held<T>) {
    Object.assign(held, { reading: held.read(), busy: true, again: false });
    const kept = held.reading.then(
      (is) => {
        Object.assign(held, { value: { is }, busy: false });
        if (held.again && projects.get(key) === held) start(key, held);
      },
      (error) => {
        services.log.warn({ error }, `${what} could not be read`);
        if (projects.get(key) === held) projects.delete(key);
      },
    );
    services.inBackground(`read ${what}`, () => kept);
  }

  function hold(claims: Claims, projectId: string): Held<T> {
    const key = keyOf(claims, projectId);
    const known = projects.get(key);
    if (known) return known;
    const held = { busy: false, again: false } as Held<T>;
    // an agent waits for the first reading only
    held.read = () =>
      asUser(services.db, claims, (tx) => read(tx, projectId), { readOnly: true, urgent: !held.value });
    projects.set(key, held);
    start(key, held);
    return held;
  }

  return {
    /** Returns what was read last; reads it if it is not in memory. */
    async of(claims: Claims, projectId: string): Promise<T> {
      const { value, reading } = hold(claims, projectId);
      return value ? value.is : reading;
    },
    /** The same, but waits for a reading that is under way. */
    newest: (claims: Claims, projectId: string): Promise<T> => hold(claims, projectId).reading,
    /** Returns what was read last if it is in memory. */
    peek: (claims: Claims, projectId: string): T | undefined =>
      projects.get(keyOf(claims, projectId))?.value?.is,
    /** Reads the project `<user> <project>` again, or all projects if none is named. Until then the old value is used. */
    refresh(which?: string): void {
      for (const [key, held] of [...projects]) {
        if (which !== undefined && which !== key) continue;
        if (held.busy) held.again = true;
        else start(key, held);
      }
    },
    /** Forgets the projects of a user. */
    forget(userId: string): void {
      for (const key of [...projects.keys()]) if (key.startsWith(`${userId} `)) projects.delete(key);
    },
  };
}
