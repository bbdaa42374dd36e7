// Secrets in Base64: a run is redacted if its decoding contains a secret.
import { Buffer } from 'node:buffer';
import { matches, type Report } from './scan.ts';

// A run over several lines, as `base64` and `openssl` write it: full lines, then a last one. Or a run on one line.
const FULL_LINE = '[A-Za-z0-9+/]{60,}';
const LINE_BREAK = '[ \\r]{0,2}[\\n\\v][ \\t]{0,16}';
const RUN = new RegExp(
  `(?<![\\w+/-])(?:${FULL_LINE}(?:${LINE_BREAK}${FULL_LINE})*(?:${LINE_BREAK}[A-Za-z0-9+/]{2,59})?={0,2}|[\\w+/-]{20,}={0,2})`,
  'g',
);
/** How a text begins. */
const TEXT = /^[\t\n\r\x20-\x7e]{7}/;

/**
 * Returns a finder of Base64 (also of its URL form, and of UTF-16 as PowerShell encodes commands) whose decoding
 * contains what `find` reports. Images, hashes and other binary data are not searched.
 */
export const encoded =
  (find: (view: string, report: Report) => void) =>
  (view: string, report: Report): void => {
    for (const { index, 0: base64 } of matches(RUN, view)) {
      let found = false;
      const note = () => (found = true);
      if (TEXT.test(decoded(base64.slice(0, 20)))) find(decoded(base64), note);
      if (found) report(index, index + base64.length, 'base64');
    }
  };

function decoded(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return text.charAt(1) === '\0' ? text.replaceAll('\0', '') : text;
}
