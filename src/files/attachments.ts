import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isObject, objectIn } from '../text/json.ts';

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
  const { type, command, url, headers } = Object(hook) as {
    [name in 'type' | 'command' | 'url' | 'headers']?: unknown;
  };
  if (type === 'command') return /^node ".*[\\/]hooks[\\/]session-start"(?: \|\| .*)?$/.test(String(command));
  const bearer = (Object(headers) as { Authorization?: unknown }).Authorization;
  return type === 'http' && /\/v1\/hooks$/.test(String(url)) && bearer === 'Bearer $LORE_KEY';
}

/** A settings file in which Lore's hooks are no longer in force, and why. */
export type BrokenAttachment = { file: string; fault: string };

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

/** Returns the settings files in which the hooks that `lore init` wrote are no longer in force. */
export function brokenAttachments(home: string): BrokenAttachment[] {
  return namesIn(join(home, 'attachments'))
    .slice(0, MAX_RECORDS)
    .flatMap((name): BrokenAttachment[] => {
      const record = Recorded.safeParse(objectAt(join(home, 'attachments', name))).data;
      // the project may have been removed
      if (!record || !existsSync(dirname(dirname(record.file)))) return [];
      const fault = faultOf(record);
      return fault === null ? [] : [{ file: record.file, fault }];
    });
}

/** Says in one sentence which hooks are gone, and what to do; null if all are there. */
export function tellBroken([first, ...others]: BrokenAttachment[]): string | null {
  if (!first) return null;
  const more = others.length > 0 ? ` (and ${others.length} more: lore doctor)` : '';
  return `${first.file} ${first.fault}, so nothing is recorded and no command is judged there${more}. Run lore init again in that project.`;
}

function faultOf({ file, writtenSha256, url }: Recorded): string | null {
  const bytes = bytesOf(file);
  if (bytes === null) return 'is gone';
  const shared = objectAt(join(dirname(file), 'settings.json'));
  if (shared?.disableAllHooks === true) return 'is overruled: settings.json beside it switches all hooks off';
  if (createHash('sha256').update(bytes).digest('hex') === writtenSha256) return null;
  const settings = objectAt(file);
  if (settings === null) return 'is not valid JSON, so the client ignores it';
  if (settings.disableAllHooks === true) return 'switches all hooks off';
  const env = isObject(settings.env) ? settings.env : {};
  if (typeof env.LORE_KEY !== 'string') return 'no longer holds the key of the hooks';
  const missing = ATTACHED_EVENTS.filter((event) => !hooksAt(settings.hooks, event).some(isOurHook));
  if (missing.length > 0)
    return missing.length === ATTACHED_EVENTS.length
      ? 'no longer holds the hooks of Lore'
      : `holds no hook of Lore for ${missing.join(', ')}`;
  const sends = hooksAt(settings.hooks, 'PreToolUse').find(isOurHook) as { url?: unknown };
  return sends.url === `${url}/v1/hooks` ? null : 'sends what happens to another server';
}

function hooksAt(hooks: unknown, event: string): unknown[] {
  const groups = isObject(hooks) ? hooks[event] : null;
  return Array.isArray(groups)
    ? groups.flatMap((group) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
    : [];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function bytesOf(file: string): Buffer | null {
  try {
    const info = statSync(file);
    return info.isFile() && info.size <= MAX_BYTES ? readFileSync(file) : null;
  } catch {
    return null;
  }
}

const objectAt = (file: string): Record<string, unknown> | null =>
  objectIn(
    bytesOf(file)
      ?.toString()
      .replace(/^\uFEFF/, '') ?? '',
  );
