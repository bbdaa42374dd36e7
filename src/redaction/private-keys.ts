// Private key blocks: PEM, OpenSSH, PGP.
import { matches, type Report } from './scan.ts';

const KEY_BOUNDARY = /-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
// BEFORE_KEY is what a pager, a diff or a source file puts before a line of a key. KEY_PART and KEY_NOTE are the
// Base64 and the headers behind it.
const BEFORE_KEY = String.raw`\+?(?:[^A-Za-z0-9+/=\n\v(){}]|\d{1,6}(?![A-Za-z0-9+/=])){0,24}`;
const KEY_PART = String.raw`(?:(?:Proc-Type|DEK-Info|Hash|Charset): ?\S{1,200}|Version:(?: \S{1,15}(?!\S)){1,4}|[A-Za-z0-9+/=]{16,})`;
const KEY_NOTE = String.raw`(?:Version|Comment):[^\n\v]{0,200}`;
const KEY_LINE = new RegExp(
  `^${BEFORE_KEY}(?:${KEY_PART} {1,4})*(?:${KEY_PART}|${KEY_NOTE}|[A-Za-z0-9+/=]{1,15})?[^A-Za-z0-9]{0,12}$`,
);
const KEY_START = new RegExp(
  String.raw`^(?:[\s"'+>|#→:.,\\-]|\d{1,6}(?![A-Za-z0-9+/=])){0,60}(?:${KEY_PART}|${KEY_NOTE}|[A-Za-z0-9+/=]{1,15}$)`,
);
const LINE_BEGIN = new RegExp(`^${BEFORE_KEY}${KEY_PART}(?: {1,4}${KEY_PART})*`);
const LINE_END = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{16,}[^A-Za-z0-9]{0,12}$/;
const MAX_KEY_BLOCK = 20_000;

/** Reports private key blocks (PEM, OpenSSH, PGP), even if the first or the last line is missing. */
export function findPrivateKeys(view: string, report: Report): void {
  const marks = [...matches(KEY_BOUNDARY, view)];
  for (const [at, mark] of marks.entries()) {
    const start = mark.index;
    const end = start + mark[0].length;
    const next = marks[at + 1];
    if (mark[1] === 'BEGIN' && next?.[1] === 'END' && next.index - end < MAX_KEY_BLOCK) {
      // Code that merely mentions the two lines has no Base64 between them.
      if (/[A-Za-z0-9+/=]{16}/.test(view.slice(end, next.index)))
        report(start, next.index + next[0].length, 'pem');
    } else if (mark[1] === 'BEGIN') {
      const text = view.slice(end, Math.min(end + MAX_KEY_BLOCK, next?.index ?? view.length));
      if (KEY_START.test(text)) report(start, end + keyLength(text.split(/[\n\v]/), LINE_BEGIN), 'pem');
    } else if (marks[at - 1]?.[1] !== 'BEGIN') {
      const text = view.slice(Math.max(0, start - MAX_KEY_BLOCK, marks[at - 1]?.index ?? 0), start);
      const length = keyLength(text.split(/[\n\v]/).reverse(), LINE_END);
      if (/[A-Za-z0-9+/=]{16}/.test(text.slice(text.length - length))) report(start - length, end, 'pem');
    }
  }
}

/** Returns the length of the leading lines that belong to a key, plus what `cut` matches in the next line. */
function keyLength(lines: string[], cut: RegExp): number {
  let length = 0;
  for (const line of lines) {
    if (!KEY_LINE.test(line)) {
      const rest = cut.exec(line)?.[0].length ?? 0;
      return rest > 0 ? length + rest : Math.max(0, length - 1);
    }
    length += line.length + 1;
  }
  return Math.max(0, length - 1);
}
