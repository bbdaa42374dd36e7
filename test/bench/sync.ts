import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedClient } from '../../src/db/embedded/client.ts';
import { openJournal } from '../../src/hooks/journal.ts';
import { createLog } from '../../src/log.ts';
import { percentiles, type Row } from './measure.ts';
import { seeded, session } from './sessions.ts';

const TIMES = 500;

/** Measures what LORE_SYNC=on costs: a line of the journal and a commit of the embedded engine, without and with it. */
export async function benchSync(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const sync of [false, true]) {
    const how = sync ? 'LORE_SYNC=on' : 'off';
    const home = join(folder, how);
    mkdirSync(home);
    rows.push(percentiles(`journal line, ${how}`, await journalLines(home, sync)));
    rows.push(percentiles(`commit of the embedded engine, ${how}`, await commits(home, sync)));
  }
  return rows;
}

async function journalLines(folder: string, sync: boolean): Promise<number[]> {
  const journal = openJournal({ folder, database: 'bench', sync }, async () => {}, createLog('silent'));
  const events = [...session(seeded(1), { turns: 10, calls: 30 })];
  const claims = { userId: crypto.randomUUID(), role: 'owner' as const };
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const event = { session_id: 'bench', ...events[n % events.length] } as never;
    const started = performance.now();
    journal.add({ claims, at: new Date().toISOString(), event });
    times.push(performance.now() - started);
  }
  await journal.close();
  return times;
}

async function commits(home: string, sync: boolean): Promise<number[]> {
  const client = await openEmbeddedClient(join(home, 'pgdata'), { sync });
  await client.query('create table things (n int)');
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const started = performance.now();
    await client.transaction((tx) => tx.query('insert into things values ($1)', [n]));
    times.push(performance.now() - started);
  }
  await client.close();
  return times;
}
