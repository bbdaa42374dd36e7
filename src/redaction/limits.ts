// How much of a value is kept, so that no body takes long to redact or fills the database.

/** Most that is kept of a value, counted as `sizeOf` does. */
export const MAX_TOTAL = 1_000_000;
const MAX_DEPTH = 64;
/** What each value counts besides its text. */
const VALUE = 64;
/** Most keys that are read of one object. */
const MAX_KEYS = 10_000;
/** Entries up to this size are kept first: what names an event stands beside its large parts. */
const SMALL = 4_096;

/**
 * Returns the number of UTF-16 units in the keys and strings of a JSON value, where a string counts at most
 * `maxString`, and 64 for each value. Stops counting above `limit`.
 */
export function sizeOf(value: unknown, maxString: number, limit: number, depth = 0): number {
  if (typeof value === 'string') return VALUE + Math.min(value.length, maxString);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return VALUE;
  let size = VALUE;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += sizeOf(item, maxString, limit - size, depth + 1);
      if (size > limit) break;
    }
    return size;
  }
  for (const key in value) {
    size += Math.min(key.length, maxString);
    size += sizeOf(value[key as keyof typeof value], maxString, limit - size, depth + 1);
    if (size > limit) break;
  }
  return size;
}

/** Returns the value with what goes beyond `MAX_TOTAL` cut out, and a note where something was cut. */
export function cutTotal(value: unknown, maxString: number): unknown {
  let left = MAX_TOTAL;

  function keep(item: unknown, depth: number): unknown {
    if (typeof item === 'string') {
      left -= VALUE + Math.min(item.length, maxString);
      return left < 0 ? cutMark(item.length, 'characters') : item;
    }
    left -= VALUE;
    if (typeof item !== 'object' || item === null || depth > MAX_DEPTH) return item;
    if (Array.isArray(item)) return keepItems(item, depth);
    const keys = Object.keys(item);
    const entries = keys
      .slice(0, MAX_KEYS)
      .map((key): [string, unknown] => [key, item[key as keyof typeof item]]);
    const kept = new Map<string, unknown>();
    const isSmall = ([, part]: [string, unknown]) => sizeOf(part, maxString, SMALL) <= SMALL;
    const inOrder = [...entries.filter(isSmall), ...entries.filter((entry) => !isSmall(entry))];
    for (const [key, part] of inOrder) {
      if (left < 0) break;
      left -= Math.min(key.length, maxString);
      kept.set(key, keep(part, depth + 1));
    }
    const result = entries.flatMap(([key]) => (kept.has(key) ? [[key, kept.get(key)]] : []));
    const cut = keys.length - kept.size;
    return Object.fromEntries(cut === 0 ? result : [...result, ['…', cutMark(cut, 'entries')]]);
  }

  function keepItems(items: unknown[], depth: number): unknown[] {
    const kept: unknown[] = [];
    for (const item of items) {
      if (left < 0) return [...kept, cutMark(items.length - kept.length, 'items')];
      kept.push(keep(item, depth + 1));
    }
    return kept;
  }

  return keep(value, 0);
}

/** Returns the note that stands where something was cut. */
export const cutMark = (count: number, what: string) => `… [${count} ${what} cut] …`;
