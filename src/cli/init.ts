import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ATTACHED_EVENTS } from '../base/files/attachments.ts';
import { packageRoot } from '../base/files/package-root.ts';
import type { Permissions } from '../commands/permissions.ts';
import { attach, CLIENTS, type ClientName, detach, editsFor, keyAt, placeIn } from './attach/attach.ts';
import { missingForSandbox, sandboxFor } from './attach/sandbox.ts';
import { folderOf, plan, planUndo, shownOf, write } from './attach/settings.ts';
import { revokeHooksKey, settleAsking, settlePermissions, withHooksKey } from './consent.ts';
import { hint, type Io, refuseAgents, warn } from './io.ts';
import type { Action, Cli } from './rows.ts';

export type InitOptions = {
  remove?: boolean;
  team?: boolean;
  print?: boolean;
  sandbox?: boolean;
  guarded?: boolean;
  user?: boolean;
  model?: 'claude' | 'none';
  client?: ClientName;
  permissions?: Permissions;
};

/** Attaches a project, or all projects of a person, to a client; or undoes it. */
export async function init(cli: Cli, folder: string, options: InitOptions): Promise<void> {
  const { config, io } = cli;
  const dir = resolve(io.cwd, folder);
  const { client = 'claude', user = false, permissions, model, sandbox, guarded } = options;
  if (options.team) return initTeam(io, dir, options.remove === true);
  const place = placeIn(client, user ? null : folderOf(dir), config.home, io);
  const { title, note } = CLIENTS[client];
  const where = `${title} for ${place.dir ?? 'all your projects'}`;
  if (options.remove) {
    const there = keyAt(place);
    const files = detach(place, io);
    const warnings = files === null ? [] : await revokeHooksKey(config, there);
    const said =
      files === null ? `Not attached to ${where}.` : `Detached from ${where}: ${files.join(' and ')}`;
    io.answer({ found: files !== null, files: files ?? [], warnings }, said);
    return warn(io, io.json ? [] : warnings);
  }
  const server = { url: config.url, guarded, sandbox: sandbox ? sandboxFor(dir) : undefined };
  if (options.print) {
    const edits = editsFor(place, { ...server, key: '<your-key>' });
    return io.print(Object.fromEntries(edits.map((edit) => [edit.file, shownOf(edit)])));
  }
  if (permissions) refuseAgents(io, `init --permissions ${permissions}`);
  if (model === 'claude') refuseAgents(io, 'init --model claude');
  const done = await withHooksKey(config, place, (key) => attach(place, { ...server, key }, io));
  if (sandbox)
    for (const one of missingForSandbox(io.env.PATH))
      done.warnings.push(`the client's sandbox needs ${one} here: install it`);
  const isNew = done.changed.length > 0;
  if (!io.json) {
    io.log(isNew ? `Attached to ${where}: ${done.changed.join(' and ')}` : `Already attached to ${where}.`);
    if (note !== undefined) hint(io, note);
    warn(io, done.warnings);
  }
  if (client === 'claude') {
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
  const text = readFileSync(new URL('dist/team-hook.cjs', packageRoot), 'utf8');
  const planned = [
    { file, entries },
    { file: script, text },
  ].map(remove ? planUndo : plan);
  for (const one of planned) write(one, dir);
  const written = `Written: ${file} and ${script}. Commit both. Whoever has LORE_URL and LORE_KEY in the environment uses them; for others they do nothing.`;
  const about = { file, script, changed: planned.some(({ changed }) => changed) };
  io.answer(about, remove ? `Removed: Lore's hooks are no longer in ${file}.` : written);
}

export const actions: Record<string, Action> = {
  init: ({ dir = '.', ...options }, cli) => init(cli, dir, options),
};
