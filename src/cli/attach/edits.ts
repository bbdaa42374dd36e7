import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { z } from 'zod';
import { writeAtomically } from '../../files/write-atomically.ts';
import { checkSyntax } from './checks.ts';
import { conflict, decode, readIfThere, realPath, type SettingsPlace, sha256 } from './files.ts';
import { append, member, plain, property, remove, treeOf } from './json-text.ts';

// Puts Lore's entries into the settings of other clients, and takes them out again: to the byte where nobody has changed the
// file since, else only what Lore put there.

/** What is put into a file. */
export type Edit = { file: string } & (
  | { kind: 'json'; entries: Entry[] }
  | { kind: 'toml'; table: string; lines: string[] }
  | { kind: 'own'; text: string }
);
/** A value below the names of objects. `item`: it goes into the list that is there. */
type Entry = { path: string[]; value: unknown; item?: true };

/** What was done to a file. */
export const Done = z.object({
  file: z.string(),
  /** the file before, in base64; null if there was none */
  original: z.base64().nullable(),
  /** folders that were made for it, the innermost first */
  made: z.array(z.string()),
  writtenSha256: z.string(),
});
export type Done = z.infer<typeof Done>;

const placeOf = (file: string): SettingsPlace => ({
  folder: dirname(file),
  file,
  target: realPath(file),
  recordFile: '',
});

/** Bytes that are to be written. */
export type Planned = { done: Done; written: Buffer; changed: boolean; skipped: string | null };

/**
 * Returns what an edit makes of its file. Nothing is written yet.
 *
 * @param before what an earlier edit did to the file, so that its entries are replaced
 * @throws Problem (409) if the file is not what it should be, such as invalid JSON
 */
