import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { packageRoot } from '../../base/files/package-root.ts';
import { readText } from '../../base/files/read-text.ts';
import { writeAtomically } from '../../base/files/write-atomically.ts';
import { objectIn } from '../../base/text/json.ts';
import { nodeCommand, quoted } from './attach.ts';
import table from './clients.jsonc' with { type: 'text' };
import { type Edit, folderOf, holds, type Planned, plan, planUndo, sha256, write } from './settings.ts';

// Attaches other clients than Claude Code, those of clients.jsonc. The key of the hooks is in none of their files: it lies in
// Lore's own folder, where the hook and `lore mcp` find it.

/** Whose settings are written: those of the person who runs this. */
export type Person = { home: string; env: Record<string, string | undefined> };

type Client = {
  title: string;
  note?: string;
  project?: string;
  own: [variable: string, inHome: string];
  hooks: string;
  version?: number;
  events?: string;
  entry?: unknown;
  atEnd?: unknown;
  text?: string;
  mcp: string;
  beside?: true;
  at: string[];
  server: object;
};
export type ClientName = 'codex' | 'cursor' | 'opencode' | 'copilot';
export const CLIENTS: Record<ClientName, Client> = parse(table);

/** Where a client's settings are. `dir`: the folder of the project; null: the person's own, for all projects. */
export type Place = { client: ClientName; dir: string | null; home: string };

/** Where Lore keeps the address and the key of an attached client. */
const keyFileOf = ({ client, dir, home }: Place) =>
  join(home, 'clients', `${client}-${sha256(dir ?? 'user').slice(0, 16)}.json`);

/** Returns the folder of a client's settings. */
function settingsFolder({ client, dir }: Place, { home, env }: Person): string {
  const { project = '', own } = CLIENTS[client];
  const [variable = '', ...below] = own[0].split('/');
  if (dir !== null) return join(dir, project);
  return env[variable] ? join(env[variable], ...below) : join(home, own[1]);
}

/** Returns what is written for a client. */
export function editsFor(place: Place, person: Person): Edit[] {
  const { client, dir } = place;
  const about = CLIENTS[client];
  const keyFile = keyFileOf(place);
  const inPackage = (name: string) => fileURLToPath(new URL(name, packageRoot));
  const words = ['node', inPackage('bin/lore.js'), 'mcp', '--key', keyFile];
  const values: Record<string, unknown> = {
    $hook: nodeCommand(inPackage('hooks/client.cjs'), client, quoted(keyFile)),
    ...{ $command: words[0], $args: words.slice(1), $words: words, $keyFile: keyFile },
    $plugin: new URL('hooks/opencode.mjs', packageRoot).href,
  };
  const filled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, one) =>
      typeof one === 'string' && one in values ? values[one] : one,
    );
  // what an earlier version or another place of the program wrote names the same file
  const ours = (one: unknown) => JSON.stringify(one).includes(JSON.stringify(keyFile).slice(1, -1));
  const folder = settingsFolder(place, person);
  const file = join(folder, about.hooks);
  const hooks = (about.events?.split(' ') ?? []).map((event) => ({
    ...{ path: ['hooks', event], item: true as const, ours },
    value: filled((/end$/i.test(event) && about.atEnd) || about.entry),
  }));
  const { version, text, at } = about;
  const versions = version === undefined ? [] : [{ path: ['version'], value: version, ours: () => false }];
  const server = filled(about.server) as object;
  const mcp = join(about.beside && dir !== null ? dir : folder, about.mcp);
  const toml = Object.entries(server).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  return [
    text === undefined
      ? { file, entries: [...versions, ...hooks] }
      : { file, text: text.replace(/\$(plugin|keyFile)/g, (name) => JSON.stringify(values[name])) },
    mcp.endsWith('.toml')
      ? { file: mcp, block: `# Lore: lore init wrote these lines\n[${at.join('.')}]\n${toml.join('')}` }
      : { file: mcp, entries: [{ path: at, value: server, ours }] },
  ];
}

/** Returns the place of a client's settings. @throws Problem (400) if there is no such folder */
export const clientPlace = (client: ClientName, at: { dir: string; home: string; user: boolean }): Place => ({
  ...{ client, home: at.home },
  dir: at.user || CLIENTS[client].project === undefined ? null : folderOf(at.dir),
});

/** Returns the key that an attached client has; undefined without one. */
export function clientKey(place: Place): string | undefined {
  const key = objectIn(readText(keyFileOf(place)) ?? '')?.key;
  return typeof key === 'string' ? key : undefined;
}

const changedIn = (planned: Planned[]) => planned.flatMap(({ changed, file }) => (changed ? [file] : []));

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
): { changed: string[]; warnings: string[] } {
  const planned = editsFor(place, person).map(plan);
  fs.mkdirSync(join(place.home, 'clients'), { recursive: true, mode: 0o700 });
  writeAtomically(keyFileOf(place), JSON.stringify({ client: place.client, dir: place.dir, ...server }));
  for (const one of planned) write(one, place.dir ?? person.home);
  return { changed: changedIn(planned), warnings: planned.flatMap(({ skipped }) => skipped) };
}

/** Undoes `attachClient`. Returns the files that were changed back; null if the client was not attached. */
export function detachClient(place: Place, person: Person): string[] | null {
  if (clientKey(place) === undefined) return null;
  const undone = editsFor(place, person).map(planUndo);
  for (const one of undone) write(one, place.dir ?? person.home);
  const folder = join(place.home, 'clients');
  fs.rmSync(keyFileOf(place), { force: true });
  if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  return changedIn(undone);
}

/** Returns the clients that are attached, each with the files that no longer hold what Lore wrote. */
export function attachedClients(
  home: string,
  person: Person,
): (Place & { key: string; missing: string[] })[] {
  const folder = join(home, 'clients');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.flatMap((name) => {
    const { client, dir, key } = objectIn(readText(join(folder, name)) ?? '') ?? {};
    if (typeof client !== 'string' || !(client in CLIENTS) || typeof key !== 'string') return [];
    const place = { client: client as ClientName, dir: typeof dir === 'string' ? dir : null, home };
    const missing = editsFor(place, person).flatMap((edit) => (holds(edit) ? [] : [edit.file]));
    return [{ ...place, key, missing }];
  });
}
