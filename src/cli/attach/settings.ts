import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { Problem } from '../../base/errors/problem.ts';
import { writeAtomically } from '../../base/files/write-atomically.ts';
import { wrongUsage } from '../rows.ts';

// Puts Lore's entries into the settings of clients, and takes them out again. What else is there stays, with its comments.

/**
 * A value below the names of objects. `item`: it goes into the list that is there. `ours`: whether a value is what an earlier
 * call put there, so that it is replaced and taken out; without it, only the same value is.
 */
type Entry = { path: string[]; value: unknown; item?: true; ours?: (value: unknown) => boolean };

/** What is put into a file: values of a JSON file, lines at the end of another one, or all of it. */
export type Edit = { file: string } & ({ entries: Entry[] } | { block: string } | { text: string });

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** @throws Problem (400) if it is no folder */
export function folderOf(dir: string): string {
  const whole = resolve(dir);
  if (fs.statSync(whole, { throwIfNoEntry: false })?.isDirectory()) return whole;
  throw wrongUsage(`${whole} is not a folder.`);
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

/** Returns the text of a settings file; '' if there is none. @throws Problem (409) if it is not UTF-8 */
export function textOf(file: string): string {
  const path = realPath(file);
  if (!fs.statSync(path, { throwIfNoEntry: false })) return '';
  const bytes = fs.readFileSync(path);
  if (Buffer.from(bytes.toString()).equals(bytes)) return bytes.toString();
  throw conflict(file, '', 0, 'the file is not UTF-8');
}

function conflict(file: string, text: string, offset: number, problem: string): Problem {
  const lines = text.slice(0, offset).split('\n');
  const detail = `${file}:${lines.length}:${(lines.at(-1) as string).length + 1}: ${problem}. Nothing was changed.`;
  return new Problem({ status: 409, title: 'Cannot merge into the settings', detail });
}

const JSONC = { allowTrailingComma: true };

/** Returns the value below the names of objects; undefined if there is none. */
export const valueAt = (text: string, path: jsonc.JSONPath): unknown =>
  path.reduce<unknown>(
    (value, name) => Object(value)[name],
    jsonc.parse(text.replace(/^\uFEFF/, ''), [], JSONC),
  );

/** Returns the text with another value at a path; undefined takes it out. */
function change(text: string, path: jsonc.JSONPath, value: unknown): string {
  const indent = /\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: indent[0] === ' ', tabSize: indent.length, eol };
  const isArrayInsertion = path.at(-1) === -1;
  return jsonc.applyEdits(text, jsonc.modify(text, path, value, { formattingOptions, isArrayInsertion }));
}

/** @throws Problem (409) if the text is no JSON, or something on the way to an entry has the wrong type */
function check(file: string, text: string, { path, item }: Entry): void {
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
  }
}

const isSame = (entry: Entry) => (one: unknown) => isDeepStrictEqual(one, entry.value);
/** Returns the values that stand at the place of an entry. */
const there = (text: string, { path, item }: Entry): unknown[] =>
  [valueAt(text, path)].flatMap((value) =>
    item ? (Array.isArray(value) ? value : []) : value === undefined ? [] : [value],
  );

/** Takes an entry out of a text, and the objects and lists that are empty then. `keep`: a value that stays. */
function without(text: string, entry: Entry, keep: (value: unknown) => boolean = () => false): string {
  const { path, item, ours = isSame(entry) } = entry;
  let rest = text;
  const at = () => there(rest, entry).findIndex((one) => ours(one) && !keep(one));
  if (at() < 0) return text;
  for (let i = at(); i >= 0; i = at()) rest = change(rest, item ? [...path, i] : path, undefined);
  for (let up = item ? path : path.slice(0, -1); up.length > 0; up = up.slice(0, -1)) {
    if (Object.keys(Object(valueAt(rest, up))).length > 0) break;
    rest = change(rest, up, undefined);
  }
  return rest;
}

