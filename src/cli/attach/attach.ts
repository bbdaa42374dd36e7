import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { checkKey, checkSyntax, checkTypes } from './checks.ts';
import {
  type Attached,
  badOption,
  decode,
  inPlace,
  type Place,
  readIfThere,
  readRecord,
  sha256,
  writeAtomically,
} from './files.ts';
import {
  addExclusion,
  type Exclusion,
  isTakenInByGit,
  planExclusion,
  removeExclusion,
} from './git-exclude.ts';
import { merge, type Settings, withoutOurs } from './settings-text.ts';

export type Attachment = {
  /** absolute path of the settings file */
  file: string;
  /** whether its bytes are other than before */
  changed: boolean;
  /** the file of git's that now has it ignored; only when a line was added there this time */
  excludedBy?: string;
  warnings: string[];
};

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
 * Where git would take the file in, a line in its `info/exclude` has it ignored: the settings hold a key. What stood there
 * before is kept in `<home>/attachments` for `detachProject`.
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
    checkTypes(place, before, settings);
    if (!options.force) checkKey(place, before, options.key, record);

    const written = Buffer.from(bom + merge(before, settings));
    const changed = !current?.equals(written);
    const warnings = warningsFor(before);
    const exclusion = isTakenInByGit(options.dir) ? planExclusion(options.dir) : undefined;

    const remember = (excluded: Exclusion | null) => {
      const next: Attached = {
        file: place.target,
        original: originalOf(place, current, record)?.toString('base64') ?? null,
        madeFolder: record?.madeFolder === true || !fs.existsSync(place.folder),
        writtenSha256: sha256(written),
        keySha256: sha256(options.key),
        url: settings.env.LORE_URL,
        excluded,
      };
      fs.mkdirSync(dirname(place.recordFile), { recursive: true, mode: 0o700 });
      writeAtomically(place.recordFile, Buffer.from(JSON.stringify(next)));
    };
    // the record goes first: should the rest fail, it matches no file and does no harm
    if (changed || exclusion) remember(exclusion ?? record?.excluded ?? null);
    const excluded = exclusion !== undefined && addExclusion(exclusion);
    const exposed = isTakenInByGit(options.dir);
    if (exposed && exclusion) {
      // it could not be added, or something is stronger: git tracks the file, or .gitignore has a `!` line for it
      if (excluded) removeExclusion(exclusion);
      remember(record?.excluded ?? null);
    }
    if (exposed) {
      warnings.push(
        '.claude/settings.local.json holds a key now and git does not ignore it: add it to .gitignore, and take it out of the index (git rm --cached) if it is there.',
      );
    }
    if (changed) {
      fs.mkdirSync(place.folder, { recursive: true });
      writeAtomically(place.target, written);
    }
    const excludedBy = exclusion && !exposed ? { excludedBy: exclusion.file } : {};
    return { file: place.file, changed, ...excludedBy, warnings };
  });
}

/**
 * Undoes `attachProject`. A file that is still as it was written gets its former bytes back, or goes when there was
 * none (with `.claude`, when attaching made that and it is empty); from a file edited since only Lore's entries go,
 * also when `home` no longer knows the project. The line in git's `info/exclude` goes too. `found` is false when there was nothing of Lore's.
 *
 * @throws Problem 400 for a `dir` that is no folder; 409 when the file is invalid JSON or cannot be written.
 */
export function detachProject(options: { dir: string; home: string }): Attachment & { found: boolean } {
  return inPlace(options, (place) => {
    const current = readIfThere(place.target);
    const record = readRecord(place);
    const original = originalOf(place, current, record);
    const found = current !== undefined && !(original && current.equals(original));
    if (found && original) writeAtomically(place.target, original);
    if (found && !original) {
      fs.unlinkSync(place.target);
      if (record?.madeFolder && fs.readdirSync(place.folder).length === 0) fs.rmdirSync(place.folder);
    }
    if (record?.excluded) removeExclusion(record.excluded);
    fs.rmSync(place.recordFile, { force: true });
    return { file: place.file, changed: found, warnings: [], found };
  });
}

/**
 * The file without Lore: undefined when there would be none. Byte for byte as recorded while nobody touched the file
 * since; after that its bytes are also the user's work, so only Lore's entries are taken out of them.
 */
function originalOf(
  place: Place,
  current: Buffer | undefined,
  record: Attached | undefined,
): Buffer | undefined {
  if (!current) return undefined;
  const recorded = record?.original == null ? undefined : Buffer.from(record.original, 'base64');
  if (record?.writtenSha256 === sha256(current)) return recorded;
  const { bom, text } = decode(place, current);
  if (text.trim() === '') return current;
  checkSyntax(place, text);
  const rest = withoutOurs(text, record, recorded && decode(place, recorded).text);
  if (rest === text) return current;
  return record && !recorded && /^\s*\{\s*\}\s*$/.test(rest) ? undefined : Buffer.from(bom + rest);
}

function warningsFor(text: string): string[] {
  const warnings: string[] = [];
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  if (errors.length > 0) {
    warnings.push(
      '.claude/settings.local.json has comments or trailing commas: Claude Code (2.1.330) ignores such a file as a whole, without a word.',
    );
  }
  return warnings;
}
