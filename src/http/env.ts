import { Problem } from '../base/errors/problem.ts';
import type { Claims } from '../db/as-user.ts';
import type { Scope } from './key-scope.ts';

/** Who sent a request, according to the key in it. */
export type Caller = Claims & {
  /** null: it came with an access token of somebody who signed in with Supabase Auth */
  keyId: string | null;
  name: string;
  scope: Scope;
  /** what the project of the key is called; null: it is for any */
  project: string | null;
};

/** The values that middleware sets for the handlers of a request. */
export type Env = { Variables: { caller: Caller; requestId: string } };

/** `distant`: no person's files are on this machine, not even the owner's */
export type MayBeDistant = { distant?: boolean };

/**
 * Returns the caller of a request that may look at files. On a distant machine the owner is a user as any other, because
 * files that are found there are not the owner's.
 */
export const asFarAs = ({ distant }: MayBeDistant, caller: Caller): Caller =>
  distant ? { ...caller, role: 'member' } : caller;

/**
 * Refuses callers other than the owner of the server.
 *
 * @param does what only the owner may do, to go on “Only the owner of the server …”
 * @throws Problem (403) when the caller is not the owner
 */
export function ownerOnly({ role }: { role: string }, does: string): void {
  if (role === 'owner') return;
  throw new Problem({ status: 403, title: 'Not allowed', detail: `Only the owner of the server ${does}.` });
}
