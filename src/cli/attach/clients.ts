import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { packageRoot } from '../../files/package-root.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { nodeCommand, quoted } from './attach.ts';
import { badOption, Done, type Edit, holds, plan, sha256, undo, write } from './edits.ts';

// Attaches other clients than Claude Code. The key of the hooks is in none of their files: it lies in Lore's own folder,
// where the hook and `lore mcp` find it.

/** Whose settings are written: those of the person who runs this. */
export type Person = { home: string; env: Record<string, string | undefined> };

/** What a client's settings are made of. */
type Means = Person & {
  /** the folder of the project; null: the person's own settings, for all projects */
  dir: string | null;
  /** a line for a shell that runs Lore's hook */
  hook: string;
  /** a program with its arguments that serves Lore's tools over stdio */
  mcp: [command: string, ...args: string[]];
  /** the file with address and key */
  keyFile: string;
};

type Setup = {
  /** how a person calls it */
  title: string;
  /** it reads hooks only from the person's own settings */
  userOnly?: true;
  edits(means: Means): Edit[];
  /** what a person still has to do, or should know */
  note?: string;
};

const words = (text: string) => text.split(' ');

export const CLIENTS = {
  codex: {
    title: 'Codex',
    note: 'Codex runs no hook that a person has not trusted, and says nothing about it: start codex there and type /hooks. It reads the settings of a project only if you trust the project.',
    edits: ({ dir, home, env, hook, mcp: [command, ...args] }) => {
      const folder = dir === null ? (env.CODEX_HOME ?? join(home, '.codex')) : join(dir, '.codex');
      const entries = words('SessionStart UserPromptSubmit PreToolUse PostToolUse Stop SessionEnd').map(
        (event) => ({
          path: ['hooks', event],
          // Codex waits no longer than three seconds at the end of a session
          value: { hooks: [{ type: 'command', command: hook, timeout: event === 'SessionEnd' ? 3 : 10 }] },
          item: true as const,
        }),
      );
      const lines = [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
      return [
        { file: join(folder, 'hooks.json'), entries },
        { file: join(folder, 'config.toml'), table: 'mcp_servers.lore', lines },
      ];
    },
  },
  cursor: {
    title: 'Cursor',
    edits: ({ dir, home, hook, mcp: [command, ...args] }) => {
      const folder = join(dir ?? home, '.cursor');
      const hooks = words(
        'sessionStart beforeSubmitPrompt preToolUse postToolUse postToolUseFailure preCompact stop sessionEnd',
      ).map((event) => ({
        ...{ path: ['hooks', event], value: { command: hook, timeout: 10 }, item: true as const },
      }));
      return [
        { file: join(folder, 'hooks.json'), entries: [{ path: ['version'], value: 1 }, ...hooks] },
        {
          file: join(folder, 'mcp.json'),
          entries: [{ path: ['mcpServers', 'lore'], value: { command, args } }],
        },
      ];
    },
  },
  opencode: {
    title: 'opencode',
    edits: ({ dir, home, env, mcp, keyFile }) => {
      const own = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode');
      const text = `// Lore's plugin for opencode. \`lore init --client opencode\` wrote it, and with --remove takes it away.
export const LorePlugin = async (input) => {
  try {
    const { plugin } = await import(${JSON.stringify(new URL('hooks/opencode.mjs', packageRoot).href)});
    return plugin(input, ${JSON.stringify(keyFile)});
  } catch {
    return {};
  }
};
`;
      const server = { type: 'local', command: [...mcp], enabled: true };
      return [
        { file: join(dir === null ? own : join(dir, '.opencode'), 'plugins', 'lore.js'), text },
        { file: join(dir ?? own, 'opencode.json'), entries: [{ path: ['mcp', 'lore'], value: server }] },
      ];
    },
  },
  // it reads hooks from the person's own folder; those of a repository did not run
  copilot: {
    title: 'Copilot CLI',
    userOnly: true,
    edits: ({ home, env, hook, mcp: [command, ...args] }) => {
      const folder = env.COPILOT_HOME ?? join(home, '.copilot');
      const one = [{ type: 'command', bash: hook, powershell: hook, timeoutSec: 10 }];
      const events = words(
        'sessionStart userPromptSubmitted preToolUse postToolUse postToolUseFailure agentStop sessionEnd',
      );
      const hooks = Object.fromEntries(events.map((event) => [event, one]));
      const server = { type: 'local', command, args, tools: ['*'] };
      return [
        {
          file: join(folder, 'hooks', 'lore.json'),
          text: `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`,
        },
        { file: join(folder, 'mcp-config.json'), entries: [{ path: ['mcpServers', 'lore'], value: server }] },
      ];
    },
  },
} satisfies Record<string, Setup>;
export type ClientName = keyof typeof CLIENTS;
export const setupOf = (client: ClientName): Setup => CLIENTS[client];

const Attached = z.object({
  client: z.enum(Object.keys(CLIENTS) as [ClientName, ...ClientName[]]),
  dir: z.string().nullable(),
  key: z.string(),
});

export type Place = { client: ClientName; dir: string | null; home: string };

/** Where Lore keeps the key of an attached client, and what it did to which files. */
const filesOf = ({ client, dir, home }: Place) => {
  const id = join(home, 'clients', `${client}-${sha256(dir ?? 'user').slice(0, 16)}`);
  return { keyFile: `${id}.json`, undoFile: `${id}.undo.json` };
};

/** Returns what is written for a client. */
export function editsFor(place: Place, person: Person): Edit[] {
  const { keyFile } = filesOf(place);
  const file = (name: string) => fileURLToPath(new URL(name, packageRoot));
  return setupOf(place.client).edits({
    ...{ home: person.home, env: person.env, dir: place.dir, keyFile },
    hook: nodeCommand(file('hooks/client.cjs'), place.client, quoted(keyFile)),
    mcp: ['node', file('bin/lore.js'), 'mcp', '--key', keyFile],
  });
}

/** Returns the place of a client's settings. @throws Problem (400) if there is no such folder */
export function clientPlace(client: ClientName, where: { dir: string; home: string; user: boolean }): Place {
  const dir = where.user || setupOf(client).userOnly ? null : resolve(where.dir);
  if (dir !== null && !fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw badOption('dir', `${dir} is not a folder`);
  return { client, dir, home: where.home };
}

/** Returns the key that an attached client has; undefined without one. */
export const clientKey = (place: Place): string | undefined => jsonIn(filesOf(place).keyFile, Attached)?.key;

/**
 * Writes the hooks and the MCP server of a client. A second call changes nothing.
 *
 * @returns the files that changed, and what stayed as it was
 * @throws Problem (409) if a file cannot be merged; then nothing is changed
 */
export function attachClient(
  place: Place,
  person: Person,
  server: { url: string; key: string },
): { files: string[]; changed: string[]; warnings: string[] } {
  const { keyFile, undoFile } = filesOf(place);
  const before = jsonIn(undoFile, z.array(Done)) ?? [];
  const edits = editsFor(place, person);
  const planned = edits.map((edit) =>
    plan(
      edit,
      before.find(({ file }) => file === edit.file),
    ),
  );
  fs.mkdirSync(join(place.home, 'clients'), { recursive: true, mode: 0o700 });
  writeAtomically(keyFile, JSON.stringify({ client: place.client, dir: place.dir, ...server }));
  writeAtomically(undoFile, JSON.stringify(planned.map(({ done }) => done)));
  planned.forEach(write);
  return {
    files: edits.map(({ file }) => file),
    changed: planned.flatMap(({ changed, done }) => (changed ? [done.file] : [])),
    warnings: planned.flatMap(({ skipped }) => skipped),
  };
}

/** Undoes `attachClient`. Returns the files that were changed back; null if the client was not attached. */
export function detachClient(place: Place, person: Person): string[] | null {
  const { keyFile, undoFile } = filesOf(place);
  const before = jsonIn(undoFile, z.array(Done));
  if (!before) return null;
  const undone = editsFor(place, person).flatMap((edit) => {
    const done = before.find(({ file }) => file === edit.file);
    return done && undo(edit, done) ? [edit.file] : [];
  });
  for (const file of [keyFile, undoFile]) fs.rmSync(file, { force: true });
  const folder = join(place.home, 'clients');
  if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  return undone;
}

/** Returns the clients that are attached, each with the files that no longer hold what Lore wrote. */
export function attachedClients(
  home: string,
  person: Person,
): (Place & { key: string; missing: string[] })[] {
  const folder = join(home, 'clients');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.flatMap((name) => {
    const done = name.endsWith('.undo.json') && jsonIn(join(folder, name), z.array(Done));
    const record = jsonIn(join(folder, name.replace('.undo.json', '.json')), Attached);
    if (!done || !record) return [];
    const missing = editsFor({ ...record, home }, person).flatMap((edit) => {
      const one = done.find(({ file }) => file === edit.file);
      return one && !holds(edit, one) ? [edit.file] : [];
    });
    return [{ ...record, home, missing }];
  });
}

/** Returns what a file of Lore's holds; undefined if it is missing or damaged. */
function jsonIn<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
