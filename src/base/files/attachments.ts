import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { objectIn } from '../text/json.ts';
import { readText } from './read-text.ts';

// The settings files into which `lore init` put hooks, and whether the hooks are still in force there. Without them
// nothing of a project is recorded and no command is judged, and nobody would notice.

/** The event of the command hook, and those of the http hooks. */
export const ATTACHED_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PermissionRequest',
  'Stop',
  'SessionEnd',
];

/** Whether a hook in a settings file is Lore's. */
export function isOurHook(hook: unknown): boolean {
  const { type, command, url, headers } = Object(hook) as Record<string, unknown>;
  if (type === 'command')
    return /^node ".*[\\/]hooks[\\/](?:session-start|guarded)"(?: \|\| .*)?$/.test(String(command));
  const bearer = (Object(headers) as { Authorization?: unknown }).Authorization;
  return type === 'http' && /\/v1\/hooks$/.test(String(url)) && bearer === 'Bearer $LORE_KEY';
}

/** Returns the host and port of a server, as the list of those that the client's sandbox allows names them. */
export function hostOfHooks(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Why hooks are not in force, and what to do, as a sentence; null: `lore init` again in that project. */
type Fault = { fault: string; remedy: string | null };
/** A settings file in which Lore's hooks are no longer in force. */
export type BrokenAttachment = Fault & { file: string };

export const AGAIN = 'Run lore init again in that project.';

const Recorded = z.object({ file: z.string(), writtenSha256: z.string(), url: z.string() });
type Recorded = z.infer<typeof Recorded>;

const MAX_RECORDS = 200;
/** Larger files of settings are not looked at. */
const MAX_BYTES = 1024 * 1024;

/** Returns the settings files into which hooks were put, whether or not they are still there. */
export function attachmentsIn(home: string): string[] {
  return namesIn(join(home, 'attachments')).flatMap((name) => {
    const file = objectAt(join(home, 'attachments', name))?.file;
    return typeof file === 'string' ? [file] : [];
  });
}

/**
 * Returns the settings files in which the hooks that `lore init` wrote are no longer in force.
 *
 * @param clientFolder where the person's own settings are, if not in `~/.claude`
 * @param managed the settings that an organisation gave to this machine
 */
export function brokenAttachments(
  { home, clientFolder }: { home: string; clientFolder: string | undefined },
  managed = MANAGED,
): BrokenAttachment[] {
  const above = [managed, join(clientFolder ?? join(homedir(), '.claude'), 'settings.json')];
  return namesIn(join(home, 'attachments'))
    .slice(0, MAX_RECORDS)
    .flatMap((name): BrokenAttachment[] => {
      const record = Recorded.safeParse(objectAt(join(home, 'attachments', name))).data;
      // the project may have been removed
      if (!record || !existsSync(dirname(dirname(record.file)))) return [];
      const fault = faultOf(record);
      const found = fault === null ? overruled(record, above) : { fault, remedy: null };
      return found === null ? [] : [{ file: record.file, ...found }];
    });
}

/** Says in one sentence which hooks are gone, and what to do; null if all are there. */
export function tellBroken([first, ...others]: BrokenAttachment[]): string | null {
  if (!first) return null;
  const more = others.length > 0 ? ` (and ${others.length} more: lore doctor)` : '';
  return `${first.file} ${first.fault}, so nothing is recorded and no command is judged there${more}. ${first.remedy ?? AGAIN}`;
}

function faultOf({ file, writtenSha256, url }: Recorded): string | null {
  const text = textOf(file);
  if (text === null) return 'is gone';
  if (createHash('sha256').update(text).digest('hex') === writtenSha256) return null;
  const settings = objectAt(file);
  if (settings === null) return 'is not valid JSON, so the client ignores it';
  if (settings.disableAllHooks === true) return 'switches all hooks off';
  if (typeof Object(settings.env).LORE_KEY !== 'string') return 'no longer holds the key of the hooks';
  const missing = ATTACHED_EVENTS.filter((event) => !hooksAt(settings.hooks, event).some(isOurHook));
  if (missing.length > 0)
    return missing.length === ATTACHED_EVENTS.length
      ? 'no longer holds the hooks of Lore'
      : `holds no hook of Lore for ${missing.join(', ')}`;
  const sends = hooksAt(settings.hooks, 'PreToolUse').find(isOurHook) as { url?: unknown };
  return sends.url === `${url}/v1/hooks` ? null : 'sends what happens to another server';
}

/** Where an organisation puts settings that nobody else's overrule. */
const MANAGED =
  {
    darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
    win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
  }[process.platform as string] ?? '/etc/claude-code/managed-settings.json';

/** Says which other settings keep the hooks in a file from running, or from reaching the server; null if none does. */
function overruled({ file, url }: Recorded, [managed = '', own = '']: string[]): Fault | null {
  // what decides comes first
  const layers = [...new Set([managed, file, join(dirname(file), 'settings.json'), own])].flatMap((path) => {
    const settings = objectAt(path);
    return settings === null ? [] : [{ path, settings }];
  });
  const off = layers.find(({ settings }) => settings.disableAllHooks === true);
  const is = (fault: string, remedy: string | null = null): Fault => ({ fault, remedy });
  if (off && off.path !== file)
    return is(`is overruled: ${off.path} switches all hooks off`, `Take disableAllHooks out of ${off.path}.`);
  if (layers[0]?.path === managed && layers[0].settings.allowManagedHooksOnly === true)
    return is(`is overruled: ${managed} lets only its own hooks run`, 'Ask who manages this machine.');
  const lists = { allowedHttpHookUrls: `${url}/v1/hooks`, httpHookAllowedEnvVars: 'LORE_KEY' };
  for (const [name, wanted] of Object.entries(lists)) {
    const set = layers.filter(({ settings }) => Array.isArray(settings[name]));
    if (set[0] && !set.some(({ settings }) => listed(settings[name], wanted)))
      return is(`is overruled: ${name} in ${set[0].path} does not hold ${wanted}`, 'Add it there.');
  }
  // where the client's sandbox is on, http hooks go through it
  const isOn = layers.map(({ settings }) => Object(settings.sandbox).enabled).find((on) => on !== undefined);
  if (isOn !== true) return null;
  const host = hostOfHooks(url);
  const naming = (list: 'allowedDomains' | 'deniedDomains') =>
    layers.find(({ settings: { sandbox } }) =>
      [host, host.replace(/:\d+$/, '')].some((name) => listed(Object(Object(sandbox).network)[list], name)),
    );
  const denying = naming('deniedDomains');
  const kept = "is kept from the server by the client's sandbox";
  if (denying)
    return is(`${kept}: deniedDomains in ${denying.path} hold ${host}`, `Take it out of ${denying.path}.`);
  return naming('allowedDomains') ? null : is(`${kept}, whose allowedDomains do not hold ${host}`);
}

/** Whether a list of settings holds a name, by itself or by a pattern with `*`. */
const listed = (list: unknown, name: string): boolean =>
  Array.isArray(list) &&
  list.some((one) => {
    const [first = '', ...rest] = String(one).split('*');
    if (rest.length === 0) return first === name;
    const last = rest.at(-1) as string;
    return name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last);
  });

const hooksAt = (hooks: unknown, event: string): unknown[] =>
  [Object(hooks)[event]].flat().flatMap((group) => Object(group).hooks ?? []);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

const textOf = (file: string) => readText(file, { maxBytes: MAX_BYTES });

const objectAt = (file: string): Record<string, unknown> | null =>
  objectIn(textOf(file)?.replace(/^\uFEFF/, '') ?? '');
