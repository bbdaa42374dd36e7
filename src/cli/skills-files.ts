import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { bytesOf, MAX_FILES, MAX_FILES_BYTES, type SkillFile, whyNotPath } from '../skills/skill-files.ts';

// The text files beside a SKILL.md. The server may be anybody's, so no path of it leads out of the skill's folder, and
// nothing that a person has there and that did not travel is overwritten.

/** A file that does not travel, and why. */
export type LeftOut = { path: string; reason: string };

/** Folders that programs make again. */
const MADE_AGAIN = ['node_modules', '__pycache__', 'venv'];
const ASIDE = /\.before-sync(-\d+)?$/;

/**
 * Reads the text files beside a SKILL.md, in the order of their paths, as many as may travel, and tells which may not.
 * Hidden ones are not looked at, nor what was set aside.
 */
export function readFiles(folder: string): { files: SkillFile[]; leftOut: LeftOut[] } {
  const files: SkillFile[] = [];
  const leftOut: LeftOut[] = [];
  const root = realpathSync(folder);
  let bytes = 0;
  const read = (path: string) => {
    const file = join(root, path);
    const info = lstatSync(file);
    const reason = info.isFile() ? whyNotPath(path) : 'is a link or no plain file';
    if (reason !== null) return reason;
    if (info.size > MAX_FILES_BYTES || bytes + info.size > MAX_FILES_BYTES)
      return `would make more than ${MAX_FILES_BYTES / 1e6} MB in total`;
    if (files.length === MAX_FILES) return `is more than the ${MAX_FILES}th file`;
    const text = textOf(readFileSync(file));
    if (text === null) return 'is no text';
    files.push({ path, text, executable: (info.mode & 0o100) !== 0 });
    bytes += info.size;
    return null;
  };
  const readable = (path: string) => {
    try {
      return read(path);
    } catch (error) {
      return `cannot be read: ${(error as Error).message}`;
    }
  };
  const walk = (inside: string) => {
    const entries = readdirSync(join(root, inside), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.name.startsWith('.') || ASIDE.test(entry.name) || path === 'SKILL.md') continue;
      if (entry.isDirectory()) {
        if (!MADE_AGAIN.includes(entry.name)) walk(path);
        continue;
      }
      const reason = readable(path);
      if (reason !== null) leftOut.push({ path, reason });
    }
  };
  walk('');
  return { files, leftOut };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** What the server sends must not be written here. */
const refused = (path: string, why: string) =>
  new Problem({ status: 400, title: 'Bad request', detail: `${path} ${why}` });
const changed = (path: string, why: string) =>
  new Problem({ status: 409, title: 'File has changed', detail: `${path} ${why}` });

/**
 * Makes the files beside a SKILL.md those of the server: writes what differs, removes what is known and no longer there.
 * Everything is checked before anything is written.
 *
 * @param known the files that are here, as they were read
 * @throws Problem (400) naming a path that leads elsewhere, (409) naming a file that is not as it was read
 */
export function writeFiles(folder: string, known: SkillFile[], files: SkillFile[]): void {
  if (files.length > MAX_FILES || bytesOf(files) > MAX_FILES_BYTES)
    throw refused('the skill', 'has too many files on the server');
  mkdirSync(folder, { recursive: true });
  const root = realpathSync(folder);
  const gone = known.filter(({ path }) => !files.some((file) => file.path === path));
  for (const { path } of [...files, ...gone]) {
    const wrong = whyNotPath(path);
    if (wrong !== null) throw refused(path, wrong);
    refuseLinks(root, path);
  }
  const here = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
  const differing = files.filter(({ path, text, executable }) => {
    const before = known.find((file) => file.path === path);
    const now = here(path);
    if (now !== (before?.text ?? null) && now !== text) throw changed(path, 'is another file here');
    return now !== text || (before !== undefined && before.executable !== executable);
  });
  for (const { path, text } of gone)
    if (![text, null].includes(here(path))) throw changed(path, 'was changed here');
  for (const { path, text, executable } of differing) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeAtomically(join(root, path), text, { mode: executable ? 0o777 : 0o666 });
  }
  for (const { path } of gone) removeFile(root, path);
}

/** Refuses a path if a part of it is there and is a link, or a file in the place of a folder. */
function refuseLinks(root: string, path: string): void {
  const names = path.split('/');
  for (let n = 1; n <= names.length; n++) {
    const part = names.slice(0, n).join('/');
    const info = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (info === undefined) return;
    if (n < names.length ? !info.isDirectory() : !info.isFile())
      throw refused(part, 'is a link or something else here');
  }
}

/** Removes a file, and the folders that are empty without it. */
function removeFile(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  for (let inside = dirname(path); inside !== '.'; inside = dirname(inside)) {
    try {
      rmdirSync(join(root, inside));
    } catch {
      return;
    }
  }
}

/** Renames a file, so that another one can take its place. */
export function setAside(path: string): void {
  for (let n = 1; ; n++) {
    const aside = `${path}.before-sync${n === 1 ? '' : `-${n}`}`;
    if (existsSync(aside)) continue;
    renameSync(path, aside);
    return;
  }
}
