import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { createModels } from '../../src/llm/choose.ts';
import { mineAtNight } from '../../src/patterns/nightly.ts';
import { makeHistory, storeEpisodes } from '../eval/patterns/generate.ts';
import { fakeGemini } from '../support/gemini.ts';
import { startTestServer } from '../support/server.ts';

const gemini = await fakeGemini();
afterAll(() => gemini.close());
const server = await startTestServer({ LORE_MODEL_DIR: '' });
const config = readConfig({ LORE_HOME: server.home, GEMINI_API_KEY: 'k', GEMINI_BASE_URL: gemini.url });
const { modelFor } = createModels(config, server.db, 'nobody');
const services = { db: server.db, modelFor };

test('a model names what the rules found; a person is not overruled, and without an answer the names stay', async () => {
  const { userId } = await server.member('ann');
  const claims: Claims = { userId, role: 'member' };
  const names = () =>
    asUser(server.db, claims, (tx) =>
      query<{ name: string; by: string }>(tx, sql`select name, named_by as by from patterns order by id`),
    );
  const touch = () =>
    asUser(server.db, claims, (tx) => query(tx, sql`update episodes set description = description`));
  await storeEpisodes(server.db, claims, makeHistory({ seed: 3, projects: 1, episodes: 60 }).episodes);
  gemini.reply = { status: 500, message: 'no' };
  expect(await mineAtNight(services, claims, new AbortController().signal)).toEqual({ mined: 1, named: 0 });
  const byRules = await names();
  expect(byRules.length).toBeGreaterThan(2);
  expect(new Set(byRules.map(({ by }) => by))).toEqual(new Set(['rules']));

  await asUser(server.db, claims, (tx) =>
    query(
      tx,
      sql`update patterns set name = 'mine', named_by = 'person' where id = (select min(id::text)::uuid from patterns)`,
    ),
  );
  gemini.reply = {
    answer: {
      names: [
        { number: 0, name: 'Ship a new endpoint' },
        { number: 99, name: 'nothing' },
      ],
    },
  };
  await touch();
  expect(await mineAtNight(services, claims, new AbortController().signal)).toEqual({ mined: 1, named: 1 });
  const named = await names();
  expect(named.filter(({ by }) => by === 'model')).toEqual([{ name: 'Ship a new endpoint', by: 'model' }]);
  expect(named[0]).toEqual({ name: 'mine', by: 'person' });

  // mined again: who worded it stays
  gemini.reply = { answer: { names: [] } };
  await touch();
  await mineAtNight(services, claims, new AbortController().signal);
  expect(await names()).toEqual(named);
});
