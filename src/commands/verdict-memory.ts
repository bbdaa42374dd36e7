import { LRUCache } from 'lru-cache';
import { within } from '../base/timing/within.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import type { ReadingServices } from '../db/project-memory.ts';
import { readSettings } from '../llm/settings.ts';
import { loadVerdicts, spendVerdict } from './checks.ts';
import type { KnownVerdict } from './verdict.ts';

// The hook before a shell command must answer within a millisecond, even while the database is busy, far away or down.
// So all verdicts of people and of the model are kept in memory for each user who checks commands.

/** The verdicts of people and of the model, by user and key. */
export type VerdictMemory = ReturnType<typeof createVerdictMemory>;

const MAX_USERS = 200;
/** Most verdicts that are kept for a user. If one of the model does not fit, the model is asked again. */
const MAX_VERDICTS = 20_000;
/** How long the first check after a start waits for the verdicts. Then it is judged without them. */
const PATIENCE_MS = 1_000;

type Verdicts = Map<string, KnownVerdict>;
/** `learns`: whether the shapes of commands that the user lets run are kept. Not while that cannot be read. */
/** `late`: a check has waited for this loading in vain, so the next ones do not wait for it */
type Held = { verdicts: Verdicts | null; learns: boolean; loading: Promise<unknown> | null; late: boolean };

/** Returns a memory of the verdicts in a database. Call `refresh` when another server has changed them. */
export function createVerdictMemory({ db, log, inBackground }: ReadingServices) {
  const users = new LRUCache<string, Held>({ max: MAX_USERS });

  /** Reads a user's verdicts. Resolves once they are in memory, or could not be read. */
  function load(userId: string, held: Held): Promise<unknown> {
    const read = async (tx: Tx) => {
      const learns = (await readSettings(tx)).shapes === 'on';
      return { learns, verdicts: await loadVerdicts(tx, MAX_VERDICTS, learns) };
    };
    const claims = { userId, role: 'member' } as const;
    const found = asUser(db, claims, read, { readOnly: true, urgent: true });
    const loading: Promise<unknown> = found.then(
      // a newer load may have begun in the meantime
      (found) => held.loading === loading && Object.assign(held, found, { loading: null }),
      (error) => {
        if (held.loading === loading) held.loading = null;
        log.warn({ error }, 'verdicts could not be read');
      },
    );
    Object.assign(held, { loading, late: false });
    inBackground('read verdicts', () => loading);
    return loading;
  }

  return {
    /** Returns the verdicts that hold for a user now, by key. None while the database cannot be read. */
    async of({ userId }: Claims): Promise<Pick<Verdicts, 'get'> & { learns: boolean }> {
      const held = users.get(userId) ?? { verdicts: null, learns: false, loading: null, late: false };
      users.set(userId, held);
      if (held.verdicts === null && !held.late) {
        await within(held.loading ?? load(userId, held), PATIENCE_MS);
        // still being read
        held.late = held.loading !== null;
      }
      const { verdicts, learns } = held;
      const holds = ({ expiresAt }: KnownVerdict) => expiresAt === null || expiresAt > Date.now();
      return {
        learns,
        get(key) {
          const verdict = verdicts?.get(key);
          return verdict && holds(verdict) ? verdict : undefined;
        },
      };
    },
    /** Adds a verdict that is being stored in the database. */
    add(userId: string, key: string, verdict: KnownVerdict) {
      users.get(userId)?.verdicts?.set(key, verdict);
    },
    /** Forgets a verdict that was taken back in the database. */
    forget(userId: string, key: string) {
      users.get(userId)?.verdicts?.delete(key);
    },
    /** Uses up a verdict that holds once. Returns false when it was used up elsewhere. */
    async spend(claims: Claims, key: string) {
      const spent = await asUser(db, claims, (tx) => spendVerdict(tx, key));
      users.get(claims.userId)?.verdicts?.delete(key);
      return spent;
    },
    /** Reads the verdicts of a user (of all users when none is named) again. The old ones hold until it resolves. */
    refresh(userId?: string) {
      const all = [...users].filter(([id]) => userId === undefined || id === userId);
      return Promise.all(all.map(([id, held]) => load(id, held)));
    },
  };
}
