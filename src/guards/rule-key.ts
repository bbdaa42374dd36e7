import { readRule } from '../language/reading.ts';
import type { Named } from '../language/sentence.ts';
import { commandFirst, literalGuard } from './literal.ts';
import type { Match } from './rule.ts';
import { isTool, partsOfCommand, type Read, ruleOf } from './rule-parts.ts';

/**
 * Returns a key that is the same for the same rule in other words; null if it names nothing. It is made of what is demanded
 * and of what: “never X without Y” and “always Y before X” are one rule.
 */
export function ruleKey(reading: Read): string | null {
  const rule = ruleOf(reading);
  const { said, wanted, unwanted, deeds: done } = rule;
  const first = commandFirst(rule);
  if (first?.unless) {
    const { program, args = [] } = first.unless;
    return `first ${[program, ...args].join(' ')} before ${programsOf(first.when)}`;
  }
  const names = (list: Named[]) => [...new Set(list.map(({ text }) => normalName(text)))].sort().join(' ');
  const where = names(reading.named.filter(({ kind }) => kind === 'branch' || kind === 'environment'));
  const place = where === '' ? '' : ` at ${where}`;
  const made = literalGuard(reading);
  if (made?.when.every(({ kind }) => kind === 'command' || kind === 'path')) {
    const option = made.when.flatMap((match) => (match.kind === 'command' ? (match.without ?? []) : []));
    if (option.length > 0) return `with ${option.sort().join(' ')} ${programsOf(made.when)}`;
    if (unwanted.some(isTool) && wanted.some(isTool))
      return `${names(wanted.filter(isTool))} not ${names(unwanted.filter(isTool))}${purposeOf(made.when)}`;
    if (made.then === 'ask') return `ask ${programsOf(made.when)}${place}`;
    return `never ${programsOf(made.when)}${place}`;
  }
  if (unwanted.length > 0) return `${names(wanted)} not ${names(unwanted)}${place}`.trim();
  if (wanted.length > 0)
    return `use ${names(wanted)}${done.length > 0 ? ` for ${done[0]?.name}` : ''}${place}`;
  const deed = done[0]?.name;
  return deed && said.literals.length > 0 && where !== '' ? `${reading.demand} ${deed}${place}` : null;
}

/** Returns the key of a rule in these words, as it is stored with a lesson; '' if it names nothing. */
export const keyOfWords = (words: string): string => ruleKey({ ...readRule(words), words }) ?? '';

const normalName = (text: string): string => {
  const bare = text.normalize('NFC').toLowerCase().replace(/^\.\//, '').replace(/\/$/, '');
  return bare.includes(' ') ? [partsOfCommand(bare).program, ...partsOfCommand(bare).args].join(' ') : bare;
};
const programsOf = (when: Match[]): string =>
  when
    .map((match) =>
      match.kind === 'command'
        ? [match.program, ...(match.args ?? [])].join(' ')
        : match.kind === 'path'
          ? [...(match.deed ? [match.deed] : []), ...match.globs].join(' ')
          : match.kind,
    )
    .sort()
    .join(' | ');
const purposeOf = (when: Match[]): string => {
  const verbs = when.flatMap((match) => (match.kind === 'command' ? match.program.split(' ').slice(1) : []));
  return verbs.length > 0 ? ` for ${verbs.sort().join(' ')}` : '';
};
