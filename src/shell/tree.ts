import { forEachChild, type SyntaxNode } from 'unbash';
import { shorten } from '../text/clip.ts';
import type { Source } from './types.ts';

const MAX_LINES = 200;
const MAX_LENGTH = 32 * 1024;
const MAX_TEXT = 70;
/** Nodes that say nothing about the structure of a line and would only make the tree longer. */
const HIDDEN =
  /^(Script|Statement|CompoundList|Word|Literal|Glob|\w*Quoted|LocaleString|SimpleExpansion|HereDocDelimiter|HereDocBody)$/;

/**
 * Returns the syntax tree of a command line as text: one line for each node, indented by two blanks for each level.
 *
 * @param line at most 32,768 characters; a longer one is not parsed
 * @returns at most 200 lines; syntax errors come first
 */
export function treeOf(source: Source): string[] {
  const { text: line } = source;
  if (line.length > MAX_LENGTH) return [`longer than ${MAX_LENGTH} characters: not parsed`];
  const { script } = source;
  const lines = (script.errors ?? []).map(({ message }) => `syntax error: ${message}`);
  const walk = (node: SyntaxNode, depth: number): void => {
    if (lines.length > MAX_LINES || depth > 60) return;
    const shown = !HIDDEN.test(node.type);
    if (shown) {
      const text = line.slice(node.pos, node.end).replace(/\s+/g, ' ').trim();
      const short = shorten(text, MAX_TEXT);
      lines.push(`${'  '.repeat(depth)}${node.type}  ${short}`);
    }
    forEachChild(node, (child) => walk(child, depth + (shown ? 1 : 0)));
  };
  try {
    walk(script, 0);
  } catch (error) {
    lines.push(`not walked to the end: ${(error as Error).message}`);
  }
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), '… and more'] : lines;
}
