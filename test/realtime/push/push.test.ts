import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hookSession } from '../../support/hook-session.ts';
import { startPushService } from '../../support/push-service.ts';
import { startTestServer } from '../../support/server.ts';

const service = await startPushService();
const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_PUSH_SERVICES: service.origin });
const FORCED = 'git push --force origin main';

/** A person with a phone that pushes go to, and an agent at work. */
async function person() {
  const { key, userId } = await server.member();
  const pairing = (await server.request('POST', '/v1/pairings', { key })).body;
  const paired = { code: pairing.code, name: 'phone' };
  const phone = (await server.request('POST', '/v1/pairings/redeem', { key: null, body: paired })).body;
  const { publicKey, endpoint } = (await server.request('GET', '/v1/push', { key: phone.key })).body;
  expect(endpoint).toBeNull();
  const device = service.device(publicKey);
  const to = { endpoint: device.endpoint, keys: device.keys };
  const subscribe = () => server.request('PUT', '/v1/push', { key: phone.key, body: to });
  expect((await subscribe()).status).toBe(204);
  const session = hookSession(server, {
    key,
    cwd: `/home/ann/secret-client/shop-${randomUUID().slice(0, 4)}`,
  });
  await session.start();
  const told = () => device.received.map(({ text }) => JSON.parse(text));
  const decide = (decision: string, once = false) =>
    server.request('POST', '/v1/commands/overrule', {
      key: phone.key,
      body: { code: told()[0].code, decision, once },
    });
  return { key, userId, phone, device, session, subscribe, told, decide };
}

test('a blocked command is one push, and what a person decides takes its place', async () => {
  const ann = await person();
  expect(await ann.session.decisionOn(FORCED)).toBe('deny');
  await expect.poll(ann.told).toEqual([
    {
      state: 'waits',
      code: expect.stringMatching(/^[0-9a-f]{16}$/),
      project: expect.stringMatching(/^shop-/),
      command: FORCED,
    },
  ]);
  const [{ topic, ttl, urgency } = {}] = ann.device.received;
  expect({ topic, ttl, urgency }).toEqual({ topic: ann.told()[0].code, ttl: 86_400, urgency: 'high' });
  // the same again tells nothing new; another one does
  expect(await ann.session.decisionOn(FORCED)).toBe('deny');
  expect(await ann.session.decisionOn('git push --force origin next')).toBe('deny');
  await expect.poll(() => ann.told().length).toBe(2);

  expect((await ann.decide('deny')).status).toBe(200);
  await expect.poll(ann.told).toContainEqual({ ...ann.told()[0], state: 'kept' });
  expect(ann.device.received[2]).toMatchObject({ topic, urgency: 'normal' });
  // the end of the session leaves nobody who could use an answer
  await ann.session.end();
  await expect
    .poll(() => ann.told()[3])
    .toMatchObject({ state: 'gone', command: 'git push --force origin next' });
  await server.settled();
  expect(ann.told()).toHaveLength(4);
  expect(service.refused).toEqual([]);
});

test('what is private stays here, and a long command is cut', async () => {
  const ann = await person();
  const long = `git push --force https://ann:hunter2-hunter2@git.example/shop.git main && echo <private>Bob is ill</private> ${'x'.repeat(400)}`;
  expect(await ann.session.decisionOn(long)).toBe('deny');
  await expect.poll(() => ann.device.received.length).toBe(1);
  const [{ text = '' } = {}] = ann.device.received;
  expect(text).toContain('git push --force');
  expect(text).not.toMatch(/hunter2|Bob|secret-client|Instead/);
  expect(text.length).toBeLessThan(400);
});

test('a person’s blocked commands go to their own devices only', async () => {
  const [ann, bob] = [await person(), await person()];
  await ann.session.decisionOn(FORCED);
  await expect.poll(() => ann.device.received.length).toBe(1);
  await server.settled();
  expect(bob.device.received).toEqual([]);
  // nor can Bob end it: his request is about his own device
  await server.request('DELETE', '/v1/push', { key: bob.phone.key });
  expect((await server.request('GET', '/v1/push', { key: ann.phone.key })).body.endpoint).toBe(
    ann.device.endpoint,
  );
});

test('a device that its push service no longer knows is forgotten', async () => {
  const ann = await person();
  ann.device.status = 410;
  await ann.session.decisionOn(FORCED);
  const endpoint = async () =>
    (await server.request('GET', '/v1/push', { key: ann.phone.key })).body.endpoint;
  await expect.poll(endpoint).toBeNull();
});

test('a subscription leads to no host inside', async () => {
  const { phone, device } = await person();
  for (const endpoint of [
    ...['http://push.example/x', 'https://push.example:8443/x', 'https://ann:pw@push.example/x'],
    ...[
      'https://localhost/x',
      'https://127.0.0.1/x',
      'https://0x7f.1/x',
      'https://[::1]/x',
      'https://intranet/x',
    ],
    ...['https://[::ffff:10.0.0.1]/x', 'https://[fd00::1]/x', 'https://10.1.2.3/x', 'https://192.168.0.1/x'],
    ...['https://169.254.169.254/latest/meta-data', service.origin.replace('127.0.0.1', '127.0.0.2')],
  ]) {
    const body = { endpoint, keys: device.keys };
    const refused = await server.request('PUT', '/v1/push', { key: phone.key, body });
    expect([endpoint, refused.status, refused.body?.errors?.[0]?.field]).toEqual([endpoint, 400, 'endpoint']);
  }
  const wrong = { endpoint: device.endpoint, keys: { ...device.keys, p256dh: 'BAAA' } };
  expect((await server.request('PUT', '/v1/push', { key: phone.key, body: wrong })).status).toBe(400);
});
