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
