import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fitting } from '../../notes/metadata.ts';
import { isObject } from '../../text/json.ts';
import { isExported } from '../../transfer/transfer.ts';
import { type Item, instantOf, type RawNote, type Source } from './item.ts';

/** The fields of a note, each with the names that other programs give it. The first name that is present counts. */
const NAMES: Record<string, string[]> = {
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

/** Most bytes of a line. The server takes 1 MB for a record; a line without an end would fill the memory. */
const MAX_LINE = 32 * 1024 * 1024;

/** Reads JSON lines from a file, or from standard input (`-`). */
export function readJsonl(file: string, stdin?: Readable): Source {
  let bytes = 0;
  async function* items(): AsyncGenerator<Item> {
    const stream = stdin !== undefined && file === '-' ? stdin : createReadStream(file);
    const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
    let unended = 0;
    stream.on('data', (chunk: string | Buffer) => {
      const size = Buffer.byteLength(chunk);
      bytes += size;
      const end = chunk.lastIndexOf('\n');
      unended = end < 0 ? unended + size : size - end - 1;
      if (unended <= MAX_LINE) return;
      lines.close();
      stream.destroy();
    });
    let number = 0;
    for await (const line of lines) {
      if (unended > MAX_LINE && line.length > MAX_LINE / 4) break;
      number += 1;
      const text = number === 1 ? line.replace(/^\ufeff/, '') : line;
      if (text.trim() !== '') yield itemOf(text, `line ${number}`);
    }
    if (unended > MAX_LINE)
      yield { where: `line ${number + 1}`, problem: 'is longer than 32 MB; reading ended there' };
  }
  return { items: items(), total: file === '-' ? null : statSync(file).size, done: () => bytes };
}

function itemOf(line: string, where: string): Item {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { where, problem: 'is not JSON' };
  }
  if (!isObject(value)) return { where, problem: 'is not a JSON object' };
  return isExported(value) ? { where, record: value } : { where, note: noteOf(value) };
}

/** Returns a line's object as a note. Fields that a note does not have go into its metadata. */
function noteOf(value: Record<string, unknown>): RawNote {
  const note: RawNote = {};
  const taken = new Set(['metadata']);
  for (const [field, names] of Object.entries(NAMES)) {
    const name = names.find((n) => value[n] !== undefined && value[n] !== null);
    if (name === undefined) continue;
    taken.add(name);
    note[field] = field === 'createdAt' ? instantOf(value[name]) : value[name];
  }
  const rest = Object.entries(value).filter(([name, item]) => !taken.has(name) && item !== null);
  const given = value.metadata ?? {};
  note.metadata = isObject(given) ? fitting({ ...Object.fromEntries(rest), ...given }) : given;
  return note;
}
