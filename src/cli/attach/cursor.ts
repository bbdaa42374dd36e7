import { join } from 'node:path';
import type { ClientSetup } from './client-setup.ts';

const EVENTS = [
  'sessionStart',
  'beforeSubmitPrompt',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'preCompact',
  'stop',
  'sessionEnd',
];

/** Cursor: `hooks.json` and `mcp.json` in `.cursor`, as its documentation says. */
export const cursor: ClientSetup = {
  title: 'Cursor',
  edits: ({ dir, home, hook, mcp: [command, ...args] }) => {
    const folder = join(dir ?? home, '.cursor');
    return [
      {
        kind: 'json',
        file: join(folder, 'hooks.json'),
        entries: [
          { path: ['version'], value: 1 },
          ...EVENTS.map((event) => ({
            path: ['hooks', event],
            value: { command: hook, timeout: 10 },
            item: true as const,
          })),
        ],
      },
      {
        kind: 'json',
        file: join(folder, 'mcp.json'),
        entries: [{ path: ['mcpServers', 'lore'], value: { command, args } }],
      },
    ];
  },
};
