import type { GuardRule, Match } from './rule.ts';

// What a rule is about, in words.

const list = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
const code = (words: readonly string[]): string[] => words.map((word) => `\`${word}\``);

const VERBS = { tell: 'reminds of the rule at', ask: 'asks before', deny: 'stops' } as const;

/**
 * Returns in plain words which calls a rule is about and what it does then.
 *
 * @example 'stops `git push` with `--force`, on branch `main`'
 */
export function describeGuard(rule: GuardRule): string {
  const about = list(rule.when.map(describeMatch), 'or');
  const on = rule.branch === undefined ? '' : `, on branch \`${rule.branch}\``;
  const { unless } = rule;
  const but =
    unless === undefined
      ? ''
      : `, unless ${code([[unless.program, ...(unless.args ?? [])].join(' ')])} passed since the last change of a file`;
  return `${VERBS[rule.then]} ${about}${on}${but}`;
}

function describeMatch(match: Match): string {
  switch (match.kind) {
    case 'command': {
      const having = match.args?.length ? ` with ${list(code(match.args), 'and')}` : '';
      const lacking = match.without?.length ? ` without ${list(code(match.without), 'or')}` : '';
      return `\`${match.program}\`${having}${lacking}`;
    }
    case 'path': {
      const deeds = match.reads ? 'reads and changes of files' : 'changes of files';
      const except = match.except?.length ? ` other than ${list(code(match.except), 'or')}` : '';
      return `${deeds} at ${list(code(match.globs), 'or')}${except}`;
    }
    case 'content': {
      const where = match.globs?.length ? ` in ${list(code(match.globs), 'or')}` : '';
      return `new text that fits \`${match.pattern}\`${where}`;
    }
    case 'mcp': {
      const field = match.field === undefined ? '' : ` whose ${match.field}`;
      const pattern =
        match.pattern === undefined
          ? ''
          : `${field === '' ? ' whose input' : field} fits \`${match.pattern}\``;
      return `the tool \`${match.tool}\`${pattern === '' && field !== '' ? `${field} is given` : pattern}`;
    }
  }
}
