// Secrets in URLs and on command lines, and values behind words such as `Bearer` or `IDENTIFIED BY`.
import { findInCommands } from './command-passwords.ts';
import { isReference } from './harmless-values.ts';
import { matches, type Report } from './scan.ts';
import { looksRandom, randomPart } from './secret-names.ts';

/** Reports secrets in URLs, in arguments of commands, in pipes to a login, and after words such as `Bearer`. */
export function findInUrlsAndCommands(view: string, report: Report): void {
  findInUrls(view, report);
  findInCommands(view, report);
  findWebhooks(view, report);
  findUnnamed(view, report);
}

// The password reaches to the last @ with a host behind it. Behind a host and port, an @ may be a part of the path.
const USERINFO =
  /:\/\/([^\s/?#@:"'<>[\]{}]{0,200}|\$\{\w{1,60}\}|\[redacted(?::[a-z-]{1,20})?\]):(?!(?:\d{1,5}|\$\{?\w{1,60}\}?|\*)(?:[/?#\s"'`,)]|$))((?:(?!:\/\/)[^\s"'<>`]){1,400})@(?!sha256:)(?=[\w.%-]{0,100}(?:\.|:\d|localhost)|[^\s"'<>`@]{0,400}(?:[\s"'<>`]|$))/g;
const HOST_THEN_PATH = /@(?:[\w-]{1,63}\.[\w.-]{1,200}|localhost)(?::\d{1,5})?[/?#]/;
// A token stands in the place of the user where a password is not wanted: `https://TOKEN@host`, `https://TOKEN:x@host`.
const TOKEN_AS_USER =
  /:\/\/(?=[\w.~-]{0,40}\d)(?=[\w.~-]{0,40}[A-Za-z])([\w~-]{16,200})(?::[^\s"'<>`@/]{0,400})?@/g;
const USER_WITHOUT_PASSWORD = /:\/\/([\w.~%+-]{6,200}):@/g;

function findInUrls(view: string, report: Report): void {
  for (const match of matches(USERINFO, view)) {
    const [, user = '', rest = ''] = match;
    const password = rest.slice(0, HOST_THEN_PATH.exec(rest)?.index);
    const start = match.index + 4 + user.length;
    if (password === 'x-oauth-basic') report(match.index + 3, start - 1);
    else if (!isReference(password)) report(start, start + password.length);
  }
  for (const pattern of [TOKEN_AS_USER, USER_WITHOUT_PASSWORD]) {
    for (const match of matches(pattern, view)) {
      const user = match[1] ?? '';
      if (!isReference(user)) report(match.index + 3, match.index + 3 + user.length);
    }
  }
}

// Each pattern begins with letters, and has only one case where the word is always written that way. Such patterns
// are found fastest.
const UNNAMED: [pattern: RegExp, accept?: (value: string) => boolean][] = [
  [
    /[?&](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=([^\s&#"'<>]{8,})/gi,
  ],
  [/[?&](?:amp;)?auth=([^\s&#"'<>]{16,})/g, looksRandom],
  [/machine\s{1,9}\S{1,200}\s{1,9}(?:(?:login|account)\s{1,9}\S{1,200}\s{1,9}){0,2}password\s{1,9}(\S+)/g],
  [/(?:IDENTIFIED|identified)\s{1,9}(?:(?:WITH|with)\s{1,9}\S{1,60}\s{1,9})?(?:BY|by)\s{1,9}["']([^"'\n]+)/g],
  [/[Bb]earer[ \t]{1,4}([\w.~+/=-]{16,})/g, (value) => /\d/.test(value.slice(0, 300)) || value.length >= 40],
  [/[Bb]asic[ \t]{1,4}([A-Za-z0-9+/]{6,}={0,2})/g, isBasicCredentials],
  [/auth\\{0,8}["']:[ \t]?\\{0,8}["']([A-Za-z0-9+/]{6,}={0,2})/g, isBasicCredentials],
];

// The address of a webhook is its password: who knows it may send.
const HOOK = /https?:\/\/[^\s"'`<>\\]{0,300}?hook([^\s"'`<>\\,;)]{1,500})/gi;

function findWebhooks(view: string, report: Report): void {
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

function findUnnamed(view: string, report: Report): void {
  for (const [pattern, accept] of UNNAMED) {
    for (const match of matches(pattern, view)) {
      const value = match[1] ?? '';
      if (isReference(value) || accept?.(value) === false) continue;
      const end = match.index + match[0].length;
      report(end - value.length, end);
    }
  }
}
