import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import cliProgress from 'cli-progress';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { isObject } from '../text/json.ts';
import type { NewNote, Project } from '../wire/routes.ts';
import { having } from '../wire/wire.ts';
import { callServer } from './client.ts';
import { fileProblem } from './file-problem.ts';
import { isSqlite, readClaudeMem } from './formats/claude-mem.ts';
import { isClaudeMemory, readClaudeMemory } from './formats/claude-memory.ts';
import { readFolder, readListing } from './formats/folder.ts';
import type { Item, RawNote, Source } from './formats/item.ts';
import { readJsonl } from './formats/jsonl.ts';
import type { Io } from './io.ts';

type Format = 'auto' | 'jsonl' | 'claude-mem' | 'claude-memory' | 'folder';
type Counts = { imported: number; skipped: number; failed: { where: string; reason: string }[] };

const BATCH = 200;
/**
 * Most bytes of one request: a fifth of what the server accepts. The embedded database needs about half a
 * second for it.
 */
const BATCH_BYTES = 200 * 1024;

/**
 * Imports a file or folder (`-`: standard input). Records that are already there stay as they are, so an interrupted
 * import can be run again to finish it. Returns whether nothing was refused.
 */
export async function importFile(
  config: Config,
  io: Io,
  given: string,
  options: { project?: string; format: Format },
): Promise<boolean> {
  const file = given === '-' ? given : resolve(io.cwd, given);
  if (file !== '-') mustBeReadable(file);
  const format = options.format === 'auto' ? formatOf(file) : options.format;
  const { projects } = await callServer(config, 'GET /v1/projects');
  const place = (note: RawNote) => placed(note, format, options.project, projects, file);
  const source = await read(io, file, format);
  const counts: Counts = { imported: 0, skipped: 0, failed: [] };
  const bar = progressBar(io, source);
  let batch: Item[] = [];
  let bytes = 0;
  const flush = async () => {
    await send(config, batch, counts);
    bar?.update(source.done(), { imported: counts.imported });
    batch = [];
    bytes = 0;
  };
  try {
    for await (const item of source.items) {
      const whole: Item = 'note' in item ? { where: item.where, ...place(item.note) } : item;
      const size = JSON.stringify(whole).length;
      if (batch.length >= BATCH || (batch.length > 0 && bytes + size > BATCH_BYTES)) await flush();
      batch.push(whole);
      bytes += size;
    }
    if (batch.length > 0) await flush();
  } finally {
    bar?.stop();
    report(io, counts);
  }
  return counts.failed.length === 0;
}

/** @throws Problem (400) when there is no such file or folder, when it may not be read, or when it is a device or pipe */
function mustBeReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
    const found = statSync(file);
    if (found.isFile() || found.isDirectory()) return;
  } catch (error) {
    throw fileProblem(error, file) ?? error;
  }
  throw new Problem({
    status: 400,
    title: 'Cannot use a file',
    detail: `${file} is neither a file nor a folder. To import what a program writes: … | lore import -`,
  });
}

function report(io: Io, { imported, skipped, failed }: Counts) {
  if (io.json) io.log(JSON.stringify({ imported, skipped, failed }, null, 2));
  else {
    for (const { where, reason } of failed) io.error(`${where}: ${reason}`);
    io.log(`${imported} imported, ${skipped} already there, ${failed.length} refused.`);
  }
}

