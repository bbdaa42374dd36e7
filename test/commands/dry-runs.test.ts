import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const decisionOn = (line: string) => judgeByPolicy(line, place, builtinPolicy).decision;

describe('a dry run beside what would lose something is a look', () => {
  test.each([
    'git clean -fdn',
    'git clean -nfdx',
    'git clean -fd --dry-run',
    'git push --force --dry-run',
    'git rm -rn src',
    'rsync -an --delete src/ ../b/',
  ])('%s', (line) => expect(decisionOn(line)).toBe('allow'));

  test.each([
    'git clean -fd -- -n',
    'git clean -fd -e n',
    'git clean -fde -n',
    'git clean -n -fdx --no-dry-run',
    'git clean -fdx --exclude -n',
    'docker compose down -v --dry-run=false',
    'docker compose -p --dry-run down -v',
    'git push --force -- --dry-run',
    'git push -o -n --force origin main',
    'helm uninstall x --dry-run=none',
  ])('but %s is none', (line) => expect(decisionOn(line)).toBe('deny'));

  test.each([
    'rsync -a --delete --exclude -n src/ ../b/',
    'git rm -r -- src -n',
    'rsync -an --no-dry-run --delete src/ ../b/',
  ])('and %s is not allowed', (line) => expect(decisionOn(line)).not.toBe('allow'));
});

describe('a protected name counts in any case, because it is the same file on macOS and Windows', () => {
  test.each([
    'echo x > .GIT/hooks/pre-commit',
    'echo x > .GIT/config',
    'rm -f .Git/index',
    'cat .Env',
    'cp .ENV /tmp/x',
    'cat ID_RSA',
    'echo x >> claude.md',
    "echo '{}' > Package.json",
    'echo x > .HUSKY/pre-commit',
    'echo x > .Mcp.json',
  ])('%s is not allowed', (line) => expect(decisionOn(line)).not.toBe('allow'));

  test('the whole history is one of them', () => expect(decisionOn('rm -rf .GIT')).toBe('deny'));
  test.each(['cat src/cookies.ts', 'cat docs/environment.md'])('%s is no such name', (line) =>
    expect(decisionOn(line)).toBe('allow'),
  );
});
