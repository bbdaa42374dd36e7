import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Problem } from '../../src/base/errors/problem.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query, type Tx } from '../../src/db/open.ts';
import { TIERS } from '../../src/kinds/schema.ts';
import { endStatement, fact, putStatement, undoStatement } from '../../src/kinds/statements.ts';
import { seeded } from '../bench/sessions.ts';
import { testDatabase } from '../support/server.ts';
import { type Change, DAYS, keyModel, type Result } from './time-model.ts';

// Both clocks against a model that works by brute force.

const db = await (await testDatabase()).open();
afterAll(() => db.close());
const [member] = await query<{ id: string }>(
  db.drizzle,
  sql`select lore.create_member('m', 'hash', 'key') as id`,
);
const claims: Claims = { userId: member?.id as string, role: 'member' };
const as = <T>(work: (tx: Tx) => Promise<T>) => asUser(db, claims, work);
const TYPE = 'generated';

/** Returns changes of one key at random: values for now, for earlier and for later, periods, ends and undone changes. */
function changesAtRandom(random: () => number, count: number): Change[] {
  const below = (n: number) => Math.floor(random() * n);
  const moment = () => {
    const chance = random();
    if (chance < 0.5) return below(DAYS);
    return chance < 0.9 ? DAYS + count + below(DAYS) : DAYS + below(count);
  };
  // mostly one tier, or most changes would be refused
  const tier = () => (random() < 0.7 ? 'agent' : (TIERS[below(TIERS.length)] as 'agent'));
  return Array.from({ length: count }, (): Change => {
    const chance = random();
    if (chance < 0.1) return { do: 'undo' };
    if (chance < 0.2) return { do: 'end', tier: tier(), ...(random() < 0.5 && { at: moment() }) };
    const put = { do: 'put' as const, value: ['red', 'green', 'blue'][below(3)] as string, tier: tier() };
    const [from, until] = [moment(), moment()].sort((a, b) => a - b);
    const kind = random();
    if (kind < 0.35) return put;
    if (kind < 0.7) return { ...put, from };
    // a few end before they begin
    if (kind < 0.8) return { ...put, until: random() < 0.9 ? DAYS + count + below(DAYS) : from };
    return random() < 0.95 ? { ...put, from, until } : { ...put, from: until, until: from };
  });
}

/** Makes a change in the database, with moments as text. */
async function make(
  tx: Tx,
  key: string,
  change: Change,
  at: (cell?: number) => string | undefined,
): Promise<Result> {
  const about = { type: TYPE, key };
  if (change.do === 'undo') {
    await undoStatement(tx, fact, about);
    return 'undone';
  }
  const { tier } = change;
  if (change.do === 'end') {
    await endStatement(tx, fact, { ...about, tier, at: at(change.at) });
    return 'ended';
  }
  const times = { validFrom: at(change.from), validUntil: at(change.until) };
  return (await putStatement(tx, fact, { ...about, value: change.value, tier, ...times })).outcome;
}

function resultOf(error: unknown): Result {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 409) return 'outranked';
  return error.status === 404 ? 'nothing' : 'empty';
}

/** Makes the changes in the database and in the model, which must agree on what comes of each. */
async function replay(key: string, changes: Change[]) {
  const model = keyModel(changes.length);
  const at = (cell?: number) => (cell === undefined ? undefined : model.instantOf(cell));
  // a change that has not been made, or was none, has no moment
  const known = (cell?: number) => (at(cell) === undefined ? undefined : cell);
  for (const wanted of changes) {
    const change = { ...wanted };
    if (change.do === 'put') Object.assign(change, { from: known(change.from), until: known(change.until) });
    if (change.do === 'end') change.at = known(change.at);
    const result = await as((tx) => make(tx, key, change, at)).catch(resultOf);
    expect({ change, result }).toEqual({ change, result: model.apply(change) });
    const [last] = await as((tx) =>
      query<{ at: string }>(
        tx,
        sql`select to_json(max(greatest(recorded_at, recorded_until))) #>> '{}' as at from facts
            where type = ${TYPE} and key = ${key}`,
      ),
    );
    model.keep(['opened', 'ended', 'undone'].includes(result) ? last?.at : undefined);
  }
  return model;
}

/** Compares every moment of a key, as believed after each change and just before it, with the model. */
async function compare(key: string, model: ReturnType<typeof keyModel>, length: number) {
  const moments = Array.from({ length }, (_, cell) => ({ cell, at: model.instantOf(cell) })).filter(
    ({ at }) => at !== undefined,
  );
  const rows = await as((tx) =>
    query<{ belief: number; early: number; cell: number; values: (string | null)[] }>(
      tx,
      sql`select r.n::int as belief, r.early, t.cell::int as cell, json_agg(f.value #>> '{}') as values
          from jsonb_to_recordset(${JSON.stringify(moments)}::jsonb) t (cell int, at timestamptz)
          cross join (
            select n, at::timestamptz - early * interval '1 microsecond' as recorded_at, early
            from unnest(${sql.param(model.beliefs.map(({ recorded }) => recorded))}::text[])
              with ordinality b(at, n), generate_series(0, 1) early
          ) r
          left join lateral (
            select * from facts f where f.valid_from <= t.at and tstzrange(f.valid_from, f.valid_until) @> t.at
              and tstzrange(f.recorded_at, f.recorded_until) @> r.recorded_at and f.type = ${TYPE} and f.key = ${key}) f on true
          group by r.n, r.early, t.cell`,
    ),
  );
  for (const { belief, early, cell, values } of rows) {
    const believed = model.beliefs[belief - 1 - early]?.cells[cell]?.value ?? null;
    // of two rows that hold at one moment there would be two values
    expect({ belief, early, cell, values }).toEqual({ belief, early, cell, values: [believed] });
  }
}

test('whatever is changed, every moment is as the model says, as believed at every moment', async () => {
  let keys = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 14 }), async (seed, count) => {
      const key = `k${keys++}`;
      const model = await replay(key, changesAtRandom(seeded(seed), count));
      await compare(key, model, 2 * DAYS + count);
    }),
    { numRuns: 40 },
  );
});
