import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { z } from 'zod';
import { Problem } from '../../errors/problem.ts';
import { writeAtomically } from '../../files/write-atomically.ts';

// Puts Lore's entries into the settings of clients, and takes them out again: to the byte where nobody has changed the file
// since, else only what Lore put there.

/**
 * A value below the names of objects. `item`: it goes into the list that is there. `taken`: what to do if something else has
 * its place, instead of leaving that. `ours`: whether a value is what Lore put there, if not the same value.
 */
type Entry = {
  path: string[];
  value: unknown;
  item?: true;
  taken?: 'replace' | 'refuse';
  ours?: (value: unknown) => boolean;
};

/** What is put into a file: values of a JSON file, a table of a TOML file, or all of it. */
export type Edit = { file: string } & (
  | { entries: Entry[] }
  | { table: string; lines: string[] }
  | { text: string }
);

/** What was done to a file. */
export const Done = z.looseObject({
  file: z.string(),
  /** the file before, in base64; null if there was none */
  original: z.base64().nullable(),
  /** folders that were made for it, the innermost first */
  made: z.array(z.string()).default([]),
  writtenSha256: z.string(),
});
export type Done = z.infer<typeof Done>;

/** Bytes that are to be written. */
export type Planned = { done: Done; written: Buffer; changed: boolean; skipped: string[] };

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

export const badOption = (field: string, message: string): Problem =>
  new Problem({
    status: 400,
    title: 'Bad option',
    detail: `${field} ${message}`,
    errors: [{ field, message }],
  });

function conflict(file: string, text: string, offset: number, problem: string): Problem {
  const lines = text.slice(0, offset).split('\n');
  const detail = `${file}:${lines.length}:${(lines.at(-1) as string).length + 1}: ${problem}. Nothing was changed.`;
  return new Problem({ status: 409, title: 'Cannot merge into the settings', detail });
}

/** Of a file that nothing is known of: all that looks like Lore's counts as that. */
export const UNKNOWN: Done = { file: '', original: '', made: [], writtenSha256: '' };

/**
 * Returns what an edit makes of its file. Nothing is written yet.
 *
 * @param before what an earlier edit did to the file, so that its entries are replaced
 * @throws Problem (409) if the file is not what it should be, such as invalid JSON
 */
export function plan(edit: Edit, before?: Done): Planned {
  const target = realPath(edit.file);
  const current = readIfThere(target);
  const rest = current && before ? without(edit, before, current) : current;
  const skipped: string[] = [];
  const written = Buffer.from(withEdit(edit, rest, skipped));
  const done = {
    file: edit.file,
    original: rest?.toString('base64') ?? null,
    made: before?.made.length ? before.made : missingFolders(dirname(target)),
    writtenSha256: sha256(written),
  };
  return { done, written, changed: !current?.equals(written), skipped };
}

/** Writes what was planned. */
export function write({ done, written, changed }: Planned): void {
  const target = realPath(done.file);
  if (!changed) return;
  fs.mkdirSync(dirname(target), { recursive: true });
  writeAtomically(target, written);
}

/** Takes out of a file what an edit put there. Returns whether there was anything. */
export function undo(edit: Edit, done: Done = UNKNOWN): boolean {
  const target = realPath(edit.file);
  const current = readIfThere(target);
  const rest = current && without(edit, done, current);
  if (!current || rest?.equals(current)) return false;
  if (rest) writeAtomically(target, rest);
  else fs.unlinkSync(target);
  for (const folder of rest ? [] : done.made)
    if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  return true;
}

/** Whether what an edit wrote is still there. */
export function holds(edit: Edit, done: Done): boolean {
  const current = readIfThere(realPath(edit.file));
  if (!current || sha256(current) === done.writtenSha256) return current !== undefined;
  const text = current.toString();
  if ('text' in edit) return false;
  return 'table' in edit ? text.includes(blockOf(edit)) : edit.entries.every((entry) => isIn(text, entry));
}

/** Returns the path that a write has to go to: links are followed, even if their target does not exist yet. */
export function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const parent = realPath(dirname(path));
  const isLink = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? realPath(resolve(parent, fs.readlinkSync(path))) : join(parent, basename(path));
}

export const readIfThere = (file: string): Buffer | undefined =>
  fs.statSync(file, { throwIfNoEntry: false }) && fs.readFileSync(file);

/** Returns the folders that are not there, the innermost first. */
const missingFolders = (folder: string): string[] =>
  fs.existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];

