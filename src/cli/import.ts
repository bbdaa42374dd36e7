import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../base/errors/problem.ts';
import { makeFolder } from '../base/files/make-folder.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import { objectIn } from '../base/text/json.ts';
import type { Exported, NewNote } from '../base/wire/routes.ts';
import { having } from '../base/wire/wire.ts';
import { isExported, TYPES } from '../kinds/transfer/transfer.ts';
import { projectIn } from './client.ts';
import { fileProblem } from './io.ts';
import type { Action, Cli } from './rows.ts';

// Takes a person's data away and brings it in: an export, JSON lines of notes, and what two other programs keep.

/** A note for `POST /v1/notes` that is not checked yet, or a row of another program. */
type RawNote = Record<string, unknown>;
/** One thing to import: a note, a record of an export, or what is wrong. `where` is its place in the source. */
type Item = { where: string } & ({ note: RawNote } | { record: RawNote } | { problem: string });
type Counts = { imported: number; skipped: number; failed: { where: string; reason: string }[] };

const BATCH = 200;
/** Most bytes of one request: a fifth of what the server accepts. The embedded database needs half a second for it. */
const BATCH_BYTES = 200 * 1024;

/** Imports a file or folder. Records that are already there stay as they are, so an interrupted import can be run again. */
type ImportOptions = { file: string; project?: string; format?: string };
const importFile: Action = async ({ file: given, ...options }: ImportOptions, cli) => {
  const { io } = cli;
  const file = given === '-' ? given : resolve(io.cwd, given);
  const format = options.format ?? formatOf(file);
  // a memory file belongs to the project around it; that of Claude Code's own folder is not known
  const around = format === 'claude-memory' && !/[/\\]\.claude[/\\]projects[/\\]/.test(`${file}/`);
  const folder = around ? (fs.statSync(file).isDirectory() ? file : dirname(file)) : undefined;
  const project = options.project ?? (folder && (await projectIn(cli.config, folder)));
  const counts: Counts = { imported: 0, skipped: 0, failed: [] };
  let [batch, bytes]: [Item[], number] = [[], 0];
  const flush = async () => {
    await send(cli, batch, counts);
    [batch, bytes] = [[], 0];
  };
  try {
    for await (const item of await itemsOf(cli, file, format)) {
      const whole = 'note' in item ? keyed(item, project) : item;
      const size = JSON.stringify(whole).length;
      if (batch.length >= BATCH || bytes + size > BATCH_BYTES) await flush();
      batch.push(whole);
      bytes += size;
    }
    await flush();
  } finally {
    const { imported, skipped, failed } = counts;
    if (!io.json) for (const { where, reason } of failed) io.error(`${where}: ${reason}`);
    io.answer(counts, `${imported} imported, ${skipped} already there, ${failed.length} refused.`);
  }
  if (counts.failed.length > 0) cli.exit(1);
};

/**
 * Returns the format that a file has by its name. A pipe is read as JSON lines.
 *
 * @throws Problem (400) if there is no such file, and for Markdown that no agent keeps its memory in
 */
function formatOf(file: string): string {
  if (file === '-') return 'jsonl';
  const found = fs.statSync(file);
  const unusable = (detail: string) => new Problem({ status: 400, title: 'Cannot use a file', detail });
  if (!found.isFile() && !found.isDirectory()) throw unusable(`${file} is neither a file nor a folder.`);
  if (file.endsWith('.db')) return 'claude-mem';
  const isMemory = /(^|[\\/])(CLAUDE(\.local)?|MEMORY)\.md$|[\\/]\.claude[\\/].*\.md$/.test(file);
  if (found.isDirectory() && exportedIn(file).length > 0) return 'jsonl';
  if (found.isDirectory() || isMemory) return 'claude-memory';
  if (!file.endsWith('.md')) return 'jsonl';
  throw unusable(
    `${file} is no memory file of an agent. To keep its sections as notes: --format claude-memory`,
  );
}

