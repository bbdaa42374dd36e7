import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/line.ts';
import { outputKind } from '../../src/shell/steps.ts';

describe('onlyLooks', () => {
  it.each([
    'cat a.log | grep -i error | head -20',
    'git status && git diff HEAD~1 -- src',
    'git branch -a',
    'npm ls react',
    'docker compose ps',
    "find . -name '*.ts' -not -path './node_modules/*'",
    "awk '{print $1}' a",
    'sudo lsof -i :3000',
    'set -e; test -f a && echo yes',
    'gh pr view 12 --comments',
  ])('%j only looks', (command) => expect(readLine(command).onlyLooks).toBe(true));

  it.each([
    'npm test',
    'ls; rm a',
    'git stash pop',
    'git config user.email a@example.com',
    'npm config set registry https://example.com',
    'docker exec web ls',
    'terraform state rm x',
    'kubectl delete pod x',
    'find . -exec rm {} +',
    "sed -i 's/a/b/' a.ts",
    'export A=1',
    'source .venv/bin/activate',
    'xargs rm < list',
    'cat "unclosed',
  ])('%j does more', (command) => expect(readLine(command).onlyLooks).toBe(false));
});

describe('outputKind', () => {
  it.each([
    ['cat a', 'reads'],
    ['git status', 'speaks'],
    ['docker build .', 'runs'],
    ['npm test', 'runs'],
    ['curl -s https://example.com', 'fetches'],
    ['timeout 5 grep x a', 'reads'],
  ])('%j: %s', (command, kind) => {
    const step = readLine(command).pipelines?.[0]?.steps[0];
    expect(step && outputKind(step)).toBe(kind);
  });
});
