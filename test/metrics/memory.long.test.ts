import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { armOf } from '../../src/offers/holdout.ts';
import { curve, simulate } from '../eval/helps/simulate.ts';
import { transcriptFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_HOLDOUT: '0.5', LORE_MODEL_DIR: '' });
const folder = transcriptFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Played = Awaited<ReturnType<typeof simulate>>;

test('repeated errors fall with memory and not without, and the comparison says so', async () => {
  const owner = (await server.request('GET', '/v1/me')).body.userId;
  const armsOf = (id: string) => armOf(owner, id, 0.5);
  const idOf = (n: number) => {
    for (;;) {
      const id = randomUUID();
      if (armsOf(id) === (n % 2 === 0 ? 'memory' : 'withheld')) return id;
    }
  };
  const played = await simulate(server, { sessions: 30, projects: 1, seed: 3, folder, idOf });
  const [withMemory, without] = (['memory', 'withheld'] as const).map((arm) =>
    played.filter(({ id }) => armsOf(id) === arm),
  ) as [Played, Played];
  const rate = (some: Played) => {
    const sum = (key: 'repeated' | 'chances') => some.reduce((all, one) => all + one[key], 0);
    return sum('repeated') / sum('chances');
  };
  // both kinds of session teach, so those with memory know most quirks after the first few
  expect(rate(withMemory)).toBeLessThan(0.4);
  // without memory, everything that can go wrong again does
  for (const { repeated, chances } of curve(without)) expect(repeated).toBe(chances);

  const { comparison } = (await server.request('GET', '/v1/metrics?days=1')).body;
  const of = (some: Played) => {
    const n = some.length;
    return { n, value: some.filter(({ repeated }) => repeated > 0).length / n };
  };
  const sessions = { memory: withMemory.length, withheld: without.length, needed: 60 };
  const repeatedErrors = { memory: of(withMemory), withheld: of(without) };
  expect(comparison).toMatchObject({ holdout: 0.5, sessions, repeatedErrors });
  expect(comparison.repeatedErrors.change.high).toBeLessThan(0);
  const { memory, withheld } = comparison.medians;
  expect(memory.tokens).toBeLessThan(withheld.tokens);
  expect(memory.commands).toBeLessThan(withheld.commands);
}, 120_000);