const itemsOf = async ({ io }: Cli, file: string, format: string): Promise<AsyncIterable<Item> | Item[]> => {
  const folder = file === '-' ? [] : exportedIn(file);
  if (format === 'jsonl' && folder.length > 0) return readFolder(file, folder);
  if (format === 'jsonl') return readJsonl(file === '-' ? io.stdin : fs.createReadStream(file));
  return format === 'claude-mem' ? readClaudeMem(file) : readClaudeMemory(file);
};

async function* readFolder(folder: string, names: string[]): AsyncGenerator<Item> {
  for (const name of names)
    for await (const item of readJsonl(fs.createReadStream(join(folder, name))))
      yield { ...item, where: `${name}, ${item.where}` };
}

async function* readJsonl(input: Readable): AsyncGenerator<Item> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const text = line.replace(/^\ufeff/, '').trim();
    const value = objectIn(text);
    const where = `line ${number}`;
    if (text === '') continue;
    if (value === null) yield { where, problem: 'is not a JSON object' };
    else yield isExported(value) ? { where, record: value } : { where, note: value };
  }
}

/** Returns the note with its project, and a key by which it is known when it is imported again. */
function keyed({ where, note }: { where: string; note: RawNote }, wanted: string | undefined): Item {
  const project = note.project ?? wanted;
  if (project === undefined) return { where, problem: 'names no project: say which with --project' };
  // a memory file has one time for all its notes, and an edit of any changes it
  const { createdAt, ...content } = note;
  const hash = createHash('sha256').update(JSON.stringify([content, project]));
  return { where, note: { key: `import:${hash.digest('hex')}`, ...note, project } };
}

async function send({ call }: Cli, batch: Item[], counts: Counts): Promise<void> {
  const notes = batch.filter((item) => 'note' in item);
  const records = batch.filter((item) => 'record' in item);
  for (const item of batch)
    if ('problem' in item) counts.failed.push({ where: item.where, reason: item.problem });
  await sendPart(notes, counts, async (items) => {
    // the server says what is wrong with them
    const body = items.map((item) => item.note) as NewNote[];
    const { notes } = having('notes', await call('POST /v1/notes', { body }));
    const created = notes.filter((note) => note.created).length;
    counts.imported += created;
    counts.skipped += notes.length - created;
  });
  await sendPart(records, counts, async (items) => {
    const body = { records: items.map((item) => item.record) };
    const { imported, skipped, failed } = await call('POST /v1/import', { body });
    counts.imported += imported;
    counts.skipped += skipped;
    for (const { line, reason } of failed)
      counts.failed.push({ where: (items[line - 1] as Item).where, reason });
  });
}

/**
 * Sends items. If the server refuses them, sends each by itself, so that only the faulty ones are left out.
 *
 * @throws Problem if the items are not at fault: no server, no key, an error in the server
 */
async function sendPart<I extends Item>(items: I[], counts: Counts, post: (items: I[]) => Promise<void>) {
  if (items.length === 0) return;
  try {
    await post(items);
  } catch (error) {
    if (!(error instanceof Problem && [400, 413].includes(error.status))) throw error;
    if (items.length > 1) {
      for (const one of items) await sendPart([one], counts, post);
      return;
    }
    const said = error.errors?.map(({ field, message }) => `${field.replace(/^0\.?/, '')}: ${message}`);
    counts.failed.push({ where: (items[0] as I).where, reason: said?.join('; ') ?? error.detail });
  }
}

/** Everything that the caller has, page by page. */
async function* exported({ call }: Cli, project: string | undefined, all: true | undefined) {
  for (let after: string | null | undefined; after !== null; ) {
    const query = { project, after, observations: all && ('true' as const) };
    const page: Exported = await call('GET /v1/export', { query });
    yield* page.records as RawNote[];
    after = page.next;
  }
}

