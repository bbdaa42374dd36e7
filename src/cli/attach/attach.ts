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

type Settings = { env: { LORE_KEY: string; LORE_URL: string }; hooks: Record<string, { hooks: object[] }[]> };
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

/** What an attach leaves in `<home>/attachments`, so that a detach can bring the old bytes back. */
const Attached = z.object({
  file: z.string(),
  /** the file before the first attach, in base64; null: there was none */
  original: z.base64().nullable(),
  madeFolder: z.boolean(),
  writtenSha256: z.string(),
  keySha256: z.string(),
  url: z.string(),
});
type Attached = z.infer<typeof Attached>;

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
    checkTypes(place, before, settings);
    if (!options.force) checkKey(place, before, options.key, record);

    const written = Buffer.from(bom + merge(before, settings));
    const warnings = warningsFor(options.dir, before);
    if (current?.equals(written)) return { file: place.file, changed: false, warnings };

    // the record goes first: should writing the settings fail, it matches no file and does no harm
    const next: Attached = {
      file: place.target,
      original: originalOf(place, current, record)?.toString('base64') ?? null,
      madeFolder: record?.madeFolder === true || !fs.existsSync(place.folder),
      writtenSha256: sha256(written),
      keySha256: sha256(options.key),
      url: settings.env.LORE_URL,
    };
    fs.mkdirSync(dirname(place.recordFile), { recursive: true, mode: 0o700 });
    writeAtomically(place.recordFile, Buffer.from(JSON.stringify(next)));
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
    const original = originalOf(place, current, record);
    const found = current !== undefined && !(original && current.equals(original));
    if (found && original) writeAtomically(place.target, original);
    if (found && !original) {
      fs.unlinkSync(place.target);
      if (record?.madeFolder && fs.readdirSync(place.folder).length === 0) fs.rmdirSync(place.folder);
    }
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

// --- the settings as text ---

const jsonc = { allowTrailingComma: true };
const lineBreak = /[\r\n]/;

function treeOf(text: string): Node {
  const root = parseTree(text, [], jsonc);
  if (!root) throw new Error('unreachable: the text was parsed before');
  return root;
}

/** The property that counts: of two with one name the client, like JSON.parse, takes the last. */
function property(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.findLast((child) => child.children?.[0]?.value === name);
}

function member(object: Node | undefined, name: string): Node | undefined {
  return property(object, name)?.children?.[1];
}

function plain(text: string, node: Node): unknown {
  return parse(text.slice(node.offset, node.offset + node.length), [], jsonc);
}

function isOurs(hook: unknown): boolean {
  const { type, command, url, headers } = Object(hook) as {
    [name in 'type' | 'command' | 'url' | 'headers']?: unknown;
  };
  if (type === 'command') return /^node ".*[\\/]hooks[\\/]session-start"$/.test(String(command));
  const bearer = (Object(headers) as { Authorization?: unknown }).Authorization;
  return type === 'http' && /\/v1\/hooks$/.test(String(url)) && bearer === 'Bearer $LORE_KEY';
}

/** Lore's hook objects in their order, each with the event it hangs on. */
function ourHooks(text: string): { event: string; hook: Node }[] {
  const items = (node: Node | undefined) => (node?.type === 'array' ? (node.children ?? []) : []);
  return (member(treeOf(text), 'hooks')?.children ?? []).flatMap((entry) =>
    items(entry.children?.[1])
      .flatMap((group) => items(member(group, 'hooks')))
      .filter((hook) => isOurs(plain(text, hook)))
      .map((hook) => ({ event: String(entry.children?.[0]?.value), hook })),
  );
}

function merge(before: string, settings: Settings): string {
  let text = before;
  const env = () => member(treeOf(text), 'env');
  if (!env()) text = append(text, treeOf(text), 'env', settings.env);
  for (const [name, value] of Object.entries(settings.env)) {
    const present = member(env(), name);
    if (!present) text = append(text, env(), name, value);
    else if (present.value !== value) text = replace(text, present, value);
  }

  // of ours, one hook for each event stays where it is
  for (;;) {
    const ours = ourHooks(text);
    const stray = ours.find(
      ({ event }, i) => !Object.hasOwn(settings.hooks, event) || ours.findIndex((o) => o.event === event) < i,
    );
    if (!stray) break;
    text = remove(text, emptied(stray.hook));
  }
  const hooks = () => member(treeOf(text), 'hooks');
  if (!hooks()) return append(text, treeOf(text), 'hooks', settings.hooks);
  for (const [event, groups] of Object.entries(settings.hooks)) {
    const wanted = groups[0]?.hooks[0];
    const present = ourHooks(text).find((o) => o.event === event)?.hook;
    if (present && !isDeepStrictEqual(plain(text, present), wanted)) text = replace(text, present, wanted);
    if (present) continue;
    const list = member(hooks(), event);
    text = list ? append(text, list, undefined, groups[0]) : append(text, hooks(), event, groups);
  }
  return text;
}

