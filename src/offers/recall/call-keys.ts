import { type Line, readLine } from '../../shell/line.ts';
import { invocation } from '../../shell/parts.ts';

// A lesson is told at the call that it is about. Which calls those are must be found without reading for meaning, so calls
// and lessons have keys: `=npm run build -- --prod` is exactly this line (the target of a call), `git commit` any call of
// the program and subcommand. What a person said is told at calls by guards (src/learnings/guards), and not by keys.

/** Returns the keys of a tool call, the strictest first. */
export const keysOfCall = (call: { target: string | null; line: Line | null }): string[] => [
  ...(call.target === null ? [] : [`=${call.target}`]),
  ...(call.line?.parts.map(invocation) ?? []),
];

/** Whether a key is that of exactly one line. */
export const isExact = (key: string): boolean => key.startsWith('=');

/**
 * Returns the keys at which an active lesson is told: the line that failed, or, if it was stated, the commands that it is
 * said to apply to.
 *
 * @param lesson.target the target of the call that failed; null for a stated lesson
 */
export const keysOfLesson = (lesson: { target: string | null; appliesTo: string[] }): string[] =>
  lesson.target === null
    ? lesson.appliesTo
        .filter((item) => item.includes(' '))
        .flatMap((item) => readLine(item).parts.map(invocation))
    : [`=${lesson.target}`];
