import { expect, test } from 'vitest';
import { runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };

/** Redeems the code of an address, as the page does. */
async function redeem(address: string, at = server.url) {
  const code = new URL(address).hash.replace('#pair=', '');
  const answer = await fetch(`${at}/v1/pairings/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'phone' }),
  });
  return { status: answer.status, body: (await answer.json()) as { key: string } };
}

test('lore open prints an address that signs in, where there is no terminal and no browser', async () => {
  for (const args of [['open', '--print'], ['open']]) {
    const { code, stdout, stderr } = await runLore(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`${server.url}/#pair=`)).toBe(true);
    const { status, body } = await redeem(stdout.trim());
    expect(status).toBe(201);
    const me = (await server.request('GET', '/v1/me', { key: body.key })).body;
    expect(me).toMatchObject({ role: 'owner', scope: 'device' });
  }
});

test('lore pair shows a QR code and its address, and says when no phone can reach it', async () => {
  const { code, stdout } = await runLore(['pair'], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/[█▀▄]{10}/);
  expect(stdout.replaceAll('\n', ' ')).toContain('start it with npx lore start --lan');
  expect(stdout).toContain('npx lore pair shows a new code');
  const [address = ''] = stdout.match(/http\S+#pair=\S+/) ?? [];
  expect((await redeem(address)).status).toBe(201);
});

test.each(['open', 'pair'])(
  'lore %s is refused below an agent’s shell, because a device decides as the person',
  async (command) => {
    const finished = await runLore([command], { env: { ...env, CLAUDECODE: '1' } });
    expect(finished).toMatchObject({ code: 1, stdout: '' });
    expect(finished.stderr).toContain('Only a person can do this');
  },
);
