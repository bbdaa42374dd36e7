import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../base/errors/problem.ts';
import { objectIn } from '../base/text/json.ts';
import type { Exported, NewNote } from '../base/wire/routes.ts';
import { having } from '../base/wire/wire.ts';
import { isExported } from '../kinds/transfer/transfer.ts';
import type { Cli, Define } from './commands.ts';
import { existingProject } from './here.ts';
import { fileProblem } from './io.ts';

// Takes a person's data away and brings it in: an export, or JSON lines of notes.

/** A note for `POST /v1/notes` that is not checked yet. */
type RawNote = Record<string, unknown>;
/** One thing to import: a note, a record of an export, or what is wrong. `where` is its place in the source. */
type Item = { where: string } & ({ note: RawNote } | { record: RawNote } | { problem: string });
type Counts = { imported: number; skipped: number; failed: { where: string; reason: string }[] };

const BATCH = 200;
/** Most bytes of one request: a fifth of what the server accepts. The embedded database needs half a second for it. */
const BATCH_BYTES = 200 * 1024;

/** Imports a file. Records that are already there stay as they are, so an interrupted import can be run again. */
const importFile: Define = (command, cli) =>
  command
    .argument('<file>', 'JSON lines: an export, or notes; - for standard input')
    .option('-p, --project <name>', 'the project of notes that name none')
    .action(async (given, { project }: { project?: string }) => {
      const { io } = cli;
      const file = given === '-' ? given : resolve(io.cwd, given);
      if (file !== '-' && !statSync(file).isFile())
        throw new Problem({ status: 400, title: 'Cannot use a file', detail: `${file} is no file.` });
      const counts: Counts = { imported: 0, skipped: 0, failed: [] };
      let [batch, bytes]: [Item[], number] = [[], 0];
      const flush = async () => {
        await send(cli, batch, counts);
        [batch, bytes] = [[], 0];
      };
      try {
        for await (const item of readJsonl(file === '-' ? io.stdin : createReadStream(file))) {
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
    });

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
 * Sends items. If the server refuses them, sends them again one by one.
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
      for (const item of items) await sendPart([item], counts, post);
      return;
    }
    const said = error.errors?.map(({ field, message }) => `${field.replace(/^0\.?/, '')}: ${message}`);
    counts.failed.push({ where: (items[0] as I).where, reason: said?.join('; ') ?? error.detail });
  }
}

/** Writes everything that the caller has as JSON lines. A file is written whole or not at all. */
const exportFile: Define = (command, cli) =>
  command
    .argument('[file]', 'where to; without it, standard output')
    .option('-p, --project <name>', 'only this project')
    .action(async (file: string | undefined, { project }) => {
      const { io, call } = cli;
      // a misspelled name must not look like an empty project
      if (project !== undefined) await existingProject(cli.config, project);
      let records = 0;
      async function* lines() {
        for (let after: string | null | undefined; after !== null; ) {
          const page: Exported = await call('GET /v1/export', { query: { project, after } });
          records += page.records.length;
          for (const record of page.records) yield `${JSON.stringify(record)}\n`;
          after = page.next;
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
        await pipeline(Readable.from(lines()), createWriteStream(partial, { mode: 0o600 }));
        renameSync(partial, path);
      } catch (error) {
        rmSync(partial, { force: true });
        throw fileProblem(error, file) ?? error;
      }
      io.answer({ records, file }, `${records} records in ${file}.`);
    });

export const commands = { import: importFile, export: exportFile };
