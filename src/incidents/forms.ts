import { readJsonc } from '../base/text/jsonc.ts';
import text from './error-forms.jsonc' with { type: 'text' };

// What programs print when they fail or pass. The patterns stand in error-forms.jsonc.

/** A form of a line that says what went wrong. error-forms.jsonc explains the fields. */
export type Form = { rank: 5 | 4 | 3 | 2 | 1; pattern: RegExp; type?: string; explained?: boolean };

type Written = Omit<Form, 'pattern'> & { pattern: string };
type Patterns =
  | 'noise'
  | 'announcing'
  | 'failed'
  | 'died'
  | 'passed'
  | 'last-word'
  | 'harmless'
  | 'succeeded'
  | 'never-ran'
  | 'tool-use';
const WRITTEN = readJsonc(text) as { lines: Written[]; types: [string, string][] } & Record<
  Patterns,
  string[]
>;

/** The forms of lines that say what went wrong; the first that fits a line decides. */
export const FORMS: Form[] = WRITTEN.lines.map(({ pattern, ...form }) => ({
  ...form,
  pattern: new RegExp(pattern, form.rank === 2 ? 'i' : ''),
}));

/** The types of errors that are found in lines of no type; `$1` stands for the first group. */
export const TYPES = WRITTEN.types.map(([pattern, type]) => ({ pattern: new RegExp(pattern), type }));

const oneOf = (name: Patterns, flags: string): RegExp => new RegExp(WRITTEN[name].join('|'), flags);

/** Lines that say nothing about the cause. */
export const NOISE = oneOf('noise', 'iu');
const ANNOUNCING = oneOf('announcing', 'u');
/** Lines that only a failure prints. */
export const FAILED = oneOf('failed', 'u');
/** Lines that usually end the program that prints them. */
export const DIED = oneOf('died', 'u');
export const PASSED = oneOf('passed', 'u');
/** Lines that call themselves an error, of whatever program. */
export const LAST_WORD = oneOf('last-word', 'iu');
export const HARMLESS = oneOf('harmless', 'i');
export const SUCCEEDED = oneOf('succeeded', 'i');
/** How the error of a call begins that never ran. */
export const NEVER_RAN = new RegExp(`^(?:${oneOf('never-ran', '').source})`, 'i');
/** Errors of the client's file tools that say nothing about the project. */
export const TOOL_USE = oneOf('tool-use', 'i');

/** Whether a line of an error only announces it. */
export const isAnnouncement = (line: string): boolean => ANNOUNCING.test(line.trim());

/** Returns the first of an error's lines that says what went wrong; the first of all if none does. */
export function tellingLine(error: string): string {
  const lines = error.trim().split('\n');
  return lines.find((line) => !isAnnouncement(line)) ?? lines[0] ?? '';
}
