// Secrets in Base64: a run is redacted if its decoding contains a secret.
import { type Report, run } from './scan.ts';

// A run over several lines, as `base64` and `openssl` write it: full lines, then a last one. Or a run on one line.
const FULL_LINE = '[A-Za-z0-9+/]{60,}';
const LINE_BREAK = '[ \\r]{0,2}[\\n\\v][ \\t]{0,16}';
const RUN = new RegExp(
  `${FULL_LINE}(?:${LINE_BREAK}${FULL_LINE})*(?:${LINE_BREAK}[A-Za-z0-9+/]{2,59})?={0,2}|[\\w+/-]{20,}={0,2}`,
  'y',
);
/** Every run begins with this many characters of Base64. */
const MIN_RUN = 20;
/** Which ASCII characters those are. The pattern alone would try each character of each word anew. */
const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) => +/[\w+/-]/.test(String.fromCharCode(code)));
/** How a text begins. */
const TEXT = /^[\t\n\r\x20-\x7e]{7}/;

/**
 * Returns a finder of Base64 (also of its URL form, and of UTF-16 as PowerShell encodes commands) whose decoding
 * contains what `find` reports. Images, hashes and other binary data are not searched.
 */
export const encoded =
  (find: (view: string, report: Report) => void) =>
  (view: string, report: Report): void => {
    for (let at = 0, end = 0; at < view.length; at = end + 1) {
      for (end = at; end - at < MIN_RUN && IN_RUN[view.charCodeAt(end)]; ) end++;
      if (end - at < MIN_RUN) continue;
      const base64 = run(RUN, view, at)?.[0] ?? '';
      end = at + base64.length;
      let found = false;
      if (TEXT.test(decoded(base64.slice(0, MIN_RUN))))
        find(decoded(base64), () => {
          found = true;
        });
      if (found) report(at, end, 'base64');
    }
  };

function decoded(base64: string): string {
  const signs = base64
    .replace(/[\s=]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  try {
    const bytes = atob(signs.slice(0, signs.length - (signs.length % 4 === 1 ? 1 : 0)));
    return bytes.charAt(1) === '\0' ? bytes.replaceAll('\0', '') : bytes;
  } catch {
    return '';
  }
}
