import { describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });

const service = (key: string) => ({ type: 'service', key });

async function member() {
  const { key, ask } = await server.member();
  const relate = (from: string, to: string, more: object = {}) =>
    ask('PUT', '/v1/relations', { from: service(from), relation: 'calls', to: service(to), ...more });
  const around = async (key: string, query = '') =>
    (await ask('GET', `/v1/relations/neighbourhood?type=service&key=${key}${query}`)).body;
  /** the relations around an entity as `hop from>to` */
  const edges = async (key: string, query = ''): Promise<string[]> =>
    (await around(key, query)).relations
      .map(
        (r: { hop: number; from: { key: string }; to: { key: string } }) =>
          `${r.hop} ${r.from.key}>${r.to.key}`,
      )
      .sort();
  const list = async (query = '') => (await ask('GET', `/v1/relations${query}`)).body.relations;
  return { key, ask, relate, around, edges, list };
}

describe('a relation', () => {
  test('holds until it is ended; other attributes close the old ones, the same confirm it', async () => {
    const { ask, relate, list } = await member();
    const made = await relate('web', 'api', { attributes: { port: 80 } });
    expect([made.status, made.body.from, made.body.relation]).toEqual([201, service('web'), 'calls']);
    expect((await relate('web', 'api', { attributes: { port: 80 } })).body).toMatchObject({
      outcome: 'confirmed',
      id: made.body.id,
    });
    expect((await relate('web', 'api', { attributes: { port: 443 } })).body).toMatchObject({
      outcome: 'opened',
      replaced: made.body.id,
    });
    expect(await list()).toMatchObject([{ attributes: { port: 443 } }]);
    expect(await list(`?asOf=${encodeURIComponent(made.body.validFrom)}`)).toMatchObject([
      { attributes: { port: 80 } },
    ]);
    const edge = { from: service('web'), relation: 'calls', to: service('api') };
    expect((await ask('POST', '/v1/relations/end', edge)).body.relation).toMatchObject({
      attributes: { port: 443 },
    });
    expect(await list()).toEqual([]);
    expect((await ask('POST', '/v1/relations/end', edge)).status).toBe(404);
    expect((await ask('POST', '/v1/relations/undo', edge)).body.relations).toHaveLength(2);
    expect(await list()).toMatchObject([{ attributes: { port: 443 }, validUntil: null }]);
    const [{ id }] = await list();
    expect((await ask('DELETE', `/v1/relations/${id}`)).status).toBe(204);
    expect(await list(`?asOf=${encodeURIComponent(made.body.validFrom)}`)).toEqual([]);
  });
});

describe('a neighbourhood', () => {
  test('goes one to three hops, out, in or both ways, and comes to an end in a circle', async () => {
    const { relate, edges } = await member();
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'e'],
      ['c', 'a'],
      ['x', 'b'],
      ['a', 'a'],
    ] as const)
      await relate(from, to);
    expect(await edges('a', '&direction=out')).toEqual(['1 a>a', '1 a>b']);
    expect(await edges('a', '&direction=out&hops=2')).toEqual(['1 a>a', '1 a>b', '2 b>c']);
    expect(await edges('a', '&direction=out&hops=3')).toEqual(['1 a>a', '1 a>b', '2 b>c', '3 c>a', '3 c>d']);
    expect(await edges('b', '&direction=in&hops=3')).toEqual(['1 a>b', '1 x>b', '2 a>a', '2 c>a', '3 b>c']);
    expect(await edges('a', '&hops=1')).toEqual(['1 a>a', '1 a>b', '1 c>a']);
    expect(await edges('a', '&hops=3')).toEqual([
      '1 a>a',
      '1 a>b',
      '1 c>a',
      '2 b>c',
      '2 c>d',
      '2 x>b',
      '3 d>e',
    ]);
  });
});
