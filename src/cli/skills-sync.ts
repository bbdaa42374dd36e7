import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { Problem } from '../base/errors/problem.ts';
import { readText } from '../base/files/read-text.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import { objectIn } from '../base/text/json.ts';
import {
  MAX_FILES,
  MAX_FILES_BYTES,
  SKILL_NAME,
  type SkillFile,
  whyNotPath,
} from '../kinds/skills/skill-file.ts';
import { redactText } from '../redaction/redact.ts';
import { plain } from './io.ts';
import type { Action, Cli } from './rows.ts';

// Syncs a folder of skills with the server, both ways. A small file in the folder says how both sides were after the
// last sync. A change on one side is copied to the other. If both sides changed, that is a conflict, and nothing is done.

/** A skill: the SKILL.md, and text files beside it. */
type Skill = { file: string; files: SkillFile[] };
/** How both sides of a skill were after the last sync: a hash, and a version. */
type Base = { hash: string; id: string };
type Reason = { name: string; reason: string };

const MAX_SKILLS = 1_000;
const STATE_FILE = '.lore-sync.json';
/** Folders that programs make again. */
const MADE_AGAIN = ['node_modules', '__pycache__', 'venv'];

/**
 * Syncs a folder with the server, or only the skills named. Returns whether nothing is in conflict and nothing failed.
 *
 * @throws Problem (400) when there is no such folder
 */
async function syncSkills({ io, call }: Cli, dir: string, names: string[], project?: string) {
  const folder = resolve(io.cwd, dir);
  const where = project === undefined ? {} : { project };
  const { userId } = await call('GET /v1/me');
  const listed = (await call('GET /v1/skills', { query: { ...where, limit: MAX_SKILLS } })).skills;
  if (listed.length >= MAX_SKILLS) {
    const detail = 'The server has a thousand skills or more. Nothing was synced.';
    throw new Problem({ status: 502, title: 'List without an end', detail });
  }
  const own = listed.filter((one) => (one.project === null) === (project === undefined));
  const remote = new Map(own.map(({ name, id }) => [name, id]));
  const stateFile = join(folder, STATE_FILE);
  const scopes = (objectIn(readText(stateFile) ?? '')?.scopes ?? {}) as Record<string, Record<string, Base>>;
  // by the project's whole name, where the server knows it
  const scope = `${userId} ${own[0]?.project ?? project ?? ''}`.trim();
  const bases = new Map(Object.entries(scopes[scope] ?? {}));
  const here = readdirSync(folder).filter(
    (name) => !name.startsWith('.') && existsSync(join(folder, name, 'SKILL.md')),
  );
  const [pushed, pulled]: [string[], string[]] = [[], []];
  const [missing, conflicts, failed, leftOut]: [Reason[], Reason[], Reason[], Reason[]] = [[], [], [], []];
  const report = { unchanged: 0, pushed, pulled, missing, conflicts, failed, leftOut };

  const push = async (name: string, local: Skill, id: string | undefined) => {
    const body = { ...where, file: local.file, files: local.files, base: id ?? null };
    const stored = await call('PUT /v1/skills/{name}', { params: { name }, body });
    bases.set(name, { hash: hashOf(local), id: stored.id });
    pushed.push(name);
  };
  const pull = (name: string, local: Skill | null, theirs: Skill, id: string) => {
    writeSkill(join(folder, name), local, theirs);
    bases.set(name, { hash: hashOf(theirs), id });
    pulled.push(name);
  };
  const sync = async (name: string) => {
    const local = here.includes(name) ? readSkill(join(folder, name), name, leftOut) : null;
    const id = remote.get(name);
    const base = bases.get(name);
    const changed = { here: local && base?.hash !== hashOf(local), there: base?.id !== id };
    if (id === undefined) {
      if (!local) bases.delete(name);
      // what was changed on one side, and removed on the other, comes back
      else if (changed.here) await push(name, local, id);
      else missing.push({ name, reason: 'was removed on the server; remove its folder here' });
      return;
    }
    if (!local && !changed.there)
      return missing.push({ name, reason: `was removed here; lore skills retire ${name}` });
    if (local && !changed.there && changed.here) return push(name, local, id);
    const asked = { params: { name }, query: where };
    const skill = changed.there ? await call('GET /v1/skills/{name}', asked) : null;
    const theirs = skill && { file: skill.frontMatter + skill.content, files: skill.files };
    if (!theirs || (local && hashOf(theirs) === hashOf(local))) {
      if (theirs && skill) bases.set(name, { hash: hashOf(theirs), id: skill.id });
      report.unchanged++;
    } else if (local && (changed.here || holdsSecret(local))) {
      const why = changed.here ? 'changed here' : 'a secret here would be lost';
      conflicts.push({ name, reason: `changed on the server, and ${why}` });
    } else pull(name, local, theirs, skill.id);
  };

  try {
    for (const name of [...new Set([...here, ...remote.keys(), ...bases.keys()])].sort()) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        if (!SKILL_NAME.test(name))
          throw new TypeError('a name has letters, digits, dots, hyphens and underscores');
        await sync(name);
      } catch (error) {
        // else it is no text, has no name, or the file system says no
        const refused = error instanceof Problem ? error : null;
        if (refused && ![400, 404, 409, 413].includes(refused.status)) throw error;
        const list = refused?.status === 409 ? conflicts : failed;
        list.push({ name, reason: refused?.detail ?? (error as Error).message });
      }
    }
  } finally {
    scopes[scope] = Object.fromEntries(bases);
    writeAtomically(stateFile, `${JSON.stringify({ scopes }, null, 1)}\n`, { mode: 0o666 });
  }
  if (io.json) io.print(report);
  else {
    const told = { 'left alone': missing, conflict: conflicts, failed, 'left out': leftOut };
    for (const [text, list] of Object.entries(told))
      for (const { name, reason } of list) io.log(plain(`${text}: ${name}: ${reason}`));
    const [to, from] = [pushed, pulled].map((list) => list.join(', ') || 'nothing');
    io.log(plain(`Synced: to the server ${to}; from it ${from}; ${report.unchanged} unchanged.`));
    if (conflicts.length > 0)
      io.log(
        'To keep the server’s, move the folder away; to keep yours, lore skills retire <name>. Sync again.',
      );
  }
  return conflicts.length + failed.length === 0;
}

