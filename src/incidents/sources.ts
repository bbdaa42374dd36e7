import { takesFields } from '../shell/shell-tools.ts';
import type { Call } from './steps.ts';

// A line that worked may hold the number of a process, a hash or the id of a record. These are different next time, so a
// lesson leaves them out, and names the call that prints them instead.

/** Values that are different next time, with the word that stands for them in a lesson. */
const IDS: [pattern: RegExp, name: string][] = [
  [/\bpid[ =:]+(\d+)/g, '<pid>'],
  [/\bkill(?:\s+-\w+)*((?:\s+\d{2,7})+)/g, '<pid>'],
  [/\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/gi, '<id>'],
  [/\b((?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,64})\b/g, '<id>'],
];

/** Returns a text with `<pid>` and `<id>` for what is different next time. */
export const withoutIds = (text: string): string =>
  IDS.reduce(
    (masked, [pattern, name]) =>
      masked.replace(pattern, (whole: string, value: string) => {
        const at = whole.lastIndexOf(value);
        return `${whole.slice(0, at)}${value.startsWith(' ') ? ' ' : ''}${name}${whole.slice(at + value.length)}`;
      }),
    text,
  );

/** Returns the values of a text that are different next time. */
const idsIn = (text: string): string[] => [
  ...new Set(
    IDS.flatMap(([pattern]) =>
      [...text.matchAll(pattern)].flatMap((match) => (match[1] as string).trim().split(/\s+/)),
    ),
  ),
];

/** A value, and the call that printed it. */
export type Source = { value: string; call: string };

/** Returns which earlier calls printed the values that a line holds, the nearest call each. */
export function sourcesOf(line: string, earlier: readonly Call[]): Source[] {
  return idsIn(line)
    .slice(0, MAX_SOURCES)
    .flatMap((value) => {
      const found = earlier.findLast(
        (call) =>
          call.ok &&
          !(call.line?.text ?? JSON.stringify(call.input)).includes(value) &&
          call.printed.includes(value),
      );
      const call = found && nameOf(found);
      return call ? [{ value, call }] : [];
    });
}

const MAX_SOURCES = 5;

/** Returns a call as a lesson names it: a short line, or the name of a tool. */
function nameOf({ line, tool }: Call): string | null {
  if (line === null) return takesFields(tool) ? tool : null;
  const text = line.text.trim();
  return text.length <= 100 && !text.includes('\n') && (line.parts.length > 0 || /\w/.test(text))
    ? text
    : null;
}
