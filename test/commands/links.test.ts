import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { areUnchanged, openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { tries } from '../support/tries.ts';

// a home in a folder of its own, because a link out of a temporary folder mostly leads to another one
let home: string;
let root: string;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'lore-links-')));
  root = join(home, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(home, '.ssh'));
  mkdirSync(join(home, 'shared', 'node_modules'), { recursive: true });
  writeFileSync(join(home, '.ssh', 'id_rsa'), 'x');
  writeFileSync(join(root, 'src', 'a.ts'), 'x');
  symlinkSync(join(home, '.ssh', 'id_rsa'), join(root, 'notes.txt'));
  symlinkSync('../.bashrc', join(root, 'rc'));
  symlinkSync('src', join(root, 'lib'));
  symlinkSync('../shared/node_modules', join(root, 'node_modules'));
});
afterAll(() => rmSync(home, { recursive: true }));

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

describe('where a path really lies', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd');
  const steps = fc.array(fc.oneof(names, fc.constant('..')), { minLength: 1, maxLength: 4 });
  const entry = fc.record({
    at: fc.array(names, { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom('folder', 'file', 'link', 'link'),
    to: steps,
    absolute: fc.boolean(),
  });

  /** Returns what the system says; null where it only says that the links form a circle, or what is there is no folder. */
  function expected(path: string): string | null {
    try {
      return realpathSync.native(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return null;
      // a link to what is not there is told apart in the test below
      if (lstatSync(path, { throwIfNoEntry: false })) return null;
      const parent = expected(dirname(path));
      return parent && join(parent, basename(path));
    }
  }

  test('is what the system says, for any folders, files and links', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(steps, { maxLength: 8 }), (entries, asked) => {
        const top = realpathSync(mkdtempSync(join(tmpdir(), 'lore-tree-')));
        try {
          for (const { at, kind, to, absolute } of entries) {
            const path = join(top, ...at);
            try {
              if (kind === 'folder') mkdirSync(path, { recursive: true });
              else if (kind === 'file') writeFileSync(path, 'x');
              else symlinkSync(absolute ? `${top}/${to.join('/')}` : to.join('/'), path);
            } catch {
              // something else has that name, or its folder is not there
            }
          }
          const files = openFiles();
          for (const one of asked) {
            const path = `${top}/${one.join('/')}`;
            const real = expected(path);
            if (real !== null) expect(files.real(path)).toBe(real);
          }
          expect(areUnchanged(files)).toBe(true);
        } finally {
          rmSync(top, { recursive: true });
        }
      }),
      { numRuns: tries(200) },
    );
  });

  test('is where a link would make it, if it is not there yet', () => {
    symlinkSync('gone/deeper', join(root, 'dangling'));
    symlinkSync('dangling', join(root, 'twice'));
    symlinkSync('lib/..', join(root, 'up'));
    const { real } = openFiles();
    expect(real(join(root, 'twice', 'x'))).toBe(join(root, 'gone/deeper/x'));
    expect(real(join(root, 'up', 'new'))).toBe(join(root, 'new'));
    expect(real(join(root, 'src/a.ts/x'))).toBe(join(root, 'src/a.ts/x'));
  });

  test('is the path itself if its links form a circle', () => {
    symlinkSync('round2', join(root, 'round1'));
    symlinkSync('round1', join(root, 'round2'));
    const files = openFiles();
    expect(files.real(join(root, 'round1', 'x'))).toBe(join(root, 'round1', 'x'));
    expect(areUnchanged(files)).toBe(true);
  });

  test('is found however many folders a path has', () => {
    const deep = join(root, ...Array<string>(300).fill('d'));
    mkdirSync(deep, { recursive: true });
    symlinkSync(join(home, '.ssh'), join(deep, 'link'));
    expect(openFiles().real(join(deep, 'link', 'id_rsa'))).toBe(join(home, '.ssh', 'id_rsa'));
  });
});

test('a home folder is no project, whatever the session says', () => {
  const place = { cwd: '/home/dev', root: '/home/dev', home: '/home/dev', tmp: '/tmp' };
  for (const line of ['rm notes.txt', 'echo x > a.txt', 'cat .netrc'])
    expect(judgeByPolicy(line, place, builtinPolicy).decision).not.toBe('allow');
});
