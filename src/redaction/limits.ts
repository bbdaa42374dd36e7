// How much of a value is kept, so that no body takes long to redact or fills the database.

/** Most that is kept of a value, counted as `sizeOf` does. */
export const MAX_TOTAL = 1_000_000;
const MAX_DEPTH = 64;
/** What each value counts besides its text. */
const VALUE = 64;
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
  for (const key in value) {
    size += Array.isArray(value) ? 0 : Math.min(key.length, maxString);
    size += sizeOf(value[key as keyof typeof value], maxString, limit - size, depth + 1);
    if (size > limit) break;
  }
  return size;
}

/** Returns the value; if it is larger than `maxTotal`, with what goes beyond cut out, and a note where that was. */
export function fitted(value: unknown, maxString: number, maxTotal = MAX_TOTAL): unknown {
  if (sizeOf(value, maxString, maxTotal) <= maxTotal) return value;
  let left = maxTotal;

  function keep(item: unknown, depth: number): unknown {
    if (typeof item === 'string') {
      left -= VALUE + Math.min(item.length, maxString);
      return left < 0 ? cutMark(item.length, 'characters') : item;
    }
    left -= VALUE;
    if (typeof item !== 'object' || item === null || depth > MAX_DEPTH) return item;
    const list = Array.isArray(item);
    const entries = Object.entries(item);
    const isSmall = ([, part]: [string, unknown]) => sizeOf(part, maxString, SMALL) <= SMALL;
    const order = list ? entries : [...entries.filter(isSmall), ...entries.filter((one) => !isSmall(one))];
    const kept = new Map<string, unknown>();
    for (const [key, part] of order) {
      if (left < 0) break;
      left -= list ? 0 : Math.min(key.length, maxString);
      kept.set(key, keep(part, depth + 1));
    }
    const cut = entries.length - kept.size;
    const result = entries.filter(([key]) => kept.has(key)).map(([key]) => [key, kept.get(key)] as const);
    if (cut > 0) result.push(['…', cutMark(cut, list ? 'items' : 'entries')]);
    return list ? result.map(([, part]) => part) : Object.fromEntries(result);
  }

  return keep(value, 0);
}

/** Returns the note that stands where something was cut. */
export const cutMark = (count: number, what: string) => `… [${count} ${what} cut] …`;
