import { describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

// How a phone signs in, and what its key is worth.

const server = await sharedServer({ model: false });

const pair = async (key: string) => (await server.request('POST', '/v1/pairings', { key })).body;
const redeem = (code: string, name = 'phone') =>
  server.request('POST', '/v1/pairings/redeem', { key: null, body: { code, name } });
/** Returns a member with a paired device. */
async function paired() {
  const ann = await server.member();
  const { code } = await pair(ann.key);
  return { ...ann, device: (await redeem(code)).body as { key: string; keyId: string } };
}

describe('a pairing', () => {
  test('is worth one key of scope device, of the user who asked for it', async () => {
    const ann = await server.member();
    const { status, body } = await server.request('POST', '/v1/pairings', { key: ann.key });
    expect([status, Object.keys(body).sort()]).toEqual([201, ['code', 'expiresAt', 'url']]);
    expect(Buffer.from(body.code, 'base64url').length).toBeGreaterThanOrEqual(16);
    expect(body.url).toBe(`${server.url}/#pair=${body.code}`);
    const minutes = (Date.parse(body.expiresAt) - Date.now()) / 60_000;
    expect([minutes > 4, minutes < 6]).toEqual([true, true]);

    const made = await redeem(body.code, 'folding phone');
    expect(made).toMatchObject({ status: 201, body: { name: 'folding phone', key: expect.any(String) } });
    const me = (await server.request('GET', '/v1/me', { key: made.body.key })).body;
    expect(me).toMatchObject({ userId: ann.userId, scope: 'device', keyId: made.body.keyId });
    const again = await redeem(body.code);
    expect(again.status).toBe(404);
  });

  test('works once, however many ask at the same time', async () => {
    const ann = await server.member();
    const { code } = await pair(ann.key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(404)]);
    const { keys } = (await server.request('GET', '/v1/keys', { key: ann.key })).body;
    expect(keys.filter(({ scope }: { scope: string }) => scope === 'device')).toHaveLength(1);
  });

  test('that is unknown, used, expired or of a revoked key is answered the same', async () => {
    const ann = await server.member();
    const told = async (code: string) => {
      const { status, body } = await redeem(code);
      const { requestId: _, ...problem } = body;
      return { status, problem };
    };
    const unknown = await told('0123456789abcdefghijklmnopq');
    expect(unknown).toMatchObject({ status: 404, problem: { title: 'Pairing code not valid' } });

    const late = await pair(ann.key);
    await server.rows(`update pairings set expires_at = now() where user_id = '${ann.userId}'`);
    expect(await told(late.code)).toEqual(unknown);
    // the next one takes it away
    await pair(ann.key);
    expect(await server.rows(`select from pairings where user_id = '${ann.userId}'`)).toHaveLength(1);

    const lost = (
      await server.request('POST', '/v1/keys', { key: ann.key, body: { name: 'lost', scope: 'device' } })
    ).body;
    const orphan = await pair(lost.key);
    await server.request('DELETE', `/v1/keys/${lost.id}`, { key: ann.key });
    expect(await told(orphan.code)).toEqual(unknown);
  });
});

describe('a device', () => {
  test('sees and revokes devices of its user, and no other key', async () => {
    const { key, device } = await paired();
    const other = (await redeem((await pair(device.key)).code, 'tablet')).body;
    const { keys } = (await server.request('GET', '/v1/keys', { key: device.key })).body;
    expect(keys.map(({ name }: { name: string }) => name).sort()).toEqual(['phone', 'tablet']);

    const { keys: all } = (await server.request('GET', '/v1/keys', { key })).body;
    const first = all.find(({ scope }: { scope: string }) => scope === 'person');
    const revoke = (id: string, query = '') =>
      server.request('DELETE', `/v1/keys/${id}${query}`, { key: device.key });
    expect((await revoke(first.id)).status).toBe(404);
    expect((await revoke(other.keyId)).status).toBe(204);
    expect((await server.request('GET', '/v1/me', { key: other.key })).status).toBe(401);
    expect((await server.request('GET', '/v1/me', { key })).status).toBe(200);
    expect((await server.request('POST', '/v1/keys', { key: device.key, body: { name: 'x' } })).status).toBe(
      403,
    );
  });
});
