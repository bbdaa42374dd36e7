import { describe, expect, test } from 'vitest';
import { literalGuard } from '../../../src/learnings/guards/literal.ts';
import { sortsExamples } from '../../../src/learnings/guards/verify.ts';

describe('a rule of what is literal', () => {
  test.each([
    ['use yarn here, never npm', [{ program: 'npm' }]],
    ['今後は npm を使わないでください', [{ program: 'npm' }]],
    ['以后一律用 pnpm，不要再用 npm', [{ program: 'npm' }]],
    ['앞으로 git push는 절대 하지 마', [{ program: 'git push' }]],
    ['Never use git push --force in this repo', [{ program: 'git push', args: ['--force'] }]],
    ['never run wrangler deploy from your machine', [{ program: 'wrangler deploy' }]],
    ['nunca rode kubectl delete, em nenhum cluster', [{ program: 'kubectl delete' }]],
    ['always use pnpm in here, never npm or yarn', [{ program: 'npm' }, { program: 'yarn' }]],
    ['hands off legacy/api/, it is generated', [{ globs: ['legacy/api/'] }]],
    ["don't touch vendor/ or config/x.json", [{ globs: ['vendor/'] }, { globs: ['config/x.json'] }]],
    ['不要手动改 proto 生成的文件（*.pb.go），要改就改 .proto', [{ globs: ['*.pb.go'] }]],
    ['Never push to main.', [{ program: 'git push', args: ['main'] }]],
    ['Nie auf main pushen', [{ program: 'git push' }]],
  ])('%s', (words, when) => {
    const guard = literalGuard(words);
    expect(guard).toMatchObject({ then: 'deny', when });
    expect(guard && sortsExamples(guard)).toBeNull();
  });

  test('asks if the person wants to be asked', () =>
    expect(literalGuard('ask me before you change anything in services/tax')).toMatchObject({
      then: 'ask',
      when: [{ globs: ['services/tax/**'] }],
    }));

  test.each([
    'be concise',
    'use fd instead of find',
    'never commit secrets',
    'never use perl to edit files',
    '不要用 npm 安装依赖',
    'never use sed in src/',
    'Never delete files in src/.',
    'Never run `make ship` before `make check` has passed',
    'From now on always push with --no-verify',
    'src/generated/ is codegen output. never edit it by hand, change schema.graphql and run pnpm codegen instead',
    'uv add and uv run, never pip and never a bare python: python is managed with uv',
    'This was likely changed to avoid conflicting with the README.md created in NewFeatureBranchEnv',
    'never push to main-menu or docs/',
  ])('is none where the words say more than a name: %s', (words) => expect(literalGuard(words)).toBeNull());
});
