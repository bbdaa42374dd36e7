import type { Claims } from '../db/as-user.ts';

/** Who sent a request, according to the key in it. */
export type Caller = Claims & { keyId: string; name: string };

/** The values that middleware sets for the handlers of a request. */
export type Env = { Variables: { caller: Caller; requestId: string } };
