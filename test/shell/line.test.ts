import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/line.ts';
import { toolTarget } from '../../src/shell/tool-target.ts';
import { tablesOf } from '../support/tables.ts';

const commandKey = (text: string) => readLine(text).key;
const programOf = (text: string) => readLine(text).program;

const tables = tablesOf('lines');

describe('the key of a line', () => {
  it.each(tables['runs the same as npm test'] ?? [])('takes %j as the same command as npm test', (line) => {
    expect(commandKey(line)).toBe('npm test');
  });

  it.each(tables['runs other things'] ?? [])('tells %j from %j', (one, other = '') => {
    expect(commandKey(one)).not.toBe(commandKey(other));
  });

  it('still shows what was run', () => {
    expect(commandKey('cd x && FOO=1 npm  test\ngit   commit -m "a  b" | tail -3')).toBe(
      'FOO=1 npm test; git commit -m "a  b"',
    );
    expect(commandKey('cat a.log | head -5')).toBe('cat a.log');
    const started = 'npm run dev & sleep 3; curl -s localhost:3000';
    expect(commandKey(started)).toBe(started);
  });

  it('only collapses white space when the text is not bash', () =>
    expect(commandKey('npm  test "unclosed | tail')).toBe('npm test "unclosed | tail'));

  it('limits the length of the key and keeps long commands apart', () => {
    const long = (end: string) => `node -e "${'x'.repeat(5_000)}${end}"`;
    expect(commandKey(long('a')).length).toBeLessThanOrEqual(617);
    expect(commandKey(long('a'))).not.toBe(commandKey(long('b')));
    expect(commandKey(commandKey(long('a')))).toBe(commandKey(long('a')));
  });
});

it.each(tables.programs ?? [])('the program of %j is %j', (line, program) => {
  expect(programOf(line)).toBe(program);
});

describe('toolTarget', () => {
  it.each([
    ['Bash', { command: 'cd x && npm test 2>&1 | tail' }, 'npm test'],
    ['Write', { file_path: '/a/b.ts' }, '/a/b.ts'],
    ['Grep', { pattern: 'foo', path: 'src' }, 'foo src'],
    ['Task', { prompt: 'x' }, null],
    ['Bash', null, null],
  ])('%s %j', (tool, input, target) => expect(toolTarget(tool, input)).toBe(target));

  it('limits the length of the JSON and survives any nesting depth', () => {
    expect(toolTarget('mcp__x__y', { text: 'x'.repeat(1_000) })).toHaveLength(300);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(toolTarget('mcp__x__y', { deep })).toBeNull();
  });
});

it.each(['only looks', 'does more'])('whether a line %s', (title) => {
  for (const [line = ''] of tables[title] ?? [])
    expect([line, readLine(line).onlyLooks]).toEqual([line, title === 'only looks']);
});
