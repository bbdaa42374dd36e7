import { createHash } from 'node:crypto';
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Exported } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { fileProblem } from './file-problem.ts';
import { LISTING, type Listed, readListing } from './formats/folder.ts';
import type { Io } from './io.ts';

type Options = { project?: string; observations?: boolean; dir?: string };

/**
 * Writes everything that the caller has as JSON lines, to standard output or to a file. A file is written whole or not
 * at all.
 */
export async function exportFile(
  config: Config,
  io: Io,
  file: string | undefined,
  options: Options,
): Promise<void> {
  if (options.dir !== undefined) return exportFolder(config, io, file, { ...options, dir: options.dir });
  let records = 0;
  async function* lines() {
    for await (const record of exported(config, options)) {
      records += 1;
      yield `${JSON.stringify(record)}\n`;
    }
  }
  if (file === undefined) {
    try {
      await pipeline(Readable.from(lines()), io.stdout, { end: false });
    } catch (error) {
      // the reader has closed the pipe, as `head` does
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
    return;
  }
  const path = resolve(io.cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const detail = `${file} is a folder. Name a file, or export into the folder with --dir ${file}.`;
    throw new Problem({ status: 400, title: 'Cannot use a file', detail });
  }
  const partial = `${path}.partial`;
  try {
    await pipeline(Readable.from(lines()), createWriteStream(partial, { mode: 0o600 }));
    renameSync(partial, path);
  } catch (error) {
    removeIfThere(partial);
    throw fileProblem(error, file) ?? error;
  }
  io.log(io.json ? JSON.stringify({ records, file }) : `${records} records in ${file}.`);
}

async function* exported(config: Config, options: Options): AsyncGenerator<Record<string, unknown>> {
  for (let after: string | null | undefined; after !== null; ) {
    const page: Exported = await callServer(config, 'GET /v1/export', {
      query: { project: options.project, after, ...(options.observations && { observations: 'true' }) },
    });
    if (page.records.length === 0 && options.project !== undefined)
      await mustBeProject(config, options.project);
    yield* page.records;
    after = page.next;
  }
}

/** Refuses a project that is not known, so that a misspelled name does not look like an empty project. */
async function mustBeProject(config: Config, name: string): Promise<void> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  // its last part is enough, as for the server
  const fits = (place: string) => place === name || place.endsWith(`/${name}`);
  if (projects.some((known) => [known.name, ...known.roots].some(fits))) return;
  const detail = `You have no project ${name}. lore status lists them.`;
  throw new Problem({ status: 404, title: 'Project not found', detail });
}

/**
 * Writes the export into a folder that can be kept in git: a file for each kind and project, with sorted
 * records, one on each line. If an earlier export wrote a file that would be empty now, the file is deleted.
 * Other files are left alone.
 *
 * @throws Problem (400) when a file is named too
 */
async function exportFolder(
  config: Config,
  io: Io,
  file: string | undefined,
  options: Options & { dir: string },
): Promise<void> {
  if (file !== undefined) {
    const detail = `Give either ${file} or --dir ${options.dir}.`;
    throw new Problem({ status: 400, title: 'Two places to export to', detail });
  }
  const dir = resolve(io.cwd, options.dir);
  const contents = new Map<string, { kind: string; lines: string[] }>();
  let records = 0;
  for await (const record of exported(config, options)) {
    const project = typeof record.project === 'string' ? record.project : null;
    const kind = String(record.type);
    const path = `${kind}/${fileNameOf(project)}`;
    const content = contents.get(path) ?? { kind, lines: [] };
    content.lines.push(JSON.stringify(record));
    contents.set(path, content);
    records += 1;
  }
  const before = readListing(dir)?.files ?? [];
  const files: Listed[] = [];
  for (const [path, { kind, lines }] of contents) {
    makeFolder(dirname(join(dir, path)));
    replaceFile(join(dir, path), `${lines.sort().join('\n')}\n`);
    files.push({ path, kind });
  }
  replaceFile(join(dir, LISTING), `${JSON.stringify({ files }, null, 2)}\n`);
  for (const { path } of before) if (!contents.has(path)) rmSync(join(dir, path), { force: true });
  io.log(
    io.json
      ? JSON.stringify({ records, dir, files })
      : `${records} records in ${files.length} files of ${dir}.`,
  );
}

/** Writes a file whole or not at all. If it already has this text, its time is not changed. */
function replaceFile(path: string, text: string): void {
  if (readText(path) === text) return;
  try {
    writeAtomically(path, text, { mode: 0o600 });
  } catch (error) {
    throw fileProblem(error, path) ?? error;
  }
}

/** Removes what a failed export has left. The reason of the failure is reported, whether or not this works. */
function removeIfThere(partial: string): void {
  try {
    rmSync(partial, { force: true });
  } catch {
    // the folder may not allow it, or the file may belong to somebody else
  }
}

/** Returns the name of the file of a project; null: of records that belong to none. */
function fileNameOf(project: string | null): string {
  if (project === null) return '_user.jsonl';
  const plain = project
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 80);
  if (plain === project) return `${plain}.jsonl`;
  return `${plain}-${createHash('sha256').update(project).digest('hex').slice(0, 8)}.jsonl`;
}
