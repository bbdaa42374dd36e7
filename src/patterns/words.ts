import { shorten } from '../text/clip.ts';

// How patterns are worded without a model.

/** Longest name, in characters. */
export const MAX_NAME = 120;

/** Returns a step as people read it. @example stepWords('Edit:test') // 'Edit test' */
export const stepWords = (step: string): string =>
  step.replace(':', ' ').replaceAll('_', ' ').replaceAll('-', ' ');

/**
 * Returns the name of a sequence. @example sequenceName(['Edit:test', 'Bash:test']) // 'Edit test → Bash
 * test'
 */
export const sequenceName = (steps: string[]): string => shortened(steps.map(stepWords).join(' → '));

/**
 * Returns the name of a template: the type of its tasks, and the words that their descriptions have in common.
 *
 * @param example the description of one of them, for tasks that share too few words
 */
export const templateName = (type: string, words: string[], example: string): string =>
  shortened(`${type}: ${words.length >= 2 ? words.join(' ') : (example.split('\n', 1)[0] as string)}`);

const shortened = (name: string): string => shorten(name, MAX_NAME);
