import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Problem } from '../errors/problem.ts';
import { isObject, objectIn } from '../text/json.ts';
import { isExported } from '../transfer/transfer.ts';
import type { NewNote, Project } from '../wire/routes.ts';
import { having } from '../wire/wire.ts';
import type { Cli, Define } from './commands.ts';
import { listedIn } from './export.ts';
import { bytesOf, fileProblem } from './file-problem.ts';
import { isSqlite, readClaudeMem } from './formats/claude-mem.ts';
import { isClaudeMemory, readClaudeMemory } from './formats/claude-memory.ts';
import { type Item, instantOf, type RawNote } from './formats/item.ts';
import { choice } from './options.ts';

type Format = 'jsonl' | 'claude-mem' | 'claude-memory' | 'folder';
type Counts = { imported: number; skipped: number; failed: { where: string; reason: string }[] };

const BATCH = 200;
/**
 * Most bytes of one request: a fifth of what the server accepts. The embedded database needs about half a
 * second for it.
 */
const BATCH_BYTES = 200 * 1024;

/** Imports a file or folder. Records that are already there stay as they are, so an interrupted import can be run again. */
const importFile: Define = (command, cli) =>
  command
    .argument('<file>', 'a file, or the folder of an export or of memory files; - for standard input')
    .option('-p, --project <name>', 'the project, where none is named')
    .addOption(
      choice(
        '-f, --format <format>',
        'what the file is',
        'auto',
        'jsonl',
        'claude-mem',
        'claude-memory',
      ).default('auto'),
    )
    .action(async (given, options: { project?: string; format: Format | 'auto' }) => {
      const { io, call } = cli;
      const file = given === '-' ? given : resolve(io.cwd, given);
      if (file !== '-') mustBeReadable(file);
      const format = options.format === 'auto' ? formatOf(file) : options.format;
      const { projects } = await call('GET /v1/projects');
      const counts: Counts = { imported: 0, skipped: 0, failed: [] };
      let batch: Item[] = [];
      let bytes = 0;
      try {
        for await (const item of await itemsOf(cli, file, format)) {
          const whole: Item =
            'note' in item
              ? {
                  where: item.where,
                  ...placed(item.note, { format, wanted: options.project, projects, file }),
                }
              : item;
          const size = JSON.stringify(whole).length;
          if (batch.length >= BATCH || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
            await send(cli, batch, counts);
            batch = [];
            bytes = 0;
          }
          batch.push(whole);
          bytes += size;
        }
        await send(cli, batch, counts);
      } finally {
        const { imported, skipped, failed } = counts;
        if (!io.json) for (const { where, reason } of failed) io.error(`${where}: ${reason}`);
        io.answer(counts, `${imported} imported, ${skipped} already there, ${failed.length} refused.`);
      }
      if (counts.failed.length > 0) cli.exit(1);
    });

export const commands = { import: importFile };

const unusable = (detail: string) => new Problem({ status: 400, title: 'Cannot use a file', detail });

/** @throws Problem (400) when there is no such file or folder, when it may not be read, or when it is a device or pipe */
function mustBeReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
    const found = statSync(file);
    if (found.isFile() || found.isDirectory()) return;
  } catch (error) {
    throw fileProblem(error, file) ?? error;
  }
  throw unusable(
    `${file} is neither a file nor a folder. To import what a program writes: … | lore import -`,
  );
}

/**
 * Returns the format that a file seems to have. A pipe is read as JSON lines.
 *
 * @throws Problem (400) for Markdown that no agent keeps its memory in: a README would become a dozen notes
 */
