import { Problem } from '../errors/problem.ts';

/** Returns an id, or the beginning of one, without the `lore:` that offers cite it with. */
export const withoutMark = (reference: string): string => reference.replace(/^lore:/, '').toLowerCase();

/**
 * Returns the beginning of an id as people and agents cite it (`1a2b3c4d`, `lore:1a2b3c4d`, a whole id), or null if it
 * is none.
 */
export function idPrefix(reference: string): string | null {
  const prefix = withoutMark(reference);
  return /^[0-9a-f]{8}(-[0-9a-f-]{0,27}|)$/.test(prefix) ? prefix : null;
}

/**
 * Returns the one record that a reference means.
 *
 * @param what its name, such as `note`
 * @throws Problem (404) when there is none, (409) when there are several
 */
export function theOne<T>(found: T[], what: string, reference: string): T {
  const [one, ...others] = found;
  if (one === undefined) {
    throw new Problem({
      status: 404,
      title: `${what.charAt(0).toUpperCase()}${what.slice(1)} not found`,
      detail: `You have no ${what} ${reference}.`,
    });
  }
  if (others.length === 0) return one;
  throw new Problem({
    status: 409,
    title: 'Ambiguous id',
    detail: `Several ${what}s begin with ${reference}.`,
  });
}
