import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { ATTACHED_EVENTS } from '../base/files/attachments.ts';
import { packageRoot } from '../base/files/package-root.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import { PERMISSIONS, type Permissions } from '../commands/permissions.ts';
import {
  attachedKey,
  attachmentSettings,
  attachProject,
  detachProject,
  userSettings,
} from './attach/attach.ts';
import * as clients from './attach/clients.ts';
import { missingForSandbox, sandboxFor } from './attach/sandbox.ts';
import { plan, planUndo, write } from './attach/settings.ts';
import type { Cli, Define } from './commands.ts';
import { revokeHooksKey, settleAsking, settlePermissions, withHooksKey } from './consent.ts';
import { type Io, refuseAgents } from './io.ts';
import { choice } from './options.ts';
import { hint, warn } from './print.ts';

export type InitOptions = {
  remove?: boolean;
  team?: boolean;
  print?: boolean;
  sandbox?: boolean;
  guarded?: boolean;
  user?: boolean;
  model?: 'claude' | 'none';
  client?: 'claude' | clients.ClientName;
  permissions?: Permissions;
};

/** What `init` and `up` both take. */
export const attaching = (command: Command) =>
  command
    .argument('[dir]', 'the project', '.')
    .option('--user', 'put them into your own settings instead, for all projects')
    .option('--guarded', 'while no server answers, block each call instead of running it unchecked')
    .addOption(choice('--model <name>', 'whether your Claude Code login may write lessons', 'claude', 'none'))
    .addOption(choice('--permissions <mode>', 'what Lore may answer your client', ...PERMISSIONS));

const NAMES = ['claude', ...Object.keys(clients.CLIENTS)];
const initCommand: Define = (command, cli) =>
  attaching(command)
    .addOption(choice('--client <name>', 'whose hooks are written', ...NAMES).default('claude'))
    .option('--team', 'write hooks that the repository holds, for a server elsewhere (docs/hooks.md)')
    .option('--sandbox', 'switch on the client’s own sandbox, with the hosts that the project names')
    .option('--remove', 'take them out again')
    .option('--print', 'show what would be written, change nothing')
    .action((dir, options) => init(cli, dir, options));

export const commands = { init: initCommand };

/** What is attached to: a client, for a project or for all (`dir` null). */
type Target = {
  title: string;
  dir: string | null;
  note?: string | undefined;
  key(): string | undefined;
  shown(): unknown;
  attach(key: string): { changed: string[]; warnings: string[] };
  /** returns the files; null if there was nothing */
  detach(): string[] | null;
};

function claudeAt({ config, io }: Cli, dir: string, { user, sandbox, guarded, remove }: InitOptions): Target {
  const hookScript = fileURLToPath(new URL('hooks/session-start', packageRoot));
  const server = {
    ...{ url: config.url, hookScript, guarded },
    sandbox: sandbox && !remove ? sandboxFor(dir) : undefined,
  };
  const where = { dir, home: config.home, user: user ? userSettings(config.clientFolder) : undefined };
  const missing = sandbox ? missingForSandbox(io.env.PATH) : [];
  return {
    ...{ title: 'Claude Code', dir: user ? null : dir },
    key: () => attachedKey(where),
    shown: () => attachmentSettings({ ...server, key: '<your-key>' }),
    attach: (key) => {
      const { file, changed, warnings } = attachProject({ ...where, ...server, key });
      for (const one of missing) warnings.push(`the client's sandbox needs ${one} here: install it`);
      return { changed: changed ? [file] : [], warnings };
    },
    detach: () => {
      const { file, found } = detachProject(where);
      return found ? [file] : null;
    },
  };
}

function otherAt({ config, io }: Cli, client: clients.ClientName, dir: string, user: boolean): Target {
  const place = clients.clientPlace(client, { dir, home: config.home, user });
  const { title, note } = clients.CLIENTS[client];
  return {
    ...{ title, note, dir: place.dir },
    key: () => clients.clientKey(place),
    shown: () => clients.editsFor(place, io),
    attach: (key) => clients.attachClient(place, io, { url: config.url, key }),
    detach: () => clients.detachClient(place, io),
  };
}

/** Attaches a project, or all projects of a person, to a client; or undoes it. */
export async function init(cli: Cli, folder: string, options: InitOptions): Promise<void> {
  const { config, io } = cli;
  const dir = resolve(io.cwd, folder);
  const { client = 'claude', user = false, permissions, model } = options;
  if (options.team) return initTeam(io, dir, options.remove === true);
  const isClaude = client === 'claude';
  const target = isClaude ? claudeAt(cli, dir, options) : otherAt(cli, client, dir, user);
  const where = `${target.title} for ${target.dir ?? 'all your projects'}`;
  if (options.print) return io.print(target.shown());
  const there = target.key();
  if (options.remove) {
    const files = target.detach();
    const warnings = files === null ? [] : await revokeHooksKey(config, there);
    const said =
      files === null ? `Not attached to ${where}.` : `Detached from ${where}: ${files.join(' and ')}`;
    io.answer({ found: files !== null, files: files ?? [], warnings }, said);
    return warn(io, io.json ? [] : warnings);
  }
  if (permissions) refuseAgents(io, `init --permissions ${permissions}`);
  if (model === 'claude') refuseAgents(io, 'init --model claude');
  const done = await withHooksKey(config, target.dir, there, (key) => target.attach(key));
  const isNew = done.changed.length > 0;
  if (!io.json) {
    io.log(isNew ? `Attached to ${where}: ${done.changed.join(' and ')}` : `Already attached to ${where}.`);
    if (target.note !== undefined) hint(io, target.note);
    warn(io, done.warnings);
  }
  if (isClaude) {
    await settlePermissions(cli, { dir, user, isNew, wanted: permissions });
    await settleAsking(cli, model);
  }
  if (io.json) io.print(done);
}

/**
 * Puts command hooks for every event into the committed `.claude/settings.json`, and the one file that they run beside it;
 * or takes both away. Nothing in them names a server or a key: LORE_URL and LORE_KEY do, in each person's environment.
 *
 * @throws Problem (409) if the settings are no JSON object; then nothing is changed
 */
function initTeam(io: Io, dir: string, remove: boolean): void {
  const file = join(dir, '.claude', 'settings.json');
  const script = join(dir, '.claude', 'lore-hook.cjs');
  const hook = { type: 'command', command: 'node "$CLAUDE_PROJECT_DIR/.claude/lore-hook.cjs"', timeout: 5 };
  const value = { hooks: [hook] };
  const entries = ATTACHED_EVENTS.map((event) => ({ path: ['hooks', event], value, item: true as const }));
  const planned = (remove ? planUndo : plan)({ file, entries });
  if (remove) rmSync(script, { force: true });
  else {
    mkdirSync(dirname(script), { recursive: true });
    writeAtomically(script, readFileSync(new URL('dist/team-hook.cjs', packageRoot)));
  }
  write(planned, dir);
  const written = `Written: ${file} and ${script}. Commit both. Whoever has LORE_URL and LORE_KEY in the environment uses them; for others they do nothing.`;
  const about = { file, script, changed: planned.changed };
  io.answer(about, remove ? `Removed: Lore's hooks are no longer in ${file}.` : written);
}
