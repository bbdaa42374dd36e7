/** A note as `POST /v1/notes` takes it, not yet checked. */
export type RawNote = Record<string, unknown>;

/** One thing to import, and where it stands in its source, for messages. */
export type Item = { where: string } & (
  | { note: RawNote }
  /** a record of an export, restored as it was */
  | { record: Record<string, unknown> }
  | { problem: string }
);

/** What an importer reads: items, and how far it has come. */
export type Source = {
  items: AsyncIterable<Item>;
  /** unknown for a pipe */
  total: number | null;
  done(): number;
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An instant as other programs write it, as ISO 8601: seconds or milliseconds since 1970, ISO 8601 with or without an
 * offset (then UTC). What is none comes back as it is, for the server to refuse.
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
