import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parse } from 'jsonc-parser';
import { z } from 'zod';
import { ATTACHED_EVENTS, hostOfHooks, isOurHook } from '../../files/attachments.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import {
  badOption,
  Done,
  type Edit,
  plan,
  readIfThere,
  realPath,
  sha256,
  UNKNOWN,
  undo,
  valueAt,
  write,
} from './edits.ts';
import { addExclusion, isTakenInByGit, removeExclusion } from './git-exclude.ts';
import type { Sandbox } from './sandbox.ts';

// Attaches Claude Code: its settings get hooks, the key that these send, and the server among the hosts that its sandbox
// may reach.

export type Attachment = {
  /** absolute path of the settings file */
  file: string;
  /** whether its bytes changed */
  changed: boolean;
  /** git's file that now makes git ignore the settings; set only if this call added a line to it */
  excludedBy?: string;
  warnings: string[];
};

/** Where settings are: of the project in `dir`, or, with `user`, those of the person, in the folder of the client. */
export type Where = { dir: string; home: string; user?: string | undefined };
/** `sandbox`: the client's own, which is switched on with these settings. */
type Server = { url: string; key: string; hookScript: string; sandbox?: Sandbox };

/** What an attach leaves in `<home>/attachments`, so that a detach can restore the former bytes. */
const Attached = Done.extend({
  keySha256: z.string(),
  url: z.string(),
  /** the settings of the client's sandbox that were written */
  sandbox: z.record(z.string(), z.unknown()).optional(),
  excluded: z.object({ file: z.string(), line: z.string() }).nullable().default(null),
  /** what records of earlier versions say instead of `made` */
  madeFolder: z.boolean().optional(),
});
type Attached = z.infer<typeof Attached>;

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
export function attachmentSettings({ url, key, hookScript, sandbox }: Server) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw badOption('url', 'must be an http or https URL');
  if (!/^[\x21-\x7e]+$/.test(key)) throw badOption('key', 'must be visible ASCII characters without spaces');
  const base = url.replace(/\/+$/, '');
  const http = {
    type: 'http',
    url: `${base}/v1/hooks`,
    headers: { Authorization: 'Bearer $LORE_KEY' },
    allowedEnvVars: ['LORE_KEY'],
    timeout: TIMEOUT_SECONDS,
  };
  const start = { type: 'command', command: nodeCommand(hookScript), timeout: TIMEOUT_SECONDS };
  return {
    env: { LORE_KEY: key, LORE_URL: base },
    hooks: Object.fromEntries(
      ATTACHED_EVENTS.map((event, i): [string, { hooks: object[] }[]] => [
        event,
        [{ hooks: [i === 0 ? start : http] }],
      ]),
    ),
    sandbox: {
      ...sandbox,
      network: { allowedDomains: [hostOfHooks(base), ...(sandbox?.network.allowedDomains ?? [])] },
    },
  };
}

/** Returns what is put into the settings. @param record what an earlier call did, whose entries count as Lore's too */
function editOf(file: string, server: Server, record: Attached | undefined, force: boolean): Edit {
  const { env, hooks, sandbox } = attachmentSettings(server);
  const text =
    readIfThere(realPath(file))
      ?.toString()
      .replace(/^\uFEFF/, '') ?? '';
  const isHooks = (group: unknown) => {
    const { hooks } = Object(group) as { hooks?: unknown };
    return Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurHook);
  };
  const hooked = valueAt(text, ['hooks', 'Stop']);
  const url = valueAt(text, ['env', 'LORE_URL']) ?? env.LORE_URL;
  // without a record, as when the data folder was deleted, the hooks decide
  const isHere = Array.isArray(hooked) && hooked.some(isHooks) && url === env.LORE_URL;
  const host = record && hostOfHooks(record.url);
  return {
    file,
    entries: [
      {
        path: ['env', 'LORE_KEY'],
        value: env.LORE_KEY,
        taken: force ? 'replace' : 'refuse',
        ours: (key) => (record ? sha256(String(key)) === record.keySha256 : isHere),
      },
      {
        path: ['env', 'LORE_URL'],
        value: env.LORE_URL,
        taken: 'replace',
        ours: (one) => (record ? one === record.url : isHere),
      },
      ...Object.entries(hooks).map(([event, [group]]) => ({
        ...{ path: ['hooks', event], value: group, item: true as const, ours: isHooks },
      })),
      ...(server.sandbox || record?.sandbox
        ? [
            {
              path: ['sandbox'],
              value: server.sandbox ? sandbox : record?.sandbox,
              ours: (one: unknown) => isDeepStrictEqual(one, record?.sandbox),
            },
          ]
        : []),
      {
        path: ['sandbox', 'network', 'allowedDomains'],
        value: sandbox.network.allowedDomains[0],
        item: true,
        ours: (one) => one === (host ?? hostOfHooks(env.LORE_URL)),
      },
    ],
  };
}

