// Secrets that are known by what stands around them: in URLs, behind words such as `Bearer`, in files of their own form.
import { readJsonc } from '../base/text/jsonc.ts';
import { isReference } from './harmless-values.ts';
import places from './places.jsonc' with { type: 'text' };
import { matches, type Report } from './scan.ts';
import { looksRandom, randomPart } from './secret-names.ts';

const ACCEPT: Record<string, (value: string) => boolean> = {
  random: looksRandom,
  bearer: (value) => /\d/.test(value.slice(0, 300)) || value.length >= 40,
  basic: isBasicCredentials,
};
const PLACES = (readJsonc(places) as [kind: string, pattern: string, accept?: string, before?: string][]).map(
  ([kind, pattern, accept = '', before]) => ({
    kind: kind || undefined,
    pattern: new RegExp(pattern, 'dg'),
    accept: ACCEPT[accept],
    before: before === undefined ? undefined : new RegExp(before),
  }),
);

/** Reports secrets in URLs, and in the places of places.jsonc. */
export function findInPlaces(view: string, report: Report): void {
  findInUrls(view, report);
  for (const { kind, pattern, accept, before } of PLACES) {
    for (const { indices } of matches(pattern, view)) {
      const [start, end] = indices?.[1] ?? [0, 0];
      const value = view.slice(start, end);
      const lead = before?.exec(view.slice(Math.max(0, start - 90), start))?.[0].length ?? 0;
      if (!isReference(value) && accept?.(value) !== false) report(start - lead, end, kind);
    }
  }
}

// The password reaches to the last @ with a host behind it. Behind a host and port, an @ may be a part of the path.
const USERINFO =
  /:\/\/([^\s/?#@:"'<>[\]{}]{0,200}|\$\{\w{1,60}\}|\[redacted(?::[a-z-]{1,20})?\]):(?!(?:\d{1,5}|\$\{?\w{1,60}\}?|\*)(?:[/?#\s"'`,)]|$))((?:(?!:\/\/)[^\s"'<>`]){1,400})@(?!sha256:)(?=[\w.%-]{0,100}(?:\.|:\d|localhost)|[^\s"'<>`@]{0,400}(?:[\s"'<>`]|$))/g;
const HOST_THEN_PATH = /@(?:[\w-]{1,63}\.[\w.-]{1,200}|localhost)(?::\d{1,5})?[/?#]/;
// A token stands in the place of the user where a password is not wanted: `https://TOKEN@host`, `https://TOKEN:x@host`.
const TOKEN_AS_USER =
  /:\/\/((?=[\w.~-]{0,40}\d)(?=[\w.~-]{0,40}[A-Za-z])[\w~-]{16,200}(?=(?::[^\s"'<>`@/]{0,400})?@)|[\w.~%+-]{6,200}(?=:@))/g;
// The address of a webhook is its password: who knows it may send.
const HOOK = /https?:\/\/[^\s"'`<>\\]{0,300}?hook([^\s"'`<>\\,;)]{1,500})/gi;

function findInUrls(view: string, report: Report): void {
  for (const match of matches(USERINFO, view)) {
    const [, user = '', rest = ''] = match;
    const password = rest.slice(0, HOST_THEN_PATH.exec(rest)?.index);
    const start = match.index + 4 + user.length;
    if (password === 'x-oauth-basic') report(match.index + 3, start - 1);
    else if (!isReference(password)) report(start, start + password.length);
  }
  for (const { index, 1: user = '' } of matches(TOKEN_AS_USER, view))
    if (!isReference(user)) report(index + 3, index + 3 + user.length);
  for (const match of matches(HOOK, view)) {
    const rest = (match[1] ?? '').replace(/[.:]+$/, '');
    const end = match.index + match[0].length - (match[1] ?? '').length;
    const from = randomPart(rest);
    if (from >= 0) report(end + from, end + rest.length);
  }
}

function isBasicCredentials(value: string): boolean {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value.slice(0, 400)));
  } catch {
    return false;
  }
}
