import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { packageRoot } from '../../files/package-root.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { ClientSetup, Means } from './client-setup.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { Done, type Edit, holds, plan, undo, write } from './edits.ts';
import { badOption, sha256 } from './files.ts';
import { opencode } from './opencode.ts';

// Attaches other clients than Claude Code. What is written for each of them stands in the file of its name. The key of the
// hooks is not among that: it lies in Lore's own folder, where the hook and `lore mcp` find it.

export const CLIENTS = { codex, cursor, opencode, copilot } satisfies Record<string, ClientSetup>;
export type ClientName = keyof typeof CLIENTS;
const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];

const Attached = z.object({
  client: z.enum(CLIENT_NAMES as [ClientName, ...ClientName[]]),
  dir: z.string().nullable(),
  url: z.string(),
  key: z.string(),
});
export type AttachedClient = z.infer<typeof Attached> & { file: string };

type Place = { client: ClientName; dir: string | null; home: string };

/** Where Lore keeps the key of an attached client, and what it did to which files. */
const filesOf = ({ client, dir, home }: Place) => {
  const id = `${client}-${sha256(dir ?? 'user').slice(0, 16)}`;
  return { keyFile: join(home, 'clients', `${id}.json`), undoFile: join(home, 'clients', `${id}.undo.json`) };
};

const quoted = (path: string): string =>
  `"${(process.platform === 'win32' ? path.replaceAll('\\', '/') : path).replace(/["$`\\]/g, '\\$&')}"`;

/** Returns what is written for a client. */
export function editsFor(place: Place, person: { home: string; env: Means['env'] }): Edit[] {
  const { keyFile } = filesOf(place);
  const file = (name: string) => fileURLToPath(new URL(name, packageRoot));
  const hook = `${quoted(file('hooks/client.cjs'))} ${place.client} ${quoted(keyFile)}`;
  // the Node that runs this is there even if a client is started where PATH has none; nothing fails for a hook
  const fallback = process.platform === 'win32' ? '' : ` || ${quoted(process.execPath)} ${hook} || true`;
  return CLIENTS[place.client].edits({
    dir: place.dir,
    ...person,
    hook: `node ${hook}${fallback}`,
    mcp: ['node', file('bin/lore.js'), 'mcp', '--key', keyFile],
    keyFile,
  });
}

/** Returns the place of a client's settings. @throws Problem (400) if there is no such folder */
export function clientPlace(
  client: ClientName,
  { dir, home, user }: { dir: string; home: string; user: boolean },
): Place {
  if (user || 'userOnly' in CLIENTS[client]) return { client, dir: null, home };
  const whole = resolve(dir);
  if (!fs.statSync(whole, { throwIfNoEntry: false })?.isDirectory())
    throw badOption('dir', `${whole} is not a folder`);
  return { client, dir: whole, home };
}

/** Returns the key that an attached client has; undefined without one. */
export const clientKey = (place: Place): string | undefined => readRecord(filesOf(place).keyFile)?.key;

/**
 * Writes the hooks and the MCP server of a client. A second call changes nothing.
 *
 * @returns the files that changed, and what stayed as it was
 * @throws Problem (409) if a file cannot be merged; then nothing is changed
 */
export function attachClient(
  place: Place,
  person: { home: string; env: Means['env'] },
  { url, key, pin }: { url: string; key: string; pin?: string | undefined },
): { files: string[]; changed: string[]; warnings: string[] } {
  const { keyFile, undoFile } = filesOf(place);
  const edits = editsFor(place, person);
  const before = readUndo(undoFile);
  const planned = edits.map((edit) =>
    plan(
      edit,
      before.find(({ file }) => file === edit.file),
    ),
  );
  fs.mkdirSync(join(place.home, 'clients'), { recursive: true, mode: 0o700 });
  writeAtomically(
    keyFile,
    Buffer.from(JSON.stringify({ client: place.client, dir: place.dir, url, key, pin })),
  );
  writeAtomically(undoFile, Buffer.from(JSON.stringify(planned.map(({ done }) => done))));
  for (const one of planned) write(one);
  return {
    files: edits.map(({ file }) => file),
    changed: planned.flatMap(({ changed, done }) => (changed ? [done.file] : [])),
    warnings: planned.flatMap(({ skipped }) => skipped ?? []),
  };
}

/** Undoes `attachClient`. Returns the files that were changed back; null if the client was not attached. */
export function detachClient(place: Place, person: { home: string; env: Means['env'] }): string[] | null {
  const { keyFile, undoFile } = filesOf(place);
  const before = readUndo(undoFile);
  if (before.length === 0) return null;
  const undone = editsFor(place, person).flatMap((edit) => {
    const done = before.find(({ file }) => file === edit.file);
    return done && undo(edit, done) ? [edit.file] : [];
  });
  for (const file of [keyFile, undoFile]) fs.rmSync(file, { force: true });
  const folder = join(place.home, 'clients');
  if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  return undone;
}

/** Returns the clients that are attached, each with what is wrong with its files. */
export function attachedClients(
  home: string,
  person: { home: string; env: Means['env'] },
): (AttachedClient & { missing: string[] })[] {
  const folder = join(home, 'clients');
  const names = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => name.endsWith('.undo.json'))
    : [];
  return names.flatMap((name) => {
    const keyFile = join(folder, name.replace(/\.undo\.json$/, '.json'));
    const record = readRecord(keyFile);
    if (!record) return [];
    const done = readUndo(join(folder, name));
    const edits = editsFor({ ...record, home }, person);
    const missing = edits.flatMap((edit) => {
      const one = done.find(({ file }) => file === edit.file);
      return one && !holds(edit, one) ? [edit.file] : [];
    });
    return [{ ...record, file: keyFile, missing }];
  });
}

function readRecord(file: string) {
  try {
    return Attached.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function readUndo(file: string): Done[] {
  try {
    return z.array(Done).safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data ?? [];
  } catch {
    return [];
  }
}
