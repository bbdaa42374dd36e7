import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { ConsolidationPlan, ConsolidationReport, ConsolidationRun } from '../wire/routes.ts';
import { having } from '../wire/wire.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { ago, called, plain } from './print.ts';

/** What a night changed, or would change. */
type Change = ConsolidationPlan['planned'][number] & Partial<ConsolidationReport['items'][number]>;

const PAUSE_MS = 300;

/** Runs a night now and waits for its end; or shows what it would change, the nights, or one of them. */
export async function consolidate(
  config: Config,
  io: Io,
  options: { dryRun?: boolean; list?: boolean; show?: string; limit: string },
): Promise<void> {
  if (options.list) return list(config, io, options.limit);
  if (options.show !== undefined) return show(config, io, options.show);
  if (options.dryRun) {
    const begun = await callServer(config, 'POST /v1/consolidation/runs', { query: { dryRun: 'true' } });
    const plan = having('planned', begun);
    if (io.json) return io.print(plan);
    for (const change of plan.planned) line(io, change);
    const { events, checks } = plan.old;
    if (events + checks > 0)
      io.log(`${events} events and ${checks} checks are old enough to go, but what is cited stays.`);
    return io.log(`${plan.planned.length} changes. Nothing was changed.`);
  }
  let run = having('id', await callServer(config, 'POST /v1/consolidation/runs'));
  while (run.finishedAt === null) {
    if (run.error !== null) io.error(`${run.stage}: ${run.error}; it is tried again`);
    await sleep(PAUSE_MS);
    run = await callServer(config, 'GET /v1/consolidation/runs/{id}', { params: { id: run.id } });
  }
  await show(config, io, run.id);
}

async function list(config: Config, io: Io, limit: string): Promise<void> {
  const { runs } = await callServer(config, 'GET /v1/consolidation/runs', { query: { limit } });
  if (io.json) return io.print(runs);
  if (runs.length === 0) return io.log('No night yet.');
  for (const run of runs) io.log(head(run));
}

async function show(config: Config, io: Io, id: string): Promise<void> {
  const report = await callServer(config, 'GET /v1/consolidation/runs/{id}', { params: { id } });
  if (io.json) return io.print(report);
  io.log(head(report));
  for (const item of report.items) line(io, item);
}

function head({ id, startedBy, stage, startedAt, finishedAt, error, counts }: ConsolidationRun): string {
  const done = Object.entries(counts).map(([name, n]) => `${n} ${name}`);
  const state = finishedAt === null ? `${stage}${error === null ? '' : `: ${error}`}` : 'done';
  return `${id.slice(0, 8)}  ${ago(startedAt)}, by ${startedBy}, ${state}: ${done.join(', ') || 'no changes'}`;
}

function line(io: Io, { id, action, kind, recordId, text, reason, undoneAt }: Change): void {
  const item = id === undefined ? '' : `${id.slice(0, 8)}  `;
  io.log(
    `  ${item}${action} ${called(kind)} ${recordId.slice(0, 8)}: ${plain(reason)}${undoneAt ? ' (undone)' : ''}`,
  );
  if (text) io.log(`    ${plain(text.split('\n')[0] ?? '')}`);
}

/** Undoes what a night changed, or one item of it. */
export async function undoNight(config: Config, io: Io, run: string, item?: string): Promise<void> {
  const answer = await callServer(config, 'POST /v1/consolidation/runs/{id}/undo', {
    params: { id: run },
    query: { item },
  });
  if (io.json) return io.print(answer);
  io.log(answer.undone === 0 ? 'There was nothing to undo.' : `Undone: ${answer.undone}.`);
}
