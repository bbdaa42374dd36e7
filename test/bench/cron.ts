import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { startLore } from './lore.ts';
import type { Row } from './measure.ts';
import type { Store } from './store.ts';

const JOB = 'lore-consolidation';

/**
 * Lets pg_cron itself run a night: it finds the schedule that the migration made, has the job run every second until it
 * has run once, and sets the schedule back.
 *
 * @param store its database must be the one that pg_cron lives in, and empty: Lore's tables stay in it
 */
export async function benchCron(store: Store): Promise<Row[]> {
  const db = postgres(store.databaseUrl as string, { max: 1, onnotice: () => {} });
  const lore = await startLore(store);
  try {
    const [job] = await db`select schedule, command, active from cron.job where jobname = ${JOB}`;
    const schedule = `${job?.schedule}: ${job?.command.split('\n')[0]} …`;
    const runs = async () => {
      const answer = JSON.parse((await lore.get('/v1/consolidation/runs')).text);
      return answer.runs.filter((one: { startedBy: string }) => one.startedBy === 'cron').length;
    };
    const before = await runs();
    await db`select cron.schedule(${JOB}, '1 second', lore.nights())`;
    const started = performance.now();
    while ((await runs()) === before && performance.now() - started < 60_000) await sleep(200);
    await db`select cron.schedule(${JOB}, '0 3 * * *', lore.nights())`;
    const [last] = await db`
      select d.status, d.return_message from cron.job_run_details d join cron.job j on j.jobid = d.jobid
      where j.jobname = ${JOB} order by d.start_time desc limit 1`;
    const ran = (await runs()) - before;
    return [
      { what: 'pg_cron: the schedule of the migration', value: schedule, ok: job?.active === true },
      { what: 'pg_cron: nights that it began', value: `${ran}, the last ${last?.status}`, ok: ran > 0 },
    ];
  } finally {
    await lore.stop();
    await db.end();
  }
}
