import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readText } from '../files/read-text.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { redactText } from '../redaction/redact.ts';
import { SKILL_NAME } from '../skills/skill-files.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { plain } from './print.ts';
import { type Local, readFiles, textOf, writeSkill } from './skills-files.ts';

// Syncs a folder of skills with the server, both ways. A small file in the folder says how both sides were after the
// last sync. A change on one side is copied to the other. If both sides changed, that is a conflict, and nothing is done.

export type SyncOptions = {
  project?: string;
  dryRun?: boolean;
  delete?: boolean;
  keep?: 'local' | 'server';
};

const MAX_SKILLS = 1_000;
const STATE_FILE = '.lore-sync.json';
/** Where the files of conflicts are kept that were settled for the server, too deep for a client to take them for skills. */
const ASIDE = '.lore-before-sync';

type Reason = { name: string; reason: string };
/** What a sync did: names of skills copied to a side, removed on one side only, or not synced, and files left out. */
const newReport = (dryRun: boolean) => ({
  dryRun,
  unchanged: 0,
  pushed: [] as string[],
  pulled: [] as string[],
  missingHere: [] as string[],
  missingThere: [] as string[],
  conflicts: [] as Reason[],
  failed: [] as Reason[],
  leftOut: [] as Reason[],
});
type Report = ReturnType<typeof newReport>;

/** How both sides of a skill were after the last sync: a hash, and a version. */
const Base = z.object({ hash: z.string(), id: z.string() });
type Base = z.infer<typeof Base>;
/** Of all skills, by account and project. */
const State = z.object({
  version: z.literal(2),
  scopes: z.record(z.string(), z.record(z.string(), Base)),
});

/**
 * Syncs a folder with the server, or only the skills named. Returns whether nothing is in conflict and nothing failed.
 *
 * @throws Problem (400) when there is no such folder
 */
export async function syncSkills(
  config: Config,
  io: Io,
  dir: string,
  names: string[],
  options: SyncOptions,
): Promise<boolean> {
  const folder = resolve(io.cwd, dir);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Problem({ status: 400, title: 'No such folder', detail: `There is no folder ${folder}.` });
  const { project } = options;
  const { userId } = await callServer(config, 'GET /v1/me');
  const query = { ...(project !== undefined && { project }), limit: MAX_SKILLS };
  const listed = (await callServer(config, 'GET /v1/skills', { query })).skills;
  if (listed.length >= MAX_SKILLS) {
    const detail = 'The server has a thousand skills or more. Nothing was synced.';
    throw new Problem({ status: 502, title: 'List without an end', detail });
  }
  const remote = new Map(
    listed.flatMap((one) => ((one.project === null) === (project === undefined) ? [[one.name, one.id]] : [])),
  );
  const path = join(folder, STATE_FILE);
  const state = stateOf(readText(path));
  // by its whole name, where the server knows it
  const scope = listed.find((one) => one.project !== null && project !== undefined)?.project ?? project;
  const key = `${userId} ${scope ?? ''}`.trim();
  const bases = new Map(Object.entries(state.scopes[key] ?? {}));
  const here = readdirSync(folder).filter(
    (name) => !name.startsWith('.') && existsSync(join(folder, name, 'SKILL.md')),
  );
  const report = newReport(options.dryRun === true);
  const sync: Sync = { config, folder, options, bases, report };
  const all = new Set([...here, ...remote.keys(), ...bases.keys()]);
  try {
    for (const name of [...all].sort()) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        if (!SKILL_NAME.test(name))
          throw new TypeError('a name has letters, digits, dots, hyphens and underscores');
        await syncOne(sync, name, here.includes(name) ? readLocal(sync, name) : null, remote.get(name));
      } catch (error) {
        const refused = error instanceof Problem && [400, 404, 409, 413].includes(error.status);
        // it is no text, has no name, or the file system says no
        const unreadable = error instanceof TypeError || (error instanceof Error && 'syscall' in error);
        if (!refused && !unreadable) throw error;
        const list = refused && error.status === 409 ? report.conflicts : report.failed;
        list.push({ name, reason: refused ? error.detail : error.message });
      }
    }
  } finally {
    state.scopes[key] = Object.fromEntries(bases);
    if (!report.dryRun) writeAtomically(path, `${JSON.stringify(state, null, 1)}\n`, { mode: 0o666 });
  }
  if (io.json) io.print(report);
  else say(io, report, options);
  return report.conflicts.length === 0 && report.failed.length === 0;
}

/** Returns the record of the last sync. Without one that can be read, what differs counts as a conflict, and nothing is lost. */
function stateOf(text: string | undefined | null): z.infer<typeof State> {
  try {
    return State.parse(JSON.parse(text ?? ''));
  } catch {
    return { version: 2, scopes: {} };
  }
}

type Sync = {
  config: Config;
  folder: string;
  options: SyncOptions;
  bases: Map<string, Base>;
  report: Report;
};

/**
 * Syncs one skill.
 *
 * @param local the skill in the folder; null: it is not there
 * @param id its version on the server; undefined: it is not there
 */
