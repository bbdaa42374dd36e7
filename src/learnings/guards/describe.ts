import type { GuardRule, Match } from './rule.ts';

const list = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
const code = (words: readonly string[]): string[] => words.map((word) => `\`${word}\``);
const some = (before: string, words: readonly string[] = [], last: 'and' | 'or' = 'or'): string =>
  words.length > 0 ? ` ${before} ${list(code(words), last)}` : '';

const VERBS = { tell: 'reminds of the rule at', ask: 'asks before', deny: 'stops' } as const;

/**
 * Returns in plain words which calls a rule is about and what it does then.
 *
 * @example 'stops `git push` with `--force`'
 */
export function describeGuard({ when, unless, then }: GuardRule): string {
  const first = unless && code([[unless.program, ...(unless.args ?? [])].join(' ')]);
  const but = first ? `, unless ${first} passed since the last change of a file` : '';
  return `${VERBS[then]} ${list(when.map(describeMatch), 'or')}${but}`;
}

function describeMatch(match: Match): string {
  if (match.kind === 'command')
    return `${match.program === '*' ? 'any command' : `\`${match.program}\``}${some('with', match.args, 'and')}${some('without', match.without)}`;
  if (match.kind === 'path')
    return `${match.reads ? 'any use' : 'changes'} of files${some('at', match.globs)}${some('other than', match.except)}`;
  if (match.kind === 'content') return `new text that fits \`${match.pattern}\`${some('in', match.globs)}`;
  const fits = match.pattern === undefined ? 'is given' : `fits \`${match.pattern}\``;
  const whose = match.field ?? (match.pattern === undefined ? null : 'input');
  return `the tool \`${match.tool}\`${whose === null ? '' : ` whose ${whose} ${fits}`}`;
}
