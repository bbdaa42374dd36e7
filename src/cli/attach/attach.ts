import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { ATTACHED_EVENTS } from '../../files/attachments.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { checkKey, checkSyntax, checkTypes } from './checks.ts';
import {
  type Attached,
  badOption,
  decode,
  inPlace,
  readIfThere,
  readRecord,
  type SettingsPlace,
  sha256,
  type Where,
} from './files.ts';
import {
  addExclusion,
  type Exclusion,
  isTakenInByGit,
  planExclusion,
  removeExclusion,
} from './git-exclude.ts';
import { type Sandbox, sandboxOfHooks, withServer } from './sandbox.ts';
import { hasOtherSandbox, merge, type Settings, withoutOurs } from './settings-text.ts';

export type Attachment = {
  /** absolute path of the settings file */
  file: string;
  /** whether its bytes changed */
  changed: boolean;
  /** git's file that now makes git ignore the settings; set only if this call added a line to it */
  excludedBy?: string;
  warnings: string[];
};

const TIMEOUT_SECONDS = 5;

/**
 * Returns the settings that connect a project's Claude Code to a server: a command hook for SessionStart (the client
 * accepts no other kind there), http hooks for the other events, and the environment that both read. They contain the
 * key in plain text.
 *
 * @throws Problem (400) if `url` is not an http(s) URL, or `key` contains characters that a header may not have
 */
export function attachmentSettings(options: {
  url: string;
  key: string;
  hookScript: string;
  sandbox?: Sandbox;
}): Settings {
  const { url, key } = options;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw badOption('url', 'must be an http or https URL');
  if (!/^[\x21-\x7e]+$/.test(key)) throw badOption('key', 'must be visible ASCII characters without spaces');
  const base = url.replace(/\/+$/, '');
  const script = quoted(resolve(options.hookScript));
  // the Node that runs this is there even if a session is started where PATH has none; a session never fails for it
  const fallback = process.platform === 'win32' ? '' : ` || ${quoted(process.execPath)} ${script} || true`;
  const http = {
    type: 'http',
    url: `${base}/v1/hooks`,
    headers: { Authorization: 'Bearer $LORE_KEY' },
    allowedEnvVars: ['LORE_KEY'],
    timeout: TIMEOUT_SECONDS,
  };
  return {
    env: { LORE_KEY: key, LORE_URL: base },
    hooks: {
      SessionStart: [
        { hooks: [{ type: 'command', command: `node ${script}${fallback}`, timeout: TIMEOUT_SECONDS }] },
      ],
      ...Object.fromEntries(ATTACHED_EVENTS.slice(1).map((event) => [event, [{ hooks: [http] }]])),
    },
    sandbox: options.sandbox ? withServer(options.sandbox, base) : sandboxOfHooks(base),
  };
}

/** Returns a path for the shell that runs the command: on Windows too it takes a backslash for an escape. */
const quoted = (path: string) =>
  `"${(process.platform === 'win32' ? path.replaceAll('\\', '/') : path).replace(/["$`\\]/g, '\\$&')}"`;

/**
 * Merges `attachmentSettings` into `<dir>/.claude/settings.local.json` as text, so that comments, formatting and
 * everything else in the file stay. A second call changes nothing. A call with another url, key or script replaces
 * Lore's entries. If git does not ignore the file, a line is added to `info/exclude`, because the settings contain a
 * key. The former bytes are kept in `<home>/attachments` for `detachProject`.
 *
 * @param options.user the person's own settings file, to attach all projects at once
 * @param options.force whether to replace a LORE_KEY that somebody else put there
 * @param options.sandbox the settings of the client's sandbox. Those that are there and not Lore's stay, with a warning
 * @throws Problem 400 if `dir` is no folder or url or key are bad; 409 if the file cannot be written or merged (invalid
 *   JSON, `hooks` or `env` of the wrong type, a foreign LORE_KEY). Then nothing is changed.
 */
