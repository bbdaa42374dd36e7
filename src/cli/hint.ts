import { isClone } from '../files/package-root.ts';
import { COMMANDS } from './help.ts';
import { say } from './wrap.ts';

/** Before the name of a command, as people write it: “lore doctor”. */
const CALL = new RegExp(`(?<!npx |[-/.])\\blore (?=(?:${COMMANDS.join('|')})\\b)`, 'g');

/** Returns a text with its commands as they are run here: a clone has no `lore` on the path, only `npx lore` in its folder. */
export const asCalled = (text: string): string => (isClone ? text.replace(CALL, 'npx lore ') : text);

/** Prints what to do, in lines that fit the terminal. */
export const hint = (text: string, indent = ''): void => say(asCalled(text), indent);