/**
 * Merges `attachmentSettings` into `<dir>/.claude/settings.local.json`, and leaves all else in the file. A second call
 * changes nothing. A call with another url, key or script replaces Lore's entries. If git does not ignore the file, a line
 * is added to `info/exclude`, because the settings contain a key. The former bytes are kept in `<home>/attachments`.
 *
 * @param options.user the person's own settings file, to attach all projects at once
 * @param options.sandbox the settings of the client's sandbox. Those that are there and not Lore's stay, with a warning
 * @param options.force whether to replace a LORE_KEY that somebody else put there
 * @throws Problem 400 if `dir` is no folder or url or key are bad; 409 if the file cannot be merged (invalid JSON, `hooks`
 *   or `env` of the wrong type, a foreign LORE_KEY). Then nothing is changed.
 */
export function attachProject(options: Where & Server & { force?: boolean }): Attachment {
  const { file, recordFile, record } = placeOf(options);
  const planned = plan(editOf(file, options, record, options.force === true), record ?? UNKNOWN);
  // only what is there already is skipped
  const theirs = planned.skipped.length > 0;
  const sandbox = options.sandbox && !theirs ? attachmentSettings(options).sandbox : record?.sandbox;
  const remember = (excluded: Attached['excluded']) => {
    fs.mkdirSync(dirname(recordFile), { recursive: true, mode: 0o700 });
    const { keySha256, url } = { keySha256: sha256(options.key), url: options.url.replace(/\/+$/, '') };
    const next = { ...planned.done, keySha256, url, sandbox, excluded };
    writeAtomically(recordFile, JSON.stringify({ ...next, file: realPath(file) }));
  };
  // the record is written first: if the rest fails, it matches no file and does no harm
  if (planned.changed) remember(record?.excluded ?? null);
  // the person's own settings are in no repository that a project shares
  const isTakenIn = options.user === undefined && isTakenInByGit(options.dir);
  const excluded = isTakenIn ? addExclusion(options.dir) : null;
  if (excluded) remember(excluded);
  write(planned);
  const warnings = warningsFor(planned.written.toString(), options.user ?? '.claude/settings.local.json');
  if (options.sandbox) warnings.push(...planned.skipped);
  if (isTakenIn && !excluded)
    warnings.push(
      '.claude/settings.local.json holds a key now and git does not ignore it: add it to .gitignore, and take it out of the index (git rm --cached) if it is there.',
    );
  return { file, changed: planned.changed, ...(excluded && { excludedBy: excluded.file }), warnings };
}

/** Returns the key that a project's settings hold; undefined without one. @throws Problem 400 if `dir` is no folder */
export function attachedKey(options: Where): string | undefined {
  const { file } = placeOf(options);
  const key = valueAt(readIfThere(realPath(file))?.toString() ?? '', ['env', 'LORE_KEY']);
  return typeof key === 'string' ? key : undefined;
}

/**
 * Undoes `attachProject`. If nobody edited the file since, it gets its former bytes back, or is deleted if there was
 * none. If somebody edited it, or `home` no longer knows the project, only Lore's entries are removed. The line in git's
 * `info/exclude` is removed too.
 *
 * @returns `found` is false if there was nothing of Lore's
 * @throws Problem 400 if `dir` is no folder; 409 if the file is invalid JSON
 */
export function detachProject(options: Where): Attachment & { found: boolean } {
  const { file, recordFile, record } = placeOf(options);
  const url = valueAt(readIfThere(realPath(file))?.toString() ?? '', ['env', 'LORE_URL']);
  const isUrl = typeof url === 'string' && URL.canParse(url);
  const server = { url: record?.url ?? (isUrl ? url : 'http://127.0.0.1'), key: 'none', hookScript: '.' };
  const found = undo(editOf(file, server, record, false), record);
  if (record?.excluded) removeExclusion(record.excluded);
  fs.rmSync(recordFile, { force: true });
  return { file, changed: found, warnings: [], found };
}

function placeOf({ dir, home, user }: Where): {
  file: string;
  recordFile: string;
  record: Attached | undefined;
} {
  const whole = resolve(dir);
  if (!fs.statSync(whole, { throwIfNoEntry: false })?.isDirectory())
    throw badOption('dir', `${whole} is not a folder`);
  const file = user ?? join(whole, '.claude', 'settings.local.json');
  const recordFile = join(home, 'attachments', `${sha256(realPath(file))}.json`);
  const record = recordIn(recordFile);
  const made = record?.madeFolder ? [dirname(file)] : record?.made;
  return { file, recordFile, record: record && { ...record, made: made ?? [] } };
}

/** Returns the record; undefined if it is missing or damaged. */
function recordIn(file: string): Attached | undefined {
  try {
    return Attached.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function warningsFor(text: string, file: string): string[] {
  const errors: ParseError[] = [];
  parse(text.replace(/^\uFEFF/, ''), errors, { disallowComments: true });
  return errors.length === 0
    ? []
    : [
        `${file} has comments or trailing commas: Claude Code (2.1.330) ignores such a file as a whole, without a word.`,
      ];
}
