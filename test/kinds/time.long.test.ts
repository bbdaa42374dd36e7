import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Claims } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { seeded } from '../bench/sessions.ts';
import { changesAtRandom } from '../eval/time/generate.ts';
import { compare, type Mistake, replay } from '../eval/time/replay.ts';
import { testDatabase } from '../support/server.ts';

// Both clocks against a model that works by brute force.

const db = await (await testDatabase()).open();
afterAll(() => db.close());
const [member] = await query<{ id: string }>(
  db.drizzle,
  sql`select lore.create_member('m', 'hash', 'key') as id`,
);
const claims: Claims = { userId: member?.id as string, role: 'member' };

test('whatever is changed, every moment is as the model says, as believed at every moment', async () => {
  let key = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 14 }), async (seed, count) => {
      const name = `k${key++}`;
      const mistakes: Mistake[] = [];
      const changes = changesAtRandom(seeded(seed), count);
      const model = await replay(db, claims, name, changes, mistakes);
      await compare(db, claims, name, model, mistakes);
      expect(mistakes).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
