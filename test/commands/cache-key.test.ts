import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cacheKey } from '../../src/commands/cache-key.ts';
import { openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { temporaryFolder } from '../support/left-behind.ts';

const root = temporaryFolder();
const place = { cwd: root, root, home: '/home/dev', tmp: '/tmp' };
const keyOf = (command: string, at = place) => {
  const files = openFiles();
  const ran = new Set<string>();
  const read = (path: string) => files.read(ran.add(path) && path);
  const { invocations } = judgeByPolicy(command, { ...at, read }, builtinPolicy);
  return cacheKey('a secret', command, invocations, at, files, ran);
};

describe('the key of a verdict', () => {
  test('is the same with blanks around the command that a shell skips', () => {
    for (const spaced of [' npm test', 'npm test ', '\n\tnpm test\n'])
      expect(keyOf(spaced)).toBe(keyOf('npm test'));
  });

  test('is never shared by two commands that a person would judge differently', () => {
    expect(keyOf('rm -rf /data/deadbeef01')).not.toBe(keyOf('rm -rf /data/deadbeef02'));
    expect(keyOf('rm a\\ ')).not.toBe(keyOf('rm a\\'));
    expect(keyOf('rm a\u00a0')).not.toBe(keyOf('rm a'));
  });

  test('differs between projects and between folders of a project', () => {
    mkdirSync(join(root, 'sub'));
    const elsewhere = { ...place, cwd: '/home/dev/other', root: '/home/dev/other' };
    const keys = [place, { ...place, cwd: join(root, 'sub') }, elsewhere].map((at) => keyOf('make it', at));
    expect(new Set(keys).size).toBe(3);
  });

  test.each([
    ['npm test', 'package.json'],
    ['cd sub && npm run x', 'package.json'],
    ['make all', 'Makefile'],
    ['just x', 'justfile'],
    ['./run.sh', 'run.sh'],
    ['bash run.sh --fast', 'run.sh'],
    ['env A=1 sudo ./run.sh', 'run.sh'],
    ['python3 tools/run.py', 'tools/run.py'],
    ['true && node ./tools/run.py', 'tools/run.py'],
  ])('for %s changes with the content of %s', (command, file) => {
    mkdirSync(join(root, 'tools'), { recursive: true });
    writeFileSync(join(root, file), 'one');
    const before = keyOf(command);
    expect(keyOf(command)).toBe(before);
    writeFileSync(join(root, file), 'two');
    expect(keyOf(command)).not.toBe(before);
  });
});
