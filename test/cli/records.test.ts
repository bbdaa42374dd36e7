import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HELP } from '../../src/cli/commands.ts';
import { bash, project, ruleOf } from '../learnings/guards/support.ts';
import { hookSession } from '../support/hook-session.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

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

/** Lines in their order, and what they say. `ID` is the first id that the line before said. */
const LINES: [line: string, says: string | RegExp][] = [
  [
    'findings add The-pool-leaks -p /app --severity high --file p.ts --line 3',
    /^[0-9a-f]{8} kept \(high, \/app\)/,
  ],
  ['findings show ID', /The-pool-leaks\n.*severity +high\n.*file +p\.ts\n/s],
  ['findings -p app', /The-pool-leaks.*p\.ts:3/],
  ['findings start ID', /is in progress/],
  ['findings resolve ID closed', /is resolved/],
  ['findings', 'No findings.\n'],
  ['findings --all', 'The-pool-leaks'],
  ['notes add -p /app --agent ann --file a.ts The port is 1', /^[0-9a-f]{8} kept in .* \(\/app\)/],
  ['notes show ID', /^The port is 1\n.*modified_files a\.ts/s],
  ['notes add -p /app --supersedes ID The port is 2', 'kept in'],
  ['notes -p app', 'The port is 2'],
  ['channels', 'agent-notes:ann'],
  ['channels describe agent-notes:ann:/app what-ann-found', 'agent-notes:ann:/app: what-ann-found'],
  ['channels --owner ann', 'what-ann-found'],
  ['agents', 'ann'],
  ['agents describe ann finds-ports', 'ann: finds-ports'],
  ['notes --channel-type agent --max-age 1 --owner ann', 'The port is 1'],
  ['lessons add -p /app Always run npm-run-lint before a commit', 'too many arguments'],
  ['lessons add -p /app Always_run_`npm_run_lint`_before_a_commit', /^stored [0-9a-f]{8}: active\n/],
  ['lessons show ID', /^Always_run/],
  ['lessons good ID', /^Counted as good; confidence is now \d+ %\./],
  ['lessons everywhere ID', /^Told in all your projects: [0-9a-f]{8}/],
  ['lessons retire ID', /^Retired/],
  ['lessons -s ended', 'ended just now'],
  ['lessons erase ID', /^Erased/],
  ['plan make Move write move -p /app -c no-downtime', /Move\n {2}([0-9a-f]{8}).*keep to: no-downtime/s],
  ['plan claim ID 2', 'waits for steps before it'],
  ['plan claim ID 1 --agent ann', /^Step 1 .*: in_progress, ann\. write$/m],
  ['plan claim ID 1 --agent bob', 'held by another agent'],
  ['plan note ID 1 it is generated', 'Step 1'],
  ['plan complete ID 1 done', 'completed'],
  ['plan add ID remove it --after 2', 'remove it'],
  ['plan wait ID 2 the keys', 'waits for the keys'],
  ['plan show ID', /1: it is generated/],
  ['plan history ID', /claimed[\s\S]*waits|waits[\s\S]*claimed/],
  ['plan rename ID Move all', 'Move all'],
  ['plan close ID', '2 steps not completed: 2, 3. Nothing was changed.'],
  ['plan -p app', 'Move all'],
  ['plan close ID --abandon', 'failed'],
  ['plan', /No plan/],
  ['plan --ended', 'Move all'],
  ['skills', 'No skills.\n'],
];

test('what they print', async () => {
  let id = '';
  for (const [line, says] of LINES) {
    const said = await lore(line.replace('ID', id));
    expect({ line, said }).toEqual({ line, said: expect.stringMatching(says) });
    id =
      (line.includes('add') || line.includes('make') ? /\b[0-9a-f]{8}\b/.exec(said)?.[0] : undefined) ?? id;
  }
});

test('what agents did: sessions, errors, episodes', async () => {
  const session = hookSession(server, { cwd: '/work/sluice' });
  await session.start();
  await session.prompt('Build the gates');
  await session.bashFails('make sills', 'Exit code 2\nerror: sill 3 is under water');
  await session.edit('/work/sluice/sills', 'low', 'high');
  await session.bashWorks('make sills', 'done');
  await session.stop('The sill is higher now.');
  await session.end();
  await server.settled();
  expect(await lore('sessions -p sluice')).toMatch(/Build the gates.*completed/);
  const shown = await lore(`sessions show ${session.session_id.slice(0, 8)}`);
  expect(shown).toMatch(/^Build the gates\n.*project +\/work\/sluice\n.*The sill is higher now/s);
  expect(await lore('incidents -s resolved')).toMatch(/sill 3 is under water.*edit of/);
  expect(await lore('incidents')).toBe('No incidents.\n');
  const [, episode = ''] = /│ ([0-9a-f]{8}) │/.exec(await lore('episodes')) ?? [];
  expect(await lore(`episodes show ${episode}`)).toContain('make sills');
});

test('guards are shown to all, and paused and edited by a person', async () => {
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