/** What is left of a file that only Lore and its client wrote: opencode adds the address of its schema. */
const NOTHING = /^\s*(?:\{\s*(?:"\$schema":\s*"[^"]*",?\s*)?\}\s*)?$/;

/** Returns the bytes of a file without what an edit put there; undefined if there would be no file. */
function without(edit: Edit, { original, writtenSha256 }: Done, current: Buffer): Buffer | undefined {
  const before = original === null ? undefined : Buffer.from(original, 'base64');
  if (sha256(current) === writtenSha256) return before;
  // somebody has changed the file since
  if ('text' in edit || current.toString().trim() === '') return current;
  const { bom, text } = decode(edit.file, current);
  const rest =
    'table' in edit ? text.replace(blockOf(edit), '') : withoutEntries(edit, text, before?.toString() ?? '');
  return before === undefined && NOTHING.test(rest) ? undefined : Buffer.from(bom + rest);
}

function withEdit(edit: Edit, before: Buffer | undefined, skipped: string[]): string {
  if ('text' in edit) return edit.text;
  const { bom, text } = decode(edit.file, before);
  if ('entries' in edit) return bom + withEntries(edit, text.trim() === '' ? '{}\n' : text, skipped);
  if (new RegExp(`^\\s*\\[\\s*${edit.table.replace('.', '\\s*\\.\\s*')}\\s*\\]`, 'm').test(text)) {
    skipped.push(`${edit.file} has [${edit.table}] already, so it stays as it is`);
    return bom + text;
  }
  return `${bom}${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${blockOf(edit)}`;
}

/** @throws Problem (409) if the text could not be turned back into the same bytes */
function decode(file: string, bytes: Buffer = Buffer.alloc(0)): { bom: string; text: string } {
  const all = bytes.toString();
  if (!Buffer.from(all).equals(bytes)) throw conflict(file, '', 0, 'the file is not UTF-8');
  const bom = all.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { bom, text: all.slice(bom.length) };
}

/** A table at the end of a file, with Lore's own mark, so that it is found again. */
const blockOf = ({ table, lines }: { table: string; lines: string[] }): string =>
  ['# Lore: lore init wrote these lines', `[${table}]`, ...lines, ''].join('\n');

const JSONC = { allowTrailingComma: true };

/** Returns the value below the names of objects; undefined if there is none. */
export const valueAt = (text: string, path: jsonc.JSONPath): unknown =>
  path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    jsonc.parse(text, [], JSONC),
  );

const isOurs = ({ value, ours }: Entry) => ours ?? ((one: unknown) => isDeepStrictEqual(one, value));

function isIn(text: string, entry: Entry): boolean {
  const found = valueAt(text, entry.path);
  if (!entry.item) return isDeepStrictEqual(found, entry.value);
  return Array.isArray(found) && found.some((one) => isDeepStrictEqual(one, entry.value));
}

/** Returns the text with another value at a path; undefined takes it out. */
function change(text: string, path: jsonc.JSONPath, value: unknown): string {
  const indent = /\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: indent[0] === ' ', tabSize: indent.length, eol };
  const isArrayInsertion = path.at(-1) === -1;
  return jsonc.applyEdits(text, jsonc.modify(text, path, value, { formattingOptions, isArrayInsertion }));
}

function withEntries(
  { file, entries }: { file: string; entries: Entry[] },
  before: string,
  skipped: string[],
): string {
  let text = before;
  for (const entry of entries) {
    const { path, value, item, taken } = entry;
    const place = checked(file, text, entry);
    if (isIn(text, entry)) continue;
    if (item) text = change(text, [...path, -1], value);
    else if (place === undefined || taken === 'replace') text = change(text, path, value);
    else if (taken === 'refuse')
      throw conflict(
        file,
        text,
        place,
        `${path.join('.')} is already set to another key; remove it or use --force`,
      );
    else skipped.push(`${file} has ${path.join('.')} already, so it stays as it is`);
  }
  return text;
}

/** Returns where the value of an entry is. @throws Problem (409) if something on the way there has the wrong type */
function checked(file: string, text: string, { path, item }: Entry): number | undefined {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(text, errors, JSONC);
  const [error] = errors;
  if (error)
    throw conflict(file, text, error.offset, `invalid JSON (${jsonc.printParseErrorCode(error.error)})`);
  for (let depth = 0; depth <= path.length; depth += 1) {
    const node = root && jsonc.findNodeAtLocation(root, path.slice(0, depth));
    const type = depth < path.length ? 'object' : item && 'array';
    if (node && type && node.type !== type)
      throw conflict(file, text, node.offset, `${path.slice(0, depth).join('.') || 'it'} must be an ${type}`);
    if (depth === path.length) return node?.offset;
  }
}

/**
 * Returns the text without the entries of an edit, and without the objects and lists that are empty then. What had their
 * place before comes back.
 */
function withoutEntries(
  { file, entries }: { file: string; entries: Entry[] },
  before: string,
  past: string,
): string {
  let text = before;
  for (const entry of entries) {
    checked(file, text, entry);
    const ours = isOurs(entry);
    const found = () => {
      const value = valueAt(text, entry.path);
      return (entry.item ? ((value as unknown[] | undefined) ?? []) : [value]).findIndex(
        (one) => one !== undefined && ours(one),
      );
    };
    if (found() < 0 || isIn(past, entry)) continue;
    if (!entry.item) text = change(text, entry.path, valueAt(past, entry.path));
    else for (let at = found(); at >= 0; at = found()) text = change(text, [...entry.path, at], undefined);
    for (let up = entry.item ? entry.path : entry.path.slice(0, -1); up.length > 0; up = up.slice(0, -1)) {
      if (Object.keys(Object(valueAt(text, up))).length > 0 || valueAt(past, up) !== undefined) break;
      text = change(text, up, undefined);
    }
  }
  return text;
}
