import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodePath,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { z } from 'zod';
import { Problem } from '../problem.ts';

/** `file`: absolute path of the settings file; `changed`: whether its bytes are other than before. */
export type Attachment = { file: string; changed: boolean; warnings: string[] };

type Settings = { env: Record<string, string>; hooks: Record<string, { hooks: object[] }[]> };
type Place = { folder: string; file: string; target: string; recordFile: string };

const httpEvents = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Stop',
  'SessionEnd',
];
const timeoutSeconds = 5;

/** What one attach left behind in `<home>/attachments`, so that a detach can bring the old bytes back. */
const Record_ = z.object({
  file: z.string(),
  /** base64 of the file as it was before the first attach; null: there was none */
  original: z.base64().nullable(),
  madeFolder: z.boolean(),
  writtenSha256: z.string(),
  keySha256: z.string(),
  url: z.string(),
});
type Record_ = z.infer<typeof Record_>;

/**
 * The settings that wire a project's Claude Code to a server: a command hook for SessionStart (the client takes no
 * other kind there), http hooks for the other events, and the environment that both read. The key stands in it openly.
 *
 * @throws Problem (400) when `url` is not an http(s) URL or `key` cannot stand in a header.
 */
export function attachmentSettings(options: { url: string; key: string; hookScript: string }): Settings {
  const { url, key } = options;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw badOption('url', 'must be an http or https URL');
  if (!/^[\x21-\x7e]+$/.test(key)) throw badOption('key', 'must be visible ASCII characters without spaces');
  const base = url.replace(/\/+$/, '');
  const script = resolve(options.hookScript);
  // the command goes through a shell, on Windows too; there a backslash would be an escape
  const quoted = (process.platform === 'win32' ? script.replaceAll('\\', '/') : script).replace(
    /["$`\\]/g,
    '\\$&',
  );
  const http = {
    type: 'http',
    url: `${base}/v1/hooks`,
    headers: { Authorization: 'Bearer $LORE_KEY' },
    allowedEnvVars: ['LORE_KEY'],
    timeout: timeoutSeconds,
  };
  return {
    env: { LORE_KEY: key, LORE_URL: base },
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', command: `node "${quoted}"`, timeout: timeoutSeconds }] }],
      ...Object.fromEntries(httpEvents.map((event) => [event, [{ hooks: [http] }]])),
    },
  };
}

/**
 * Merges `attachmentSettings` into `<dir>/.claude/settings.local.json` as text: comments, formatting and everything
 * else in the file stay. A second call changes nothing; a call with another url, key or script replaces Lore's entries.
 * What stood there before is kept in `<home>/attachments` for `detachProject`.
 *
 * @param options.force replace a LORE_KEY that somebody else put there
 * @throws Problem 400 for a `dir` that is no folder or a bad url or key; 409 when the file cannot be merged into
 *   (invalid JSON, `hooks` or `env` of the wrong type, a foreign LORE_KEY) or written. Nothing is changed then.
 */
export function attachProject(options: {
  dir: string;
  home: string;
  url: string;
  key: string;
  hookScript: string;
  force?: boolean;
}): Attachment {
  const settings = attachmentSettings(options);
  return inPlace(options, (place) => {
    const current = readIfThere(place.target);
    const record = readRecord(place);
    const { bom, text } = decode(place, current);
    const before = text.trim() === '' ? '{}\n' : text;
    const root = parseSettings(place, before);
    checkTypes(place, before, root);
    if (!options.force) checkKey(place, before, root, options.key, record);

    const written = Buffer.from(bom + merge(before, settings));
    const warnings = gitWarnings(options.dir);
    if (current?.equals(written)) return { file: place.file, changed: false, warnings };
    // bytes that changed since the last attach are the user's work: they, without our entries, are to come back
    const original = record?.writtenSha256 === sha256(current) ? record.original : foreignPart(place, current, record);
    // the record goes first: should the second write fail, it matches no file and does no harm
    writeRecord(place, {
      file: place.target,
      original,
      madeFolder: record?.madeFolder === true || !fs.existsSync(place.folder),
      writtenSha256: sha256(written),
      keySha256: sha256(options.key),
      url: settings.env.LORE_URL ?? '',
    });
    fs.mkdirSync(place.folder, { recursive: true });
    writeAtomically(place.target, written);
    return { file: place.file, changed: true, warnings };
  });
}

/**
 * Undoes `attachProject`. A file that is still as it was written gets its former bytes back, or goes when there was
 * none (with `.claude`, when attaching made that and it is empty); from a file edited since only Lore's entries go,
 * also when `home` no longer knows the project. `found` is false when there was nothing of Lore's.
 *
 * @throws Problem 400 for a `dir` that is no folder; 409 when the file is invalid JSON or cannot be written.
 */
export function detachProject(options: { dir: string; home: string }): Attachment & { found: boolean } {
  return inPlace(options, (place) => {
    const current = readIfThere(place.target);
    const record = readRecord(place);
    let found = false;
    let next: string | null | undefined;
    if (current && record?.writtenSha256 === sha256(current)) {
      found = true;
      next = record.original;
    } else if (current) {
      next = foreignPart(place, current, record);
      found = next !== current.toString('base64');
    }
    if (found && next === null) {
      fs.unlinkSync(place.target);
      if (record?.madeFolder && fs.readdirSync(place.folder).length === 0) fs.rmdirSync(place.folder);
    } else if (found && next !== undefined) {
      writeAtomically(place.target, Buffer.from(next ?? '', 'base64'));
    }
    fs.rmSync(place.recordFile, { force: true });
    return { file: place.file, changed: found, warnings: [], found };
  });
}
