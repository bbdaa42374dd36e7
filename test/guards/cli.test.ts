import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Finished, runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';
import { bash, project, ruleOf } from './support.ts';

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };

/** Runs it on a terminal of its own. */
const onTerminal = (args: string[]): Promise<Finished> => runLore(args, { env, terminal: true });

test('lore guards lists, shows, pauses and edits guards; an agent can only look', async () => {
  const { rule } = project(server, server.key);
  const npm = ruleOf({ kind: 'command', program: 'npm' }, [[bash('npm install x')], [bash('pnpm add x')]]);
  const { id, lessonId } = await rule('Use pnpm in this repo, never npm', npm);
  const stateOf = async () => (await server.request('GET', `/v1/guards/${id}`)).body.state;

  const list = await runLore(['guards', '--json'], { env });
  expect(JSON.parse(list.stdout)).toEqual([expect.objectContaining({ id, about: 'stops `npm`' })]);
  const shown = await runLore(['guards', 'show', `lore:${lessonId.slice(0, 8)}`], { env });
  expect(shown.stdout).toContain('Use pnpm in this repo, never npm');
  expect(shown.stdout).toContain('not about  pnpm add x');

  const refused = await runLore(['guards', 'pause', id], { env });
  expect([refused.code, refused.stderr, await stateOf()]).toEqual([
    1,
    expect.stringContaining('terminal'),
    'on',
  ]);
  await onTerminal(['guards', 'pause', id]);
  expect(await stateOf()).toBe('paused');

  const file = join(server.home, 'rule.json');
  writeFileSync(file, JSON.stringify({ ...npm, when: [{ kind: 'command' }] }));
  const wrong = await onTerminal(['guards', 'edit', id, '--file', file]);
  expect(wrong.stdout).toContain('program');
});
