import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { PERMISSIONS, type Permissions } from '../commands/permissions.ts';
import { ATTACHED_EVENTS } from '../files/attachments.ts';
import { packageRoot } from '../files/package-root.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import {
  attachedKey,
  attachmentSettings,
  attachProject,
  detachProject,
  userSettings,
} from './attach/attach.ts';
import {
  attachClient,
  CLIENTS,
  type ClientName,
  clientKey,
  clientPlace,
  detachClient,
  editsFor,
  setupOf,
} from './attach/clients.ts';
import { type Edit, plan, undo, write } from './attach/edits.ts';
import { missingForSandbox, sandboxFor } from './attach/sandbox.ts';
import type { Cli, Define } from './commands.ts';
import { settleAsking, settleModel, settlePermissions } from './consent.ts';
import { hooksKey, revokeHooksKey, userKey, withKey } from './hooks-key.ts';
import { refuseAgents } from './io.ts';
import { choice } from './options.ts';
import { hint, warn } from './print.ts';

export type InitOptions = {
  remove?: boolean;
  team?: boolean;
  print?: boolean;
  sandbox?: boolean;
  force?: boolean;
  user?: boolean;
  model?: 'claude' | 'none';
  client?: 'claude' | ClientName;
  permissions?: Permissions;
};

/** What `init` and `up` both take. */
export const attaching = (command: Command) =>
  command
    .argument('[dir]', 'the project', '.')
    .option('--user', 'merge them into your own settings instead, for all projects')
    .option('--force', 'replace a LORE_KEY that another Lore put there')
    .addOption(
      choice(
        '--model <name>',
        'whether your own Claude Code login may write lessons, instead of asking',
        ...['claude', 'none'],
      ),
    )
    .addOption(
      choice(
        '--permissions <mode>',
        'what Lore may answer the client’s permission questions, instead of asking (docs/permissions.md)',
        ...PERMISSIONS,
      ),
    );

const initCommand: Define = (command, cli) =>
  attaching(command)
    .addOption(
      choice(
        '--client <name>',
        'whose hooks and MCP servers are written',
        'claude',
        ...Object.keys(CLIENTS),
      ).default('claude'),
    )
    .option('--team', 'write hooks that the repository holds, for a server elsewhere (docs/hooks.md)')
    .option('--sandbox', 'switch on the client’s own sandbox, with the hosts that the project names')
    .option('--remove', 'undo it, to the byte')
    .option('--print', 'show what would be merged, change nothing')
    .action((dir, options) => init(cli, dir, options));

export const commands = { init: initCommand };

/** Attaches a project, or all projects of a person, to their client; or undoes it. */
export async function init(cli: Cli, folder: string, options: InitOptions): Promise<void> {
  const { config, io } = cli;
  const dir = resolve(io.cwd, folder);
  const { client, user = false } = options;
  if (client && client !== 'claude') return initClient(cli, client, dir, options);
  if (options.team) return initTeam(cli, dir, options.remove === true);
  const server = {
    url: config.url,
    hookScript: fileURLToPath(new URL('hooks/session-start', packageRoot)),
    ...(options.sandbox && !options.remove && { sandbox: sandboxFor(dir) }),
  };
  if (options.print) return io.print(attachmentSettings({ ...server, key: '<your-key>' }));
  const where = { dir, home: config.home, ...(user && { user: userSettings(config.clientFolder) }) };
  if (options.remove) {
    const key = attachedKey(where);
    const done = detachProject(where);
    if (done.found) done.warnings.push(...(await revokeHooksKey(config, key)));
    io.answer(
      done,
      done.found ? `Detached: ${done.file} is as it was.` : `Lore is not attached in ${done.file}.`,
    );
    return io.json ? undefined : warn(io, done.warnings);
  }
  if (options.permissions) refuseAgents(io, `init --permissions ${options.permissions}`);
  if (options.model === 'claude') refuseAgents(io, 'init --model claude');
  const found = await hooksKey(config, user ? null : dir, user ? userKey(config) : attachedKey(where));
  const done = await withKey(config, found, (key) =>
    attachProject({ ...where, ...server, key, force: options.force === true }),
  );
  const sessions = user ? 'in any project' : 'there';
  if (!io.json) {
    io.log(
      done.changed
        ? `Attached: hooks are in ${done.file}. The next Claude Code session ${sessions} uses them.`
        : `Already attached: nothing to change in ${done.file}.`,
    );
    if (server.sandbox)
      io.log(
        `In its sandbox, commands reach: ${server.sandbox.network.allowedDomains.join(', ') || 'no host'}.`,
      );
    if (done.excludedBy) io.log(`It holds a key, so git ignores it now, by ${done.excludedBy}.`);
    warn(io, done.warnings);
    const missing = server.sandbox ? missingForSandbox(io.env.PATH) : [];
    if (missing.length > 0)
      warn(io, [
        `the client's sandbox needs ${missing.join(' and ')} here: install it, or commands run without it, after you were asked.`,
      ]);
    if (!user && userKey(config) === undefined)
      hint(
        io,
        'If this folder’s .claude may get lost: lore init --user puts the hooks into your own settings.',
      );
  }
  await settlePermissions(cli, { dir, user, isNew: done.changed, wanted: options.permissions });
  await settleModel(cli, options.model);
  if (io.json) io.print(done);
  else await settleAsking(cli);
}

