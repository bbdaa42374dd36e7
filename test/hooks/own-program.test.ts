import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';

// The session-start hook puts Lore's program on the PATH of the agent's shell, if there is none.

const event = readFileSync('test/fixtures/hooks/SessionStart.json', 'utf8');
/** A PATH with node and the usual programs, and without any lore. */
const bare = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** Runs the hook as the client does, with nobody to answer it. Returns what it wrote for the agent's shell. */
function start(file: string, { PATH = bare, hooks = 'hooks', ...more }: Record<string, string> = {}): string {
  const env = {
    PATH,
    LORE_KEY: 'k'.repeat(24),
    LORE_URL: 'http://127.0.0.1:9',
    CLAUDE_ENV_FILE: file,
    ...more,
  };
  const { status, stderr } = spawnSync(process.execPath, [join(hooks, 'session-start')], {
    env,
    input: event,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return readFileSync(file, 'utf8');
}

const envFile = (text = '') => {
  const file = join(temporaryFolder(), 'env.sh');
  writeFileSync(file, text);
  return file;
};

test('the agent’s shell finds lore, after all other programs, and what stood in the file stays', () => {
  const file = envFile('export A=1\n');
  expect(start(file)).toBe(`export A=1\nexport PATH="$PATH":'${join(process.cwd(), 'bin')}'\n`);
  const said = execFileSync('bash', ['--norc', '-c', `. '${file}' && lore --version && echo "$A $PATH"`], {
    env: { PATH: bare },
    encoding: 'utf8',
  });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(said).toBe(`${version}\n1 ${bare}:${join(process.cwd(), 'bin')}\n`);
});

test('it adds nothing where there is a lore already', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lore'), '#!/bin/sh\n', { mode: 0o755 });
  expect(start(envFile(), { PATH: `${folder}:${bare}` })).toBe('');
});