/**
 * `text` without Lore's hooks and environment, and without the containers that this leaves empty, unless `original` had
 * them. A variable that Lore overwrote gets its value from `original` back; one that was changed since stays.
 */
function withoutOurs(before: string, record: Attached | undefined, original: string | undefined): string {
  let text = before;
  const past = original?.trim() ? treeOf(original) : undefined;
  for (;;) {
    const ours = ourHooks(text)[0];
    if (!ours) break;
    text = remove(text, emptied(ours.hook, past));
  }
  if (!record && text === before) return text;
  for (const name of ['LORE_KEY', 'LORE_URL']) {
    const present = property(member(treeOf(text), 'env'), name);
    const node = present?.children?.[1];
    if (!present || !node) continue;
    const value = plain(text, node);
    const written = name === 'LORE_KEY' ? sha256(String(value)) === record?.keySha256 : value === record?.url;
    if (record && !written) continue;
    const former = member(member(past, 'env'), name);
    if (!former) text = remove(text, emptied(present, past));
    else if (former.value !== value) text = replace(text, node, plain(original ?? '', former));
  }
  return text;
}

/**
 * The widest property or array item that holds nothing but `node` (a matcher without hooks counts as nothing); never
 * one of the two top levels, `hooks` and `hooks.Event`, that is in `past` too.
 */
function emptied(node: Node, past?: Node): Node {
  const container = node.parent;
  const holder = container?.parent?.type === 'property' ? container.parent : container;
  if (!container?.parent || !holder) return node;
  const path = getNodePath(container);
  const matcher = path[0] === 'hooks' && path.length === 3 ? property(container, 'matcher') : undefined;
  if (container.children?.some((child) => child !== node && child !== matcher)) return node;
  if (past && path.length <= 2 && findNodeAtLocation(past, path)) return node;
  return emptied(holder, past);
}

/** The white space that the line of `offset` begins with; `opens`: nothing else stands before `offset`. */
function lineOf(text: string, offset: number): { indent: string; opens: boolean } {
  const start = 1 + Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  const indent = /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
  return { indent, opens: start + indent.length === offset };
}

/** Offset of the comma that follows, comments aside. */
function commaAfter(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset + node.length);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

/** Where the white space that ends at `end` begins. */
function gapBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
  return start;
}

/** Line break and indentation unit of the file. */
function styleOf(text: string): { eol: string; unit: string } {
  const first = treeOf(text).children?.[0];
  const line = first && lineOf(text, first.offset);
  return { eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: (line?.opens && line.indent) || '  ' };
}

/** Adds a property (or, without `name`, an array item) at the end; comments that stand there keep their place. */
function append(text: string, container: Node | undefined, name: string | undefined, value: unknown): string {
  if (!container) throw new Error('unreachable: checkTypes saw the container');
  const { eol, unit } = styleOf(text);
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const lastLine = last && lineOf(text, last.offset);
  const { indent: outer } = lineOf(text, container.offset);
  const indent = eol + (lastLine?.opens ? lastLine.indent : outer + unit);
  // what stands on one line stays there; an empty container opens up, unless the whole file is one line
  const context = last ? text.slice(container.offset, close) : container.parent ? text.trim() : eol;
  const oneLine = !lineBreak.test(context);

  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const json = oneLine ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', indent);
  const end = gapBefore(text, close);
  const comma = last && commaAfter(text, last);
  const edits: Edit[] = [];
  if (last && comma === undefined) edits.push({ offset: last.offset + last.length, length: 0, content: ',' });
  const lead = oneLine ? (last ? ' ' : '') : indent;
  const trailingComma = comma === undefined ? '' : ',';
  const tail = last || oneLine || lineBreak.test(text.slice(end, close)) ? '' : eol + outer;
  edits.push({ offset: end, length: 0, content: lead + key + json + trailingComma + tail });
  return applyEdits(text, edits);
}

function replace(text: string, node: Node, value: unknown): string {
  const { eol, unit } = styleOf(text);
  const { offset, length } = node;
  const oneLine = !lineBreak.test(text.slice(offset, offset + length));
  const indent = eol + lineOf(text, offset).indent;
  const content = oneLine
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit).replaceAll('\n', indent);
  return applyEdits(text, [{ offset, length, content }]);
}

/** Takes out a property or an array item with its comma, and its line when that is left blank; comments stay. */
function remove(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const end = node.offset + node.length;
  const comma = commaAfter(text, node);
  const previous = siblings[siblings.indexOf(node) - 1];
  const otherComma = comma ?? (previous && commaAfter(text, previous));
  const through = comma === end ? end + 1 : end;
  const start = gapBefore(text, node.offset);
  // a line break before must stay unless another follows: it may end a line comment
  const joins = lineBreak.test(text.slice(start, node.offset)) && !/^[ \t]*[\r\n]/.test(text.slice(through));
  const from = joins ? node.offset : start;
  const edits: Edit[] = [{ offset: from, length: through - from, content: '' }];
  if (otherComma !== undefined && otherComma !== end)
    edits.push({ offset: otherComma, length: 1, content: '' });
  return applyEdits(text, edits);
}

