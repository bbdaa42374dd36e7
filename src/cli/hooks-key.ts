import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { clip } from '../text/clip.ts';
import type { Me } from '../wire/routes.ts';
import { attachedKey, userSettings } from './attach/attach.ts';
import { callServer, callServerWith, readKey, UNREACHABLE } from './client.ts';
import { placeOf } from './here.ts';

// An agent's shell sees the key of the hooks. So each project gets a key of its own. With it, hooks and
// agents can do their work, but nothing that only a person may do.

/** A key for hooks; `made`: its id, if it is a new one. */
type HooksKey = { key: string; made: string | null };

/** Returns the owner and the scope of a key; null if the server refuses it. @throws Problem if no server answers */
async function whose(config: Config, key: string): Promise<Me | null> {
  try {
    return await callServerWith(key, config, 'GET /v1/me');
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

/**
 * Returns the key for hooks: the caller's own if it is one for hooks, else the one that is there, else a new one.
 *
 * @param dir the project, for which alone the key is; null: all projects of the person
 * @param there the key that is there
 */
export async function hooksKey(
  config: Config,
  dir: string | null,
  there: string | undefined,
): Promise<HooksKey> {
  const me = await callServer(config, 'GET /v1/me');
  if (dir !== null && me.scope === 'hooks') return { key: readKey(config), made: null };
  const place = dir === null ? null : placeOf(dir);
  const project = place && (await callServer(config, 'POST /v1/projects', { body: place })).name;
  const known = there === undefined ? null : await whose(config, there);
  if (there !== undefined && known?.userId === me.userId && known.scope === 'hooks' && known.keyId !== null) {
    if (known.project === project) return { key: there, made: null };
    if (project !== null) {
      await callServer(config, 'PATCH /v1/keys/{id}', { params: { id: known.keyId }, body: { project } });
      return { key: there, made: null };
    }
  }
  const name = dir === null ? 'hooks of all projects' : clip(`hooks of ${basename(resolve(dir))}`, 100);
  const body = { name, scope: 'hooks' as const, ...(project !== null && { project }) };
  const { id, key } = await callServer(config, 'POST /v1/keys', { body });
  return { key, made: id };
}

/** Does something with a new key, which is revoked if that fails. */
export async function withKey<T>(
  config: Config,
  { key, made }: HooksKey,
  work: (key: string) => T,
): Promise<T> {
  try {
    return work(key);
  } catch (error) {
    if (made !== null) await callServer(config, 'DELETE /v1/keys/{id}', { params: { id: made } });
    throw error;
  }
}

/** Returns the key that the hooks in the person's own settings have; undefined without such hooks. */
export function userKey(config: Config): string | undefined {
  const user = userSettings(config.clientFolder);
  return existsSync(user) ? attachedKey({ dir: dirname(user), home: config.home, user }) : undefined;
}

/** Returns whether the project in `dir` is attached. */
export const isAttached = (config: Config, dir: string): boolean =>
  attachedKey({ dir, home: config.home }) !== undefined;

/** Revokes the key that hooks had, if it is one for hooks. If it stays valid, returns what to tell the person. */
export async function revokeHooksKey(config: Config, key: string | undefined): Promise<string[]> {
  if (key === undefined) return [];
  try {
    const known = await whose(config, key);
    if (known?.scope === 'hooks' && known.keyId !== null && key !== readKey(config))
      await callServer(config, 'DELETE /v1/keys/{id}', { params: { id: known.keyId } });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const why = error.status === UNREACHABLE ? 'no server answers' : error.detail;
    return [`the key of its hooks is still valid, because ${why}: revoke it with lore keys revoke`];
  }
}

/** Returns what is wrong with the key of the project in `dir`; null if nothing is. @throws Problem without a server */
export async function faultOfHooksKey(config: Config, dir: string): Promise<string | null> {
  const key = attachedKey({ dir, home: config.home });
  const known = key === undefined ? null : await whose(config, key);
  if (key === undefined) return null;
  if (known === null) return 'its hooks have a key that the server refuses: run lore init again';
  if (known.scope !== 'hooks')
    return "its hooks have a person's key, which an agent's shell can read: run lore init again";
  try {
    await callServerWith(key, config, 'POST /v1/projects/which', { body: placeOf(dir) });
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 403) throw error;
    return `its hooks have a key for ${known.project}, so nothing of this project is recorded: run lore init again`;
  }
}
