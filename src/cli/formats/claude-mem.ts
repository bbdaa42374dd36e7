import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { isObject, objectIn } from '../../text/json.ts';
import { type Item, instantOf, type RawNote } from './item.ts';

// Reads observations and session summaries of claude-mem. It keeps them in SQLite (~/.claude-mem/claude-mem.db), and
// its export script writes the same rows as one JSON object. Its versions have different columns, so all are optional
// here.

type Row = Record<string, unknown>;
type Rows = { observations?: unknown; summaries?: unknown };

const FIRST_BYTES = Buffer.from('SQLite format 3\0');

export const isSqlite = (head: Buffer): boolean => head.subarray(0, FIRST_BYTES.length).equals(FIRST_BYTES);

/** Reads a database or JSON export of claude-mem. @throws Problem if the file is neither */
export async function readClaudeMem(file: string, bytes: Buffer): Promise<Item[]> {
  const rows: Rows | null = isSqlite(bytes) ? await rowsOfDatabase(file) : objectIn(bytes.toString());
  if (!Array.isArray(rows?.observations) && !Array.isArray(rows?.summaries))
    throw new Problem({
      status: 400,
      title: 'Not a claude-mem file',
      detail: `${file} is neither a database of claude-mem nor its JSON export.`,
    });
  const itemsOf = (name: string, list: unknown, noteOf: (row: Row) => RawNote) =>
    (Array.isArray(list) ? list : []).map((row, i): Item => {
      const where = `${name} ${isObject(row) && row.id !== undefined ? row.id : i + 1}`;
      return isObject(row) ? { where, note: noteOf(row) } : { where, problem: 'is not an object' };
    });
  return [
    ...itemsOf('observation', rows.observations, noteOfObservation),
    ...itemsOf('summary', rows.summaries, noteOfSummary),
  ];
}

/**
 * Returns the rows of a copy of the database. Even reading a write-ahead log changes the files, and claude-mem may be
 * running.
 */
async function rowsOfDatabase(file: string): Promise<Rows> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const folder = mkdtempSync(join(tmpdir(), 'lore-import-'));
  try {
    const copy = join(folder, 'copy.db');
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    const db = new sqlite.Database(copy);
    try {
      // a write-ahead log needs shared memory, unless the file is locked exclusively
      db.exec('pragma locking_mode = exclusive');
      const tables = db.all("select name from sqlite_master where type = 'table'").map((row) => row.name);
      const all = (table: string) =>
        tables.includes(table) ? db.all(`select * from ${table} order by created_at_epoch, id`) : undefined;
      return { observations: all('observations'), summaries: all('session_summaries') };
    } finally {
      db.close();
    }
  } catch (cause) {
    const detail = `${file}: ${cause instanceof Error ? cause.message : String(cause)}.`;
    throw new Problem({ status: 400, title: 'Database cannot be read', detail, cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function noteOfObservation(row: Row): RawNote {
  const parts = [
    [textOf(row.title), textOf(row.subtitle)].filter(Boolean).join('\n'),
    textOf(row.narrative) || textOf(row.text),
    listOf(row.facts)
      .map((fact) => `- ${fact}`)
      .join('\n'),
  ];
  return {
    ...common(row),
    content: parts.filter(Boolean).join('\n\n'),
    messageType: row.type === 'decision' ? 'decision' : 'reflection',
    metadata: {
      ...metadataOf('observation', row, row.files_modified),
      ...some('concepts', listOf(row.concepts)),
      ...(textOf(row.type) && { type: row.type }),
    },
  };
}

const SUMMARY_PARTS = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'];

function noteOfSummary(row: Row): RawNote {
  const parts = SUMMARY_PARTS.flatMap((column) => {
    const [said, label] = [textOf(row[column]), column.replace('_', ' ')];
    return said ? [`${label[0]?.toUpperCase()}${label.slice(1)}: ${said}`] : [];
  });
  return {
    ...common(row),
    content: parts.join('\n'),
    messageType: 'reflection',
    metadata: metadataOf('summary', row, row.files_edited),
  };
}

function common(row: Row): RawNote {
  const project = textOf(row.merged_into_project) || textOf(row.project);
  const session = textOf(row.memory_session_id) || textOf(row.sdk_session_id);
  return {
    ...(project && { project }),
    ...(session && { conversation: session }),
    agent: 'claude-mem',
    createdAt: instantOf(row.created_at_epoch ?? row.created_at) ?? undefined,
  };
}

const metadataOf = (kind: string, row: Row, files: unknown) => ({
  ...{ imported_from: 'claude-mem', kind },
  ...(typeof row.prompt_number === 'number' && { prompt_number: row.prompt_number }),
  ...(listOf(files).length > 0 && { breadcrumbs: { modified_files: listOf(files) } }),
  ...some('files_read', listOf(row.files_read)),
});

const some = (name: string, list: string[]) => (list.length > 0 ? { [name]: list } : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Returns a list of texts. The value is a list, the JSON text of a list, or a text with one item per line. */
function listOf(value: unknown): string[] {
  let list = value;
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value);
    } catch {
      list = value.split('\n');
    }
  }
  return (Array.isArray(list) ? list : []).filter((item) => typeof item === 'string' && item.trim() !== '');
}
