import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Permissions } from '../commands/permissions.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import {
  type Attachment,
  attachedKey,
  attachmentSettings,
  attachProject,
  detachProject,
} from './attach/attach.ts';
import type { ClientName } from './attach/clients.ts';
import { userSettings } from './attach/files.ts';
import { missingForSandbox, sandboxFor } from './attach/sandbox.ts';
import { callServer } from './client.ts';
import { settleAsking, settleModel } from './consent.ts';
import { asCalled, hint } from './hint.ts';
import { hooksKey, revokeHooksKey, userHooksKey, userKey } from './hooks-key.ts';
import { initClient } from './init-client.ts';
import { initTeam } from './init-team.ts';
import type { Io } from './io.ts';
import { refusePermissions, settlePermissions } from './permissions.ts';

const hookScript = () => fileURLToPath(new URL('hooks/session-start', packageRoot));

export async function init(
  config: Config,
  io: Io,
  folder: string,
  options: {
    remove?: boolean;
    team?: boolean;
    print?: boolean;
    force?: boolean;
    user?: boolean;
    sandbox?: boolean;
    model?: 'claude' | 'none';
    client?: 'claude' | ClientName;
    permissions?: Permissions;
  },
): Promise<void> {
  const dir = resolve(io.cwd, folder);
  if (options.client && options.client !== 'claude')
    return initClient(config, io, options.client, { dir, ...options });
  if (options.team) return initTeam(io, dir, options.remove === true);
  const sandbox = options.sandbox === true && !options.remove ? { sandbox: sandboxFor(dir) } : {};
  if (options.print) {
    const settings = attachmentSettings({
      url: config.url,
      key: '<your-key>',
      hookScript: hookScript(),
      ...sandbox,
    });
    return io.print(settings);
  }
  const where = { dir, home: config.home, ...(options.user && { user: userSettings(config.clientFolder) }) };
  if (options.remove) {
    const key = attachedKey(where);
    const done = detachProject(where);
    const left = done.found ? await revokeHooksKey(config, key) : null;
    if (left !== null) done.warnings.push(left);
    if (io.json) return io.print(done);
    io.log(done.found ? `Detached: ${done.file} is as it was.` : `Lore is not attached in ${done.file}.`);
    return warn(io, done.warnings);
  }
  if (config.tlsPin !== undefined) {
    throw new Problem({
      status: 400,
      title: 'Bad option',
      detail: `LORE_TLS_PIN: Claude Code's own http hooks know no certificate by its fingerprint. lore init --team writes hooks that do.`,
    });
  }
  if (options.permissions) refusePermissions(io);
  const { key, made } = options.user ? await userHooksKey(config) : await hooksKey(config, dir);
  let done: Attachment;
  try {
    const force = options.force === true && { force: true };
    done = attachProject({
      ...where,
      url: config.url,
      key,
      hookScript: hookScript(),
      ...force,
      ...sandbox,
    });
  } catch (error) {
    if (made !== null) await callServer(config, 'DELETE /v1/keys/{id}', { params: { id: made } });
    throw error;
  }
  const missing = sandbox.sandbox ? missingForSandbox(io.env.PATH) : [];
  if (missing.length > 0)
    done.warnings.push(
      `the client's sandbox needs ${missing.join(' and ')} here: install ${missing.length > 1 ? 'them' : 'it'}, or commands run without it, after you were asked.`,
    );
  const about = { dir, user: options.user === true, isNew: done.changed, wanted: options.permissions };
  if (io.json) {
    await settlePermissions(config, io, about);
    await settleModel(config, io, options.model);
    return io.print(done);
  }
  io.log(
    done.changed
      ? `Attached: hooks are in ${done.file}. The next Claude Code session ${options.user ? 'in any project' : 'there'} uses them.`
      : `Already attached: nothing to change in ${done.file}.`,
  );
  if (done.excludedBy) io.log(`It holds a key, so git ignores it now, by ${done.excludedBy}.`);
  if (sandbox.sandbox)
    io.log(`In the client's sandbox, commands reach: ${listed(sandbox.sandbox.network.allowedDomains)}.`);
  warn(io, done.warnings);
  if (!options.user && userKey(config) === undefined)
    hint(
      io,
      'If this folder’s .claude may get lost: lore init --user puts the hooks into your own settings.',
    );
  await settlePermissions(config, io, about);
  await settleModel(config, io, options.model);
  await settleAsking(config, io);
}

const listed = (hosts: string[]) => (hosts.length === 0 ? 'no host' : hosts.join(', '));

function warn(io: Io, warnings: string[]) {
  for (const warning of warnings) io.error(asCalled(`warning: ${warning}`));
}
