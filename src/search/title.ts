import { tellingLine } from '../incidents/forms.ts';

/** A block of code that is a whole text, as models answer with it. */
const BLOCK = /^```\w*\n([\s\S]*?)\n?```$/;

/** Returns the line that stands for a record where records are listed: of an error, the line that says what went wrong. */
export function titleOf(kind: string, content: string): string {
  const text = content.trim();
  const inner = BLOCK.exec(text)?.[1]?.trim() ?? text;
  const words = inner.startsWith('{') ? wordsIn(inner) : inner;
  const failed = kind === 'error' || kind === 'episode';
  return (failed ? tellingLine(words) : (words.split('\n', 1)[0] ?? '')).trim();
}

/** Returns what an object in JSON says, without its names; the text itself if it is none. */
function wordsIn(text: string): string {
  try {
    const said = Object.values(JSON.parse(text) as object).filter((value) => typeof value === 'string');
    return said.length > 0 ? said.join(': ') : text;
  } catch {
    return text;
  }
}
