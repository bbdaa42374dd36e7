import { LRUCache } from 'lru-cache';
import { clip } from '../base/text/clip.ts';
import { within } from '../base/timing/within.ts';
import { asTold, type Permissions } from '../commands/permissions.ts';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { readSettings } from '../llm/settings.ts';
import { FEW, voiceOf } from '../offers/voice.ts';
import { ownPermissions } from '../sessions/projects.ts';
import { type KnownSession, PATIENCE_MS, readFirst } from './known-sessions.ts';
import type { Answer, HookOutput, HookServices, PersonSettings } from './types.ts';

// What a person has set, and what of an answer to a call the client is told because of it.

/** As long as the database does not tell, answers deny and never allow. */
const USUAL: PersonSettings = { voice: FEW, permissions: 'deny-only', own: new Map() };
const MAX_PEOPLE = 500;
/** A change that another server made is heard after this long. */
const FRESH_MS = 30_000;

/** Keeps what people have set in memory, so that hooks hardly ask the database for it. */
export function createSettings(db: Database): HookServices['settings'] {
  const people = new LRUCache<string, PersonSettings, Claims>({
    max: MAX_PEOPLE,
    ttl: FRESH_MS,
    // else each look starts a timer
    ttlResolution: 0,
    // while it is read again, and while the database is away, what was read last holds
    allowStale: true,
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    fetchMethod: (_userId, _before, { context: claims }) =>
      readFirst({ db }, claims, async (tx) => {
        const { permissions, voice } = await readSettings(tx);
        const own = new Map((await ownPermissions(tx)).map((one) => [one.id, one.permissions]));
        return { voice: voiceOf(voice), permissions, own };
      }),
  });
  return {
    of: async (claims: Claims): Promise<PersonSettings> =>
      (await people.fetch(claims.userId, { context: claims }).catch(() => null)) ?? USUAL,
    known: ({ userId }: Claims): PersonSettings => people.get(userId) ?? USUAL,
    forget: (userId: string) => void people.delete(userId),
  };
}

/** Returns what the answer to a call may say. */
export async function permissionsFor(
  { settings }: HookServices,
  claims: Claims,
  session: KnownSession | null,
): Promise<Permissions> {
  const { permissions, own } =
    (await within(settings.of(claims), PATIENCE_MS.call)) ?? settings.known(claims);
  if (own.size === 0) return permissions;
  return session === null ? 'deny-only' : (own.get(session.projectId) ?? permissions);
}

/** Returns an answer as the client may get it, see `asTold`. It is recorded in the same way. */
export function asPermitted(answer: Answer, mode: Permissions): Answer {
  const { decision, source, reason, ...more } = asTold(mode, answer.checked);
  if (source === answer.checked.source) return answer;
  const { check } = answer.kept;
  return {
    checked: { ...more, decision, source, reason },
    kept: { check: check && { ...check, decision, source, reason, lessonId: null }, remember: false },
  };
}

type Said = NonNullable<HookOutput['hookSpecificOutput']>;

/** Longest reason of a decision, in characters. */
const MAX_SAID = 300;
const HOW_TO_ALLOW = ' Only a person can allow it: lore allow, in a terminal of their own.';

/**
 * Returns the verdict in the form that the client reads. If nobody could judge the call, returns undefined, and the
 * client decides.
 */
export function verdict({ checked, kept }: Answer): Omit<Said, 'hookEventName'> | undefined {
  const { decision, reason, source } = checked;
  // that of a person's rule or of a lesson says whose it is
  if (source === 'guard' || source === 'lesson')
    return { permissionDecision: decision, permissionDecisionReason: reason };
  if (decision === 'ask' && source !== 'policy') return undefined;
  // the agent reads this, so it does not contain the code; `lore allow` shows a person what was denied last
  const mayBeAllowed = source !== 'person' && kept.check?.severity !== 'catastrophic';
  const how = decision === 'deny' && mayBeAllowed ? HOW_TO_ALLOW : '';
  const said = clip(`Lore: ${reason}`, MAX_SAID - 1 - how.length);
  return { permissionDecision: decision, permissionDecisionReason: `${said}${how}` };
}
