import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseError, parse } from 'jsonc-parser';
import { ATTACHED_EVENTS, attachmentsIn, hostOfHooks, isOurHook } from '../../base/files/attachments.ts';
import { packageRoot, program } from '../../base/files/package-root.ts';
import { readText } from '../../base/files/read-text.ts';
import { writeAtomically } from '../../base/files/write-atomically.ts';
import { objectIn } from '../../base/text/json.ts';
import table from './clients.jsonc' with { type: 'text' };
import type { Sandbox } from './sandbox.ts';
import { type Edit, holds, plan, planUndo, realPath, sha256, textOf, valueAt, write } from './settings.ts';

// Attaches clients: hooks and an MCP server in their settings. Claude Code's hooks hold the key themselves; that of the others
// lies in Lore's own folder, where the hook and `lore mcp` find it.

/** Whose settings are written: those of the person who runs this. */
export type Person = { home: string; env: Record<string, string | undefined> };
export type ClientName = 'claude' | 'codex' | 'cursor' | 'opencode' | 'copilot';
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
export const CLIENTS: Record<ClientName, Client> = parse(table);

/** What is attached. `dir`: the folder of the project; null: the person's own settings, for all. `file` holds the hooks. */
export type Place = { client: ClientName; dir: string | null; home: string; folder: string; file: string };
/** `sandbox`: the client's own, which is switched on with it. `guarded`: no call runs while no server answers. */
type Server = { url: string; key: string; sandbox?: Sandbox | undefined; guarded?: boolean | undefined };

/** Returns where a client's settings are. @param home Lore's own folder */
export function placeIn(client: ClientName, dir: string | null, home: string, person: Person): Place {
  const { project, own, hooks } = CLIENTS[client];
  const [variable = '', ...below] = own[0].split('/');
  const from = person.env[variable];
  const inProject = project === undefined ? null : dir;
  const folder = inProject
    ? join(inProject, project ?? '')
    : from
      ? join(from, ...below)
      : join(person.home, own[1]);
  const name = client === 'claude' && inProject ? 'settings.local.json' : hooks;
  return { client, dir: inProject, home, folder, file: join(folder, name) };
}

/** Returns a path for the shell that runs a command: on Windows too it takes a backslash for an escape. */
const quoted = (path: string) =>
  `"${(process.platform === 'win32' ? path.replaceAll('\\', '/') : path).replace(/["$`\\]/g, '\\$&')}"`;

/**
 * Returns a command that runs a script. The Node that runs this is there even if a client is started where PATH has none;
 * a session never fails for it.
 */
export function nodeCommand(script: string, ...args: string[]): string {
  const line = [quoted(script), ...args].join(' ');
  return `node ${line}${process.platform === 'win32' ? '' : ` || ${quoted(process.execPath)} ${line} || true`}`;
}

const inPackage = (name: string) => fileURLToPath(new URL(name, packageRoot));
const items = (path: string[], values: unknown[], ours?: (one: unknown) => boolean) =>
  values.map((value) => ({ path, value, item: true as const, ...(ours && { ours }) }));

/**
 * Returns what is put into Claude Code's settings: a command hook for SessionStart (it accepts no other kind there), http hooks
 * for the other events, the environment that both read, and the server among the hosts that its sandbox may reach.
 *
 * @param former the address that an earlier call put there
 */
function claudeEdit({ file }: Place, { url, key, sandbox, guarded }: Server, former = url): Edit {
  const http = {
    ...{ type: 'http', url: `${url}/v1/hooks`, headers: { Authorization: 'Bearer $LORE_KEY' } },
    ...{ allowedEnvVars: ['LORE_KEY'], timeout: 5 },
  };
  const start = { type: 'command', command: nodeCommand(inPackage('hooks/session-start')), timeout: 5 };
  const guard = { ...start, command: `node ${quoted(inPackage('hooks/guarded'))} || exit 2` };
  const isHooks = (group: unknown) => {
    const { hooks } = Object(group) as { hooks?: unknown };
    return Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurHook);
  };
  const switches = sandbox ? { enabled: true, autoAllowBashIfSandboxed: true } : {};
  const domains = ['sandbox', 'network', 'allowedDomains'];
  const hosts = [hostOfHooks(url), hostOfHooks(former)];
  return {
    file,
    entries: [
      ...Object.entries({ LORE_KEY: key, LORE_URL: url }).map(([name, value]) => ({
        ...{ path: ['env', name], value, ours: () => true },
      })),
      ...ATTACHED_EVENTS.flatMap((event, i) => {
        const more = guarded && event === 'PreToolUse' ? [guard] : [];
        return items(['hooks', event], [{ hooks: [i === 0 ? start : http, ...more] }], isHooks);
      }),
      ...Object.entries(switches).map(([name, value]) => ({ path: ['sandbox', name], value })),
      ...items(['sandbox', 'excludedCommands'], sandbox?.outside ?? []),
      ...items(domains, hosts.slice(0, 1), (one) => hosts.includes(one as string)),
      ...items(domains, sandbox?.hosts ?? []),
    ],
  };
}

