import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { literalGuard } from '../../src/guards/literal.ts';
import type { GuardRule } from '../../src/guards/rule.ts';
import { readRule } from '../../src/language/reading.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';
import { bash, edit, project } from './support.ts';

withGit.orSkipFile();

const server = await sharedServer({ model: false, owner: true });

/** Returns the rule that a sentence makes. */
const guardOf = (words: string) => literalGuard({ ...readRule(words), words }) as GuardRule;

function repository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lore-guards-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}

test('a rule about commits of a file looks into the work tree before all of it is staged', async () => {
  const cwd = repository();
  const { rule, session } = project(server, server.key, cwd);
  const said = 'Never commit .env files.';
  const { state } = await rule(said, guardOf(said));
  expect(state).toBe('on');
  const work = await session();
  const stopped = async (command: string) => (await work.call(bash(command))).reason.includes(said);
  writeFileSync(join(cwd, 'a.ts'), '');
  expect(await stopped('git add -A && git commit -qm all')).toBe(false);
  expect(await stopped('git add .env')).toBe(true);
  writeFileSync(join(cwd, '.env'), 'KEY=1');
  expect(await stopped('git add -A && git commit -qm all')).toBe(true);
  expect(await stopped('git add a.ts && git commit -qm a')).toBe(false);
  writeFileSync(join(cwd, '.gitignore'), '.env');
  expect(await stopped('git add -A && git commit -qm all')).toBe(false);
});

test('a rule about deletions stops no edit, and says what it stops', async () => {
  const cwd = repository();
  const { rule, session } = project(server, server.key, cwd);
  const said = 'Never delete files in src/.';
  await rule(said, guardOf(said));
  const work = await session();
  const { decision, reason } = await work.call(bash('git rm -q src/a.ts'));
  expect([decision, reason]).toEqual(['deny', expect.stringContaining(said)]);
  expect((await work.call(edit(`${cwd}/src/a.ts`, 'b'))).decision).toBe(null);
});
