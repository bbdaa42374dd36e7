import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

const server = await sharedServer({ model: false, owner: true });

/** Returns a project with files, and a session of the owner in it. */
async function sessionIn(...files: string[]) {
  const cwd = temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd });
  mkdirSync(join(cwd, 'out'));
  writeFileSync(join(cwd, '.gitignore'), 'out\n');
  for (const file of files) writeFileSync(join(cwd, file), 'x');
  const { decisionOn: bash, decides: ask } = await startedSession(server, { key: server.key, cwd });
  return { cwd, bash, ask };
}

test('a session may delete the files that it made, and no others that git does not have', async () => {
  const { cwd, bash, ask } = await sessionIn('theirs.txt');
  const path = join(cwd, 'mine.py');
  await ask('Write', { file_path: path, content: 'print(1)' });
  writeFileSync(path, 'print(1)');
  expect(await bash('ls > listed.txt')).toBe('allow');
  writeFileSync(join(cwd, 'listed.txt'), 'x');
  // a file that was there is not the session's because it wrote it again
  await ask('Write', { file_path: join(cwd, 'theirs.txt'), content: 'x' });
  expect(await bash('rm mine.py')).toBe('allow');
  expect(await bash('rm listed.txt')).toBe('allow');
  expect(await bash('rm theirs.txt')).toBe('ask');
});

test('what is allowed follows what is there', async () => {
  const { cwd, bash } = await sessionIn();
  expect(await bash('rm later.txt')).toBe('allow');
  writeFileSync(join(cwd, 'later.txt'), 'x');
  expect(await bash('rm later.txt')).toBe('ask');
});
