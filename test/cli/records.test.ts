import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HELP } from '../../src/cli/rows.ts';
import { bash, project, ruleOf } from '../learnings/guards/support.ts';
import { startedSession } from '../support/hook-session.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf } from '../support/tables.ts';

// The commands that are rows of a table.

const server = await sharedServer({ model: false });
const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key };

/** Runs a line; `terminal`: as a person on a terminal. Returns what it says, and its exit code if that is not 0. */
async function lore(line: string | string[], terminal = false): Promise<string> {
  const args = typeof line === 'string' ? line.split(' ') : line;
  const { code, stdout, stderr } = await runLore(args, { env, terminal });
  return `${stdout}${stderr}${code === 0 ? '' : `exit ${code}`}`;
}

test.each(HELP.flatMap(([, commands]) => commands.map(([name]) => name)))('lore %s --help', async (name) => {
  expect(await lore([name, '--help'])).toMatch(new RegExp(`^Usage: lore ${name}`));
});

test('what they print; `ID` is the first id that a line before said', async () => {
  let id = '';
  for (const [line = '', says = ''] of tablesOf('records')['in this order'] ?? []) {
    const said = await lore(line.replace('ID', id));
    expect({ line, said }).toEqual({ line, said: expect.stringMatching(new RegExp(says, 's')) });
    id =
      (line.includes('add') || line.includes('make') ? /\b[0-9a-f]{8}\b/.exec(said)?.[0] : undefined) ?? id;
  }
});

test('what agents did: sessions, errors, episodes', async () => {
  const session = await startedSession(server, { cwd: '/work/sluice' }, 'Build the gates');
  await session.bashFails('make sills', 'Exit code 2\nerror: sill 3 is under water');
  await session.edit('/work/sluice/sills', 'low', 'high');
  await session.bashWorks('make sills', 'done');
  await session.finish('The sill is higher now.');
  expect(await lore('sessions -p sluice')).toMatch(/Build the gates.*completed/);
  const shown = await lore(`sessions show ${session.session_id.slice(0, 8)}`);
  expect(shown).toMatch(/^Build the gates\n.*project +\/work\/sluice\n.*The sill is higher now/s);
  expect(await lore('incidents -s resolved')).toMatch(/sill 3 is under water.*edit of/);
  expect(await lore('incidents')).toBe('No incidents.\n');
  const [, episode = ''] = /│ ([0-9a-f]{8}) │/.exec(await lore('episodes')) ?? [];
  expect(await lore(`episodes show ${episode}`)).toContain('make sills');
});

test('guards are shown to all, and paused and edited by a person', async () => {
  expect(await lore(['lessons', 'add', '-p', '/quay', 'Never use `git stash`'])).toMatch(
    /: active\nIt stops `git stash`\.\n$/,
  );
  const { rule } = project(server, server.key, temporaryFolder());
  const data = ruleOf({ kind: 'command', program: 'npm' }, [[bash('npm install x')], [bash('pnpm add x')]]);
  const { lessonId } = await rule('Use pnpm, never npm', data);
  expect(await lore('guards')).toMatch(/stops `npm`.*Use pnpm, never npm.*never/);
  expect(await lore(`guards show lore:${lessonId.slice(0, 8)}`)).toContain('pnpm add x');
  expect(await lore(`guards pause ${lessonId}`)).toContain('terminal');
  expect(await lore(`guards pause ${lessonId}`, true)).toContain('It is not active');
  expect(await lore(`guards resume ${lessonId}`, true)).toContain('It is active: stops `npm`');
  const file = join(temporaryFolder(), 'rule.json');
  writeFileSync(file, JSON.stringify({ ...data, when: [{ kind: 'command' }] }));
  expect(await lore(`guards edit ${lessonId} --file ${file}`, true)).toContain('program');
});