function formatOf(file: string): Format {
  if (file === '-') return 'jsonl';
  if (statSync(file).isDirectory()) return listedIn(file) ? 'folder' : 'claude-memory';
  if (file.endsWith('.md')) {
    if (isClaudeMemory(file)) return 'claude-memory';
    throw unusable(
      `${file} is no memory file of an agent. To keep each of its sections as a note: --format claude-memory`,
    );
  }
  const head = Buffer.alloc(4096);
  const handle = openSync(file, 'r');
  const length = readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  // an export of claude-mem is one object over several lines, and JSON lines never begin like that
  const text = head.toString('utf8', 0, length).replace(/^\ufeff/, '');
  return isSqlite(head) || /^\s*(?:\{\s*\n|\{"exportedAt")/.test(text) ? 'claude-mem' : 'jsonl';
}

async function itemsOf(
  { io }: Cli,
  file: string,
  format: Format,
): Promise<AsyncIterable<Item> | Iterable<Item>> {
  if (format === 'claude-mem') return readClaudeMem(file, await bytesOf(io, file));
  if (format === 'claude-memory') return readClaudeMemory(file);
  return format === 'folder' ? readExport(file) : readJsonl(file === '-' ? io.stdin : createReadStream(file));
}

/** Reads the folder of an export. */
async function* readExport(folder: string): AsyncGenerator<Item> {
  for (const { path } of listedIn(folder) ?? [])
    for await (const item of readJsonl(createReadStream(join(folder, path))))
      yield { ...item, where: `${path} ${item.where}` };
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
    else yield isExported(value) ? { where, record: value } : { where, note: noteOf(value) };
  }
}

/** The fields of a note, each with the names that other programs give it. The first name that is present counts. */
const FIELDS: Record<string, string[]> = {
  content: ['content', 'text', 'body', 'message', 'note', 'memory'],
  createdAt: ['createdAt', 'created_at', 'timestamp', 'date', 'time', 'created_at_epoch'],
  project: ['project'],
  channel: ['channel'],
  agent: ['agent', 'sender', 'author', 'speaker'],
  senderProject: ['senderProject', 'sender_project'],
  confidence: ['confidence'],
  messageType: ['messageType', 'message_type'],
  conversation: ['conversation'],
  mentions: ['mentions'],
  key: ['key'],
  supersedes: ['supersedes'],
};

/** Returns a line's object as a note. Fields that a note does not have go into its metadata. */
function noteOf(value: Record<string, unknown>): RawNote {
  const note: RawNote = {};
  const taken = new Set(['metadata']);
  for (const [field, names] of Object.entries(FIELDS)) {
    const name = names.find((n) => value[n] !== undefined && value[n] !== null);
    if (name === undefined) continue;
    taken.add(name);
    note[field] = field === 'createdAt' ? instantOf(value[name]) : value[name];
  }
  const rest = Object.entries(value).filter(([name, item]) => !taken.has(name) && item !== null);
  const given = value.metadata ?? {};
  note.metadata = isObject(given) ? { ...Object.fromEntries(rest), ...given } : given;
  return note;
}

/** Returns the note with its project and its import key. */
function placed(
  note: RawNote,
  about: { format: Format; wanted: string | undefined; projects: Project[]; file: string },
): { note: RawNote } | { problem: string } {
  const { format, wanted, projects, file } = about;
  // other programs name a project by the last part of its folder, so the project that a person named counts more
  const named = format === 'jsonl' ? (note.project ?? wanted) : (wanted ?? note.project);
  const { createdAt, ...rest } = note;
  // a memory file has one time for all its notes, and an edit of any note changes it
  const content = format === 'claude-memory' ? rest : { ...rest, createdAt };
  const project = named ?? (format === 'claude-memory' ? projectOfFolder(file, projects) : undefined);
  if (project === undefined) return { problem: 'names no project: say which with --project' };
  const hash = createHash('sha256').update(JSON.stringify(sorted({ ...content, project })));
  const key = note.key ?? `import:${hash.digest('hex')}`;
  const fits = projects.filter(({ name, roots }) =>
    [name, ...roots].some((place) => place === project || place.endsWith(`/${project}`)),
  );
  const isNamed = format === 'claude-mem' && wanted === undefined && fits.length === 1;
  return { note: { ...note, project: isNamed ? fits[0]?.name : project, key } };
}

/** Returns the value with the fields of each object sorted, and without undefined ones. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, item]) => [k, sorted(item)]),
  );
}

/**
 * Returns the project around a memory file. Inside Claude Code's own folder it is unknown: that folder's name is lossy.
 */
function projectOfFolder(file: string, projects: Project[]): string | undefined {
  let folder = statSync(file).isDirectory() ? file : dirname(file);
  if (/[/\\]\.claude[/\\]projects(?:[/\\]|$)/.test(folder)) return undefined;
  while (/^(?:rules|\.claude)$/.test(basename(folder))) folder = dirname(folder);
  return projects.find((p) => p.roots.includes(folder))?.name ?? folder;
}

async function send({ call }: Cli, batch: Item[], counts: Counts): Promise<void> {
  for (const item of batch)
    if ('problem' in item) counts.failed.push({ where: item.where, reason: item.problem });
  await sendPart(
    batch.filter((item) => 'note' in item),
    counts,
    async (items) => {
      // the server says what is wrong with them
      const body = items.map((item) => item.note) as NewNote[];
      const { notes } = having('notes', await call('POST /v1/notes', { body }));
      const created = notes.filter((note) => note.created).length;
      counts.imported += created;
      counts.skipped += notes.length - created;
    },
  );
  await sendPart(
    batch.filter((item) => 'record' in item),
    counts,
    async (items) => {
      const body = { records: items.map((item) => item.record) };
      const { imported, skipped, failed } = await call('POST /v1/import', { body });
      counts.imported += imported;
      counts.skipped += skipped;
      for (const { line, reason } of failed)
        counts.failed.push({ where: (items[line - 1] as Item).where, reason });
    },
  );
}

/**
 * Sends items. If the server refuses them, sends them again without the ones that it names, or in halves until the
 * faulty one is found.
 *
 * @throws Problem if the items are not at fault: no server, no key, an error in the server
 */
async function sendPart<I extends Item>(items: I[], counts: Counts, post: (items: I[]) => Promise<void>) {
  if (items.length === 0) return;
  try {
    await post(items);
  } catch (error) {
    if (!(error instanceof Problem && [400, 413].includes(error.status))) throw error;
    const reasons = new Map<number, string[]>();
    for (const { field, message } of error.errors ?? []) {
      const [, index, name] = /^(\d+)(?:\.(.*))?$/.exec(field) ?? [];
      const said = name === undefined ? message : `${name}: ${message}`;
      if (index !== undefined) reasons.set(Number(index), [...(reasons.get(Number(index)) ?? []), said]);
    }
    if (reasons.size === 0 && items.length === 1) reasons.set(0, [error.detail]);
    for (const [i, said] of reasons)
      counts.failed.push({ where: (items[i] as I).where, reason: said.join('; ') });
    const rest = items.filter((_, i) => !reasons.has(i));
    const half = reasons.size > 0 ? rest.length : Math.ceil(rest.length / 2);
    await sendPart(rest.slice(0, half), counts, post);
    await sendPart(rest.slice(half), counts, post);
  }
}
