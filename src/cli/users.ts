import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import type { User } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { confirmed } from './confirm.ts';
import { reportOf } from './erase.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';
import { ago } from './print.ts';
import { table } from './table.ts';

export async function addUser(config: Config, io: Io, name: string): Promise<void> {
  const made = await callServer(config, 'POST /v1/users', { body: { name } });
  if (io.json) return io.print(made);
  io.log(
    `${made.key}\nThis is the only time the key is shown. ${name} sets it as LORE_KEY, and LORE_URL=${config.url}.`,
  );
}

const allUsers = async (config: Config) => (await callServer(config, 'GET /v1/users')).users;

export async function listUsers(config: Config, io: Io): Promise<void> {
  const users = await allUsers(config);
  if (io.json) return io.print(users);
  io.log(
    table(
      io,
      ['id', 'name', 'role', 'made', 'live keys', 'last used'],
      users.map(({ userId, name, role, createdAt, removedAt, keys }) => {
        const used = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort();
        return [
          userId,
          name,
          removedAt ? `removed ${ago(removedAt)}` : role,
          ago(createdAt),
          keys.filter(({ revokedAt }) => revokedAt === null).length,
          used.length > 0 ? ago(used.at(-1) as string) : 'never',
        ];
      }),
      { drop: ['made', 'live keys'] },
    ),
  );
}

/**
 * Returns the account that is meant by an id or a name.
 *
 * @throws Problem (404) when there is none, (409) when several have the name
 */
export async function findUser(config: Config, reference: string): Promise<User> {
  const users = await allUsers(config);
  const found = users.filter(({ userId, name }) => userId === reference || name === reference);
  const [user] = found;
  if (user === undefined) {
    throw new Problem({
      status: 404,
      title: 'User not found',
      detail: `Nobody has the id or the name “${reference}”. lore users lists everybody.`,
    });
  }
  if (found.length > 1) {
    throw new Problem({
      status: 409,
      title: 'Ambiguous name',
      detail: `Several users are named ${reference}: name the id (${found.map(({ userId }) => userId).join(', ')}).`,
    });
  }
  return user;
}

/** Removes a member. Their keys stop working at once. Their rows stay, unless they are to be erased. */
export async function removeUser(
  config: Config,
  io: Io,
  reference: string,
  options: { erase?: boolean; yes?: boolean },
): Promise<void> {
  const { userId, name } = await findUser(config, reference);
  const erase = options.erase === true;
  const question = erase
    ? `Remove ${name} (${userId}) and erase all of their records? This cannot be undone.`
    : `Remove ${name} (${userId})? Their keys stop at once, their records stay.`;
  if (!options.yes && !(await confirmed(io, 'Removing a member', question))) {
    return io.error('Nobody was removed.');
  }
  const done = await callServer(config, 'DELETE /v1/users/{id}', {
    params: { id: userId },
    query: erase ? { erase: 'true' } : {},
  });
  if (io.json) return io.print(done);
  hint(
    io,
    done.erased === null
      ? `Removed ${name}. The records stay; lore users remove ${userId} --erase erases them.`
      : `Removed ${name}, and erased:\n${reportOf(done.erased)}`,
  );
}
