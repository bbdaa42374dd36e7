import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { surroundings } from '../../src/commands/check.ts';
import { openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { temporaryFolder } from '../support/left-behind.ts';

function project(files: Record<string, string>) {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return (line: string) =>
    judgeByPolicy(line, { ...surroundings(root, root), read: openFiles().read }, builtinPolicy).decision;
}

const GONE = 'rm -rf ~';
const scripts = (content: Record<string, string>) => JSON.stringify({ scripts: content });

describe('a command is only as safe as the file that it runs', () => {
  test.each<[string, string, string]>([
    ['npm test', 'package.json', scripts({ test: `vitest && ${GONE}` })],
    ['npm t', 'package.json', scripts({ pretest: GONE, test: 'vitest' })],
    ['npm run build', 'package.json', scripts({ build: `tsc; ${GONE}` })],
    ['yarn build', 'package.json', scripts({ build: GONE })],
    ['cd sub && npm test', 'sub/package.json', scripts({ test: GONE })],
    ['make', 'Makefile', `all: dist\n\ttrue\ndist:\n\t@${GONE}\n`],
    ['make clean', 'Makefile', `all:\n\ttrue\nclean:\n\t-${GONE}\n`],
    ['./x.sh', 'x.sh', `#!/usr/bin/env bash\nset -e\n${GONE}\n`],
    ['bash tools/x.sh --now', 'tools/x.sh', GONE],
    ['source x.sh', 'x.sh', GONE],
    ['sudo ./a.sh', 'a.sh', `bash -c '${GONE}'`],
  ])('%s is denied because of the content of %s', (line, file, text) => {
    const decide = project({ [file]: text });
    expect(decide(line)).toBe('deny');
    expect(project({ [file]: text.replaceAll(GONE, 'true') })(line)).not.toBe('deny');
  });

  test('the same holds for scripts that run other scripts, and for scripts that run themselves', () => {
    const decide = project({
      'a.sh': './b.sh\n./a.sh\n',
      'b.sh': `npm run c\n`,
      'package.json': scripts({ c: GONE }),
    });
    expect(decide('./a.sh')).toBe('deny');
  });

  test('a script with a denied but not catastrophic command is left to the person', () => {
    const decide = project({ 'package.json': scripts({ reset: 'git reset --hard', test: 'vitest' }) });
    expect(decide('npm run reset')).toBe('unknown');
    expect(decide('npm test')).toBe('allow');
  });

  test('scripts in other languages and missing files change nothing', () => {
    const decide = project({ 'x.py': `#!/usr/bin/env python3\n# ${GONE}\n` });
    expect(decide('./x.py')).not.toBe('deny');
    expect(decide('npm test')).toBe('allow');
  });

  test('a very long file that runs itself does not stall the judging', () => {
    const decide = project({ 'x.sh': './x.sh; '.repeat(100_000) });
    expect(decide('./x.sh')).not.toBe('deny');
  });
});
