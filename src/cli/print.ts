import { existsSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGAIN } from '../base/files/attachments.ts';
import { isClone, packageRoot, program } from '../base/files/package-root.ts';
import type { Unchecked } from '../base/wire/routes.ts';

/** What is printed to; an `Io` is one. */
type Out = { columns: number | undefined; log(text: string): void; error(text: string): void };

/** Returns “87 %” for 0.87. */
export const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Returns “1 call”, “2 calls”. */
export const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

/** Returns the beginning of an id, by which it is cited. */
export const short = (id: string) => id.slice(0, 8);

/** Returns what a kind of record is called: a `learning` of the API is a lesson everywhere else. */
export const called = (kind: string) => (kind === 'learning' ? 'lesson' : kind);

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

/**
 * Returns a text with every control character as `\\x1b`, except line feeds. Otherwise a command could hide a part of
 * itself by moving the cursor.
 */
export const visible = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => {
    const code = (found.codePointAt(0) as number).toString(16);
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`;
  });

/** Returns a time as “5 min ago”. */
export const ago = (time: string): string => agoDays((Date.now() - new Date(time).getTime()) / 86_400_000);

/** Returns an age as “5 min ago”. */
export function agoDays(days: number): string {
  const seconds = Math.max(0, days * 86_400);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Says where calls are not checked, why, and what to do. */
export const uncheckedLine = ({ where, why, remedy, at }: Unchecked): string =>
  `${where} ${why}${at === null ? '' : ` (${ago(at)})`}. ${remedy ?? AGAIN}`;

/** How this person calls the command: `npx lore` in a clone or where it came that way, else `lore` if it is on the PATH. */
function calledHere(): string {
  const isBelow = !relative(fileURLToPath(packageRoot), process.cwd()).startsWith('..');
  if (isClone ? isBelow : process.env.npm_command === 'exec') return 'npx lore';
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isFound = folders.some((at) => ['lore', 'lore.cmd'].some((name) => existsSync(join(at, name))));
  return isFound ? 'lore' : `node ${program}`;
}

/** Returns a text with its commands (“lore doctor”) as they are run here. */
export const asCalled = (text: string): string =>
  text.replace(/(?<!npx |[-/.])\blore (?=[a-z])/g, () => `${calledHere()} `);

/** Prints a text with its commands as they are run here, in lines that fit the terminal: those that go on are indented. */
export function hint({ columns, log }: Out, text: string, indent = '') {
  if (columns === undefined) return log(asCalled(text));
  const line = `[^\\n]{1,${Math.max(1, columns - indent.length)}}`;
  log(asCalled(text).replace(new RegExp(`(?=[^\\n]{${columns + 1}})(${line})[ \\t]+`, 'g'), `$1\n${indent}`));
}

/** Prints warnings, with their commands as they are run here. */
export const warn = (io: Out, warnings: string[]): void => {
  for (const warning of warnings) io.error(asCalled(`warning: ${warning}`));
};
