import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readText } from '../files/read-text.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { redactText } from '../redaction/redact.ts';
import { SKILL_NAME } from '../skills/skill-files.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { plain } from './print.ts';
import { type Local, readSkill, writeSkill } from './skills-files.ts';

// Syncs a folder of skills with the server, both ways. A small file in the folder says how both sides were after the
// last sync. A change on one side is copied to the other. If both sides changed, that is a conflict, and nothing is done.

type Options = { project?: string; dryRun?: boolean; delete?: boolean; keep?: 'local' | 'server' };

const MAX_SKILLS = 1_000;
const STATE_FILE = '.lore-sync.json';
/** Where the files of conflicts are kept that were settled for the server, too deep for a client to take them for skills. */
const ASIDE = '.lore-before-sync';

type Reason = { name: string; reason: string };
/** What a sync did: names of skills copied to a side, removed on one side only, or not synced, and files left out. */
const newReport = () => ({
  unchanged: 0,
  pushed: [] as string[],
  pulled: [] as string[],
  missing: [] as Reason[],
  conflicts: [] as Reason[],
  failed: [] as Reason[],
  leftOut: [] as Reason[],
});

/** How both sides of a skill were after the last sync: a hash, and a version. */
type Base = { hash: string; id: string };
/** Of all skills, by account and project. */
type State = { scopes: Record<string, Record<string, Base>> };

type Sync = {
  config: Config;
  folder: string;
  options: Options;
  /** the project, as requests name it */
  where: { project?: string };
  bases: Map<string, Base>;
  report: ReturnType<typeof newReport>;
};

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
  options: Options,
): Promise<boolean> {
  const folder = resolve(io.cwd, dir);
  if (!existsSync(folder))
    throw new Problem({ status: 400, title: 'No such folder', detail: `There is no folder ${folder}.` });
  const { project } = options;
  const where = project === undefined ? {} : { project };
  const { userId } = await callServer(config, 'GET /v1/me');
  const query = { ...where, limit: MAX_SKILLS };
  const listed = (await callServer(config, 'GET /v1/skills', { query })).skills;
  if (listed.length >= MAX_SKILLS) {
    const detail = 'The server has a thousand skills or more. Nothing was synced.';
    throw new Problem({ status: 502, title: 'List without an end', detail });
  }
  const own = listed.filter((one) => (one.project === null) === (project === undefined));
  const remote = new Map(own.map(({ name, id }) => [name, id]));
  const path = join(folder, STATE_FILE);
  const state = stateOf(readText(path));
  // by the project's whole name, where the server knows it
  const key = `${userId} ${own[0]?.project ?? project ?? ''}`.trim();
  const bases = new Map(Object.entries(state.scopes[key] ?? {}));
  const here = readdirSync(folder).filter(
    (name) => !name.startsWith('.') && existsSync(join(folder, name, 'SKILL.md')),
  );
  const report = newReport();
  const sync: Sync = { config, folder, options, where, bases, report };
  try {
    for (const name of [...new Set([...here, ...remote.keys(), ...bases.keys()])].sort()) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        if (!SKILL_NAME.test(name))
          throw new TypeError('a name has letters, digits, dots, hyphens and underscores');
        const local = here.includes(name) ? readSkill(join(folder, name)) : null;
        for (const { path, reason } of local?.leftOut ?? [])
          report.leftOut.push({ name: `${name}/${path}`, reason });
        await syncOne(sync, name, local, remote.get(name));
      } catch (error) {
        // else it is no text, has no name, or the file system says no
        const refused = error instanceof Problem ? error : null;
        if (refused && ![400, 404, 409, 413].includes(refused.status)) throw error;
        const list = refused?.status === 409 ? report.conflicts : report.failed;
        list.push({ name, reason: refused?.detail ?? (error as Error).message });
      }
    }
  } finally {
    state.scopes[key] = Object.fromEntries(bases);
    if (!options.dryRun) writeAtomically(path, `${JSON.stringify(state, null, 1)}\n`, { mode: 0o666 });
  }
  if (io.json) io.print(report);
  else say(io, report, options);
  return report.conflicts.length === 0 && report.failed.length === 0;
}

