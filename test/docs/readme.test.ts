import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

// The sessions at the top of the README are played in a real project, and Lore must say what the README quotes.

const server = await sharedServer({ model: false });

/** The shop of the README: its test needs a file that is not in git, so a fresh clone lacks it. */
const SHOP = {
  'package.json': '{ "name": "shop", "scripts": { "gen": "node gen.js", "test": "node test.js" } }',
  'gen.js': `require('fs').writeFileSync('rates.json', '{ "dk": 0.25 }');`,
  'test.js': `require('assert').equal(require('./rates.json').dk, 0.25);\nconsole.log('1 passed');`,
};

const PROMPTS = ['Add the rate of Denmark', 'Round prices to full cents', 'Sort the basket by name'];

const HELD = 'held before it runs';
const [, shown = ''] = readFileSync('README.md', 'utf8').split('```');
const sessions = shown
  .split(/^session \d+/m)
  .slice(1)
  .map((text) => ({
    calls: [...text.matchAll(/\$ (.+?) {2,}(.+)$/gm)].map(([, command = '', shows = '']) => ({
      command,
      shows,
    })),
    said: [...text.matchAll(/Lore: +(.+)$/gm)].map(([, said = '']) => said),
  }));

test('the sessions that the README shows are what happens', async () => {
  const { key } = await server.member();
  expect(sessions.map(({ calls, said }) => [calls.length, said.length])).toEqual([
    [2, 0],
    [2, 1],
    [2, 1],
  ]);
  for (const [i, { calls, said }] of sessions.entries()) {
    // each in a clone of its own, of the same name
    const cwd = join(temporaryFolder(), 'shop');
    mkdirSync(cwd);
    for (const [name, text] of Object.entries(SHOP)) writeFileSync(join(cwd, name), text);
    const session = hookSession(server, { key, cwd: '/home/ada/shop' });
    let told = contextOf(await session.start());
    told += contextOf(await session.prompt(PROMPTS[i] ?? ''));
    for (const { command, shows } of calls) {
      const { permissionDecision, additionalContext = '' } = await session.before(command);
      told += additionalContext;
      const denied = permissionDecision === 'deny';
      expect([command, denied]).toEqual([command, shows === HELD]);
      if (denied) continue;
      const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' });
      expect(stdout + stderr).toContain(shows);
      const after =
        status === 0
          ? await session.bashWorks(command, stdout)
          : await session.bashFails(command, `Exit code ${status}\n${stdout}${stderr}`);
      told += contextOf(after);
    }
    await session.finish('The tests pass.');
    if (said.length === 0) expect(told).toBe('');
    for (const part of said.flatMap((line) => line.split('…'))) expect(told).toContain(part.trim());
  }
});
