import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash, project, ruleOf } from '../learnings/guards/support.ts';
import { withGit } from '../support/needs.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key };
/** Returns the commands of a person who works in a folder. */
const personIn = (cwd: string) => {
  const explain = (...args: string[]) => runLore(['explain', ...args], { env, cwd });
  const explained = async (command: string) => JSON.parse((await explain(command, '--json')).stdout);
  return { explain, explained };
};

test('explain and check ask the rules of a person for the project here, and count nothing', async () => {
  const cwd = temporaryFolder();
  const command = 'git push origin main';
  const { rule, session } = project(server, server.key, cwd);
  const data = ruleOf({ kind: 'command', program: 'git push' }, [[bash(command)], [bash('git status')]]);
  const { lessonId } = await rule('Never push to main', data);
  const short = lessonId.slice(0, 8);
  const { explain, explained } = personIn(cwd);

  const denied = await explain(command);
  expect(denied.stdout).toContain(`Your rule denies it: “Never push to main” (lore:${short})`);
  expect(denied.stdout).toContain(`npx lore guards pause ${short} lifts the rule`);
  const { decision, stoppedBy, code } = await explained(command);
  const stop = { decision: 'deny', lessonId, lesson: 'Never push to main' };
  expect([decision, stoppedBy]).toEqual(['deny', stop]);
  expect((await explained('git status')).stoppedBy).toBeNull();
  expect((await personIn(temporaryFolder()).explained(command)).stoppedBy).toBeNull();

  const checked = await runLore(['check', '-'], { env, cwd, input: `${command}\ngit status\n` });
  expect([checked.code, checked.stderr]).toEqual([1, '']);
  expect(checked.stdout).toBe(
    `deny     ${command}   [lore:${short}]\nallow    git status\n1 allowed, 1 denied, 0 not known to the rules\n`,
  );

  const [guard] = (await server.request('GET', '/v1/guards', { key: server.key })).body.guards;
  expect(guard.hits).toBe(0);

  // the hook says the same, and the code is the one with which a person allows it
  expect((await (await session()).call(bash(command))).decision).toBe('deny');
  await server.settled();
  const body = { code, decision: 'allow', once: false };
  expect((await server.request('POST', '/v1/commands/overrule', { key: server.key, body })).status).toBe(200);
  expect((await explain(command)).stdout).toMatch(/^allow \(a person said so/m);
});

withGit.test('explain says what git would lose, as the hook does', async () => {
  const owned = await sharedServer({ model: false, owner: true });
  const cwd = temporaryFolder();
  const explained = async (command: string) =>
    (await runLore(['explain', command], { env: { ...env, LORE_KEY: owned.key }, cwd })).stdout;
  execFileSync('git', ['init', '-q'], { cwd });
  writeFileSync(join(cwd, 'new.js'), 'x');
  expect(await explained('rm new.js')).toMatch(/^“rm new.js” loses new.js: git does not have it\./m);
  expect(await explained('git reset --hard')).toMatch(/^git says that no work would be lost\nallow/m);
});
