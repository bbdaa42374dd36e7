import type { Config } from '../config.ts';
import { attachedClients, CLIENTS } from './attach/clients.ts';
import { codexHooks } from './attach/codex-trust.ts';
import { person } from './init-client.ts';
import type { Io } from './io.ts';

/** Says which tools of agents are judged. */
export const JUDGED =
  'commands of Bash, Monitor and PowerShell, of the shells of Codex, Cursor, opencode and Copilot, and of MCP tools for a shell here; files of their tools that read, write, edit and patch; fields of all other tools for what harms Lore or cannot be undone';

/**
 * Checks the other clients that are attached. Returns null if none is.
 *
 * @param codex the binary of Codex; default: `codex` on PATH
 */
export async function checkClients(
  config: Config,
  io: Io,
  codex?: string,
): Promise<[ok: boolean, detail: string] | null> {
  const attached = attachedClients(config.home, person(io));
  if (attached.length === 0) return null;
  const said = await Promise.all(
    attached.map(async ({ client, dir, missing }): Promise<[boolean, string]> => {
      const where = dir ?? 'all projects';
      const again = `lore init --client ${client}${dir === null ? ' --user' : ` ${dir}`}`;
      if (missing.length > 0)
        return [false, `${missing.join(' and ')} no longer holds what Lore wrote: run ${again} again`];
      if (client !== 'codex') return [true, `${CLIENTS[client].title} for ${where}`];
      const hooks = (await codexHooks(dir ?? io.cwd, io.env, codex))?.filter(({ command }) =>
        command.includes('client.cjs'),
      );
      if (!hooks)
        return [
          true,
          `Codex for ${where}; whether it trusts the hooks is not known, because codex did not answer`,
        ];
      if (hooks.length === 0)
        return [false, `Codex does not see the hooks in ${where}: trust that project in codex`];
      const untrusted = hooks.filter(({ trust }) => trust !== 'trusted' && trust !== 'managed');
      return untrusted.length === 0
        ? [true, `Codex for ${where}, its hooks trusted`]
        : [
            false,
            `Codex skips ${untrusted.length} hooks in ${where}, because nobody has trusted them: type /hooks in codex`,
          ];
    }),
  );
  return [said.every(([ok]) => ok), said.map(([, detail]) => detail).join('. ')];
}