/** Writes everything that the caller has as JSON lines. A file is written whole or not at all. */
type ExportOptions = { file?: string; project?: string; dir?: string; observations?: true };
const exportFile: Action = async ({ file, project, dir, observations }: ExportOptions, cli) => {
  const { io } = cli;
  if (dir !== undefined) return exportFolder(cli, resolve(io.cwd, dir), project, observations);
  let records = 0;
  async function* lines() {
    for await (const record of exported(cli, project, observations)) {
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
  const partial = `${path}.partial`;
  try {
    await pipeline(Readable.from(lines()), fs.createWriteStream(partial, { mode: 0o600 }));
    fs.renameSync(partial, path);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw fileProblem(error, file) ?? error;
  }
  io.answer({ records, file }, `${records} records in ${file}.`);
};

/** Writes a file for each kind and project, with sorted lines. Those of an earlier export are no longer there. */
async function exportFolder(
  cli: Cli,
  dir: string,
  project: string | undefined,
  all: true | undefined,
): Promise<void> {
  const files = new Map<string, string[]>();
  for await (const record of exported(cli, project, all)) {
    const file = encodeURIComponent(`${record.project ?? 'all'}`).slice(-200);
    const name = join(`${record.type}`, `${file}.jsonl`);
    files.set(name, [...(files.get(name) ?? []), `${JSON.stringify(record)}\n`]);
  }
  for (const name of exportedIn(dir)) fs.rmSync(join(dir, name));
  for (const [name, lines] of files) {
    makeFolder(dirname(join(dir, name)));
    writeAtomically(join(dir, name), lines.sort().join(''), { mode: 0o600 });
  }
  cli.io.answer({ dir, files: [...files.keys()] }, `${files.size} files in ${dir}.`);
}

/** Returns the files that `lore export --dir` has written, in the order in which they are imported. */
const exportedIn = (dir: string): string[] =>
  TYPES.flatMap((type) => {
    const names = fs.existsSync(join(dir, type)) ? fs.readdirSync(join(dir, type)) : [];
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(type, name));
  });

// Reads what two other programs keep.

/**
 * Reads the database of claude-mem (~/.claude-mem/claude-mem.db): observations and summaries of sessions. Of its versions
 * each has other columns. A copy is read: even reading changes the files, and claude-mem may run.
 *
 * @throws Problem (400) if it is none
 */
async function readClaudeMem(file: string): Promise<Item[]> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const folder = fs.mkdtempSync(join(tmpdir(), 'lore-import-'));
  try {
    const copy = join(folder, 'copy.db');
    fs.copyFileSync(file, copy);
    if (fs.existsSync(`${file}-wal`)) fs.copyFileSync(`${file}-wal`, `${copy}-wal`);
    const db = new sqlite.Database(copy);
    try {
      // a write-ahead log needs shared memory, unless the file is locked exclusively
      db.exec('pragma locking_mode = exclusive');
      const rows = (table: string): RawNote[] =>
        db.all(`select * from ${table} order by created_at_epoch, id`);
      return [
        ...rows('observations').map((row) => ({
          where: `observation ${row.id}`,
          note: noteOf(row, OBSERVED),
        })),
        ...rows('session_summaries').map((row) => ({
          where: `summary ${row.id}`,
          note: noteOf(row, SUMMED_UP),
        })),
      ];
    } finally {
      db.close();
    }
  } catch (cause) {
    const detail = `${file} is no database of claude-mem: ${(cause as Error).message}.`;
    throw new Problem({ status: 400, title: 'Not a claude-mem file', detail, cause });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const OBSERVED = ['title', 'subtitle', 'narrative', 'text', 'facts'];
const SUMMED_UP = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'];

function noteOf(row: RawNote, columns: string[]): RawNote {
  const texts = columns.map((column) => [column, listOf(row[column]).join('\n- ')] as const);
  const isSummary = columns === SUMMED_UP;
  const files = listOf(row.files_modified ?? row.files_edited);
  return {
    project: row.merged_into_project || row.project || undefined,
    conversation: row.memory_session_id || row.sdk_session_id || undefined,
    agent: 'claude-mem',
    createdAt: new Date(Number(row.created_at_epoch)).toISOString(),
    content: texts
      .filter(([, text]) => text !== '')
      .map(([column, text]) => (isSummary ? `${column.replace('_', ' ')}: ${text}` : text))
      .join('\n\n'),
    messageType: row.type === 'decision' ? 'decision' : 'reflection',
    metadata: {
      ...{ imported_from: 'claude-mem', kind: isSummary ? 'summary' : `${row.type ?? 'observation'}` },
      ...(files.length > 0 && { breadcrumbs: { modified_files: files } }),
    },
  };
}

/** Returns a list of texts. The value is a text, or the JSON text of a list. */
function listOf(value: unknown): string[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  try {
    return [JSON.parse(value)].flat().map(String);
  } catch {
    return [value.trim()];
  }
}

const SKIPPED = ['node_modules', '.git', 'dist', 'vendor'];

/** Whether people write rules for Claude Code into this file. */
const holdsRules = (file: string): boolean =>
  /^CLAUDE(?:\.local)?\.md$/.test(basename(file)) || /[\\/]\.claude[\\/]rules[\\/].*\.md$/.test(file);

/**
 * Reads a memory file of Claude Code, or all in a folder. People write CLAUDE.md, CLAUDE.local.md and .claude/rules/*.md.
 * Claude Code writes ~/.claude/projects/<project>/memory/*.md: an index MEMORY.md, and beside it one file per topic.
 *
 * @throws Problem (400) if there are none
 */
function readClaudeMemory(path: string): Item[] {
  const isFolder = fs.statSync(path).isDirectory();
  const files = isFolder ? memoryFiles(path) : [path];
  if (files.length === 0) {
    const detail = `There is no CLAUDE.md, .claude/rules/*.md or MEMORY.md in ${path}.`;
    throw new Problem({ status: 400, title: 'Nothing to import', detail });
  }
  return files.flatMap((file) => {
    const name = relative(isFolder ? path : dirname(path), file).replaceAll('\\', '/');
    const about = {
      ...{ agent: 'claude-code', createdAt: fs.statSync(file).mtime.toISOString() },
      ...(holdsRules(file) ? { channel: 'policies', messageType: 'policy' } : { messageType: 'reflection' }),
      metadata: { imported_from: 'claude-memory', breadcrumbs: { documentation: [name] } },
    };
    const sections = sectionsOf(fs.readFileSync(file, 'utf8'));
    return sections.map((content, i) => ({
      where: `${name}, section ${i + 1}`,
      note: { ...about, content },
    }));
  });
}

/** Returns the memory files of a folder. In one with a MEMORY.md every Markdown file counts, elsewhere only known names. */
function memoryFiles(folder: string): string[] {
  const every = fs.existsSync(join(folder, 'MEMORY.md'));
  const entries = fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.includes(entry.name) ? [] : memoryFiles(path);
    return entry.name.endsWith('.md') && (every || holdsRules(path)) ? [path] : [];
  });
}

/** Returns the text under each heading of a Markdown file, behind the headings above it. */
function sectionsOf(text: string): string[] {
  const found: string[] = [];
  let titles: string[] = [];
  let [body, isCode]: [string[], boolean] = [[], false];
  const end = () => {
    const section = body.join('\n').trim();
    if (section !== '')
      found.push([titles.filter(Boolean).join(' › '), section].filter(Boolean).join('\n\n'));
    body = [];
  };
  // its front matter tells when a rule applies, and is no part of it
  const written = text.replace(/^\ufeff/, '').replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '');
  for (const line of written.split(/\r?\n/)) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    const [, marks, title = ''] = (!isCode && /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line)) || [];
    if (marks === undefined) body.push(line);
    else {
      end();
      titles = [...titles.slice(0, marks.length - 1), title];
    }
  }
  end();
  return found;
}

export const actions = { import: importFile, export: exportFile };
