import { expect, test, vi } from 'vitest';
import { runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };
const lore = (...args: string[]) => runLore(args, { env });
const made = async () => {
  const body = {
    project: 'mill',
    goal: 'Mend the weir',
    steps: [{ description: 'look' }, { description: 'mend' }],
  };
  return (await server.request('POST', '/v1/plans', { key: server.key, body })).body.id as string;
};
const statusOf = async (id: string) =>
  (await server.request('GET', `/v1/plans/${id}`, { key: server.key })).body.status;

test('a plan with open steps is completed only with --force, and an ended plan stays as it ended', async () => {
  const id = await made();
  const refused = await lore('plan', 'close', id);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('2 steps of it are not completed: 1, 2. Nothing was changed.');
  expect(refused.stderr).toContain(`npx lore plan close ${id.slice(0, 8)} --force`);
  expect(await statusOf(id)).not.toBe('completed');
  expect((await lore('plan', 'close', id, '--force')).code).toBe(0);
  const again = await lore('plan', 'close', id, '--abandon');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Plan has ended')]);
  expect(await statusOf(id)).toBe('completed');
  const other = await made();
  expect((await lore('plan', 'close', other, '--abandon')).code).toBe(0);
  expect(await statusOf(other)).toBe('failed');
});

test('a step that a person claims is theirs', async () => {
  const id = await made();
  expect((await lore('plan', 'claim', id, '1')).stdout).toContain('in_progress, person.');
  expect((await lore('plan', 'complete', id, '1')).code).toBe(0);
});
