import type { Config } from '../config.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import type { Key } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';
import { ago } from './print.ts';
import { table } from './table.ts';
import { findUser } from './users.ts';

/** @param options.user a member, whose keys the owner asks for */
export async function listKeys(config: Config, io: Io, options: { user?: string }): Promise<void> {
  const { keys } = await keysOf(config, options.user);
  if (io.json) return io.print(keys);
  io.log(
    table(
      io,
      ['id', 'name', 'for', 'project', 'made', 'last used', 'state'],
      keys.map((k) => [
        k.id,
        k.name,
        k.scope,
        k.scope === 'hooks' ? (k.project ?? 'any') : '',
        ago(k.createdAt),
        k.lastUsedAt ? ago(k.lastUsedAt) : 'never',
        k.revokedAt ? 'revoked' : 'live',
      ]),
      { drop: ['made', 'project', 'last used'] },
    ),
  );
}

const keysOf = (config: Config, user: string | undefined): Promise<{ keys: Key[]; userId?: string }> =>
  user === undefined ? callServer(config, 'GET /v1/keys') : findUser(config, user);

export async function createKey(config: Config, io: Io, name: string, scope: Key['scope']): Promise<void> {
  const made = await callServer(config, 'POST /v1/keys', { body: { name, scope } });
  if (io.json) return io.print(made);
  io.log(made.key);
  hint(io, `This is the only time the key is shown. Revoke it with lore keys revoke ${made.id}.`);
}

/**
 * @param given the key's id, or how it begins
 * @param options.user a member, whose key the owner revokes
 */
export async function revokeKey(
  config: Config,
  io: Io,
  given: string,
  options: { user?: string },
): Promise<void> {
  const { keys, userId } = await keysOf(config, options.user);
  const prefix = idPrefix(given);
  // what is no id at all goes to the server, which explains what is wrong with it
  const id =
    prefix === null
      ? given
      : theOne(
          keys.filter((key) => key.id.startsWith(prefix)),
          'key',
          given,
        ).id;
  await callServer(config, 'DELETE /v1/keys/{id}', { params: { id }, query: { user: userId } });
  if (io.json) return io.print({ id, done: 'revoke' });
  io.log(`Revoked ${id}.`);
}
