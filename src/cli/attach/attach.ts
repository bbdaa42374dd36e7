import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { ATTACHED_EVENTS, hostOfHooks, isOurHook } from '../../base/files/attachments.ts';
import { readText } from '../../base/files/read-text.ts';
import { writeAtomically } from '../../base/files/write-atomically.ts';
import { objectIn } from '../../base/text/json.ts';
import type { Sandbox } from './sandbox.ts';
import {
  badOption,
  type Edit,
  folderOf,
  plan,
  planUndo,
  realPath,
  sha256,
  textOf,
  valueAt,
  write,
} from './settings.ts';

// Attaches Claude Code: its settings get hooks, the key that these send, and the server among the hosts that its sandbox
// may reach.

/** Where settings are: of the project in `dir`, or, with `user`, those of the person, in the folder of the client. */
export type Where = { dir: string; home: string; user?: string | undefined };
/** `sandbox`: the client's own, which is switched on with it. `guarded`: no call runs while no server answers. */
type Server = {
  url: string;
  key: string;
  hookScript: string;
  sandbox?: Sandbox | undefined;
  guarded?: boolean | undefined;
};

const TIMEOUT_SECONDS = 5;

/** Returns the file with the person's own settings. */
export const userSettings = (clientFolder: string): string => join(clientFolder, 'settings.json');

/** Returns a path for the shell that runs a command: on Windows too it takes a backslash for an escape. */
export const quoted = (path: string) =>
  `"${(process.platform === 'win32' ? path.replaceAll('\\', '/') : path).replace(/["$`\\]/g, '\\$&')}"`;

/**
 * Returns a command that runs a script. The Node that runs this is there even if a client is started where PATH has none;
 * a session never fails for it.
 */
export function nodeCommand(script: string, ...args: string[]): string {
  const line = [quoted(resolve(script)), ...args].join(' ');
  return `node ${line}${process.platform === 'win32' ? '' : ` || ${quoted(process.execPath)} ${line} || true`}`;
}

/**
 * Returns the settings that connect Claude Code to a server: a command hook for SessionStart (the client accepts no other
 * kind there), http hooks for the other events, and the environment that both read. They contain the key in plain text.
 *
 * @throws Problem (400) if `url` is not an http(s) URL, or `key` contains characters that a header may not have
 */
export function attachmentSettings({ url, key, hookScript, sandbox, guarded }: Server) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw badOption('url', 'must be an http or https URL');
  if (!/^[\x21-\x7e]+$/.test(key)) throw badOption('key', 'must be visible ASCII characters without spaces');
  const base = url.replace(/\/+$/, '');
  const http = {
    ...{ type: 'http', url: `${base}/v1/hooks`, headers: { Authorization: 'Bearer $LORE_KEY' } },
    ...{ allowedEnvVars: ['LORE_KEY'], timeout: TIMEOUT_SECONDS },
  };
  const start = { type: 'command', command: nodeCommand(hookScript), timeout: TIMEOUT_SECONDS };
  const script = quoted(join(dirname(resolve(hookScript)), 'guarded'));
  const guard = { ...start, command: `node ${script} || exit 2` };
  const groups = ATTACHED_EVENTS.map((event, i): [string, { hooks: object[] }[]] => [
    event,
    [{ hooks: [i === 0 ? start : http, ...(guarded && event === 'PreToolUse' ? [guard] : [])] }],
  ]);
  return {
    env: { LORE_KEY: key, LORE_URL: base },
    hooks: Object.fromEntries(groups),
    sandbox: {
      ...(sandbox && { enabled: true, autoAllowBashIfSandboxed: true, excludedCommands: sandbox.outside }),
      network: { allowedDomains: [hostOfHooks(base), ...(sandbox?.hosts ?? [])] },
    },
  };
}

/** Returns what is put into the settings. @param former the address that an earlier call put there */
function editOf(file: string, server: Server, former = server.url): Edit {
  const { env, hooks, sandbox } = attachmentSettings(server);
  const { network, excludedCommands = [], ...switches } = sandbox;
  const isHooks = (group: unknown) => {
    const { hooks } = Object(group) as { hooks?: unknown };
    return Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurHook);
  };
  const items = (path: string[], values: unknown[], ours?: (one: unknown) => boolean) =>
    values.map((value) => ({ path, value, item: true as const, ...(ours && { ours }) }));
  const [host, ...hosts] = network.allowedDomains;
  const domains = ['sandbox', 'network', 'allowedDomains'];
  return {
    file,
    entries: [
      ...Object.entries(env).map(([name, value]) => ({ path: ['env', name], value, ours: () => true })),
      ...Object.entries(hooks).flatMap(([event, groups]) => items(['hooks', event], groups, isHooks)),
      ...Object.entries(switches).map(([name, value]) => ({ path: ['sandbox', name], value })),
      ...items(['sandbox', 'excludedCommands'], excludedCommands),
      ...items(domains, [host], (one) => one === host || one === hostOfHooks(former)),
      ...items(domains, hosts),
    ],
  };
}

