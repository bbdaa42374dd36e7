import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { makeFolder } from '../base/files/make-folder.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import { clip } from '../base/text/clip.ts';
import { readJsonc } from '../base/text/jsonc.ts';
import type { Me } from '../base/wire/routes.ts';
import { PERMISSIONS, type Permissions } from '../commands/permissions.ts';
import { keyAt, type Place, placeIn } from './attach/attach.ts';
import { callServer, placeOf, projectIn, readKey, UNREACHABLE } from './client.ts';
import texts from './consent.jsonc' with { type: 'text' };
import { answerTo, hint, type Io, mayAsk, plain } from './io.ts';
import type { Cli } from './rows.ts';

// What a person is asked when they attach a project: what Lore may answer, and whether a model or an agent may be asked.

type Texts = { meaning: Record<Permissions, string>; login: string; asking: string };
const { meaning: MEANING, login: LOGIN, asking: ASKING } = readJsonc(texts) as Texts;

/** `isNew`: it was attached just now; `user`: for all projects */
type About = { dir: string; user: boolean; isNew: boolean; wanted: Permissions | undefined };

/**
 * Tells a person that Lore answers the client’s permission questions where it was attached, and settles what it may say: as
 * `wanted` says, else by asking on a terminal, else as it is set.
 */
export async function settlePermissions({ config, io, call }: Cli, about: About): Promise<void> {
  const { dir, user, isNew, wanted } = about;
  if ((await call('GET /v1/me')).scope !== 'person') return;
  const project = user ? null : await projectIn(config, dir);
  const { permissions: usual, projectPermissions } = await call('GET /v1/settings');
  const now = (project === null ? undefined : projectPermissions[project]) ?? usual;
  let mode = wanted ?? now;
  if (wanted === undefined && isNew && mayAsk(io)) {
    io.log('Lore answers the client’s permission questions. What may it say?');
    for (const [i, one] of PERMISSIONS.entries()) hint(io, `  ${i + 1}  ${one}: ${MEANING[one]}`, '     ');
    const usually = `${PERMISSIONS.indexOf(now) + 1}`;
    const answer = await answerTo(io, `1, 2 or 3 [${usually}] `, ['1', '2', '3'], usually);
    mode = PERMISSIONS[Number(answer) - 1] as Permissions;
  }
  if (mode !== now) {
    const own = project !== null && { projectPermissions: { [project]: mode === usual ? null : mode } };
    await call('PUT /v1/settings', { body: own || { permissions: mode } });
  }
  if (io.json) return;
  const [where, option] = project === null ? ['in all projects', ''] : ['there', ` -p ${project}`];
  const change = `lore settings permissions ${PERMISSIONS.filter((one) => one !== mode).join('|')}${option}`;
  const told = `Lore answers the client’s permission questions ${where}, mode ${mode}: ${MEANING[mode]}`;
  hint(io, plain(`${told}. To change it: ${change}`));
}

/**
 * Settles whether the person's own Claude Code login, and whether agents, may be asked: as `wanted` says, else by asking
 * once, on a terminal, where no model is set up.
 */
export async function settleAsking(
  { config, io, call }: Cli,
  wanted: 'claude' | 'none' | undefined,
): Promise<void> {
  const once = async (file: string, question: string, usual: 'yes' | 'no'): Promise<'yes' | 'no' | null> => {
    const path = join(config.home, file);
    if (!mayAsk(io) || existsSync(path) || (await call('GET /v1/me')).scope !== 'person') return null;
    const answer = await answerTo(io, question, ['yes', 'no'], usual);
    makeFolder(config.home);
    writeAtomically(path, `${answer}\n`, { mode: 0o600 });
    return answer;
  };
  const model = await call('GET /v1/model');
  const mayOffer = model.provider === 'none' && model.claudeOffered;
  const login = wanted ?? (mayOffer ? await once('claude-answer', LOGIN, 'no') : null);
  const isUsed = login === 'yes' || login === 'claude';
  if (login !== null) await call('PUT /v1/settings', { body: { claudeLogin: isUsed ? 'on' : 'off' } });
  if (login !== null && !io.json) io.log(`Your Claude Code login is ${isUsed ? '' : 'not '}used.`);
  if (isUsed || model.provider !== 'none') return;
  if ((await once('ask-answer', ASKING, 'yes')) === 'no')
    await call('PUT /v1/settings', { body: { voice: { ask: 'none' } } });
}

// An agent's shell sees the key of the hooks. So each project gets a key of its own. With it, hooks and
// agents can do their work, but nothing that only a person may do.

/** Returns the owner and the scope of a key; null if the server refuses it. @throws Problem if no server answers */
async function whose(config: Config, key: string): Promise<Me | null> {
  try {
    return await callServer({ ...config, key }, 'GET /v1/me');
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

/**
 * Does something with the key for hooks: the caller's own if it is one for hooks, else the one that is there, else a new
 * one, which is revoked if it fails.
 *
 * @param at what is attached: the key is for its project alone, or for all projects of the person
 */
export async function withHooksKey<T>(config: Config, at: Place, work: (key: string) => T): Promise<T> {
  const { dir } = at;
  const there = keyAt(at);
  const me = await callServer(config, 'GET /v1/me');
  if (dir !== null && me.scope === 'hooks') return work(readKey(config));
  const place = dir === null ? null : placeOf(dir);
  const project = place && (await callServer(config, 'POST /v1/projects', { body: place })).name;
  const known = there === undefined ? null : await whose(config, there);
  if (there !== undefined && known?.userId === me.userId && known.scope === 'hooks' && known.keyId !== null) {
    const params = { id: known.keyId };
    if (known.project !== project && project !== null)
      await callServer(config, 'PATCH /v1/keys/{id}', { params, body: { project } });
    if (known.project === project || project !== null) return work(there);
  }
  const name = dir === null ? 'hooks of all projects' : clip(`hooks of ${basename(resolve(dir))}`, 100);
  const body = { name, scope: 'hooks' as const, ...(project !== null && { project }) };
  const { id, key } = await callServer(config, 'POST /v1/keys', { body });
  try {
    return work(key);
  } catch (error) {
    await callServer(config, 'DELETE /v1/keys/{id}', { params: { id } });
    throw error;
  }
}

/** Returns the key that Claude Code's hooks have in a project, or without one in the person's own settings; undefined: none. */
export const keyOfHooks = (config: Config, io: Io, dir: string | null): string | undefined =>
  keyAt(placeIn('claude', dir, config.home, io));

/** Revokes the key that hooks had, if it is one for hooks. If it stays valid, returns what to tell the person. */
export async function revokeHooksKey(config: Config, key: string | undefined): Promise<string[]> {
  try {
    const known = key === undefined ? null : await whose(config, key);
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
export async function faultOfHooksKey(config: Config, io: Io): Promise<string | null> {
  const dir = io.cwd;
  const key = keyOfHooks(config, io, dir);
  if (key === undefined) return null;
  const known = await whose(config, key);
  if (known === null) return 'its hooks have a key that the server refuses: run lore init again';
  if (known.scope !== 'hooks')
    return "its hooks have a person's key, which an agent's shell can read: run lore init again";
  const here = await callServer(config, 'POST /v1/projects/which', { body: placeOf(dir) });
  if (known.project === null || known.project === here.name) return null;
  return `its hooks have a key for ${known.project}, so nothing of this project is recorded: run lore init again`;
}
