import { LRUCache } from 'lru-cache';
import { asUser, type Claims } from '../db/as-user.ts';
import type { ReadingServices } from '../db/project-memory.ts';
import { readSettings } from '../llm/settings.ts';
import { within } from '../timing/within.ts';
import { loadVerdicts, spendVerdict } from './checks.ts';
import type { KnownVerdict } from './verdict.ts';

// The hook before a shell command must answer within a millisecond, even while the database is busy, far away or down.
// So all verdicts of people and of the model are kept in memory for each user who checks commands.

/**
 * The verdicts of people and of the model, by user and key.
 *
 * @example
 * const known = (await memory.of(claims)).get(key);
 * if (known?.once) await memory.spend(claims, key);
 */
export type VerdictMemory = {
  /** Returns the verdicts that hold for a user now, by key. None while the database cannot be read. */
  of(claims: Claims): Promise<Known>;
  /** Adds a verdict that is being stored in the database. */
  add(userId: string, key: string, verdict: KnownVerdict): void;
  /** Forgets a verdict that was taken back in the database. */
  forget(userId: string, key: string): void;
  /** Uses up a verdict that holds once. Returns false when it was used up elsewhere. */
  spend(claims: Claims, key: string): Promise<boolean>;
  /** Reads the verdicts of a user (of all users when none is named) again. The old ones hold until it resolves. */
  refresh(userId?: string): Promise<unknown>;
};

const MAX_USERS = 200;
/**
 * Most verdicts that are kept for a user: a person's verdicts first, then the model's newest. If a verdict of
 * the model does not fit, the model is asked again.
 */
const MAX_VERDICTS = 20_000;
/** How long the first check after a start waits for the verdicts. Then it is judged without them. */
const PATIENCE_MS = 1_000;

type Verdicts = Map<string, KnownVerdict>;
/** `learns`: whether the shapes of commands that the user lets run are kept. Not while that cannot be read. */
type Known = Pick<Verdicts, 'get'> & { learns: boolean };
/** `late`: a check has waited for this loading in vain, so the next ones do not wait for it */
type Held = { verdicts: Verdicts | null; learns: boolean; loading: Promise<Verdicts> | null; late: boolean };

/** Returns a memory of the verdicts in a database. Call `refresh` when another server has changed them. */
export function createVerdictMemory({ db, log, inBackground }: ReadingServices): VerdictMemory {
  const users = new LRUCache<string, Held>({ max: MAX_USERS });

  function load(userId: string, held: Held): Promise<Verdicts> {
    const read = asUser(
      db,
      { userId, role: 'member' },
      async (tx) => {
        const learns = (await readSettings(tx)).shapes === 'on';
        return { learns, verdicts: await loadVerdicts(tx, MAX_VERDICTS, learns) };
      },
      { readOnly: true, urgent: true },
    );
    const loading = read.then(({ learns, verdicts }) => {
      // a newer load may have begun in the meantime
      if (held.loading === loading) held.learns = learns;
      return verdicts;
    });
    held.loading = loading;
    held.late = false;
    const kept = loading.then(
      (verdicts) => {
        // a newer load may have begun in the meantime
        if (held.loading !== loading) return;
        held.verdicts = verdicts;
        held.loading = null;
      },
      (error) => {
        if (held.loading === loading) held.loading = null;
        log.warn({ error }, 'verdicts could not be read');
      },
    );
    inBackground('read verdicts', () => kept);
    return loading;
  }

  /** Returns the verdicts as they are read for the first time; null if that fails or takes too long. */
  async function loaded(userId: string, held: Held): Promise<Verdicts | null> {
    const loading = held.loading ?? load(userId, held);
    if (held.late) return null;
    let failed = false;
    const verdicts = await within(loading, PATIENCE_MS).catch(() => {
      failed = true;
      return null;
    });
    if (verdicts === null && !failed && held.loading === loading) held.late = true;
    return verdicts;
  }

  function hold(userId: string): Held {
    const known = users.get(userId);
    if (known) return known;
    const held: Held = { verdicts: null, learns: false, loading: null, late: false };
    users.set(userId, held);
    return held;
  }

  const holds = ({ expiresAt }: KnownVerdict) => expiresAt === null || expiresAt > Date.now();

  return {
    async of({ userId }) {
      const held = hold(userId);
      const verdicts = held.verdicts ?? (await loaded(userId, held));
      return {
        learns: held.learns,
        get(key) {
          const verdict = verdicts?.get(key);
          return verdict && holds(verdict) ? verdict : undefined;
        },
      };
    },
    add(userId, key, verdict) {
      users.get(userId)?.verdicts?.set(key, verdict);
    },
    forget(userId, key) {
      users.get(userId)?.verdicts?.delete(key);
    },
    async spend(claims, key) {
      const spent = await asUser(db, claims, (tx) => spendVerdict(tx, key));
      users.get(claims.userId)?.verdicts?.delete(key);
      return spent;
    },
    refresh(userId) {
      const all = [...users].filter(([id]) => userId === undefined || id === userId);
      return Promise.allSettled(all.map(([id, held]) => load(id, held)));
    },
  };
}