async function syncOne(sync: Sync, name: string, local: Local | null, id: string | undefined): Promise<void> {
  const { bases, report, options } = sync;
  const base = bases.get(name);
  const changedHere = base?.hash !== (local ? hashOf(local) : undefined);
  const changedThere = base?.id !== id;
  const both = changedHere && changedThere;
  if (!local && id === undefined) return void bases.delete(name);
  const theirs = both && local && id !== undefined ? await fetchSkill(sync, name) : null;
  if ((!changedHere && !changedThere) || (theirs && local && hashOf(theirs) === hashOf(local))) {
    if (theirs) bases.set(name, { hash: hashOf(theirs), id: theirs.id });
    report.unchanged++;
    return;
  }
  const lost = !changedHere && local !== null && holdsSecret(local);
  const side = both || lost ? options.keep : changedHere ? 'local' : 'server';
  if (side === undefined) {
    const was = {
      here: local ? 'changed' : 'was removed',
      there: id === undefined ? 'was removed' : 'changed',
    };
    const there = `${was.there === was.here ? '' : `${was.there} `}on the server`;
    const reason = both
      ? `${was.here} here and ${there}`
      : `${was.there} on the server, and holds a secret here that would be lost`;
    report.conflicts.push({ name, reason });
    return;
  }
  const removes = side === 'local' ? local === null : id === undefined;
  const list = side === 'local' ? report.pushed : report.pulled;
  const missing = side === 'local' ? report.missingHere : report.missingThere;
  const carried = removes && !both ? missing : list;
  if (carried !== missing || options.delete) {
    if (!options.dryRun) await (side === 'local' ? push : pull)(sync, name, local, id);
  }
  carried.push(name);
}

/** Whether a skill here contains a secret. Redaction removed it, so the server has another text. */
const holdsSecret = ({ file, files }: Local): boolean =>
  [file, ...files.map(({ text }) => text)].some((text) => redactText(text) !== text);

/** Makes a skill on the server that of the folder; null: it is retired. Refused (409) if it changed since it was listed. */
async function push({ config, options, bases }: Sync, name: string, local: Local | null, id?: string) {
  const where = options.project === undefined ? {} : { project: options.project };
  if (local) {
    const body = { ...where, ...local, base: id ?? null };
    const stored = await callServer(config, 'PUT /v1/skills/{name}', { params: { name }, body });
    bases.set(name, { hash: hashOf(local), id: stored.id });
  } else {
    const query = { ...where, ...(id !== undefined && { base: id }) };
    await callServer(config, 'POST /v1/skills/{name}/retire', { params: { name }, query });
    bases.delete(name);
  }
}

/** Makes a skill in the folder that of the server; undefined: it goes. What was changed here is kept aside. */
async function pull(sync: Sync, name: string, local: Local | null, id?: string) {
  const theirs = id === undefined ? null : await fetchSkill(sync, name);
  if (local && (sync.bases.get(name)?.hash !== hashOf(local) || holdsSecret(local))) {
    const aside = join(sync.folder, ASIDE, `${name} ${new Date().toISOString().replaceAll(':', '.')}`);
    cpSync(join(sync.folder, name), aside, { recursive: true });
  }
  writeSkill(join(sync.folder, name), local, theirs);
  if (theirs) sync.bases.set(name, { hash: hashOf(theirs), id: theirs.id });
  else sync.bases.delete(name);
}

async function fetchSkill({ config, options }: Sync, name: string): Promise<Local & { id: string }> {
  const query = options.project === undefined ? {} : { project: options.project };
  const skill = await callServer(config, 'GET /v1/skills/{name}', { params: { name }, query });
  return { id: skill.id, file: skill.frontMatter + skill.content, files: skill.files };
}

/** Reads a skill of the folder, and reports which of its files do not travel. */
function readLocal({ folder, report }: Sync, name: string): Local {
  const file = textOf(join(folder, name, 'SKILL.md'));
  const { files, leftOut } = readFiles(join(folder, name));
  report.leftOut.push(...leftOut.map(({ path, reason }) => ({ name: `${name}/${path}`, reason })));
  return { file, files };
}

const hashOf = ({ file, files }: Local): string =>
  createHash('sha256')
    .update(JSON.stringify([file, files.map((f) => [f.path, f.text, f.executable])]))
    .digest('hex');

function say(io: Io, report: Report, options: SyncOptions): void {
  const { pushed, pulled, missingHere, missingThere, conflicts, failed, leftOut, unchanged } = report;
  const removed = options.delete ? '' : '; --delete carries that over';
  const named = { 'to the server': pushed, 'from the server': pulled };
  const gone = { [`removed here${removed}`]: missingHere, [`removed on the server${removed}`]: missingThere };
  for (const [text, names] of Object.entries({ ...named, ...gone }))
    if (names.length > 0) io.log(`${text}: ${plain(names.join(', '))}`);
  for (const [text, list] of Object.entries({ conflict: conflicts, failed, 'left out': leftOut }))
    for (const { name, reason } of list) io.log(`${text}: ${plain(`${name}: ${reason}`)}`);
  io.log(
    `${report.dryRun ? 'Would sync' : 'Synced'}: ${pushed.length} to the server, ${pulled.length} from it, ${unchanged} unchanged, ${conflicts.length} in conflict.`,
  );
  if (conflicts.length > 0 && options.keep === undefined)
    io.log('Both sides of a conflict are as they were. Edit one, or say --keep local or --keep server.');
}
