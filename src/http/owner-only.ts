import { Problem } from '../base/errors/problem.ts';

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
