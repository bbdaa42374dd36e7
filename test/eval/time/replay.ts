import { sql } from 'drizzle-orm';
import { Problem } from '../../../src/base/errors/problem.ts';
import { asUser, type Claims } from '../../../src/db/as-user.ts';
import { type Database, query, type Tx } from '../../../src/db/open.ts';
import { endStatement, fact, putStatement, undoStatement } from '../../../src/kinds/statements.ts';
import { type Change, KeyModel, type Result } from './model.ts';

const TYPE = 'generated';

/** What a replay found to be wrong. Nothing if everything is as the model says. */
export type Mistake = { key: string; what: string };

/** Makes the changes of a key, in the database and in the model, and returns the model. A mistake is a different result. */
export async function replay(
  db: Database,
  claims: Claims,
  key: string,
  changes: Change[],
  mistakes: Mistake[],
): Promise<KeyModel> {
  const model = new KeyModel(changes.length);
  for (const [n, wanted] of changes.entries()) {
    const change = model.possible(wanted);
    const result = await asUser(db, claims, (tx) => make(tx, model, key, change)).catch(resultOf);
    const expected = model.apply(change);
    if (result !== expected)
      mistakes.push({
        key,
        what: `change ${n} (${JSON.stringify(change)}): ${result} instead of ${expected}`,
      });
    const changed = ['opened', 'ended', 'undone'].includes(expected);
    model.keep(
      changed ? await asUser(db, claims, (tx) => lastChange(tx, key), { readOnly: true }) : undefined,
    );
  }
  return model;
}

async function make(tx: Tx, model: KeyModel, key: string, change: Change): Promise<Result> {
  const about = { type: TYPE, key };
  if (change.do === 'undo') {
    await undoStatement(tx, fact, about);
    return 'undone';
  }
  const { tier } = change;
  if (change.do === 'end') {
    await endStatement(tx, fact, { ...about, tier, ...(change.at && { at: model.momentText(change.at) }) });
    return 'ended';
  }
  const { value, from, until } = change;
  const put = {
    ...about,
    value,
    tier,
    ...(from && { validFrom: model.momentText(from) }),
    ...(until && { validUntil: model.momentText(until) }),
  };
  return (await putStatement(tx, fact, put)).outcome;
}

function resultOf(error: unknown): Result {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 409) return 'outranked';
  return error.status === 404 ? 'nothing' : 'empty';
}

async function lastChange(tx: Tx, key: string): Promise<string | undefined> {
  const [row] = await query<{ at: string }>(
    tx,
    sql`select to_json(max(greatest(recorded_at, recorded_until))) #>> '{}' as at from facts
        where type = ${TYPE} and key = ${key}`,
  );
  return row?.at;
}

/**
 * Compares every moment of a key, as believed after each change and just before it, with the model. Also that no two
 * rows overlap in both clocks, which the database refuses.
 *
 * @returns how many answers were compared
 */
export async function compare(
  db: Database,
  claims: Claims,
  key: string,
  model: KeyModel,
  mistakes: Mistake[],
): Promise<number> {
  const moments = Array.from({ length: model.length }, (_, cell) => ({
    cell,
    at: model.instantOf(cell),
  })).filter((moment): moment is { cell: number; at: string } => moment.at !== undefined);
  const rows = await asUser(
    db,
    claims,
    (tx) =>
      query<{ belief: number; cell: number; value: string | null; n: number }>(
        tx,
        sql`select r.n::int as belief, t.cell::int as cell, min(f.value #>> '{}') as value, count(f.id)::int as n
            from jsonb_to_recordset(${JSON.stringify(moments)}::jsonb) t (cell int, at timestamptz)
            cross join (
              select n, at::timestamptz - early * interval '1 microsecond' as recorded_at, early
              from unnest(${sql.param(model.beliefs.map(({ change }) => model.recorded[change]))}::text[])
                with ordinality b(at, n), generate_series(0, 1) early
            ) r
            left join lateral (
              select * from facts f where f.valid_from <= t.at and tstzrange(f.valid_from, f.valid_until) @> t.at
                and tstzrange(f.recorded_at, f.recorded_until) @> r.recorded_at and f.type = ${TYPE} and f.key = ${key}) f on true
            group by r.n, r.early, t.cell order by r.n, r.early desc, t.cell`,
      ),
    { readOnly: true },
  );
  for (const [i, { belief, cell, value, n }] of rows.entries()) {
    // the first half of a belief's rows is from just before it
    const early = Math.floor(i / moments.length) % 2 === 0;
    const cells = model.beliefs[belief - (early ? 2 : 1)]?.cells;
    const expected = cells?.[cell]?.value ?? null;
    if (value !== expected || n > 1)
      mistakes.push({
        key,
        what: `at ${model.instantOf(cell)}, ${early ? 'before' : 'after'} change ${belief}: ${value} (${n} rows) instead of ${expected}`,
      });
  }
  return rows.length;
}
