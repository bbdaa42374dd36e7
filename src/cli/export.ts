import { createHash } from 'node:crypto';
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { Problem } from '../errors/problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { objectIn } from '../text/json.ts';
import type { Exported } from '../wire/routes.ts';
import type { Cli, Define } from './commands.ts';
import { fileProblem } from './file-problem.ts';
import { existingProject } from './here.ts';
import { wrongUsage } from './options.ts';

type Options = { project?: string; dir?: string };

const exporting: Define = (command, cli) =>
  command
    .argument('[file]', 'where to; without it, standard output')
    .option('-p, --project <name>', 'only this project')
    .option('-d, --dir <folder>', 'into a folder for git: a file for each kind and project, sorted')
    .action(async (file: string | undefined, options: Options) => {
      // a misspelled name must not look like an empty project
      if (options.project !== undefined) await existingProject(cli.config, options.project);
      if (options.dir === undefined) return exportFile(cli, file, options);
      if (file !== undefined) throw wrongUsage(`Give either ${file} or --dir ${options.dir}.`);
      return exportFolder(cli, options.dir, options);
    });

export const commands = { export: exporting };

async function* exported({ call }: Cli, { project }: Options) {
  for (let after: string | null | undefined; after !== null; ) {
    const query = { project, after };
    const page: Exported = await call('GET /v1/export', { query });
    yield* page.records as Record<string, unknown>[];
    after = page.next;
  }
}

/** Writes everything that the caller has as JSON lines. A file is written whole or not at all. */
async function exportFile(cli: Cli, file: string | undefined, options: Options): Promise<void> {
  const { io } = cli;
  let records = 0;
  async function* lines() {
    for await (const record of exported(cli, options)) {
      records += 1;
      yield `${JSON.stringify(record)}\n`;
    }
  }
  if (file === undefined)
    return pipeline(Readable.from(lines()), io.stdout, { end: false }).catch((error) => {
      // the reader has closed the pipe, as `head` does
      if (error.code !== 'EPIPE') throw error;
    });
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
    if (statSync(partial, { throwIfNoEntry: false })) rmSync(partial, { force: true });
    throw fileProblem(error, file) ?? error;
  }
  io.answer({ records, file }, `${records} records in ${file}.`);
}

/** The file in the folder of an export that lists the others, in the order in which they can be imported. */
const LISTING = 'lore-export.json';

// The listing may come from elsewhere, so its paths must not lead out of the folder.
const Listed = z.object({ path: z.string().regex(/^[\w-]+\/(?!\.)[\w.-]+\.jsonl$/), kind: z.string() });

/** Returns the files that the listing of a folder names; null if the folder has none, or one that is damaged. */
export const listedIn = (folder: string): z.infer<typeof Listed>[] | null =>
  z.array(Listed).safeParse(objectIn(readText(join(folder, LISTING)) ?? '')?.files).data ?? null;

/**
 * Writes the export into a folder that can be kept in git: a file for each kind and project, with sorted
 * records, one on each line. If an earlier export wrote a file that would be empty now, the file is deleted.
 * Other files are left alone.
 */
async function exportFolder(cli: Cli, given: string, options: Options): Promise<void> {
  const { io } = cli;
  const dir = resolve(io.cwd, given);
  const contents = new Map<string, { kind: string; lines: string[] }>();
  let records = 0;
  for await (const record of exported(cli, options)) {
    const kind = String(record.type);
    const path = `${kind}/${fileNameOf(typeof record.project === 'string' ? record.project : null)}`;
    const content = contents.get(path) ?? { kind, lines: [] };
    content.lines.push(JSON.stringify(record));
    contents.set(path, content);
    records += 1;
  }
  const before = listedIn(dir) ?? [];
  const files = [...contents].map(([path, { kind }]) => ({ path, kind }));
  makeFolder(dir);
  for (const [path, { lines }] of contents) replaceFile(join(dir, path), `${lines.sort().join('\n')}\n`);
  replaceFile(join(dir, LISTING), `${JSON.stringify({ files }, null, 2)}\n`);
  for (const { path } of before) if (!contents.has(path)) rmSync(join(dir, path), { force: true });
  io.answer({ records, dir, files }, `${records} records in ${files.length} files of ${dir}.`);
}

/** Writes a file whole or not at all. If it already has this text, its time is not changed. */
function replaceFile(path: string, text: string): void {
  if (readText(path) === text) return;
  makeFolder(dirname(path));
  writeAtomically(path, text, { mode: 0o600 });
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
