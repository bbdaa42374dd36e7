import type { Claims } from '../db/as-user.ts';

/** Who sent a request, by the key they sent with it. */
export type Caller = Claims & { keyId: string; name: string };

/** What middleware leaves for the handlers of a request. */
export type Env = { Variables: { caller: Caller; requestId: string } };
