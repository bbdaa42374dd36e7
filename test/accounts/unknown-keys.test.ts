import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/keys.ts';
import { lanAddresses } from '../../src/http/addresses.ts';
import { needs } from '../support/needs.ts';
import { startTestServer } from '../support/server.ts';

// How often somebody may have keys looked up that there are not. A request to an address of this machine in the network
// comes from that address; a machine without one has no network to guard against.

const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_HOST: '0.0.0.0' });
const [lan] = lanAddresses();
const LIMIT = 100;

const ask = (key: string, host = '127.0.0.1') =>
  fetch(`http://${host}:${new URL(server.url).port}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
const statuses = async (keys: string[], host?: string) => {
  const found: number[] = [];
  for (const key of keys) found.push((await ask(key, host)).status);
  return found;
};
const strangers = (count: number) => Array.from({ length: count }, () => `lore_${randomUUID()}`);

needs('an address in a network', lan).test(
  'who tries many keys from the network is made to wait, and holds up neither known keys nor this machine',
  async () => {
    const known = (await server.member()).key;
    const sleeping = (await server.member()).key;
    expect((await ask(known, lan)).status).toBe(200);
    // one that is not known is looked up once, however often it is sent
    const [one = ''] = strangers(1);
    expect(new Set(await statuses(Array(2 * LIMIT).fill(one), lan))).toEqual(new Set([401]));

    expect((await statuses(strangers(LIMIT + 5), lan)).slice(-5)).toEqual(Array(5).fill(429));
    const refused = await ask(sleeping, lan);
    expect([refused.status, Number(refused.headers.get('retry-after')) <= 60]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ title: 'Too many wrong keys' });

    // a known key works on, also when it has to be looked up again
    expect((await ask(known, lan)).status).toBe(200);
    const { body } = await server.request('POST', '/v1/keys', { key: known, body: { name: 'another' } });
    await server.request('DELETE', `/v1/keys/${body.id}`, { key: known });
    expect((await ask(known, lan)).status).toBe(200);
    expect(await statuses([...strangers(5), sleeping])).toEqual([...Array(5).fill(401), 200]);
    // found here, it is known there
    expect((await ask(sleeping, lan)).status).toBe(200);
  },
);

test('a key works as soon as it is made, though it was asked for before', async () => {
  const [key = ''] = strangers(1);
  expect((await ask(key)).status).toBe(401);
  // as another server does when it is started with this key
  await server.rows(
    `insert into api_keys (user_id, name, key_hash, source)
     select user_id, 'first device', '${hashKey(key)}', 'LORE_KEY' from profiles where role = 'owner'`,
  );
  await expect.poll(async () => (await ask(key)).status).toBe(200);
});
