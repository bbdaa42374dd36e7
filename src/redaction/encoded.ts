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
/** Which ASCII characters those are, by their code. */
const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w+/-]/.test(String.fromCharCode(code))),
);

/**
 * Yields the runs of Base64 in a text. The pattern alone would try each character of each word anew, which took half
 * of the time of redacting a text without secrets.
 */
function* runsIn(view: string): Generator<RegExpExecArray> {
  for (let at = 0; at < view.length; ) {
    let end = at;
    while (end - at < MIN_RUN && IN_RUN[view.charCodeAt(end)] === 1) end++;
    const match = end - at < MIN_RUN ? null : run(RUN, view, at);
    if (match) yield match;
    at = match ? match.index + match[0].length : end + 1;
  }
}

/**
 * Returns a finder of Base64 (also of its URL form, and of UTF-16 as PowerShell encodes commands) whose decoding
 * contains what `find` reports. Images, hashes and other binary data are not searched.
 */
export const encoded =
  (find: (view: string, report: Report) => void) =>
  (view: string, report: Report): void => {
    for (const { index, 0: base64 } of runsIn(view)) {
      const text = decode(base64);
      if (text === '') continue;
      let found = false;
      find(text, () => {
        found = true;
      });
      if (found) report(index, index + base64.length, 'base64');
    }
  };

/** Returns the text that was encoded; an empty text if the content is not text. */
function decode(encoded: string): string {
  if (!isText(toBytes(encoded.slice(0, MIN_RUN)))) return '';
  const base64 = encoded.replace(/\s+/g, '').replace(/=+$/, '');
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
