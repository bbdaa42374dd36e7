import text from './fact-words.jsonc' with { type: 'text' };
import { readPhrases } from './phrases.ts';

// Words by which a plain sentence is read as a fact, as parts of regular expressions; fact-words.jsonc says what each is.

const phrases = readPhrases(text, 'fact-words.jsonc');

export const TOOLS = phrases.any('tools');
export const ROLES = phrases.any('roles');
export const UNITS = phrases.any('units');
export const RUNTIMES = phrases.any('runtimes');
export const PARTS = phrases.any('parts');
