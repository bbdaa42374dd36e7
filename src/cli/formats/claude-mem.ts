import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { isObject } from '../../text/json.ts';
import { type Item, instantOf, type RawNote, type Source } from './item.ts';

// Reads observations and session summaries of claude-mem. It keeps them in SQLite (~/.claude-mem/claude-mem.db), and
// its export script writes the same rows as one JSON object. Its versions have different columns, so all are optional
// here.

type Row = Record<string, unknown>;

const FIRST_BYTES = Buffer.from('SQLite format 3\0');

export const isSqlite = (head: Buffer): boolean => head.subarray(0, FIRST_BYTES.length).equals(FIRST_BYTES);

/** Reads a database or JSON export of claude-mem. @throws Problem if the file is neither */
export async function readClaudeMem(file: string, bytes: Buffer): Promise<Source> {
  if (isSqlite(bytes)) return source(await rowsOfDatabase(file));
  let data: unknown;
  try {
    data = JSON.parse(bytes.toString());
  } catch {
    throw notOne(file);
  }
  const observations = isObject(data) ? data.observations : undefined;
  const summaries = isObject(data) ? data.summaries : undefined;
  if (!Array.isArray(observations) && !Array.isArray(summaries)) throw notOne(file);
  return source({
    observations: Array.isArray(observations) ? observations : [],
    summaries: Array.isArray(summaries) ? summaries : [],
  });
}

const notOne = (file: string) =>
  new Problem({
    status: 400,
    title: 'Not a claude-mem file',
    detail: `${file} is neither a database of claude-mem nor its JSON export.`,
  });

function source({ observations, summaries }: { observations: unknown[]; summaries: unknown[] }): Source {
  let done = 0;
  async function* items(): AsyncGenerator<Item> {
    const lists: [string, unknown[], (row: Row) => RawNote][] = [
      ['observation', observations, noteOfObservation],
      ['summary', summaries, noteOfSummary],
    ];
    for (const [name, rows, noteOf] of lists) {
      for (const [i, row] of rows.entries()) {
        done += 1;
        const where = `${name} ${isObject(row) && row.id !== undefined ? row.id : i + 1}`;
        yield isObject(row) ? { where, note: noteOf(row) } : { where, problem: 'is not an object' };
      }
    }
  }
  return { items: items(), total: observations.length + summaries.length, done: () => done };
}

/**
 * Returns the rows of a copy of the database. Even reading a write-ahead log changes the files, and claude-mem may be
 * running.
 */
async function rowsOfDatabase(file: string) {
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
      if (!tables.includes('observations') && !tables.includes('session_summaries')) throw notOne(file);
      const all = (table: string) =>
        tables.includes(table) ? db.all(`select * from ${table} order by created_at_epoch, id`) : [];
      return { observations: all('observations'), summaries: all('session_summaries') };
    } finally {
      db.close();
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem({
      status: 400,
      title: 'Database cannot be read',
      detail: `${file}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function noteOfObservation(row: Row): RawNote {
  const facts = listOf(row.facts).map((fact) => `- ${fact}`);
  const parts = [
    [textOf(row.title), textOf(row.subtitle)].filter(Boolean).join('\n'),
    textOf(row.narrative) || textOf(row.text),
    facts.join('\n'),
  ];
  return {
    ...common(row),
    content: parts.filter(Boolean).join('\n\n'),
    messageType: row.type === 'decision' ? 'decision' : 'reflection',
    metadata: {
      ...origin('observation', row),
      ...breadcrumbs(row.files_modified),
      ...some('files_read', listOf(row.files_read)),
      ...some('concepts', listOf(row.concepts)),
      ...(textOf(row.type) && { type: row.type }),
    },
  };
}

const SUMMARY_PARTS: [column: string, label: string][] = [
  ['request', 'Request'],
  ['investigated', 'Investigated'],
  ['learned', 'Learned'],
  ['completed', 'Completed'],
  ['next_steps', 'Next steps'],
  ['notes', 'Notes'],
];

function noteOfSummary(row: Row): RawNote {
  const parts = SUMMARY_PARTS.map(([column, label]) => {
    const said = textOf(row[column]);
    return said && `${label}: ${said}`;
  });
  return {
    ...common(row),
    content: parts.filter(Boolean).join('\n'),
    messageType: 'reflection',
    metadata: {
      ...origin('summary', row),
      ...breadcrumbs(row.files_edited),
      ...some('files_read', listOf(row.files_read)),
    },
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

const origin = (kind: string, row: Row) => ({
  imported_from: 'claude-mem',
  kind,
  ...(typeof row.prompt_number === 'number' && { prompt_number: row.prompt_number }),
});

const breadcrumbs = (files: unknown) => {
  const modified = listOf(files);
  return modified.length > 0 ? { breadcrumbs: { modified_files: modified } } : {};
};

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
  if (!Array.isArray(list)) return [];
  return list.filter((item) => typeof item === 'string' && item.trim() !== '');
}