// --- checks ---

function badOption(field: string, message: string): Problem {
  return new Problem({
    status: 400,
    title: 'Bad option',
    detail: `${field} ${message}`,
    errors: [{ field, message }],
  });
}

function conflict(place: Place, text: string, offset: number, problem: string): Problem {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const position = `${place.file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  return new Problem({
    status: 409,
    title: 'Cannot merge into the settings',
    detail: `${position}: ${problem}. Nothing was changed.`,
  });
}

function checkSyntax(place: Place, text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, jsonc);
  const error = errors[0];
  if (error) throw conflict(place, text, error.offset, `invalid JSON (${printParseErrorCode(error.error)})`);
  if (root?.type !== 'object')
    throw conflict(place, text, root?.offset ?? 0, 'the settings must be a JSON object');
  return root;
}

function checkTypes(place: Place, text: string, settings: Settings): void {
  const root = checkSyntax(place, text);
  const check = (node: Node | undefined, name: string, type: 'object' | 'array') => {
    if (node && node.type !== type) throw conflict(place, text, node.offset, `${name} must be an ${type}`);
    return node;
  };
  check(member(root, 'env'), 'env', 'object');
  const hooks = check(member(root, 'hooks'), 'hooks', 'object');
  for (const event of Object.keys(settings.hooks)) check(member(hooks, event), `hooks.${event}`, 'array');
}

/** Refuses to overwrite a LORE_KEY that an attach did not put there. */
function checkKey(place: Place, text: string, key: string, record: Attached | undefined): void {
  const present = member(member(treeOf(text), 'env'), 'LORE_KEY');
  if (!present || present.value === key) return;
  const fromUs = record ? sha256(String(present.value)) === record.keySha256 : ourHooks(text).length > 0;
  if (fromUs) return;
  throw conflict(
    place,
    text,
    present.offset,
    'env.LORE_KEY is already set to another key; remove it or use --force',
  );
}

function warningsFor(dir: string, text: string): string[] {
  const warnings: string[] = [];
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  if (errors.length > 0) {
    warnings.push(
      '.claude/settings.local.json has comments or trailing commas: Claude Code (2.1.330) ignores such a file as a whole, without a word.',
    );
  }
  const { status } = spawnSync('git', ['-C', dir, 'check-ignore', '-q', '.claude/settings.local.json']);
  // 0: ignored, 128: no work tree, null: no git
  if (status === 1) {
    warnings.push(
      '.claude/settings.local.json holds a key now and git does not ignore it: add it to .gitignore.',
    );
  }
  return warnings;
}

// --- files ---

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Finds the files and runs `work` on them; what the file system refuses becomes a Problem. */
function inPlace<T>(options: { dir: string; home: string }, work: (place: Place) => T): T {
  const dir = resolve(options.dir);
  if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw badOption('dir', `${dir} is not a folder`);
  const folder = join(dir, '.claude');
  const file = join(folder, 'settings.local.json');
  try {
    const target = realPath(file);
    return work({
      folder,
      file,
      target,
      recordFile: join(options.home, 'attachments', `${sha256(target)}.json`),
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Problem({
      status: 409,
      title: 'Cannot change the settings',
      detail: `${file}: ${error.message}`,
      cause: error,
    });
  }
}

/** Where a write to `path` has to go: through symbolic links, also when nothing is there yet. */
function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const parent = realPath(dirname(path));
  const link = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? fs.readlinkSync(path)
    : undefined;
  return link === undefined ? join(parent, basename(path)) : realPath(resolve(parent, link));
}

function readIfThere(file: string): Buffer | undefined {
  return fs.statSync(file, { throwIfNoEntry: false }) && fs.readFileSync(file);
}

/** @throws Problem (409) for bytes that would not come back from a string as they are. */
function decode(place: Place, bytes: Buffer | undefined): { bom: string; text: string } {
  const all = bytes?.toString() ?? '';
  if (bytes && !Buffer.from(all).equals(bytes)) throw conflict(place, '', 0, 'the file is not UTF-8');
  const bom = all.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { bom, text: all.slice(bom.length) };
}

/** A record that is missing or damaged counts as none. */
function readRecord(place: Place): Attached | undefined {
  try {
    return Attached.safeParse(JSON.parse(fs.readFileSync(place.recordFile, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function writeAtomically(file: string, bytes: Buffer): void {
  const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    fs.writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx', flush: true });
    fs.chmodSync(temporary, mode & 0o777);
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
