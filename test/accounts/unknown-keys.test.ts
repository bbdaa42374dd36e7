import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
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

const clock = performance.now.bind(performance);
let ahead = 0;
vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead);
afterAll(() => {
  vi.restoreAllMocks();
});
/** Lets the minute pass in which tries were counted. */
const aMinuteLater = () => {
  ahead += 61_000;
};

needs('an address in a network', lan).describe('from the network', () => {
  test('who tries many keys is made to wait, and holds up neither known keys nor this machine', async () => {
    aMinuteLater();
    const known = (await server.member()).key;
    const sleeping = (await server.member()).key;
    const other = (await server.member()).key;
    expect((await ask(known, lan)).status).toBe(200);

    const tried = await statuses(strangers(LIMIT + 5), lan);
    expect(tried.filter((status) => status === 401).length).toBeLessThanOrEqual(LIMIT);
    expect(tried.slice(-5)).toEqual(Array(5).fill(429));

    const refused = await ask(sleeping, lan);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await refused.json()).toMatchObject({
      status: 429,
      title: 'Too many wrong keys',
      detail: `Too many keys from this address did not work. Try again in ${seconds} s.`,
    });

    expect((await ask(known, lan)).status).toBe(200);
    // also when it has to be looked up again
    const { body } = await server.request('GET', '/v1/keys', { key: known });
    const another = await server.request('POST', '/v1/keys', { key: known, body: { name: 'another' } });
    await server.request('DELETE', `/v1/keys/${another.body.id}`, { key: known });
    expect((await ask(known, lan)).status).toBe(200);
    expect(await statuses([...strangers(5), other, server.key])).toEqual([...Array(5).fill(401), 200, 200]);
    // found here, it is known there
    expect((await ask(other, lan)).status).toBe(200);

    await server.request('DELETE', `/v1/keys/${body.keys[0].id}`, { key: known });
    expect([401, 429]).toContain((await ask(known, lan)).status);

    aMinuteLater();
    expect((await ask(sleeping, lan)).status).toBe(200);
  });
});

test('this machine may ask as often as it likes', async () => {
  expect(new Set(await statuses(strangers(2 * LIMIT)))).toEqual(new Set([401]));
  expect((await ask((await server.member()).key)).status).toBe(200);
});

test('a key works as soon as it is made, though it was asked for before', async () => {
  const [key = ''] = strangers(1);
  expect((await ask(key)).status).toBe(401);
  // as another server does when it is started with this key
  await server.rows(
    `insert into api_keys (user_id, name, key_hash, source)
     select user_id, 'first device', '${hashKey(key)}', 'LORE_KEY' from profiles where role = 'owner'`,
  );
  await expect.poll(async () => (await ask(key)).status, { timeout: 2_000, interval: 10 }).toBe(200);
});
