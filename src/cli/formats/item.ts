/** A note for `POST /v1/notes` that is not checked yet. */
export type RawNote = Record<string, unknown>;

/** One thing to import. `where` is its place in the source, for messages. */
export type Item = { where: string } & (
  | { note: RawNote }
  /** a record of an export, to be restored as it was */
  | { record: Record<string, unknown> }
  | { problem: string }
);

/** A source that an importer reads: its items, and how much of it has been read. */
export type Source = {
  items: AsyncIterable<Item>;
  /** size of the source; null for a pipe, where it is unknown */
  total: number | null;
  done(): number;
};

/**
 * Returns an instant as ISO 8601. Other programs write seconds or milliseconds since 1970, or ISO 8601 with or without
 * an offset; without one it is UTC. A value that is no instant is returned as it is, for the server to refuse.
 */
export function instantOf(value: unknown): unknown {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}$/.test(value))) {
    const number = Number(value);
    const at = new Date(number < 1e11 ? number * 1000 : number);
    return Number.isNaN(at.getTime()) ? value : at.toISOString();
  }
  if (typeof value !== 'string') return value;
  const text = value.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  const known = /^\d{4}-\d\d-\d\d$/.test(text) || /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
  const at = new Date(known ? text : `${text}Z`);
  return Number.isNaN(at.getTime()) ? value : at.toISOString();
}
