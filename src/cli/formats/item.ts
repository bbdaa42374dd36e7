/** A note for `POST /v1/notes` that is not checked yet. */
export type RawNote = Record<string, unknown>;

/** One thing to import: a note, a record of an export, or what is wrong. `where` is its place in the source. */
export type Item = { where: string } & ({ note: RawNote } | { record: RawNote } | { problem: string });

/**
 * Returns an instant as ISO 8601. Other programs write seconds or milliseconds since 1970, or ISO 8601 with or without
 * an offset; without one it is UTC. A value that is no instant is returned as it is, for the server to refuse.
 */
export function instantOf(value: unknown): unknown {
  const number = typeof value === 'number' || /^\d{9,13}$/.test(String(value)) ? Number(value) : null;
  const text = String(value)
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  const known = /^\d{4}-\d\d-\d\d$/.test(text) || /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
  const at = new Date(
    number === null ? `${text}${known ? '' : 'Z'}` : number < 1e11 ? number * 1000 : number,
  );
  return Number.isNaN(at.getTime()) ? value : at.toISOString();
}