/** Returns what is written for a client. */
export function editsFor(place: Place, server: Server): Edit[] {
  const { client, dir, folder, file } = place;
  if (client === 'claude') return [claudeEdit(place, server, recordOf(place).url)];
  const about = CLIENTS[client];
  const keyFile = recordFile(place);
  const words = ['node', program, 'mcp', '--key', keyFile];
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
  const { version, text, at } = about;
  const hooks = (about.events?.split(' ') ?? []).flatMap((event) =>
    items(['hooks', event], [filled((/end$/i.test(event) && about.atEnd) || about.entry)], ours),
  );
  const versions = version === undefined ? [] : [{ path: ['version'], value: version, ours: () => false }];
  const tools = filled(about.server) as object;
  const mcp = join(about.beside && dir !== null ? dir : folder, about.mcp);
  const toml = Object.entries(tools).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  return [
    text === undefined
      ? { file, entries: [...versions, ...hooks] }
      : { file, text: text.replace(/\$(plugin|keyFile)/g, (name) => JSON.stringify(values[name])) },
    mcp.endsWith('.toml')
      ? { file: mcp, block: `# Lore: lore init wrote these lines\n[${at.join('.')}]\n${toml.join('')}` }
      : { file: mcp, entries: [{ path: at, value: tools, ours }] },
  ];
}

/** Returns the file that tells of an attachment; src/base/files/attachments.ts reads those of Claude Code too. */
const recordFile = ({ client, dir, home, file }: Place): string =>
  client === 'claude'
    ? join(home, 'attachments', `${sha256(realPath(file))}.json`)
    : join(home, 'clients', `${client}-${sha256(dir ?? 'user').slice(0, 16)}.json`);

function recordOf(place: Place): Partial<Server> {
  const { url, key, sandbox, guarded } = objectIn(readText(recordFile(place)) ?? '') ?? {};
  const { hosts, outside, excludedCommands = outside, network } = Object(sandbox);
  return {
    ...(typeof url === 'string' && { url }),
    ...(typeof key === 'string' && { key }),
    ...(guarded === true && { guarded }),
    // until 0.6 it was kept as it was written
    ...(excludedCommands && {
      sandbox: { outside: excludedCommands, hosts: hosts ?? network.allowedDomains.slice(1) },
    }),
  };
}

/** Returns the key that an attached client has; undefined without one. */
export function keyAt(place: Place): string | undefined {
  if (place.client !== 'claude') return recordOf(place).key;
  const key = valueAt(textOf(place.file), ['env', 'LORE_KEY']);
  return typeof key === 'string' ? key : undefined;
}

/**
 * Writes what a client needs into its settings, and leaves all else in them. A second call changes nothing; one with another
 * url or key replaces Lore's entries.
 *
 * @returns the files that changed, and what a person should know
 * @throws Problem (409) if a file cannot be merged; then nothing is changed
 */
export function attach(
  place: Place,
  server: Server,
  person: Person,
): { changed: string[]; warnings: string[] } {
  const { client, dir, file } = place;
  const { sandbox = recordOf(place).sandbox, guarded = recordOf(place).guarded } = server;
  const all = { ...server, sandbox, guarded };
  const planned = editsFor(place, all).map(plan);
  const [first] = planned;
  const { key, ...others } = all;
  const about = { file: realPath(file), ...others, writtenSha256: sha256(first?.text ?? '') };
  const record = recordFile(place);
  fs.mkdirSync(dirname(record), { recursive: true, mode: 0o700 });
  writeAtomically(record, JSON.stringify(client === 'claude' ? about : { client, dir, url: all.url, key }));
  for (const one of planned) write(one, dir ?? person.home);
  const warnings = planned.flatMap(({ skipped }) => skipped);
  if (client !== 'claude') return { changed: changedIn(planned), warnings };
  const errors: ParseError[] = [];
  parse((first?.text ?? '').replace(/^\uFEFF/, ''), errors, { disallowComments: true });
  if (errors.length > 0)
    warnings.push(
      `${file} has comments or trailing commas: Claude Code (2.1.330) ignores such a file, without a word.`,
    );
  // the person's own settings are in no repository that a project shares
  if (dir !== null && !ignoredByGit(dir))
    warnings.push(
      '.claude/settings.local.json holds a key now and git does not ignore it: add it to .gitignore, and take it out of the index (git rm --cached) if it is there.',
    );
  return { changed: changedIn(planned), warnings };
}

