import { LRUCache } from 'lru-cache';
import type { Permissions } from '../commands/permissions.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { readSettings } from '../llm/settings.ts';
import { FEW, type Voice, voiceOf } from '../offers/voice.ts';
import { ownPermissions } from '../sessions/projects.ts';

/**
 * What a person has set: how much their agents are told, and what answers to calls may say to the client, for all
 * projects and for those with a setting of their own.
 */
type PersonSettings = {
  voice: Voice;
  permissions: Permissions;
  own: ReadonlyMap<string, Permissions>;
};

/** What people have set, kept in memory so that hooks hardly ask the database for it. */
export type SettingsMemory = {
  /** Returns what a person has set. It waits for the database only if it was never read. */
  of(claims: Claims): Promise<PersonSettings>;
  /** Returns the same as far as it is in memory, else what is usual. */
  known(claims: Claims): PersonSettings;
  /** Reads it anew when it is needed next. */
  forget(userId: string): void;
};

/** As long as the database does not tell, answers deny and never allow. */
const USUAL: PersonSettings = { voice: FEW, permissions: 'deny-only', own: new Map() };
const MAX_PEOPLE = 500;
/** A change that another server made is heard after this long. */
const FRESH_MS = 30_000;

export function createSettings(db: Database): SettingsMemory {
  const people = new LRUCache<string, PersonSettings, Claims>({
    max: MAX_PEOPLE,
    ttl: FRESH_MS,
    // while it is read again, and while the database is away, what was read last holds
    allowStale: true,
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    fetchMethod: (_userId, _before, { context: claims }) =>
      asUser(
        db,
        claims,
        async (tx) => {
          const { permissions, voice } = await readSettings(tx);
          const own = new Map((await ownPermissions(tx)).map((one) => [one.id, one.permissions]));
          return { voice: voiceOf(voice), permissions, own };
        },
        { readOnly: true, urgent: true },
      ),
  });
  return {
    of: async (claims) => (await people.fetch(claims.userId, { context: claims }).catch(() => null)) ?? USUAL,
    known: ({ userId }) => people.get(userId) ?? USUAL,
    forget: (userId) => {
      people.delete(userId);
    },
  };
}