/**
 * Merges `attachmentSettings` into `<dir>/.claude/settings.local.json`, and leaves all else in the file. A second call
 * changes nothing. A call with another url, key or script replaces Lore's entries. If git does not ignore the file, a line
 * is added to `info/exclude`, because the settings contain a key. What was written is told in `<home>/attachments`.
 *
 * @param options.user the person's own settings file, to attach all projects at once
 * @throws Problem 400 if `dir` is no folder or url or key are bad; 409 if the file cannot be merged (invalid JSON, `hooks`
 *   or `env` of the wrong type). Then nothing is changed.
 */
export function attachProject(options: Where & Server): {
  file: string;
  changed: boolean;
  warnings: string[];
} {
  const { file, recordFile, record } = placeOf(options);
  const { sandbox = record.sandbox, guarded = record.guarded } = options;
  const planned = plan(editOf(file, { ...options, sandbox, guarded }, record.url));
  const text = planned.text ?? '';
  const url = options.url.replace(/\/+$/, '');
  fs.mkdirSync(dirname(recordFile), { recursive: true, mode: 0o700 });
  const about = { file: realPath(file), url, sandbox, guarded, writtenSha256: sha256(text) };
  writeAtomically(recordFile, JSON.stringify(about));
  write(planned, dirname(file));
  const errors: ParseError[] = [];
  parse(text.replace(/^\uFEFF/, ''), errors, { disallowComments: true });
  const warnings = [...planned.skipped];
  if (errors.length > 0)
    warnings.push(
      `${file} has comments or trailing commas: Claude Code (2.1.330) ignores such a file, without a word.`,
    );
  // the person's own settings are in no repository that a project shares
  if (options.user === undefined && !ignoredByGit(options.dir))
    warnings.push(
      '.claude/settings.local.json holds a key now and git does not ignore it: add it to .gitignore, and take it out of the index (git rm --cached) if it is there.',
    );
  return { file, changed: planned.changed, warnings };
}

/** Returns the key that a project's settings hold; undefined without one. @throws Problem 400 if `dir` is no folder */
export function attachedKey(options: Where): string | undefined {
  const key = valueAt(textOf(placeOf(options).file), ['env', 'LORE_KEY']);
  return typeof key === 'string' ? key : undefined;
}

/**
 * Takes out what `attachProject` put in. A file in which nothing else stands is deleted.
 *
 * @returns `found` is false if there was nothing of Lore's
 * @throws Problem 400 if `dir` is no folder; 409 if the file is invalid JSON
 */
export function detachProject(options: Where): { file: string; found: boolean; warnings: string[] } {
  const { file, recordFile, record } = placeOf(options);
  const text = textOf(file);
  const there = valueAt(text, ['env', 'LORE_URL']);
  const url = record.url ?? (typeof there === 'string' && URL.canParse(there) ? there : 'http://127.0.0.1');
  // a key without hooks is somebody else's
  const groups = Object.values(Object(valueAt(text, ['hooks']))).flat();
  const found = groups.some((group) => [Object(group).hooks].flat().some(isOurHook));
  const edit = editOf(file, { url, key: 'none', hookScript: '.', sandbox: record.sandbox });
  if (found) write(planUndo(edit), dirname(dirname(file)));
  fs.rmSync(recordFile, { force: true });
  return { file, found, warnings: [] };
}

/** Returns the settings file, and what an attach left in `<home>/attachments`, which src/base/files/attachments.ts reads too. */
function placeOf({ dir, home, user }: Where) {
  const file = user ?? join(folderOf(dir), '.claude', 'settings.local.json');
  const recordFile = join(home, 'attachments', `${sha256(realPath(file))}.json`);
  const { url, sandbox, guarded } = objectIn(readText(recordFile) ?? '') ?? {};
  const { hosts, outside, excludedCommands = outside, network } = Object(sandbox);
  return {
    ...{ file, recordFile },
    record: {
      url: typeof url === 'string' ? url : undefined,
      guarded: guarded === true || undefined,
      // until 0.6 it was kept as it was written
      sandbox: excludedCommands && {
        outside: excludedCommands,
        hosts: hosts ?? network.allowedDomains.slice(1),
      },
    } as { url: string | undefined; guarded: true | undefined; sandbox: Sandbox | undefined },
  };
}

/**
 * Makes git ignore the settings, by a line in `.git/info/exclude`, which belongs to one person and is never committed.
 * Returns false if that has no effect, as for a file that git tracks; true without git or outside a work tree.
 */
function ignoredByGit(dir: string): boolean {
  const settings = '.claude/settings.local.json';
  const git = (...args: string[]) => spawnSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  // exit code 0: ignored, 1: not ignored or tracked already, 128: no work tree, null: no git
  const isTakenIn = () => git('check-ignore', '-q', settings).status === 1;
  if (!isTakenIn()) return true;
  // in a linked work tree this is the file of the main work tree, because git reads no other
  const [file = '', prefix = ''] = ['--git-path info/exclude', '--show-prefix'].map((asked) =>
    git('rev-parse', ...asked.split(' ')).stdout.replace(/\n$/, ''),
  );
  const path = resolve(dir, file);
  // latin1 keeps every byte as it is
  const before = readText(path, { encoding: 'latin1' }) ?? '';
  const line = `/${(prefix + settings).replace(/[\\*?[]/g, '\\$&')}\n`;
  fs.mkdirSync(dirname(path), { recursive: true });
  if (!before.includes(line))
    fs.appendFileSync(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${line}`);
  return !isTakenIn();
}
