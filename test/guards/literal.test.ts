import { describe, expect, test } from 'vitest';
import { literalGuard } from '../../src/guards/literal.ts';
import { ruleKey } from '../../src/guards/rule-key.ts';
import { readRule } from '../../src/language/reading.ts';

const guardOf = (words: string) => literalGuard({ ...readRule(words), words });
const keyOf = (words: string) => ruleKey({ ...readRule(words), words });

describe('a rule of what is literal', () => {
  test.each([
    ['use yarn here, never npm', 'deny', [{ program: 'npm' }, { program: 'npx' }]],
    ['gebruik altijd yarn, nooit npm', 'deny', [{ program: 'npm' }, { program: 'npx' }]],
    ['use fd instead of find', 'tell', [{ program: 'find' }]],
    [
      'we use yarn for installing packages, not npm',
      'deny',
      [{ program: 'npm install' }, { program: 'npm ci' }],
    ],
    ['never use perl to edit files', 'deny', [{ program: 'perl', args: ['-i*'] }]],
    ['never run mypy without --strict', 'deny', [{ program: 'mypy', without: ['--strict'] }]],
    ['hands off legacy/api/, it is generated', 'deny', [{ globs: ['legacy/api/**'] }]],
    ['Ändere nie Dateien in docs/Straße/', 'deny', [{ globs: ['docs/Straße/**'] }]],
    [
      'ask me before you change anything in services/tax',
      'ask',
      [{ globs: ['services/tax', 'services/tax/**'] }],
    ],
    ['never run wrangler deploy from your machine', 'deny', [{ program: 'wrangler deploy' }]],
    ['以后不要用 npm 安装依赖', 'deny', [{ program: 'npm install' }]],
  ])('%s', (words, then, when) => {
    const guard = guardOf(words);
    expect(guard?.then).toBe(then);
    expect(guard?.when.slice(0, when.length)).toMatchObject(when);
  });

  test('about a branch or what comes first says so', () => {
    expect(guardOf('nunca hagas push a main')).toMatchObject({
      branch: 'main',
      when: [{ program: 'git push' }],
    });
    const unless = { program: 'make check' };
    expect(guardOf('before every commit run `make check`')).toMatchObject({ unless, then: 'tell' });
    expect(guardOf('never run `make ship` before `make check` has passed')).toMatchObject({
      when: [{ program: 'make ship' }],
      unless,
      then: 'deny',
    });
    expect(guardOf('コミットする前に必ず `make check` を実行してください')).toMatchObject({
      unless,
      then: 'tell',
    });
  });

  test.each([
    'be concise',
    'no default exports',
    'when you open a PR make it a draft',
    'no heredocs',
    'never commit secrets',
    'never merge your own PRs',
  ])('is none where the names do not say which calls are meant: %s', (words) =>
    expect(guardOf(words)).toBeNull(),
  );
});

describe('the key of a rule', () => {
  test.each([
    [
      [
        'Always run make lint before you commit.',
        'Never commit without running make lint first.',
        'I told you: run make lint before every commit!',
      ],
    ],
    [['Use pnpm, not npm.', 'Never use npm here, we use pnpm.', 'Benutze hier immer pnpm, nie npm']],
    [['never push to main', 'Nie auf main pushen!', '永远不要直接推送到 main']],
  ])('is the same in other words: %j', (wordings) => {
    const keys = new Set(wordings.map(keyOf));
    expect(keys.size).toBe(1);
    expect([...keys][0]).not.toBeNull();
  });

  test('is another for another rule', () => {
    expect(keyOf('use yarn, not npm')).not.toBe(keyOf('use pnpm, not npm'));
    expect(keyOf('be nice')).toBeNull();
  });
});
