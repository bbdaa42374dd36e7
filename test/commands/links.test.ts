import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { areUnchanged, openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { temporaryFolder } from '../support/left-behind.ts';

// a home in a folder of its own, because a link out of a temporary folder mostly leads to another one
const home = realpathSync(temporaryFolder());
const root = join(home, 'project');
mkdirSync(join(root, 'src'), { recursive: true });
mkdirSync(join(home, '.ssh'));
mkdirSync(join(home, 'shared', 'node_modules'), { recursive: true });
writeFileSync(join(home, '.ssh', 'id_rsa'), 'x');
writeFileSync(join(root, 'src', 'a.ts'), 'x');
symlinkSync(join(home, '.ssh', 'id_rsa'), join(root, 'notes.txt'));
symlinkSync('../.bashrc', join(root, 'rc'));
symlinkSync('src', join(root, 'lib'));
symlinkSync('../shared/node_modules', join(root, 'node_modules'));

const judge = (line: string) => {
  const files = openFiles();
  const place = { cwd: root, root, home, tmp: '/nowhere', read: files.read, real: files.real };
  return judgeByPolicy(line, place, builtinPolicy).decision;
};

describe('a link counts as what it leads to', () => {
  test.each([
    'cat notes.txt',
    'echo x >> rc',
    'cp src/a.ts rc',
    "ln -s ../.bashrc new && echo 'x' >> new",
    'ln -s package.json p && echo x >> p',
    'ln -sfn ../.claude/settings.json s && cp src/a.ts s',
  ])('%s is not allowed', (line) => expect(judge(line)).not.toBe('allow'));

  test.each(['cat src/a.ts lib/a.ts', 'echo x >> lib/new.ts', 'rm -rf node_modules', 'ls -l notes.txt rc'])(
    '%s is allowed',
    (line) => expect(judge(line)).toBe('allow'),
  );
});

test('a path that has become a link is looked at again', () => {
  const files = openFiles();
  const path = join(root, 'later.txt');
  expect(files.real(path)).toBe(path);
  expect(areUnchanged(files)).toBe(true);
  symlinkSync(join(home, '.ssh', 'id_rsa'), path);
  expect(areUnchanged(files)).toBe(false);
});
