import { join } from 'node:path';
import { packageRoot } from '../../files/package-root.ts';
import type { ClientSetup } from './client-setup.ts';

/** opencode: a plugin that it loads by itself, and its `opencode.json`. */
export const opencode: ClientSetup = {
  title: 'opencode',
  edits: ({ dir, home, env, mcp, keyFile }) => {
    const own = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode');
    const plugin = new URL('hooks/opencode.mjs', packageRoot).href;
    return [
      {
        kind: 'own',
        file: join(dir === null ? own : join(dir, '.opencode'), 'plugins', 'lore.js'),
        text: [
          "// Lore's plugin for opencode. `lore init --client opencode` wrote it, and with --remove takes it away.",
          'export const LorePlugin = async (input) => {',
          '  try {',
          `    const { plugin } = await import(${JSON.stringify(plugin)});`,
          `    return plugin(input, ${JSON.stringify(keyFile)});`,
          '  } catch {',
          '    return {};',
          '  }',
          '};',
          '',
        ].join('\n'),
      },
      {
        kind: 'json',
        file: join(dir ?? own, 'opencode.json'),
        entries: [{ path: ['mcp', 'lore'], value: { type: 'local', command: [...mcp], enabled: true } }],
      },
    ];
  },
};
