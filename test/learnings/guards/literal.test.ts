import { describe, expect, test } from 'vitest';
import { literalGuard } from '../../../src/learnings/guards/literal.ts';
import { sortsExamples } from '../../../src/learnings/guards/verify.ts';
import { tablesOf } from '../../support/tables.ts';

const tables = tablesOf('literal');

describe('a rule of what is literal', () => {
<<<<<<< HEAD
  test.each(tables['a rule'] ?? [])('%s', (words = '', when = '') => {
=======
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
    ['never edit config/x.json, read docs/config.md instead', [{ globs: ['config/x.json'] }]],
    ['不要手动改 proto 生成的文件（*.pb.go），要改就改 .proto', [{ globs: ['*.pb.go'] }]],
    ['Never read files in secrets2/', [{ globs: ['secrets2/'], reads: true }]],
    ['Lies niemals fixtures/kunden.csv', [{ globs: ['fixtures/kunden.csv'], reads: true }]],
    ['Never push to main.', [{ program: 'git push', args: ['main'] }]],
    ['Nie auf main pushen', [{ program: 'git push' }]],
  ])('%s', (words, when) => {
>>>>>>> 9b214761 (Guards of files that must not be read)
    const guard = literalGuard(words);
    expect(guard).toMatchObject({ then: 'deny', when: JSON.parse(when) });
    expect(guard && sortsExamples(guard)).toBeNull();
  });

  test('asks if the person wants to be asked', () =>
    expect(literalGuard('ask me before you change anything in services/tax')).toMatchObject({
      then: 'ask',
      when: [{ globs: ['services/tax/**'] }],
    }));

  test.each(tables.none ?? [])('is none where the words say more than a name: %s', (words) =>
    expect(literalGuard(words)).toBeNull(),
  );
});
