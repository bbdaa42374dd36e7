import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { Log } from '../log.ts';
import { loadVerdicts, spendVerdict } from './checks.ts';
import type { KnownVerdict } from './verdict.ts';

// The hook before a shell command must answer in a millisecond, also while the database is busy, far away or down. So
// the verdicts of people and of the model are held in memory, whole for each user who checks commands.

export type VerdictMemory = {
  /** the verdicts that hold for a user now, by key; empty while the database does not give them */
  of(claims: Claims): Promise<Pick<Map<string, KnownVerdict>, 'get'>>;
  /** takes over a verdict that is being stored */
  add(userId: string, key: string, verdict: KnownVerdict): void;
  /** uses up a verdict for once; false when it was used up elsewhere */
  spend(claims: Claims, key: string): Promise<boolean>;
  /** reads a user's verdicts again, those of all when no user is named; the old ones hold until then */
  refresh(userId?: string): void;
};

const MAX_USERS = 200;
/** A person's verdicts come first, then the model's newest: beyond this the model is asked again. */
const MAX_VERDICTS = 20_000;
/** The first check after a start waits for so long; then it goes by the rules alone. */
const PATIENCE_MS = 1_000;

type Verdicts = Map<string, KnownVerdict>;
type Held = { verdicts: Verdicts | null; loading: Promise<Verdicts> | null };

/** Makes the memory of verdicts over a database. Other servers' changes come by `refresh`. */
export function createVerdictMemory(db: Database, log: Log): VerdictMemory {
  const users = new Map<string, Held>();

  function load(userId: string, held: Held): Promise<Verdicts> {
    const loading = asUser(db, { userId, role: 'member' }, (tx) => loadVerdicts(tx, MAX_VERDICTS), {
      readOnly: true,
    });
    held.loading = loading;
    loading.then(
      (verdicts) => {
        // a newer load may have begun meanwhile
        if (held.loading !== loading) return;
        held.verdicts = verdicts;
        held.loading = null;
      },
      (error) => {
        if (held.loading === loading) held.loading = null;
        log.warn({ error }, 'verdicts could not be read');
      },
    );
    return loading;
  }

  function hold(userId: string): Held {
    const known = users.get(userId);
    if (known) return known;
    if (users.size >= MAX_USERS) users.delete(users.keys().next().value as string);
    const held: Held = { verdicts: null, loading: null };
    users.set(userId, held);
    return held;
  }

  const holds = ({ expiresAt }: KnownVerdict) => expiresAt === null || expiresAt > Date.now();

  return {
    async of({ userId }) {
      const held = hold(userId);
      const verdicts = held.verdicts ?? (await within(held.loading ?? load(userId, held), PATIENCE_MS));
      return {
        get(key) {
          const verdict = verdicts?.get(key);
          return verdict && holds(verdict) ? verdict : undefined;
        },
      };
    },
    add(userId, key, verdict) {
      users.get(userId)?.verdicts?.set(key, verdict);
    },
    async spend(claims, key) {
      users.get(claims.userId)?.verdicts?.delete(key);
      return asUser(db, claims, (tx) => spendVerdict(tx, key));
    },
    refresh(userId) {
      for (const [id, held] of users) if (userId === undefined || id === userId) load(id, held);
    },
  };
}

/** The value, or null when it takes longer or fails. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