/** Attaches another client than Claude Code to a project, or to all projects of the person; or undoes it. */
async function initClient({ config, io }: Cli, client: ClientName, dir: string, options: InitOptions) {
  const { title, note, userOnly } = setupOf(client);
  const place = clientPlace(client, { dir, home: config.home, user: options.user === true });
  const where = `${title} for ${place.dir ?? 'all your projects'}`;
  const there = clientKey(place);
  if (options.print) return io.print(editsFor(place, io));
  if (options.remove) {
    const files = detachClient(place, io);
    const warnings = files === null ? [] : await revokeHooksKey(config, there);
    io.answer(
      { found: files !== null, files: files ?? [], warnings },
      files === null
        ? `Lore is not attached to ${where}.`
        : `Detached from ${where}: as before Lore are ${files.join(' and ') || 'its files'}.`,
    );
    return io.json ? undefined : warn(io, warnings);
  }
  const found = await hooksKey(config, place.dir, there);
  const done = await withKey(config, found, (key) => attachClient(place, io, { url: config.url, key }));
  if (io.json) return io.print(done);
  io.log(
    done.changed.length > 0
      ? `Attached to ${where}: ${done.changed.join(' and ')}.`
      : `Already attached to ${where}: nothing to change.`,
  );
  if (userOnly && !options.user)
    io.log(`${title} reads hooks only from your own settings, so this is for all your projects.`);
  if (note !== undefined) hint(io, note);
  warn(io, done.warnings);
}

/**
 * Puts command hooks for every event into the committed `.claude/settings.json`, and the one file that they run beside it;
 * or takes both away. Nothing in them names a server or a key: LORE_URL and LORE_KEY do, in each person's environment.
 *
 * @throws Problem (409) if the settings are no JSON object; then nothing is changed
 */
function initTeam({ io }: Cli, dir: string, remove: boolean): void {
  const folder = join(dir, '.claude');
  const [file, script] = [join(folder, 'settings.json'), join(folder, 'lore-hook.cjs')];
  const hook = { type: 'command', command: 'node "$CLAUDE_PROJECT_DIR/.claude/lore-hook.cjs"', timeout: 5 };
  const edit: Edit = {
    file,
    entries: ATTACHED_EVENTS.map((event) => ({
      path: ['hooks', event],
      value: { hooks: [hook] },
      item: true,
    })),
  };
  let changed: boolean;
  if (remove) {
    changed = undo(edit);
    rmSync(script, { force: true });
    // what only Lore has written is nobody's
    if (existsSync(file) && /^\s*\{\s*\}\s*$/.test(readFileSync(file, 'utf8'))) rmSync(file);
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  } else {
    const planned = plan(edit);
    ({ changed } = planned);
    mkdirSync(folder, { recursive: true });
    writeAtomically(script, readFileSync(new URL('dist/team-hook.cjs', packageRoot)));
    write(planned);
  }
  io.answer(
    { file, script, changed },
    remove
      ? `Removed: Lore's hooks are no longer in ${file}.`
      : `Written: ${file} and ${script}. Commit both. Whoever has LORE_URL and LORE_KEY in the environment uses them; for others they do nothing.`,
  );
}
