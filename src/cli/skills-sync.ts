import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { redactText } from '../redaction/redact.ts';
import { joinSkillFile, type SkillParts, splitSkillFile } from '../skills/skill-file.ts';
import type { SkillFile } from '../skills/skill-files.ts';
import type { Skill } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { plain } from './print.ts';
import { readFiles, setAside, writeFiles } from './skills-files.ts';
import { type Base, readFolder, readState, type State, WHAT_NAMES_ARE, writeState } from './skills-folder.ts';
import { type Remote, remoteSkills } from './skills-listed.ts';

// Syncs a folder of SKILL.md files with the server, both ways. A small file in the folder says how both sides
// were after the last sync. A change on one side is copied to the other. If both sides changed, that is a
// conflict, and nothing is done. The text and the memory of a skill are compared separately, because agents
// add to the memory while a person edits the text.

type Part = 'text' | 'memory';
const PARTS: Part[] = ['text', 'memory'];

/** A skill as it lies in a folder: the text and what else travels with it. */
type Whole = SkillParts & { files: SkillFile[] };
type Local = { file: string; parts: Whole };

export type SyncOptions = {
  project?: string;
  dryRun?: boolean;
  delete?: boolean;
  keep?: 'local' | 'server';
};

type Report = {
  dryRun: boolean;
  unchanged: number;
  /** copied to the server, and copied from there into the folder */
  pushed: string[];
  pulled: string[];
  /**
   * missing on one side only. With --delete they were removed on the other side too; without it they are left
   * alone
   */
  missingHere: string[];
  missingThere: string[];
  conflicts: { name: string; reason: string }[];
  failed: { name: string; reason: string }[];
  /** files beside a SKILL.md that do not travel */
  leftOut: { name: string; path: string; reason: string }[];
};

/**
 * Syncs a folder with the server, or only the skills named. Returns whether nothing is in conflict and nothing failed.
 *
 * @throws Problem (400) when there is no such folder, or its record of the last sync cannot be read
 */
