import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { clip } from '../text/clip.ts';
import type { Me } from '../wire/routes.ts';
import { attachedKey } from './attach/attach.ts';
import { userSettings } from './attach/files.ts';
import { callServer, callServerWith, readKey, UNREACHABLE } from './client.ts';
import { placeOf } from './here.ts';

// An agent's shell sees the key of the hooks. So each project gets a key of its own. With it, hooks and
// agents can do their work, but nothing that only a person may do.

/**
 * Returns the owner and the scope of a key; null if the server refuses it. @throws Problem if no server
 * answers
 */
async function whose(config: Config, key: string): Promise<Me | null> {
  try {
    return await callServerWith(key, config, 'GET /v1/me');
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

/** How long git may look for the first commit, by which a repository is known again in another folder. */
const FIRST_COMMIT_MS = 2_000;

/** Returns the first commit of the repository of a folder; undefined if there is none, or it is not found in time. */
function firstCommit(dir: string): string | undefined {
  const args = ['-C', dir, 'rev-list', '--max-parents=0', 'HEAD'];
  const { stdout } = spawnSync('git', args, { timeout: FIRST_COMMIT_MS, encoding: 'utf8' });
  // of several beginnings, the oldest is the last
  return /([0-9a-f]{40,64})\s*$/.exec(stdout ?? '')?.[1];
}

/** Makes a folder that of its project, which may be new, and returns the project's name. */
async function claim(config: Config, dir: string): Promise<string> {
  const body = { ...placeOf(dir), commit: firstCommit(dir) };
  return (await callServer(config, 'POST /v1/projects', { body })).name;
}

/**
 * Returns the key for a project's hooks: the caller's own if it is one for hooks, else the one that the project has, else
 * a new one. `made` is the id of a new one. Except for the caller's own, it is a key for this project only.
 *
 * @param there the key that the project has
 * @throws Problem if no server answers
 */
export async function hooksKey(
  config: Config,
  dir: string,
  there = attachedKey({ dir, home: config.home }),
): Promise<{ key: string; made: string | null }> {
  const own = readKey(config);
  const me = await callServer(config, 'GET /v1/me');
  if (me.scope === 'hooks') return { key: own, made: null };
  const project = await claim(config, dir);
  if (there !== undefined) {
    const known = await whose(config, there);
    if (known?.userId === me.userId && known.scope === 'hooks' && known.keyId !== null) {
      if (known.project !== project)
        await callServer(config, 'PATCH /v1/keys/{id}', { params: { id: known.keyId }, body: { project } });
      return { key: there, made: null };
    }
  }
  const name = clip(`hooks of ${basename(resolve(dir))}`, 100);
  const { id, key } = await callServer(config, 'POST /v1/keys', {
    body: {
      name,
      scope: 'hooks',
      project,
    },
  });
  return { key, made: id };
}

/**
 * Returns the key for the hooks in the person's own settings, which are for any project: the one that is there, else a
 * new one. `made` is the id of a new one.
 *
 * @throws Problem if no server answers
 */
export async function userHooksKey(
  config: Config,
  there = userKey(config),
): Promise<{ key: string; made: string | null }> {
  const me = await callServer(config, 'GET /v1/me');
  const known = there === undefined ? null : await whose(config, there);
  if (there !== undefined && known?.userId === me.userId && known.scope === 'hooks' && known.project === null)
    return { key: there, made: null };
  const { id, key } = await callServer(config, 'POST /v1/keys', {
    body: {
      name: 'hooks of all projects',
      scope: 'hooks',
    },
  });
  return { key, made: id };
}

/** Returns the key that the hooks in the person's own settings have; undefined without such hooks. */
export function userKey(config: Config): string | undefined {
  const user = userSettings(config.clientFolder);
  return existsSync(user) ? attachedKey({ dir: dirname(user), home: config.home, user }) : undefined;
}

/**
 * Revokes the key that a project's hooks had. If the key stays valid, returns what to tell the person.
 * Returns null if it is revoked, or if it is not a key for hooks.
 */
export async function revokeHooksKey(config: Config, key: string | undefined): Promise<string | null> {
  if (key === undefined) return null;
  try {
    const known = await whose(config, key);
    if (known?.scope === 'hooks' && known.keyId !== null && key !== readKey(config))
      await callServer(config, 'DELETE /v1/keys/{id}', { params: { id: known.keyId } });
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const why = error.status === UNREACHABLE ? 'no server answers' : error.detail;
    return `the key of its hooks is still valid, because ${why}: revoke it with lore keys revoke`;
  }
}

/** Returns whether the project in `dir` is attached. */
export const isAttached = (config: Config, dir: string): boolean =>
  attachedKey({ dir, home: config.home }) !== undefined;

/** Returns what is wrong with the key of the project in `dir`; null if nothing is. @throws Problem without a server */
export async function faultOfHooksKey(config: Config, dir: string): Promise<string | null> {
  const key = attachedKey({ dir, home: config.home });
  if (key === undefined) return null;
  const known = await whose(config, key);
  if (known === null) return 'its hooks have a key that the server refuses: run lore init again';
  if (known.scope === 'hooks') {
    try {
      await callServerWith(key, config, 'POST /v1/projects/which', { body: placeOf(dir) });
      return null;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 403) throw error;
      return `its hooks have a key for ${known.project}, so nothing of this project is recorded: run lore init again`;
    }
  }
  return "its hooks have a person's key, which an agent's shell can read: run lore init again";
}