/** Returns the record of the last sync. Without one that can be read, what differs counts as a conflict, and nothing is lost. */
function stateOf(text: string | null): State {
  try {
    return { scopes: {}, ...JSON.parse(text ?? '') };
  } catch {
    return { scopes: {} };
  }
}

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
  const theirs = changedThere && id !== undefined ? await fetchSkill(sync, name) : null;
  if ((!changedHere && !changedThere) || (theirs && local && hashOf(theirs) === hashOf(local))) {
    if (theirs) bases.set(name, { hash: hashOf(theirs), id: theirs.id });
    report.unchanged++;
    return;
  }
  const here = local ? 'changed here' : 'was removed here';
  const there = id === undefined ? 'was removed on the server' : 'changed on the server';
  const lost = !changedHere && local !== null && holdsSecret(local);
  const side = both || lost ? options.keep : changedHere ? 'local' : 'server';
  const removes = side === 'local' ? local === null : id === undefined;
  if (side === undefined) {
    const why = both ? here : 'a secret here would be lost';
    report.conflicts.push({ name, reason: `${there}, and ${why}` });
  } else if (removes && !both && !options.delete) {
    report.missing.push({ name, reason: side === 'local' ? here : there });
  } else {
    if (!options.dryRun)
      await (side === 'local' ? push(sync, name, local, id) : pull(sync, name, local, theirs));
    (side === 'local' ? report.pushed : report.pulled).push(name);
  }
}

/** Whether a skill here contains a secret. Redaction removed it, so the server has another text. */
const holdsSecret = ({ file, files }: Local): boolean =>
  [file, ...files.map(({ text }) => text)].some((text) => redactText(text) !== text);

/** Makes a skill on the server that of the folder; null: it is retired. Refused (409) if it changed since it was listed. */
async function push({ config, where, bases }: Sync, name: string, local: Local | null, id?: string) {
  const params = { name };
  if (local) {
    const body = { ...where, file: local.file, files: local.files, base: id ?? null };
    const stored = await callServer(config, 'PUT /v1/skills/{name}', { params, body });
    bases.set(name, { hash: hashOf(local), id: stored.id });
  } else {
    await callServer(config, 'POST /v1/skills/{name}/retire', { params, query: { ...where, base: id } });
    bases.delete(name);
  }
}

/** Makes a skill in the folder that of the server; null: it goes. What was changed here is kept aside. */
function pull({ folder, bases }: Sync, name: string, local: Local | null, theirs: Remote | null) {
  if (local && (bases.get(name)?.hash !== hashOf(local) || holdsSecret(local))) {
    const aside = join(folder, ASIDE, `${name} ${new Date().toISOString().replaceAll(':', '.')}`);
    cpSync(join(folder, name), aside, { recursive: true });
  }
  writeSkill(join(folder, name), local, theirs);
  if (theirs) bases.set(name, { hash: hashOf(theirs), id: theirs.id });
  else bases.delete(name);
}

type Remote = Local & { id: string };

async function fetchSkill({ config, where }: Sync, name: string): Promise<Remote> {
  const skill = await callServer(config, 'GET /v1/skills/{name}', { params: { name }, query: where });
  return { id: skill.id, file: skill.frontMatter + skill.content, files: skill.files };
}

const hashOf = ({ file, files }: Local): string =>
  createHash('sha256')
    .update(JSON.stringify([file, files.map((f) => [f.path, f.text, f.executable])]))
    .digest('hex');

function say(io: Io, report: Sync['report'], options: Options): void {
  const { pushed, pulled, missing, conflicts, failed, leftOut, unchanged } = report;
  for (const [text, names] of Object.entries({ 'to the server': pushed, 'from the server': pulled }))
    if (names.length > 0) io.log(`${text}: ${plain(names.join(', '))}`);
  const reasons = { 'left alone': missing, conflict: conflicts, failed, 'left out': leftOut };
  for (const [text, list] of Object.entries(reasons))
    for (const { name, reason } of list) io.log(`${text}: ${plain(`${name}: ${reason}`)}`);
  io.log(
    `${options.dryRun ? 'Would sync' : 'Synced'}: ${pushed.length} to the server, ${pulled.length} from it, ${unchanged} unchanged, ${conflicts.length} in conflict.`,
  );
  if (missing.length > 0) io.log('--delete carries over what was removed.');
  if (conflicts.length > 0) io.log('Edit one side of a conflict, or say --keep local or --keep server.');
}
