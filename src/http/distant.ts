import type { Caller } from './env.ts';

/** `distant`: no person's files are on this machine, not even the owner's */
export type MayBeDistant = { distant?: boolean };

/**
 * Returns the caller of a request that may look at files. On a distant machine the owner is a user as any other, because
 * files that are found there are not the owner's.
 */
export const asFarAs = ({ distant }: MayBeDistant, caller: Caller): Caller =>
  distant ? { ...caller, role: 'member' } : caller;
