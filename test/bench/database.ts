import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { PGlite } from '@electric-sql/pglite';
import { openEmbeddedClient } from '../../src/db/embedded/client.ts';
import { createStatements } from '../../src/db/embedded/prepared-statements.ts';
import { createRowReader } from '../../src/db/embedded/rows.ts';
import { type Row, row } from './measure.ts';

const TIMES = 3_000;

type Run = (text: string, params: unknown[]) => Promise<unknown>;

/**
 * Measures the cost of running the embedded database in its own thread: a transaction of one look-up by key, one of
 * ten, and one of 200 rows, with the thread and without. Also measures how much of that time the answering thread is
 * busy.
 */
export async function benchDatabase(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'lore-bench-'));
  const client = await openEmbeddedClient(join(home, 'pgdata'));
  const pglite = await PGlite.create(join(home, 'beside'));
  const statements = createStatements(pglite);
  const read = createRowReader([]);
  const here = async (work: (run: Run) => Promise<unknown>) => {
    await work(async (text, params) =>
      read(await statements.run({ text, params, keep: true, scoped: true })),
    );
    await statements.end('commit');
  };
  const thread = (work: (run: Run) => Promise<unknown>) =>
    client.transaction((tx) => work((text, params) => tx.query(text, params, {})));

  for (const statement of [
    'create table things (id int primary key, name text, data jsonb, at timestamptz)',
    `insert into things select n, 'thing ' || n, jsonb_build_object('a', n, 'b', 'text'), now()
     from generate_series(1, 2000) n`,
  ]) {
    await client.query(statement);
    await pglite.query(statement);
  }

  const rows: Row[] = [];
  const lookUp = (run: Run, n: number) => run('select * from things where id = $1', [1 + (n % 2_000)]);
  const works: [string, number, (run: Run) => Promise<unknown>][] = [
    ['one look-up by key', 1, (run) => lookUp(run, 7)],
    [
      'ten look-ups by key, a statement',
      10,
      async (run) => {
        for (let n = 0; n < 10; n++) await lookUp(run, n);
      },
    ],
    ['200 rows', 1, (run) => run('select * from things where id <= $1', [200])],
  ];
  for (const [what, statementsEach, work] of works) {
    for (const [where, transact] of [
      ['in the answering thread', here],
      ['in a thread of its own', thread],
    ] as const) {
      const times = Math.ceil(TIMES / statementsEach / (what === '200 rows' ? 10 : 1));
      for (let i = 0; i < times / 10; i++) await transact(work);
      const before = performance.eventLoopUtilization();
      const start = performance.now();
      for (let i = 0; i < times; i++) await transact(work);
      const took = (performance.now() - start) / times / statementsEach;
      const busy = performance.eventLoopUtilization(before).active / times / statementsEach;
      rows.push(row(`${what}, ${where}`, took, 'ms'));
      if (transact === thread) rows.push(row(`${what}, the answering thread’s part`, busy, 'ms'));
    }
  }
  await client.close();
  await pglite.close();
  rmSync(home, { recursive: true });
  return rows;
}