/** Whether a skill here contains a secret. Redaction removed it, so the server has another text. */
const holdsSecret = ({ file, files }: Skill): boolean =>
  [file, ...files.map(({ text }) => text)].some((text) => redactText(text) !== text);

const hashOf = ({ file, files }: Skill): string =>
  createHash('sha256')
    .update(JSON.stringify([file, files.map((f) => [f.path, f.text, f.executable])]))
    .digest('hex');

/** Reads a SKILL.md and the text files beside it, as many as may travel, and tells which may not. Hidden ones are not looked at. */
function readSkill(folder: string, name: string, leftOut: Reason[]): Skill {
  const files: SkillFile[] = [];
  let bytes = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const names = path.split(sep);
    const info = lstatSync(join(folder, path));
    const isHidden = names.some((one) => one.startsWith('.') || MADE_AGAIN.includes(one));
    if (isHidden || info.isDirectory() || path === 'SKILL.md') continue;
    const tooMuch = bytes + info.size > MAX_FILES_BYTES || files.length === MAX_FILES;
    let reason = whyNotPath(names.join('/')) ?? (info.isFile() ? null : 'is a link or no plain file');
    if (tooMuch) reason ??= `would make more than ${MAX_FILES_BYTES / 1e6} MB or ${MAX_FILES} files`;
    const text = reason === null ? textOf(join(folder, path)) : null;
    if (text === null) leftOut.push({ name: `${name}/${path}`, reason: reason ?? 'is no text' });
    else files.push({ path: names.join('/'), text, executable: (info.mode & 0o100) !== 0 });
    bytes += text === null ? 0 : info.size;
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const file = textOf(join(folder, 'SKILL.md'));
  if (file === null) throw new TypeError('its SKILL.md is no text');
  return { file, files };
}

/** Returns the text of a file; null if it is none. */
function textOf(path: string): string | null {
  const bytes = readFileSync(path);
  return bytes.includes(0) || !Buffer.from(bytes.toString()).equals(bytes) ? null : bytes.toString();
}

/**
 * Makes a folder that of a skill: writes what differs, removes what was known and is no longer there. The server may be
 * anybody's, so everything is checked before anything is written.
 *
 * @param known the skill that was read here; null: there was none
 * @throws Problem (409) naming a path that leads elsewhere, or a file that is not as it was read
 */
function writeSkill(folder: string, known: Skill | null, next: Skill): void {
  // a link to the folder, or to the SKILL.md, stays one
  const root = existsSync(folder) ? realpathSync(folder) : folder;
  const whole = (skill: Skill | null) =>
    skill ? [{ path: 'SKILL.md', text: skill.file, executable: false }, ...skill.files] : [];
  const [before, after] = [whole(known), whole(next)];
  const refused = (path: string, why: string) =>
    new Problem({ status: 409, title: 'File has changed', detail: `${path} ${why}` });
  for (const { path } of next.files) {
    const wrong = whyNotPath(path);
    if (wrong !== null) throw refused(path, wrong);
    path.split('/').forEach((_, n, names) => {
      const part = names.slice(0, n + 1).join('/');
      const info = lstatSync(join(root, part), { throwIfNoEntry: false });
      if (info && (n + 1 < names.length ? !info.isDirectory() : !info.isFile()))
        throw refused(part, 'is a link or something else here');
    });
  }
  const paths = new Set([...before, ...after].map((one) => one.path));
  for (const path of paths) {
    const now = readText(join(root, path)) ?? undefined;
    const isIn = (list: SkillFile[]) => list.find((one) => one.path === path)?.text === now;
    if (!isIn(before) && !isIn(after)) throw refused(path, 'was changed here, or is another file');
  }
  for (const path of paths) {
    const [was, is] = [before, after].map((list) => list.find((one) => one.path === path));
    const file = join(root, path);
    if (!is) rmSync(file, { force: true });
    if (!is || (was?.text === is.text && was.executable === is.executable)) continue;
    mkdirSync(dirname(file), { recursive: true });
    const mode = is.executable ? 0o777 : 0o666;
    writeAtomically(existsSync(file) ? realpathSync(file) : file, is.text, { mode });
  }
}

export const actions: Record<string, Action> = {
  'skills sync': async ({ dir, names, project }, cli) => {
    if (!(await syncSkills(cli, dir, names, project))) cli.exit(1);
  },
};
