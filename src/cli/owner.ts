import { z } from 'zod';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import type { User } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { confirmed } from './confirm.ts';
import type { Io } from './io.ts';
import { wrongUsage } from './options.ts';

/**
 * Shows who signs in to the owner's account with Supabase Auth, or changes it.
 *
 * @param options.claim whose the account is: somebody who has signed in, by name, or a user of Supabase Auth, by id
 * @param options.release nobody signs in to it any more
 */
export async function owner(
  config: Config,
  io: Io,
  options: { claim?: string; release?: boolean; yes?: boolean },
): Promise<void> {
  const { users } = await callServer(config, 'GET /v1/users');
  const { claim, release = false } = options;
  if (claim === undefined && !release) return show(io, users);
  if (claim !== undefined && release) throw wrongUsage('Either --claim or --release.');
  const user = claim === undefined ? null : userOf(claim, users);
  const question =
    user === null
      ? 'Let nobody sign in to the account of the owner any more?'
      : `Let ${user.name} see and decide all that the owner can?${user.member ? ` What ${user.name} has as a member stays, and nobody sees it any more.` : ''}`;
  if (!options.yes && !(await confirmed(io, 'Changing who signs in', question))) {
    return io.error('Nothing was changed.');
  }
  const authId = user?.authId ?? null;
  const done = await callServer(config, 'PUT /v1/owner/sign-in', { body: { authId } });
  if (io.json) return io.print(done);
  io.log(
    user === null
      ? 'Nobody signs in to the account of the owner any more.'
      : `${user.name} signs in to the account of the owner.${done.closed === null ? '' : ` The account ${done.closed} is closed; its records stay.`}`,
  );
}

function show(io: Io, users: User[]): void {
  const { userId, name, authId } = users.find(({ role }) => role === 'owner') as User;
  const who = authId === null ? 'Nobody' : `The user ${authId} of Supabase Auth`;
  if (io.json) io.print({ userId, name, authId });
  else io.log(`${name} (${userId})\n${who} signs in to this account.`);
}

/** @throws Problem (404) when nobody is meant */
function userOf(claim: string, users: User[]): { authId: string; name: string; member: boolean } {
  const known = users.find(({ authId, userId, name }) => [authId, userId, name].includes(claim));
  const isMember = known?.role === 'member' && known.removedAt === null;
  if (known?.authId) return { authId: known.authId, name: known.name, member: isMember };
  if (known === undefined && z.uuid().safeParse(claim).success) {
    return { authId: claim, name: `the user ${claim}`, member: false };
  }
  throw new Problem({
    status: 404,
    title: 'User not found',
    detail:
      known === undefined
        ? `Nobody who has signed in is named “${claim}”. Sign in on the page first, or give the id that Supabase shows for the user.`
        : `${known.name} has never signed in with Supabase Auth.`,
  });
}
