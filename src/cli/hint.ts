import { loreCommand } from '../files/package-root.ts';
import { COMMANDS } from './help.ts';
import type { Io } from './io.ts';
import { say } from './wrap.ts';

/** Before the name of a command, as people write it: “lore doctor”. */
const CALL = new RegExp(`(?<!npx |[-/.])\\blore (?=(?:${COMMANDS.join('|')})\\b)`, 'g');

/** Returns a text with its commands as they are run here. */
export const asCalled = (text: string): string => text.replace(CALL, `${loreCommand} `);

/** Prints what to do, in lines that fit the terminal. */
export const hint = (io: Io, text: string, indent = ''): void => say(io, asCalled(text), indent);
