import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { MAX_FILES, MAX_FILES_BYTES, type SkillFile, whyNotPath } from '../skills/skill-files.ts';

// The folder of a skill: a SKILL.md, and text files beside it. The server may be anybody's, so no path of it leads out
// of the folder, and nothing that a person has there and that did not travel is overwritten.

/** A skill as it lies in a folder. */
export type Local = { file: string; files: SkillFile[] };
/** Folders that programs make again. */
const MADE_AGAIN = ['node_modules', '__pycache__', 'venv'];

/** Returns the text of a file. @throws TypeError if it is no UTF-8 */
const textOf = (path: string): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));

/** Reads a SKILL.md and the text files beside it, as many as may travel, and tells which may not. Hidden ones are not looked at. */
export function readSkill(folder: string): Local & { leftOut: { path: string; reason: string }[] } {
  const files: SkillFile[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  let bytes = 0;
  const read = (path: string) => {
    const info = lstatSync(join(folder, path));
    if (!info.isFile()) return 'is a link or no plain file';
    if (bytes + info.size > MAX_FILES_BYTES)
      return `would make more than ${MAX_FILES_BYTES / 1e6} MB in total`;
    if (files.length === MAX_FILES) return `is more than the ${MAX_FILES}th file`;
    const text = textOf(join(folder, path));
    if (text.includes('\0')) return 'is no text';
    files.push({ path, text, executable: (info.mode & 0o100) !== 0 });
    bytes += info.size;
    return null;
  };
  const walk = (inside: string) => {
    const entries = readdirSync(join(folder, inside), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.name.startsWith('.') || MADE_AGAIN.includes(entry.name) || path === 'SKILL.md') continue;
      if (entry.isDirectory()) {
        walk(path);
        continue;
      }
      let reason = whyNotPath(path);
      try {
        reason ??= read(path);
      } catch (error) {
        reason = error instanceof TypeError ? 'is no text' : (error as Error).message;
      }
      if (reason !== null) leftOut.push({ path, reason });
    }
  };
  walk('');
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { file: textOf(join(folder, 'SKILL.md')), files, leftOut };
}

/** What the server sends must not be written here. */
const refused = (path: string, why: string) =>
  new Problem({ status: 409, title: 'File has changed', detail: `${path} ${why}` });

/**
 * Makes a folder that of a skill: writes what differs, removes what was known and is no longer there. Everything is
 * checked before anything is written.
 *
 * @param known the skill that was read here; null: there was none
 * @param next null: the skill goes, with all that travelled
 * @throws Problem (409) naming a path that leads elsewhere, or a file that is not as it was read
 */
export function writeSkill(folder: string, known: Local | null, next: Local | null): void {
  // a link to the folder, or to the SKILL.md, stays one
  const root = existsSync(folder) ? realpathSync(folder) : folder;
  const whole = (skill: Local | null) =>
    skill ? [{ path: 'SKILL.md', text: skill.file, executable: false }, ...skill.files] : [];
  const [before, after] = [whole(known), whole(next)];
  for (const { path } of after.slice(1)) {
    const wrong = whyNotPath(path);
    if (wrong !== null) throw refused(path, wrong);
    path.split('/').forEach((_, n, names) => {
      const part = names.slice(0, n + 1).join('/');
      const info = lstatSync(join(root, part), { throwIfNoEntry: false });
      if (info && (n + 1 < names.length ? !info.isDirectory() : !info.isFile()))
        throw refused(part, 'is a link or something else here');
    });
  }
  for (const path of new Set([...before, ...after].map((one) => one.path))) {
    const file = join(root, path);
    const now = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const same = (list: SkillFile[]) => list.find((one) => one.path === path)?.text === now;
    if (!same(before) && !same(after)) throw refused(path, 'was changed here, or is another file');
  }
  for (const { path, text, executable } of after) {
    const was = before.find((one) => one.path === path);
    if (was?.text === text && was.executable === executable) continue;
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeAtomically(existsSync(file) ? realpathSync(file) : file, text, { mode: executable ? 0o777 : 0o666 });
  }
  for (const { path } of before)
    if (!after.some((one) => one.path === path)) rmSync(join(root, path), { force: true });
}