export async function syncSkills(
  config: Config,
  io: Io,
  dir: string,
  names: string[],
  options: SyncOptions,
): Promise<boolean> {
  const folder = resolve(io.cwd, dir);
  const found = readFolder(folder);
  const { userId } = await callServer(config, 'GET /v1/me');
  const project = options.project === undefined ? null : await projectNamed(config, options.project);
  const state = readState(folder);
  const key = `${userId} ${project ?? ''}`.trim();
  const bases = state.scopes[key] ?? {};
  const report: Report = {
    dryRun: options.dryRun === true,
    unchanged: 0,
    ...{ pushed: [], pulled: [], missingHere: [], missingThere: [], conflicts: [], leftOut: [] },
    failed: found.unreadable.filter(({ name }) => names.length === 0 || names.includes(name)),
  };
  const { skills, misnamed } = await remoteSkills(config, project);
  for (const name of misnamed)
    report.failed.push({ name, reason: `the server lists it, but ${WHAT_NAMES_ARE}` });
  const sync: Sync = { config, folder, project, options, bases, report };
  const all = new Set([...found.skills.keys(), ...skills.keys(), ...Object.keys(bases)]);
  const unreadable = new Set(found.unreadable.map(({ name }) => name));
  const lower = new Map([...found.skills.keys()].map((name) => [name.toLowerCase(), name]));
  try {
    for (const name of [...all].sort()) {
      if (unreadable.has(name) || (names.length > 0 && !names.includes(name))) continue;
      const twin = lower.get(name.toLowerCase());
      if (twin !== undefined && twin !== name && !found.skills.has(name)) {
        report.failed.push({ name, reason: `differs only in case from ${twin}, which is in the folder` });
        continue;
      }
      const file = found.skills.get(name);
      const local = file === undefined ? null : readLocal(sync, name, file);
      await syncOne(sync, name, local, skills.get(name) ?? null).catch((error) => {
        const refused = error instanceof Problem && [400, 404, 409, 413].includes(error.status);
        if (!refused && !isFileError(error)) throw error;
        const list = error instanceof Problem && error.status === 409 ? report.conflicts : report.failed;
        list.push({ name, reason: error instanceof Problem ? error.detail : error.message });
      });
    }
  } finally {
    state.scopes[key] = bases;
    if (!report.dryRun) writeState(folder, state);
  }
  if (io.json) io.print(report);
  else say(io, report, options);
  return report.conflicts.length === 0 && report.failed.length === 0;
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error;

type Sync = {
  config: Config;
  folder: string;
  project: string | null;
  options: SyncOptions;
  bases: State['scopes'][string];
  report: Report;
};

/**
 * Returns the state of a skill after the last sync. A skill may be called `constructor`, which every object
 * has.
 */
const baseOf = ({ bases }: Sync, name: string): Base | undefined =>
  Object.hasOwn(bases, name) ? bases[name] : undefined;

async function syncOne(sync: Sync, name: string, local: Local | null, remote: Remote | null): Promise<void> {
  const { bases, report, options } = sync;
  const base = baseOf(sync, name);
  if (local === null && remote === null) {
    delete bases[name];
  } else if (local === null || remote === null) {
    const missing = local === null ? report.missingHere : report.missingThere;
    if (base === undefined)
      return local === null ? pull(sync, name, null) : push(sync, name, local as Local, null);
    const changed =
      local === null
        ? !isBase(base.server, remote as Remote)
        : !sameHashes(base.local, hashesOf(local.parts));
    if (changed && options.keep === undefined) {
      const [gone, edited] = local === null ? ['here', 'on the server'] : ['on the server', 'here'];
      report.conflicts.push({ name, reason: `was removed ${gone} and changed ${edited}` });
    } else if (changed) await keep(sync, name, local, remote);
    else {
      missing.push(name);
      if (options.delete) await remove(sync, name, local);
    }
  } else await syncBoth(sync, name, local, remote);
}

async function syncBoth(sync: Sync, name: string, local: Local, remote: Remote): Promise<void> {
  const { report, options } = sync;
  const base = baseOf(sync, name);
  const now = hashesOf(local.parts);
  const changedHere = PARTS.filter((part) => base?.local[part] !== now[part]);
  const changedThere = PARTS.filter((part) => base?.server[part] !== serverOf(remote)[part]);
  if (changedThere.length === 0 && changedHere.length === 0) {
    report.unchanged++;
    return;
  }
  const server = await fetchSkill(sync, name);
  const theirs = wholeOf(server);
  const differs = (part: Part) => hashesOf(theirs)[part] !== now[part];
  const both = (part: Part) => changedHere.includes(part) && changedThere.includes(part) && differs(part);
  // if there was no sync yet, it is no conflict that one side has no memory
  const lacks = (memory: string) => base === undefined && memory === '';
  const conflicting = PARTS.filter(
    (part) => both(part) && !(part === 'memory' && (lacks(local.parts.memory) || lacks(server.memory.text))),
  );
  const takes = (part: Part) =>
    changedThere.includes(part) &&
    differs(part) &&
    !(part === 'memory' && base === undefined && lacks(server.memory.text));
  const pulls = PARTS.filter((part) => takes(part) && !conflicting.includes(part));
  const pushes = PARTS.filter(
    (part) =>
      changedHere.includes(part) && differs(part) && !pulls.includes(part) && !conflicting.includes(part),
  );
  const lost = pulls.filter((part) => holdsSecret(local.parts, part));
  if (conflicting.length > 0 || lost.length > 0) {
    if (options.keep !== undefined) return keep(sync, name, local, remote);
    const reason =
      conflicting.length > 0
        ? `the ${conflicting.join(' and the ')} changed here and on the server`
        : `the ${lost.join(' and the ')} changed on the server, and holds a secret here that would be lost`;
    report.conflicts.push({ name, reason });
    return;
  }
  if (pulls.length > 0) {
    const merged = {
      ...(pulls.includes('text') ? theirs : local.parts),
      memory: pulls.includes('memory') ? theirs.memory : local.parts.memory,
    };
    write(sync, name, local, merged);
    report.pulled.push(name);
  }
  let sent: Skill = server;
  if (pushes.length > 0) {
    sent = await send(sync, name, local.parts, server, pushes);
    report.pushed.push(name);
  }
  if (pulls.length === 0 && pushes.length === 0) report.unchanged++;
  const written = pulls.length > 0 && !sync.options.dryRun ? readSkill(sync, name) : local.parts;
  remember(sync, name, written, sent);
}

/** Whether a part contains a secret. Redaction would remove it, so the server would have another text. */
const holdsSecret = (parts: Whole, part: Part): boolean => {
  const texts =
    part === 'memory'
      ? [parts.memory]
      : [parts.frontMatter + parts.content, ...parts.files.map((f) => f.text)];
  return texts.some((text) => redactText(text) !== text);
};

/** Settles a conflict as the person wants. The other side stays as an older version, or as a file beside. */
async function keep(sync: Sync, name: string, local: Local | null, remote: Remote | null): Promise<void> {
  const { options } = sync;
  if (options.keep === 'local') {
    if (local === null) {
      sync.report.pushed.push(name);
      return remove(sync, name, null);
    }
    return push(sync, name, local, remote);
  }
  if (local !== null && !options.dryRun) {
    const theirs = remote === null ? [] : filesOf(await fetchSkill(sync, name));
    setAside(pathOf(sync, name));
    for (const file of local.parts.files) {
      if (!theirs.some((other) => isDeepStrictEqual(other, file)))
        setAside(join(sync.folder, name, file.path));
    }
  }
  if (remote !== null) return pull(sync, name, local);
  sync.report.pulled.push(name);
  delete sync.bases[name];
}

async function push(sync: Sync, name: string, local: Local, remote: Remote | null): Promise<void> {
  const { report, options } = sync;
  if (!options.dryRun) {
    const server = remote === null ? null : await fetchSkill(sync, name);
    const sent = await send(sync, name, local.parts, server, PARTS);
    remember(sync, name, local.parts, sent);
  }
  report.pushed.push(name);
}

async function pull(sync: Sync, name: string, local: Local | null): Promise<void> {
  const { report, options } = sync;
  if (!options.dryRun) {
    const server = await fetchSkill(sync, name);
    // what was set aside is no longer there
    const there = local !== null && existsSync(pathOf(sync, name)) ? local : null;
    write(sync, name, there, wholeOf(server));
    remember(sync, name, readSkill(sync, name), server);
  }
  report.pulled.push(name);
}

/** Sends parts of a skill. Each is refused (409) if it changed on the server since it was read. */
async function send(
  { config, project, options }: Sync,
  name: string,
  parts: Whole,
  server: Skill | null,
  which: Part[],
): Promise<Skill> {
  if (options.dryRun && server) return server;
  let stored = server as Skill;
  const where = project === null ? {} : { project };
  if (which.includes('text')) {
    const memory = which.includes('memory') || server === null ? parts.memory : server.memory.text;
    const file = joinSkillFile({ ...parts, memory });
    const hasFiles = parts.files.length > 0 || (server?.files.length ?? 0) > 0;
    const bases = { base: server?.id ?? null, ...(server && { memoryBase: server.memory.version }) };
    stored = await callServer(config, 'PUT /v1/skills/{name}', {
      params: { name },
      body: { ...where, file, ...bases, ...(hasFiles && { files: parts.files }) },
    });
  }
  // a file without a memory does not change the memory on the server
  const emptied = server !== null && parts.memory === '' && server.memory.version > 0;
  if (server !== null && which.includes('memory') && (!which.includes('text') || emptied)) {
    const body = { ...where, text: parts.memory, base: server.memory.version };
    const memory = await callServer(config, 'PUT /v1/skills/{name}/memory', { params: { name }, body });
    stored = { ...stored, memory };
  }
  return stored;
}

async function remove(sync: Sync, name: string, local: Local | null): Promise<void> {
  const { config, project, options, bases } = sync;
  if (options.dryRun) return;
  if (local === null) {
    await callServer(config, 'POST /v1/skills/{name}/retire', { params: { name }, query: of(project) });
  } else {
    refuseChanged(sync, name, local.file);
    writeFiles(join(sync.folder, name), local.parts.files, []);
    rmSync(pathOf(sync, name));
  }
  delete bases[name];
}

const fetchSkill = ({ config, project }: Sync, name: string): Promise<Skill> =>
  callServer(config, 'GET /v1/skills/{name}', { params: { name }, query: { ...of(project), files: 'true' } });

const filesOf = ({ files = [] }: Skill): SkillFile[] =>
  files.map(({ path, text, executable }) => ({ path, text: text ?? '', executable }));
const wholeOf = (skill: Skill): Whole => ({ ...skill, memory: skill.memory.text, files: filesOf(skill) });

/** Returns the query that names a project; that of the user's own skills without one. */
const of = (project: string | null) => (project === null ? {} : { project });

function remember({ bases, options }: Sync, name: string, parts: Whole, server: Skill): void {
  if (options.dryRun) return;
  const remote = { id: server.id, memoryVersion: server.memory.version };
  bases[name] = { local: hashesOf(parts), server: serverOf(remote) };
}

const serverOf = ({ id, memoryVersion }: Remote): Base['server'] => ({ text: id, memory: memoryVersion });
const isBase = (base: Base['server'], remote: Remote): boolean =>
  base.text === remote.id && base.memory === remote.memoryVersion;

function hashesOf({ frontMatter, content, memoryPlace: place, memory, files }: Whole): Base['local'] {
  const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  const where = place === null ? null : [place.at, place.before, place.after];
  const beside = files.map(({ path, text, executable }) => [path, text, executable]);
  // the same as before files travelled, where there are none
  const text = [frontMatter, content, where, ...(beside.length > 0 ? [beside] : [])];
  return { text: hash(text), memory: hash(memory) };
}
const sameHashes = (a: Base['local'], b: Base['local']) => a.text === b.text && a.memory === b.memory;

const pathOf = ({ folder }: Sync, name: string) => join(folder, name, 'SKILL.md');
const readSkill = (sync: Sync, name: string): Whole => ({
  ...splitSkillFile(readFileSync(pathOf(sync, name), 'utf8')),
  files: readFiles(join(sync.folder, name)).files,
});

/** Returns a skill of the folder, and reports which of its files do not travel. */
function readLocal({ folder, report }: Sync, name: string, file: string): Local {
  const { files, leftOut } = readFiles(join(folder, name));
  report.leftOut.push(...leftOut.map((one) => ({ name, ...one })));
  return { file, parts: { ...splitSkillFile(file), files } };
}

/**
 * Writes a skill in the place of another one, which must not have changed since it was read; null: there must
 * be none.
 */
function write(sync: Sync, name: string, before: Local | null, whole: Whole): void {
  if (sync.options.dryRun) return;
  refuseChanged(sync, name, before?.file ?? null);
  writeFiles(join(sync.folder, name), before?.parts.files ?? [], whole.files);
  // a link is followed, so that it stays one
  const path = before === null ? pathOf(sync, name) : realpathSync(pathOf(sync, name));
  writeAtomically(path, joinSkillFile(whole), { mode: 0o666 });
}

function refuseChanged(sync: Sync, name: string, before: string | null): void {
  const path = pathOf(sync, name);
  const now = existsSync(path) ? readFileSync(path, 'utf8') : null;
  if (now === before) return;
  throw new Problem({ status: 409, title: 'File has changed', detail: 'changed here while it was synced' });
}

/** Returns the name of the project that is meant: one that Lore knows, else a new one. */
async function projectNamed(config: Config, given: string): Promise<string> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  const exact = projects.find(({ name, roots }) => name === given || roots.includes(given));
  const ending = projects.filter(({ name }) => name.endsWith(`/${given}`));
  return (exact ?? (ending.length === 1 ? ending[0] : undefined))?.name ?? given;
}

function say(io: Io, report: Report, options: SyncOptions): void {
  const line = (names: string[], text: string) =>
    names.length > 0 ? io.log(`${text}: ${plain(names.join(', '))}`) : undefined;
  line(report.pushed, 'to the server');
  line(report.pulled, 'from the server');
  const removed = options.delete ? '' : '; --delete carries that over';
  line(report.missingHere, `removed here${removed}`);
  line(report.missingThere, `removed on the server${removed}`);
  for (const { name, reason } of report.conflicts) io.log(`conflict: ${plain(`${name}: ${reason}`)}`);
  for (const { name, reason } of report.failed) io.log(`failed: ${plain(`${name}: ${reason}`)}`);
  for (const { name, path, reason } of report.leftOut)
    io.log(`left out: ${plain(`${name}/${path} ${reason}`)}`);
  const { pushed, pulled, conflicts, unchanged } = report;
  io.log(
    `${report.dryRun ? 'Would sync' : 'Synced'}: ${pushed.length} to the server, ${pulled.length} from it, ${unchanged} unchanged, ${conflicts.length} in conflict.`,
  );
  if (conflicts.length > 0 && options.keep === undefined)
    io.log('Both sides of a conflict are as they were. Edit one, or say --keep local or --keep server.');
}
