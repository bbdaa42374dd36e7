import { expect, test } from 'vitest';
import { callOf } from '../../src/guards/call.ts';
import { fits } from '../../src/guards/judge.ts';
import { joinRules, mendedByKeeps } from '../../src/guards/mend.ts';
import { GuardRule } from '../../src/guards/rule.ts';
import { sortsExamples } from '../../src/guards/verify.ts';

const bash = (command: string) => ({ tool: 'Bash', input: { command } });
const rule = (when: object[], then: string, breaks: string, keeps: string, more = {}) =>
  GuardRule.parse({ when, then, breaks: [bash(breaks)], keeps: [bash(keeps)], ...more });
const command = (program: string, ...args: string[]) => ({ kind: 'command', program, args });
const PLACE = { root: '/p', cwd: '/p', home: '/h', tmp: '/tmp', branch: 'main' };
const hits = (one: GuardRule, line: string) =>
  fits(one, callOf({ tool_name: 'Bash', tool_input: { command: line } }, PLACE));

test.each([
  ['rspec', 'bundle exec rspec', 'docker compose run --rm app rspec spec/a_spec.rb'],
  ['composer', 'composer install', 'docker compose exec php composer install'],
  ['python', 'python scripts/seed.py', 'uv run scripts/seed.py'],
])('a rule about %s leaves alone what runs it in its own innocent calls', (program, breaks, keeps) => {
  const given = rule([command(program)], 'deny', breaks, keeps);
  expect(sortsExamples(given)).toContain('keeps the rule');
  const mended = mendedByKeeps(given);
  expect(sortsExamples(mended)).toBeNull();
  expect(hits(mended, breaks)).toBe(true);
  expect(hits(mended, keeps)).toBe(false);
});

test('a rule that is right, or wrong for another reason, stays as it is', () => {
  for (const given of [
    rule([command('npm')], 'deny', 'npm install', 'pnpm install'),
    rule([command('npm')], 'deny', 'npm install', 'npm test'),
  ])
    expect(mendedByKeeps(given)).toEqual(given);
});

test('the literal rule adds spellings, and says “never” where the model only tells', () => {
  const model = rule([command('npm')], 'tell', 'npm install', 'pnpm install');
  const literal = rule([command('npm'), command('npx')], 'deny', 'npx vite', 'pnpm exec vite');
  const joined = joinRules(model, literal);
  expect(joined.then).toBe('deny');
  for (const line of ['npm ci', 'npx vite']) expect(hits(joined, line), line).toBe(true);
  expect(joinRules(model, null)).toBe(model);
});

test('the model alone counts where it saw a condition, or where both would be wrong', () => {
  const literal = rule([command('git commit')], 'deny', 'git commit', 'git push');
  const first = rule([command('git commit')], 'tell', 'git commit', 'git status', {
    unless: { program: 'npm test' },
  });
  const amends = rule([command('git commit', '--amend')], 'deny', 'git commit --amend', 'git commit -m x');
  expect(joinRules(first, literal)).toBe(first);
  expect(joinRules(amends, literal)).toBe(amends);
});

test('what grep looks for is no file, and a variable before a command is part of the call', () => {
  const env = GuardRule.parse({
    when: [{ kind: 'path', globs: ['*.env'], reads: true }],
    then: 'deny',
    breaks: [bash('cat .env'), bash('grep -e KEY .env')],
    keeps: [bash("grep -rn 'process.env' src"), bash("awk '/process.env/' a.ts")],
  });
  expect(sortsExamples(env)).toBeNull();
  const husky = rule([command('git commit')], 'deny', 'HUSKY=0 git commit -m x', 'git commit -m x', {
    environment: 'HUSKY=0',
  });
  expect(sortsExamples(husky)).toBeNull();
  expect(
    sortsExamples(rule([command('npm run', '*migrat*')], 'ask', 'npm run migrate', 'npm run build')),
  ).toBeNull();
});
