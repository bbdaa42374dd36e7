// Secrets that are known by what stands around them: in URLs, behind words such as `Bearer`, in files of their own form.
import { readJsonc } from '../base/text/jsonc.ts';
import { isReference } from './harmless-values.ts';
import places from './places.jsonc' with { type: 'text' };
import { matches, type Report } from './scan.ts';
import { looksRandom, randomPart } from './secret-names.ts';

/** Where the secret begins in a value; -1: it is none. */
const SECRET_FROM: Record<string, (value: string) => number> = {
  random: (value) => (looksRandom(value) ? 0 : -1),
  bearer: (value) => (/\d/.test(value.slice(0, 300)) || value.length >= 40 ? 0 : -1),
  basic: (value) => (isBasicCredentials(value) ? 0 : -1),
  hook: randomPart,
};
const PLACES = (readJsonc(places) as [kind: string, pattern: string, accept?: string, before?: string][]).map(
  ([kind, pattern, accept = '', before = '$']) => ({
    kind: kind || undefined,
    pattern: new RegExp(pattern, 'dg'),
    secretFrom: SECRET_FROM[accept],
    before: new RegExp(before),
  }),
);

/** Reports secrets in the places of places.jsonc. */
export function findInPlaces(view: string, report: Report): void {
  for (const { kind, pattern, secretFrom, before } of PLACES) {
    for (const { indices } of matches(pattern, view)) {
      const [start, end] = indices?.[1] ?? [0, 0];
      const value = view.slice(start, end);
      const lead = before.exec(view.slice(Math.max(0, start - 90), start))?.[0].length ?? 0;
      const from = isReference(value) ? -1 : (secretFrom?.(value) ?? 0);
      if (from >= 0) report(start + from - lead, end, kind);
    }
  }
}

function isBasicCredentials(value: string): boolean {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value.slice(0, 400)));
  } catch {
    return false;
  }
}