/** Whether what an edit puts into its file is there. */
export function holds(edit: Edit): boolean {
  const text = textOf(edit.file);
  if ('text' in edit) return text === edit.text;
  if ('block' in edit) return text.includes(edit.block);
  return edit.entries.every((entry) => there(text, entry).some(isSame(entry)));
}

/** What is to be written: nothing is yet. `skipped`: what somebody else has put there already, and so stays. */
export type Planned = { file: string; text: string | null; changed: boolean; skipped: string[] };

/** Returns a text with the values of entries in it. `skipped` collects what is there already and so stays. */
function filled(file: string, before: string, entries: Entry[], skipped: string[] = []): string {
  let text = before.trim() === '' ? '{}\n' : before;
  for (const entry of entries) {
    check(file, text, entry);
    text = without(text, entry, isSame(entry));
    const now = there(text, entry);
    if (now.some(isSame(entry))) continue;
    if (entry.item) text = change(text, [...entry.path, -1], entry.value);
    else if (now.length === 0) text = change(text, entry.path, entry.value);
    else skipped.push(`${file} has ${entry.path.join('.')} already, so it stays as it is`);
  }
  return text;
}

/** Returns what an edit makes of no file: values, or a text. */
export const shownOf = (edit: Edit): unknown =>
  'entries' in edit ? JSON.parse(filled('', '', edit.entries)) : 'text' in edit ? edit.text : edit.block;

/** Returns what an edit makes of its file. @throws Problem (409) if that is not what it should be, such as invalid JSON */
export function plan(edit: Edit): Planned {
  const { file } = edit;
  const [bom, before] = split(file);
  const skipped: string[] = [];
  let text: string;
  if ('text' in edit) text = edit.text;
  else if ('entries' in edit) text = filled(file, before, edit.entries, skipped);
  else {
    const [, table = ''] = edit.block.split('\n');
    text = cut(before, edit.block);
    if (text.includes(table)) skipped.push(`${file} has ${table} already, so it stays as it is`);
    else text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${edit.block}`;
  }
  return { file, text: bom + text, changed: text !== before, skipped };
}

/** Returns what is left of a file without what an edit put there; text null: no file. */
export function planUndo(edit: Edit): Planned {
  const { file } = edit;
  const [bom, before] = split(file);
  let text = before;
  if ('text' in edit) text = '';
  else if ('block' in edit) text = cut(before, edit.block);
  else if (before.trim() !== '')
    for (const entry of edit.entries) {
      check(file, text, entry);
      text = without(text, entry);
    }
  const changed = text !== before;
  return { file, text: changed && NOTHING.test(text) ? null : bom + text, changed, skipped: [] };
}

/** What is left of a file that only Lore and its client wrote: opencode adds the address of its schema, Cursor wants a version. */
const NOTHING = /^\s*(?:\{\s*(?:"(?:\$schema|version)":\s*(?:"[^"]*"|1),?\s*)?\}\s*)?$/;

function split(file: string): [bom: string, text: string] {
  const text = textOf(file);
  return text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text];
}

/** Takes a block out: it begins with a line that marks it, and goes to the next empty line or table. */
function cut(text: string, block: string): string {
  const begin = block.split('\n', 2).join('\n');
  const at = text.indexOf(begin);
  if (at < 0) return text;
  const behind = text.slice(at + begin.length + 1);
  const end = /^(?:\[|\s*$)/m.exec(behind)?.index ?? behind.length;
  return text.slice(0, at) + behind.slice(end);
}

/** Writes what was planned. A file of which nothing is left goes, with the folders below `top` that are empty then. */
export function write({ file, text, changed }: Planned, top: string): void {
  const target = realPath(file);
  if (!changed) return;
  if (text !== null) {
    fs.mkdirSync(dirname(target), { recursive: true });
    writeAtomically(target, text);
    return;
  }
  fs.rmSync(target, { force: true });
  for (let up = dirname(file); up !== top && up.startsWith(top); up = dirname(up)) {
    if (fs.readdirSync(up).length > 0) return;
    fs.rmdirSync(up);
  }
}
