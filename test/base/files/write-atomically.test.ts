import { execFileSync, spawn } from 'node:child_process';
import { closeSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { replaceFile, writeAtomically } from '../../../src/base/files/write-atomically.ts';
import { temporaryFolder } from '../../support/left-behind.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('writing a file whole or not at all', () => {
  test('keeps the mode of the file in whose place it comes, unless another is asked for', () => {
    const file = join(temporaryFolder(), 'settings.json');
    writeAtomically(file, 'one');
    expect(modeOf(file)).toBe(0o600);
    execFileSync('chmod', ['640', file]);
    writeAtomically(file, Buffer.from('two'));
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['two', 0o640]);
    writeAtomically(file, 'three', { mode: 0o600 });
    expect(modeOf(file)).toBe(0o600);
  });

  test('leaves the old file, and nothing beside it, when it fails', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'taken');
    execFileSync('mkdir', [file]);
    expect(() => writeAtomically(file, 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  test('finds what a killed process left, if only one process writes the file', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'journal.jsonl');
    writeFileSync(`${file}.partial`, 'half of a');
    const fd = replaceFile(file, 'one\n', { alone: true });
    writeSync(fd, 'two\n');
    closeSync(fd);
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(folder)).toEqual(['journal.jsonl']);
  });

  test('a process that is killed meanwhile leaves the old text or the new one', async () => {
    const file = join(temporaryFolder(), 'secret');
    const [a, b] = ['a', 'b'].map((letter) => letter.repeat(100_000));
    writeAtomically(file, a as string);
    const module = join(temporaryFolder(), 'write.mjs');
    const entryPoints = ['src/base/files/write-atomically.ts'];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: module });
    const code = `import { writeAtomically } from '${module}';
      for (;;) for (const letter of 'ab') writeAtomically('${file}', letter.repeat(100_000), { sync: false });`;
    for (let n = 0; n < 5; n++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
      await sleep(400 + 37 * n);
      child.kill('SIGKILL');
      expect([a, b]).toContain(readFileSync(file, 'utf8'));
    }
  });
});