const changedIn = (planned: { changed: boolean; file: string }[]) =>
  planned.flatMap(({ changed, file }) => (changed ? [file] : []));

/**
 * Takes out what `attach` put in. A file in which nothing else stands is deleted.
 *
 * @returns the files; null if there was nothing of Lore's
 * @throws Problem (409) if a file cannot be read
 */
export function detach(place: Place, person: Person): string[] | null {
  const { client, dir, file } = place;
  const record = recordOf(place);
  const text = client === 'claude' ? textOf(file) : '';
  const there = valueAt(text, ['env', 'LORE_URL']);
  const url = record.url ?? (typeof there === 'string' && URL.canParse(there) ? there : 'http://127.0.0.1');
  // a key without hooks is somebody else's
  const groups = Object.values(Object(valueAt(text, ['hooks']))).flat();
  const isThere =
    client === 'claude'
      ? groups.some((group) => [Object(group).hooks].flat().some(isOurHook))
      : record.key !== undefined;
  const undone = isThere ? editsFor(place, { ...record, url, key: 'none' }).map(planUndo) : [];
  for (const one of undone) write(one, dir ?? person.home);
  const told = recordFile(place);
  fs.rmSync(told, { force: true });
  if (isThere && client === 'claude' && dir !== null) showToGit(dir, place.home);
  if (isThere && client !== 'claude' && fs.readdirSync(dirname(told)).length === 0)
    fs.rmdirSync(dirname(told));
  return isThere ? changedIn(undone) : null;
}

/** Returns all that is attached. `missing`: the files of another client that no longer hold what Lore wrote. */
export function attachedPlaces(home: string, person: Person): (Place & { missing: string[] })[] {
  const folder = join(home, 'clients');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const others = names.flatMap((name) => {
    const { client, dir, url, key } = objectIn(readText(join(folder, name)) ?? '') ?? {};
    if (typeof client !== 'string' || !(client in CLIENTS) || typeof key !== 'string') return [];
    const place = placeIn(client as ClientName, typeof dir === 'string' ? dir : null, home, person);
    const missing = editsFor(place, { url: String(url), key }).filter((edit) => !holds(edit));
    return [{ ...place, missing: missing.map(({ file }) => file) }];
  });
  // the project may be gone
  const files = attachmentsIn(home).filter((file) => fs.existsSync(dirname(file)));
  const own = files.map((file) => {
    const at = dirname(file);
    const dir = basename(at) === '.claude' && basename(file) !== 'settings.json' ? dirname(at) : null;
    return { client: 'claude' as const, dir, home, folder: at, file, missing: [] };
  });
  return [...own, ...others];
}

const SETTINGS = '.claude/settings.local.json';
/** What Lore adds to `.git/info/exclude`, which belongs to one person and is never committed. */
const IGNORED = `# lore init wrote this line\n**/${SETTINGS}\n`;
const git = (dir: string, ...args: string[]) => spawnSync('git', ['-C', dir, ...args], { encoding: 'utf8' });

/** Returns that file with its text, each byte a character; null without git. All work trees of a repository have the same one. */
function excludesOf(dir: string): { path: string; text: string } | null {
  const { status, stdout } = git(dir, 'rev-parse', '--git-path', 'info/exclude');
  if (status !== 0) return null;
  const path = resolve(dir, stdout.replace(/\n$/, ''));
  return { path, text: readText(path, { encoding: 'latin1' }) ?? '' };
}

/** Makes git ignore the settings. Returns false if that has no effect, as for a file that git tracks. */
function ignoredByGit(dir: string): boolean {
  // exit code 0: ignored, 1: not ignored or tracked already, 128: no work tree, null: no git
  const isTakenIn = () => git(dir, 'check-ignore', '-q', SETTINGS).status === 1;
  const found = isTakenIn() ? excludesOf(dir) : null;
  if (found === null) return true;
  const { path, text } = found;
  fs.mkdirSync(dirname(path), { recursive: true });
  if (!text.includes(IGNORED))
    fs.appendFileSync(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${IGNORED}`);
  return !isTakenIn();
}

/** Takes Lore's lines out again, unless another folder of the repository is attached. */
function showToGit(dir: string, home: string): void {
  const found = excludesOf(dir);
  const others = attachmentsIn(home).map((file) => excludesOf(dirname(dirname(file)))?.path);
  if (found?.text.includes(IGNORED) && !others.includes(found.path))
    fs.writeFileSync(found.path, found.text.replace(IGNORED, ''), 'latin1');
}