function progressBar(io: Io, source: Source): cliProgress.SingleBar | undefined {
  if (!io.stderr.isTTY || io.json || source.total === null) return undefined;
  const bar = new cliProgress.SingleBar(
    {
      format: 'importing {bar} {percentage} %, {imported} new',
      stream: io.stderr,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(source.total, 0, { imported: 0 });
  return bar;
}

/**
 * Returns the format that a file seems to have. A pipe is read as JSON lines.
 *
 * @throws Problem (400) for Markdown that no agent keeps its memory in: a README would become a dozen notes
 */
function formatOf(file: string): Exclude<Format, 'auto'> {
  if (file === '-') return 'jsonl';
  if (statSync(file).isDirectory() && readListing(file)) return 'folder';
  if (statSync(file).isDirectory()) return 'claude-memory';
  if (file.endsWith('.md')) {
    if (isClaudeMemory(file)) return 'claude-memory';
    throw new Problem({
      status: 400,
      title: 'Cannot use a file',
      detail: `${file} is no memory file of an agent. To keep each of its sections as a note: --format claude-memory`,
    });
  }
  const head = Buffer.alloc(4096);
  const handle = openSync(file, 'r');
  const length = readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  if (isSqlite(head)) return 'claude-mem';
  // an export of claude-mem is one object over several lines, and JSON lines never begin like that
  const text = head
    .toString('utf8', 0, length)
    .replace(/^\ufeff/, '')
    .trimStart();
  return /^\{\s*\n|^\{"exportedAt"/.test(text) ? 'claude-mem' : 'jsonl';
}

async function read(io: Io, file: string, format: Exclude<Format, 'auto'>): Promise<Source> {
  if (format === 'claude-mem')
    return readClaudeMem(file, file === '-' ? await buffer(io.stdin) : readFileSync(file));
  if (format === 'claude-memory') return readClaudeMemory(file);
  if (format === 'folder') return readFolder(file);
  return readJsonl(file, io.stdin);
}

/** Returns the note with its project and its import key. */
function placed(
  note: RawNote,
  format: Format,
  wanted: string | undefined,
  projects: Project[],
  file: string,
): { note: RawNote } | { problem: string } {
  // other programs name a project by the last part of its folder, so the project that a person named counts more
  const named = format === 'jsonl' ? (note.project ?? wanted) : (wanted ?? note.project);
  const { createdAt, ...rest } = note;
  // a memory file has one time for all its notes, and an edit of any note changes it
  const content = format === 'claude-memory' ? rest : { ...rest, createdAt };
  const project = named ?? (format === 'claude-memory' ? projectOfFolder(file, projects) : undefined);
  if (project === undefined) return { problem: 'names no project: say which with --project' };
  const key = note.key ?? `import:${hash({ ...content, project: named ?? project })}`;
  const known = format === 'claude-mem' && wanted === undefined ? knownProject(project, projects) : project;
  return { note: { ...note, project: known, key } };
}

const hash = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');

/** Returns the value with the fields of each object sorted, and without undefined ones. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, item]) => [k, sorted(item)]),
  );
}

/** Returns the only project whose name or folder ends with this name, or else the name itself. */
function knownProject(name: unknown, projects: Project[]): unknown {
  const fits = projects.filter(
    (p) => p.name === name || [p.name, ...p.roots].some((place) => place.endsWith(`/${name}`)),
  );
  return fits.length === 1 ? (fits[0] as Project).name : name;
}

/**
 * Returns the project around a memory file. Inside Claude Code's own folder it is unknown: that folder's name is lossy.
 */
function projectOfFolder(file: string, projects: Project[]): string | undefined {
  const path = file;
  let folder = statSync(path).isDirectory() ? path : dirname(path);
  if (/[/\\]\.claude[/\\]projects(?:[/\\]|$)/.test(folder)) return undefined;
  while (/^(?:rules|\.claude)$/.test(basename(folder))) folder = dirname(folder);
  return projects.find((p) => p.roots.includes(folder))?.name ?? folder;
}

async function send(config: Config, batch: Item[], counts: Counts): Promise<void> {
  for (const item of batch) {
    if ('problem' in item) counts.failed.push({ where: item.where, reason: item.problem });
  }
  await sendPart(
    batch.filter((item) => 'note' in item),
    counts,
    async (items) => {
      const notes = items.map((item) => item.note);
      const stored = await callServer(config, 'POST /v1/notes', {
        // the server says what is wrong with them
        body: notes as NewNote[],
      });
      const { notes: kept } = having('notes', stored);
      const created = kept.filter((note) => note.created).length;
      counts.imported += created;
      counts.skipped += kept.length - created;
    },
  );
  await sendPart(
    batch.filter((item) => 'record' in item),
    counts,
    async (items) => {
      const records = items.map((item) => item.record);
      const { imported, skipped, failed } = await callServer(config, 'POST /v1/import', {
        body: { records },
      });
      counts.imported += imported;
      counts.skipped += skipped;
      for (const { line, reason } of failed) {
        counts.failed.push({ where: (items[line - 1] as Item).where, reason });
      }
    },
  );
}

/**
 * Sends items. If the server refuses them, sends them again without the ones that it names, or in halves until the
 * faulty one is found.
 *
 * @throws Problem if the items are not at fault: no server, no key, an error in the server
 */
async function sendPart<I extends Item>(
  items: I[],
  counts: Counts,
  post: (items: I[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await post(items);
  } catch (error) {
    const refused = error instanceof Problem && [400, 413].includes(error.status);
    if (!refused) throw error;
    const reasons = new Map<number, string[]>();
    for (const { field, message } of error.errors ?? []) {
      const [, index, name] = /^(\d+)(?:\.(.*))?$/.exec(field) ?? [];
      if (index === undefined) continue;
      const said = reasons.get(Number(index)) ?? [];
      reasons.set(Number(index), [...said, name === undefined ? message : `${name}: ${message}`]);
    }
    if (reasons.size > 0) {
      for (const [i, said] of reasons) {
        counts.failed.push({ where: (items[i] as I).where, reason: said.join('; ') });
      }
      await sendPart(
        items.filter((_, i) => !reasons.has(i)),
        counts,
        post,
      );
    } else if (items.length > 1) {
      const half = Math.ceil(items.length / 2);
      await sendPart(items.slice(0, half), counts, post);
      await sendPart(items.slice(half), counts, post);
    } else counts.failed.push({ where: (items[0] as I).where, reason: error.detail });
  }
}
