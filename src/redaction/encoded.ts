// Secrets in Base64: a run is redacted if its decoding contains a secret.
import { matches, type Report } from './scan.ts';

// A run over several lines, as `base64` and `openssl` write it: full lines, then a last one.
const FULL_LINE = '[A-Za-z0-9+/]{60,}';
const LINE_BREAK = '[ \\r]{0,2}[\\n\\v][ \\t]{0,16}';
const RUN = new RegExp(
  `${FULL_LINE}(?:${LINE_BREAK}${FULL_LINE})*(?:${LINE_BREAK}[A-Za-z0-9+/]{2,59})?={0,2}|[\\w+/-]{20,}={0,2}`,
  'g',
);

/**
 * Returns a finder of Base64 (also of its URL form, and of UTF-16 as PowerShell encodes commands) whose decoding
 * contains what `find` reports. Images, hashes and other binary data are not searched.
 */
export const encoded =
  (find: (view: string, report: Report) => void) =>
  (view: string, report: Report): void => {
    for (const { index, 0: run } of matches(RUN, view)) {
      const text = decode(run);
      if (text === '') continue;
      let found = false;
      find(text, () => {
        found = true;
      });
      if (found) report(index, index + run.length, 'base64');
    }
  };

/** Returns the text that was encoded; an empty text if it was none. */
function decode(run: string): string {
  if (!isText(toBytes(run.slice(0, 20)))) return '';
  const base64 = run.replace(/\s+/g, '').replace(/=+$/, '');
  const bytes = toBytes(base64.slice(0, base64.length - (base64.length % 4 === 1 ? 1 : 0)));
  return bytes.charAt(1) === '\0' ? bytes.replaceAll('\0', '') : bytes;
}

function toBytes(base64: string): string {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Returns whether the bytes begin a text of at least 12 characters, in one byte or two each. */
function isText(bytes: string): boolean {
  return /^(?:[\t\n\r\x20-\x7e]{12}|(?:[\t\n\r\x20-\x7e]\0){6})/.test(bytes);
}
