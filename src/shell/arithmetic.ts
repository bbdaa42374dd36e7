import { clip } from '../text/clip.ts';
import { spend } from './budget.ts';
import { programs } from './lists.ts';
import type { Scope, Walk } from './types.ts';

// Bash expands the index of an array wherever it evaluates arithmetic, also in the value of a variable: with
// x='a[$(rm y)]' the innocent looking (( x )) runs rm.

const FETCHES = programs('network-clients');

/** Whether a text holds an index with something in it that a shell expands. */
export function holdsIndex(text: string): boolean {
  const at = text.indexOf('[');
  return at >= 0 && (text.includes('$', at) || text.includes('`', at));
}

/** Whether a text holds the beginning of a command substitution. */
export const holdsCommand = (text: string): boolean => text.includes('`') || /\$[({]/.test(text);

/** Notes that the line evaluates arithmetic here: a variable whose value may run something makes it unknown. */
export function evaluates(walk: Walk, scope: Scope): void {
  spend(walk, scope.vars.size);
  for (const [name, { text, known, from }] of scope.vars) {
    const fetched = from?.some(({ program }) => FETCHES.has(program));
    if (fetched) walk.unknowns.push({ text: name, why: 'arithmetic may run what the network answers' });
    // an expansion that is not known is the text of the line, not a value
    if (!holdsIndex(text) || (!known && /^\$[{(]|^`/.test(text))) continue;
    walk.unknowns.push({
      text: `${name}=${clip(text, 80)}`,
      why: 'arithmetic may run what this text holds',
    });
    return;
  }
}
