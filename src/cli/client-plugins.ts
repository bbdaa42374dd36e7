import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// What Claude Code's own files tell of its plugins: whether Lore's are there, and whether another one may keep Lore's hooks
// from running.

type Plugin = { id: string; folder: string };

/** Returns the JSON in a file; an empty object if there is none. */
function readJson(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns the plugins that a person has installed in Claude Code, as its list says. */
function installedPlugins(clientFolder: string): Plugin[] {
  const { plugins } = readJson(join(clientFolder, 'plugins/installed_plugins.json'));
  return Object.entries(plugins ?? {}).flatMap(([id, places]: [string, unknown]) =>
    Array.isArray(places) && typeof places[0]?.installPath === 'string'
      ? [{ id, folder: places[0].installPath }]
      : [],
  );
}

const OURS = /^lore(?:-fast)?@/;

/** Returns the marketplaces that Lore's plugins were installed from. */
export const loresMarketplaces = (clientFolder: string): string[] => [
  ...new Set(
    installedPlugins(clientFolder).flatMap(({ id }) => (OURS.test(id) ? [id.replace(/^.*@/, '')] : [])),
  ),
];

/** Events in whose place a module of a plugin can act, and so keep every other hook from them. */
const CLASSIC = /\bon\(\s*['"`]classic\.(\w+)/g;

/**
 * Returns the plugins whose modules act in the place of hooks. `silent` are those that certainly let no hook run, because
 * they never call `next`. Only the files that a plugin names as its modules are read.
 */
export function modulesBeforeHooks(
  clientFolder: string,
): { id: string; events: string[]; silent: boolean }[] {
  return installedPlugins(clientFolder).flatMap(({ id, folder }) => {
    if (OURS.test(id)) return [];
    const file = join(folder, 'hooks/hooks.json');
    const { modules } = readJson(file);
    const texts = (Array.isArray(modules) ? modules : []).map((name) =>
      textOf(join(dirname(file), String(name))),
    );
    const events = texts.flatMap((text) => [...text.matchAll(CLASSIC)].map(([, event]) => String(event)));
    if (events.length === 0) return [];
    const silent = !texts.some((text) => /\bnext(?:\.to)?\(/.test(text));
    return [{ id, events: [...new Set(events)], silent }];
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
