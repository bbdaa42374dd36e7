import Table from 'cli-table3';
import { charactersOf } from '../text/clip.ts';

/** How to print: `json` means machine-readable JSON. */
export type Output = { json: boolean };

/** Prints a value as JSON. */
export const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));

/** Returns “87 %” for 0.87. */
export const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Returns a period as “since 2026-01-31T12:00”. */
export const period = ({ validFrom, validUntil }: { validFrom: string; validUntil: string | null }) =>
  validUntil === null
    ? `since ${validFrom.slice(0, 16)}`
    : `${validFrom.slice(0, 16)} until ${validUntil.slice(0, 16)}`;

/**
 * Returns a stored text without the control and bidi characters by which it could move the cursor, set the terminal's
 * title or show other words than it has. Line ends and tabs stay.
 */
export const plain = (text: string) => text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');

type Cell = string | number | boolean | null;

/** Returns rows as a table that fits the terminal. The widest columns wrap. */
export function table(head: string[], rows: Cell[][], width = process.stdout.columns || 120): string {
  const text = rows.map((row) => row.map((cell) => (cell === null ? '' : plain(String(cell)))));
  const widths = columnWidths([head, ...text], width);
  const printed = new Table({
    head,
    colWidths: widths.map((w) => w + 2),
    style: { head: [], border: [], compact: true },
  });
  printed.push(...text.map((row) => row.map((cell, i) => wrapped(cell, widths[i] ?? 1))));
  return printed.toString();
}

/** Characters that take two columns of a terminal. */
const WIDE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Returns a text in lines that fit a column, each of whole characters. */
function wrapped(text: string, width: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const parts = [''];
    let room = width;
    for (const character of charactersOf(line)) {
      const takes = WIDE.test(character) ? 2 : 1;
      if (takes > room && room < width) {
        parts.push('');
        room = width;
      }
      parts[parts.length - 1] += character;
      room -= takes;
    }
    return parts;
  });
  return lines.join('\n');
}

/**
 * Returns the widths of the columns. The widest are shrunk until the row fits. Each column needs three characters for
 * border and padding.
 */
function columnWidths(rows: string[][], width: number): number[] {
  const natural = (rows[0] ?? []).map((_, i) =>
    Math.max(1, ...rows.map((row) => Math.max(...(row[i] ?? '').split('\n').map((line) => line.length)))),
  );
  const room = width - 1 - natural.length * 3;
  const widths = [...natural];
  while (widths.reduce((a, b) => a + b, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] as number) <= 6) break;
    widths[widest] = (widths[widest] as number) - 1;
  }
  return widths;
}

/** Returns a time as “5 min ago”. */
export function ago(time: string): string {
  const seconds = Math.max(0, (Date.now() - new Date(time).getTime()) / 1000);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}
