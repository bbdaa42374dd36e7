import { expect, test } from 'vitest';
import { search as ask } from '../support/search.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

// What holds for every kind of knowledge that is searched.

const wordsOnly = await sharedServer({ model: false });

const project = '/home/dev/app';
type Found = { id: string; kind: string; relevance: string; score: number; similarity: number | null };

const search = (on: TestServer, key: string, query: string) => ask<Found>(on, key, { query, project });

/** A fact, relation, decision, note, finding and skill, each with a word of its own; the question that finds each. */
async function stateOneOfEach(on: TestServer, key: string): Promise<[kind: string, question: string][]> {
  const ask = async (method: string, path: string, body: object) => {
    const { status } = await on.request(method, path, { key, body });
    expect(status).toBeLessThan(300);
  };
  const [from, to] = [
    { type: 'service', key: 'quokka' },
    { type: 'queue', key: 'walrus' },
  ];
  await ask('PUT', '/v1/facts', { type: 'port', key: 'narwhal gateway', value: 8123, project });
  await ask('PUT', '/v1/relations', { from, relation: 'reads from', to, project });
  await ask('POST', '/v1/decisions', {
    condition: 'a zebra migration is needed',
    action: 'pause it',
    project,
  });
  await ask('POST', '/v1/notes', {
    project,
    content: 'The heron import doubles its rows.',
    agent: 'planner',
  });
  await ask('POST', '/v1/findings', { project, title: 'The ocelot cache never expires' });
  await ask('PUT', '/v1/skills/stork-release', {
    file: '---\ndescription: Releases the stork package\n---\n# It',
  });
  return [
    ['fact', 'narwhal gateway'],
    ['relation', 'quokka walrus'],
    ['decision', 'zebra migration'],
    ['note', 'heron import'],
    ['finding', 'ocelot cache'],
    ['skill', 'stork release'],
  ];
}

test('without a model all are found by their words', async () => {
  const { key } = await wordsOnly.member();
  for (const [kind, question] of await stateOneOfEach(wordsOnly, key)) {
    const { degraded, results } = await search(wordsOnly, key, question);
    expect({ degraded, found: results[0] }).toMatchObject({
      degraded: true,
      found: { kind, similarity: null },
    });
  }
});
