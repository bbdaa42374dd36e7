import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { ago, type Output, print, table } from './print.ts';

type Key = {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export async function listKeys(config: Config, output: Output): Promise<void> {
  const { keys } = await callServer<{ keys: Key[] }>(config, 'GET', '/v1/keys');
  if (output.json) return print(keys);
  console.log(
    table(
      ['id', 'name', 'made', 'last used', 'state'],
      keys.map((k) => [
        k.id,
        k.name,
        ago(k.createdAt),
        k.lastUsedAt ? ago(k.lastUsedAt) : 'never',
        k.revokedAt ? 'revoked' : 'live',
      ]),
    ),
  );
}

export async function createKey(config: Config, output: Output, name: string): Promise<void> {
  const made = await callServer<{ id: string; key: string }>(config, 'POST', '/v1/keys', { name });
  if (output.json) return print(made);
  console.log(
    `${made.key}\nThis is the only time the key is shown. Revoke it with lore keys revoke ${made.id}.`,
  );
}

export async function revokeKey(config: Config, output: Output, id: string): Promise<void> {
  await callServer(config, 'DELETE', `/v1/keys/${encodeURIComponent(id)}`);
  if (output.json) return print({ id, done: 'revoke' });
  console.log(`Revoked ${id}.`);
}