export function attachProject(
  options: Where & { url: string; key: string; hookScript: string; force?: boolean; sandbox?: Sandbox },
): Attachment {
  const wanted = attachmentSettings(options);
  return inPlace(options, (place) => {
    const current = readIfThere(place.target);
    const record = readRecord(place);
    const kept = options.sandbox ? undefined : record?.sandbox;
    const settings = kept
      ? { ...wanted, sandbox: withServer(kept, wanted.env.LORE_URL, record?.url) }
      : wanted;
    const { bom, text } = decode(place, current);
    const before = text.trim() === '' ? '{}\n' : text;
    checkTypes(place, before, settings);
    if (!options.force) checkKey(place, before, settings, record);

    const written = Buffer.from(bom + merge(before, settings, record));
    const changed = !current?.equals(written);
    const file = options.user ?? '.claude/settings.local.json';
    const warnings = warningsFor(before, file);
    const keepsTheirs = hasOtherSandbox(before, record?.sandbox);
    if (keepsTheirs && options.sandbox) warnings.push(otherSandbox(file));
    const sandbox = keepsTheirs ? record?.sandbox : settings.sandbox;
    // the person's own settings are in no repository that a project shares
    const isTakenIn = () => options.user === undefined && isTakenInByGit(options.dir);
    const exclusion = isTakenIn() ? planExclusion(options.dir) : undefined;

    const remember = (excluded: Exclusion | null) => {
      const next: Attached = {
        file: place.target,
        original: originalOf(place, current, record)?.toString('base64') ?? null,
        madeFolder: record?.madeFolder === true || !fs.existsSync(place.folder),
        writtenSha256: sha256(written),
        keySha256: sha256(options.key),
        url: settings.env.LORE_URL,
        ...(sandbox && { sandbox }),
        excluded,
      };
      fs.mkdirSync(dirname(place.recordFile), { recursive: true, mode: 0o700 });
      writeAtomically(place.recordFile, Buffer.from(JSON.stringify(next)));
    };
    // the record is written first: if the rest fails, it matches no file and does no harm
    if (changed || exclusion) remember(exclusion ?? record?.excluded ?? null);
    const excluded = exclusion !== undefined && addExclusion(exclusion);
    const exposed = isTakenIn();
    if (exposed && exclusion) {
      // the line could not be added, or has no effect: git tracks the file, or .gitignore has a `!` line for it
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
 * Returns the key that a project's settings hold; undefined without one.
 *
 * @throws Problem 400 if `dir` is no folder
 */
export function attachedKey(options: Where): string | undefined {
  return inPlace(options, (place) => {
    const current = readIfThere(place.target);
    if (!current) return undefined;
    const settings: unknown = parse(decode(place, current).text);
    const key = (Object(Object(settings).env) as { LORE_KEY?: unknown }).LORE_KEY;
    return typeof key === 'string' ? key : undefined;
  });
}

/**
 * Undoes `attachProject`. If nobody edited the file since, it gets its former bytes back, or is deleted if there was
 * none (with `.claude`, if attaching made that folder and it is empty). If somebody edited it, or `home` no longer
 * knows the project, only Lore's entries are removed. The line in git's `info/exclude` is removed too.
 *
 * @returns `found` is false if there was nothing of Lore's
 * @throws Problem 400 if `dir` is no folder; 409 if the file is invalid JSON or cannot be written
 */
export function detachProject(options: Where): Attachment & { found: boolean } {
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
 * Returns the bytes of the file without Lore; undefined if there would be no file. If nobody touched the file since,
 * these are the recorded bytes. Otherwise the bytes are also the user's work, so only Lore's entries are removed.
 */
function originalOf(
  place: SettingsPlace,
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

const otherSandbox = (file: string) =>
  `${file} has settings of a sandbox already, so they stay as they are. lore init --sandbox --print shows what would be written.`;

function warningsFor(text: string, file: string): string[] {
  const warnings: string[] = [];
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  if (errors.length > 0) {
    warnings.push(
      `${file} has comments or trailing commas: Claude Code (2.1.330) ignores such a file as a whole, without a word.`,
    );
  }
  return warnings;
}
