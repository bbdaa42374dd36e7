import { describe, expect, test } from 'vitest';
import { callOf } from '../../../src/learnings/guards/call.ts';
import { describeGuard } from '../../../src/learnings/guards/describe.ts';
import { readGlob } from '../../../src/learnings/guards/glob.ts';
import { fits } from '../../../src/learnings/guards/judge.ts';
import type { Example, GuardRule, Match } from '../../../src/learnings/guards/rule.ts';
import { tablesOf } from '../../support/tables.ts';
import { bash, edit, write } from './support.ts';

const PLACE = { root: '/w', cwd: '/w', home: '/home/ann', tmp: '/tmp', branch: 'main' };
const NO_EXAMPLES = { breaks: [], keeps: [] };

/** Returns the calls among these that a rule is about. */
const hits = (match: Match, calls: (Example | string)[], more: Partial<GuardRule> = {}) =>
  calls.filter((call) => {
    const { tool, input } = typeof call === 'string' ? bash(call) : call;
    const rule = { when: [match], then: 'deny', ...NO_EXAMPLES, ...more } as GuardRule;
    return fits(rule, callOf({ tool_name: tool, tool_input: input }, PLACE));
  });

const RULES = tablesOf('guards', { decomposed: 'prüfe lauf'.normalize('NFD') });
/** A command (✎: an edit of a file) as a call. */
const calls = (list = '') =>
  list.split(' · ').map((one) => (one.startsWith('✎ ') ? edit(one.slice(2), 'b') : bash(one)));

test.each(Object.entries(RULES))(
  '%s is about the first line of calls, and not about the second',
  (rule, lines) => {
    const [breaks = [], keeps = []] = lines.map(([line]) => calls(line));
    expect(hits({ kind: 'command', ...JSON.parse(rule) }, [...breaks, ...keeps])).toEqual(breaks);
  },
);

test('a path with many stars is refused', () => expect(() => readGlob('*a'.repeat(100))).toThrow('too long'));

describe('content', () => {
  const MOMENT: Match = { kind: 'content', pattern: 'from .moment.', globs: ['*.ts'] };

  test('is only what is new', () => {
    const old = "import moment from 'moment'";
    const breaks = [
      write('/w/a.ts', `x\n${old}\n`),
      edit('/w/a.ts', `${old}\nx`),
      { tool: 'MultiEdit', input: { file_path: '/w/a.ts', edits: [{ old_string: 'a', new_string: old }] } },
    ];
    const keeps = [
      edit('/w/a.ts', `${old}\nconst x = 2;`, `${old}\nconst x = 1;`),
      write('/w/a.md', old),
      bash(`rg "${old}" a.ts`),
    ];
    expect(hits(MOMENT, [...breaks, ...keeps])).toEqual(breaks);
  });

  test('is tried line by line', () => {
    expect(
      hits({ kind: 'content', pattern: '^// \\w+$' }, [write('/w/a', 'x\n// y\nz'), write('/w/a', '// a b')]),
    ).toHaveLength(1);
  });
});

test('what must come first may stand earlier in the line', () => {
  const unless = { unless: { program: 'make lint' } };
  const breaks = ['git commit -m x', 'git commit -m x && make lint'];
  const keeps = ['make lint && git commit -m x', 'make -C . lint; git commit'];
  expect(hits({ kind: 'command', program: 'git commit' }, [...breaks, ...keeps], unless)).toEqual(breaks);
});

test('a field of a tool of a server', () => {
  const query = (tool: string, query: string) => ({ tool, input: { query, options: { force: true } } });
  const breaks = [query('mcp__db__run', 'DROP TABLE a')];
  const keeps = [query('mcp__db__run', 'select 1'), query('mcp__web__run', 'drop table a')];
  expect(
    hits({ kind: 'mcp', tool: 'mcp__db__*', field: 'query', pattern: '(?i)drop table' }, [
      ...breaks,
      ...keeps,
    ]),
  ).toEqual(breaks);
  expect(hits({ kind: 'mcp', tool: 'mcp__db__*', field: 'options.force', pattern: 'true' }, breaks)).toEqual(
    breaks,
  );
});

test('a rule says in words what it does', () => {
  const rule: GuardRule = {
    when: [
      { kind: 'command', program: 'git push', args: ['--force'], without: ['--dry-run'] },
      { kind: 'path', globs: ['generated/'] },
    ],
    unless: { program: 'make', args: ['lint'] },
    then: 'ask',
    ...NO_EXAMPLES,
  };
  expect(describeGuard(rule)).toBe(
    'asks before `git push` with `--force` without `--dry-run` or changes of files at `generated/`, unless `make lint` passed since the last change of a file',
  );
});
