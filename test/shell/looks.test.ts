import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/line.ts';
import { outputKind } from '../../src/shell/steps.ts';

describe('onlyLooks', () => {
  it.each([
    'cat a.log | grep -i error | head -20',
    'cd src && ls -la; pwd',
    'git status && git diff HEAD~1 -- src',
    'git -C sub log --oneline',
    'git branch -a',
    'git stash list',
    'npm ls react',
    'docker logs web 2>&1 | tail',
    'docker compose ps',
    'kubectl get pods -n dev',
    "find . -name '*.ts' -not -path './node_modules/*'",
    "sed -n '1,20p' a.ts",
    "awk '{print $1}' a",
    'sort -u names | uniq -c',
    'sudo lsof -i :3000',
    'timeout 5 tail -f a.log',
    'set -e; test -f a && echo yes',
    'node --version',
    'gh pr view 12 --comments',
    '',
  ])('%j only looks', (command) => expect(readLine(command).onlyLooks).toBe(true));

  it.each([
    'npm test',
    'cat a > b',
    'ls; rm a',
    'git branch -D old',
    'git stash pop',
    'git commit -m x',
    'git config user.email a@example.com',
    'git tag v1',
    'npm config set registry https://example.com',
    'npm audit fix',
    'docker exec web ls',
    'docker compose up',
    'terraform state rm x',
    'go env -w GOFLAGS=-mod=mod',
    'kubectl delete pod x',
    'find . -name x -delete',
    'find . -exec rm {} +',
    'fd x -x rm',
    "sed -i 's/a/b/' a.ts",
    'sort -o a a',
    'export A=1',
    'A=1',
    'source .venv/bin/activate',
    'mkdir x',
    'xargs rm < list',
    'bash -c "rm a"',
    'cat "unclosed',
  ])('%j does more', (command) => expect(readLine(command).onlyLooks).toBe(false));
});

describe('outputKind', () => {
  it.each([
    ['cat a', 'reads'],
    ['git log', 'reads'],
    ['git status', 'speaks'],
    ['docker exec web cat a', 'reads'],
    ['docker build .', 'runs'],
    ['npm audit', 'reads'],
    ['npm test', 'runs'],
    ['npx tsc --help', 'reads'],
    ['curl -s https://example.com', 'fetches'],
    ['cd x', 'speaks'],
    ['timeout 5 grep x a', 'reads'],
    ['uv run pytest', 'runs'],
  ])('%j: %s', (command, kind) => {
    const step = readLine(command).pipelines?.[0]?.steps[0];
    expect(step && outputKind(step)).toBe(kind);
  });
});
