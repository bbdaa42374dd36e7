import { join } from 'node:path';
import type { ClientSetup } from './client-setup.ts';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];

/** OpenAI's Codex: command hooks in `hooks.json`, MCP servers in `config.toml`, both in `.codex`. */
export const codex: ClientSetup = {
  title: 'Codex',
  note: 'Codex runs no hook that a person has not trusted, and says nothing about it: start codex there and type /hooks. It reads the settings of a project only if you trust the project.',
  edits: ({ dir, home, env, hook, mcp: [command, ...args] }) => {
    const folder = dir === null ? (env.CODEX_HOME ?? join(home, '.codex')) : join(dir, '.codex');
    // Codex waits no longer than three seconds at the end of a session
    const group = (event: string) => ({
      hooks: [{ type: 'command', command: hook, timeout: event === 'SessionEnd' ? 3 : 10 }],
    });
    return [
      {
        kind: 'json',
        file: join(folder, 'hooks.json'),
        entries: EVENTS.map((event) => ({ path: ['hooks', event], value: group(event), item: true })),
      },
      {
        kind: 'toml',
        file: join(folder, 'config.toml'),
        table: 'mcp_servers.lore',
        lines: [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`],
      },
    ];
  },
};
