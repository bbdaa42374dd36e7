import { join } from 'node:path';
import type { ClientSetup } from './client-setup.ts';

const EVENTS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'agentStop',
  'sessionEnd',
];

/** GitHub's Copilot CLI. It reads hooks from the person's own folder; those of a repository did not run. */
export const copilot: ClientSetup = {
  title: 'Copilot CLI',
  userOnly: true,
  edits: ({ home, env, hook, mcp: [command, ...args] }) => {
    const folder = env.COPILOT_HOME ?? join(home, '.copilot');
    const one = [{ type: 'command', bash: hook, powershell: hook, timeoutSec: 10 }];
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, one]));
    return [
      {
        kind: 'own',
        file: join(folder, 'hooks', 'lore.json'),
        text: `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`,
      },
      {
        kind: 'json',
        file: join(folder, 'mcp-config.json'),
        entries: [{ path: ['mcpServers', 'lore'], value: { type: 'local', command, args, tools: ['*'] } }],
      },
    ];
  },
};