export function plan(edit: Edit, before: Done | undefined): Planned {
  const place = placeOf(edit.file);
  const current = readIfThere(place.target);
  const rest = before ? withoutEdit(edit, before, current) : current;
  const { text, skipped } = added(edit, place, rest);
  const written = Buffer.from(text);
  const made = before?.made ?? missingFolders(dirname(place.target));
  const done = {
    file: edit.file,
    original: rest?.toString('base64') ?? null,
    made,
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
export function undo(edit: Edit, done: Done): boolean {
  const target = realPath(done.file);
  const current = readIfThere(target);
  if (!current) return false;
  const rest = withoutEdit(edit, done, current);
  if (rest?.equals(current)) return false;
  if (rest) writeAtomically(target, rest);
  else fs.unlinkSync(target);
  for (const folder of rest ? [] : done.made)
    if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  return true;
}

/** Whether what an edit wrote is still there. */
export function holds(edit: Edit, done: Done): boolean {
  const current = readIfThere(realPath(done.file));
  if (current === undefined) return false;
  if (sha256(current) === done.writtenSha256) return true;
  const text = current.toString();
  if (edit.kind === 'own') return false;
  if (edit.kind === 'toml') return text.includes(blockOf(edit));
  return edit.entries.every((entry) => found(text, entry) !== undefined);
}

/** Returns the folders that are not there, the innermost first. */
function missingFolders(folder: string): string[] {
  return fs.existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];
}

/** What is left of a file that only Lore and its client wrote: opencode adds the address of its schema. */
const NOTHING = /^\s*(?:\{\s*(?:"\$schema":\s*"[^"]*",?\s*)?\}\s*)?$/;

/** Returns the bytes of a file without what an edit put there; undefined if there would be no file. */
function withoutEdit(edit: Edit, done: Done, current: Buffer | undefined): Buffer | undefined {
  const original = done.original === null ? undefined : Buffer.from(done.original, 'base64');
  if (current === undefined || sha256(current) === done.writtenSha256) return original;
  // somebody has changed the file since
  if (edit.kind === 'own') return current;
  const { bom, text } = decode(placeOf(edit.file), current);
  const rest = edit.kind === 'toml' ? text.replace(blockOf(edit), '') : withoutEntries(edit, text, original);
  if (original === undefined && NOTHING.test(rest)) return undefined;
  return Buffer.from(bom + rest);
}

function added(
  edit: Edit,
  place: SettingsPlace,
  before: Buffer | undefined,
): { text: string; skipped: string | null } {
  if (edit.kind === 'own') return { text: edit.text, skipped: null };
  const { bom, text } = decode(place, before);
  if (edit.kind === 'toml') {
    const table = new RegExp(`^\\s*\\[\\s*${edit.table.replaceAll('.', '\\s*\\.\\s*')}\\s*\\]`, 'm');
    if (table.test(text))
      return { text: bom + text, skipped: `${edit.file} has [${edit.table}] already, so it stays as it is` };
    return {
      text: bom + text + (text === '' || text.endsWith('\n') ? '' : '\n') + blockOf(edit),
      skipped: null,
    };
  }
  let json = text.trim() === '' ? '{}\n' : text;
  checkSyntax(place, json);
  let skipped: string | null = null;
  for (const entry of edit.entries) {
    if (found(json, entry)) continue;
    const put = withEntry(place, json, entry);
    if (put === null) skipped = `${edit.file} has ${entry.path.join('.')} already, so it stays as it is`;
    else json = put;
  }
  return { text: bom + json, skipped };
}

/** A table at the end of a file. It ends where Lore's own mark ends it, so that it is found again. */
const blockOf = ({ table, lines }: Extract<Edit, { kind: 'toml' }>): string =>
  ['# Lore: lore init wrote these lines', `[${table}]`, ...lines, ''].join('\n');

/** Returns the value below the names of objects; undefined if there is none. */
const at = (text: string, path: string[]): Node | undefined =>
  path.reduce<Node | undefined>((node, name) => member(node, name), treeOf(text));

/** Returns the node of an entry in a text; undefined if it is not there. */
function found(text: string, { path, value, item }: Entry): Node | undefined {
  const node = at(text, path);
  if (!node) return undefined;
  if (!item) return isDeepStrictEqual(plain(text, node), value) ? node : undefined;
  return node.type === 'array'
    ? node.children?.find((one) => isDeepStrictEqual(plain(text, one), value))
    : undefined;
}

/** Returns the text with an entry; null if something else has its place. */
function withEntry(place: SettingsPlace, text: string, { path, value, item }: Entry): string | null {
  let node = treeOf(text);
  for (const [i, name] of path.entries()) {
    if (node.type !== 'object')
      throw conflict(place, text, node.offset, `${path.slice(0, i).join('.')} must be an object`);
    const next = member(node, name);
    if (next) {
      node = next;
      continue;
    }
    const inner = path
      .slice(i + 1)
      .reduceRight<unknown>((below, one) => ({ [one]: below }), item ? [value] : value);
    return append(text, node, name, inner);
  }
  if (!item) return null;
  if (node.type !== 'array') throw conflict(place, text, node.offset, `${path.join('.')} must be a list`);
  return append(text, node, undefined, value);
}

/** Returns the text without the entries of an edit, and without the objects and lists that are empty then. */
function withoutEntries(
  { entries }: Extract<Edit, { kind: 'json' }>,
  before: string,
  original: Buffer | undefined,
): string {
  let text = before;
  const past = original?.toString().replace(/^\uFEFF/, '');
  for (const entry of entries) {
    if (past?.trim() && found(past, entry)) continue;
    const node = found(text, entry);
    if (!node) continue;
    text = remove(text, entry.item ? node : (node.parent ?? node));
    for (
      let path = entry.item ? entry.path : entry.path.slice(0, -1);
      path.length > 0;
      path = path.slice(0, -1)
    ) {
      const empty = property(at(text, path.slice(0, -1)), path.at(-1) as string);
      if (!empty || (empty.children?.[1]?.children?.length ?? 1) > 0) break;
      if (past?.trim() && at(past, path)) break;
      text = remove(text, empty);
    }
  }
  return text;
}
