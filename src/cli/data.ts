import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachmentsIn } from '../base/files/attachments.ts';
import type { JoinedProjects } from '../base/wire/routes.ts';
import { textOf } from './client.ts';
import { asCalled, confirmed, counted, hint, plain, uncheckedLine } from './io.ts';
import { type Action, type Cli, wrongUsage } from './rows.ts';
import { list, table } from './table.ts';

// What is in the database as a whole: its state, projects, SQL, the index, and to erase some of it.

/** Counting what is embedded costs the database time, so it is asked seldom. */
const PAUSE_MS = 1_000;

const status: Action = async (_, { io, call, config }) => {
  const health = await call('GET /health');
  const [{ projects }, { sessions }, { learnings }, model, { unchecked }] = await Promise.all([
    call('GET /v1/projects'),
    call('GET /v1/sessions', { query: { limit: '10' } }),
    call('GET /v1/learnings', { query: { limit: '500' } }),
    call('GET /v1/model'),
    call('GET /v1/hooks/unchecked'),
  ]);
  if (io.json) return io.print({ health, projects, sessions, model, unchecked });
  const { database, embedding } = health;
  const attached = attachmentsIn(config.home).length;
  const countOf = (state: string) => learnings.filter((l) => l.status === state).length;
  io.log(`Lore ${health.version} on ${config.url}: ${health.status}
  database   ${database.engine}${database.ok ? '' : ', does not answer'}
  embedding  ${embedding.state}${embedding.model ? ` (${embedding.model})` : ''}${embedding.pending ? ', texts wait for their vector' : ''}${embedding.reason ? `: ${embedding.reason}` : ''}
  model      ${model.model === null ? 'none; rules write the lessons' : `${model.model}: ${model.state}`}
  projects   ${projects.length}${attached > 0 ? `; hooks are in ${counted(attached, 'settings file')}` : ''}
  lessons    ${countOf('active')} active, ${countOf('proposed')} proposed`);
  for (const one of unchecked) hint(io, `  unchecked  ${uncheckedLine(one)}`, ' '.repeat(13));
  const begin =
    attached > 0 ? 'Start your client in an attached project.' : 'Attach a project with lore init <dir>.';
  const names = 'session project? status errors=errorsEncountered? last_activity=lastActivity';
  const special = { session: (s: (typeof sessions)[number]) => s.shortTitle ?? '(no prompt)' };
  list(io, sessions, asCalled(`No session yet. ${begin}`), names, special);
};

/** Returns the counts as lines of text, without the kinds of which nothing goes. */
export function reportOf(counts: Record<string, number>): string {
  const words = (kind: string) => kind.replace(/_|(?=[A-Z])/g, ' ').toLowerCase();
  const lines = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `  ${String(count).padStart(7)} ${words(kind)}`);
  return lines.length === 0 ? '  nothing' : lines.join('\n');
}

type Care = { dryRun?: boolean; yes?: boolean };
/**
 * Does what cannot be undone: shows first what it would do and asks, unless `--yes` or `--dry-run` was given.
 *
 * @param words for people: what it is, the question about it, and what was not done
 */
async function carefully<A>(
  { io }: Cli,
  { dryRun = false, yes = false }: Care,
  ask: (dryRun: boolean) => Promise<A>,
  told: (answer: A, isDone: boolean) => string,
  [about, question, not]: [string, string, string],
): Promise<void> {
  if (!dryRun && !yes && !(await confirmed(io, about, `${told(await ask(true), false)}\n${question}`)))
    return io.error(not);
  const done = await ask(dryRun);
  io.answer(done, told(done, !dryRun));
}

type Erased = { session?: string; project?: string; before?: string; keepLearned?: boolean };
const erase: Action = async ({ dryRun, yes, keepLearned = false, ...what }: Erased & Care, cli) => {
  if (Object.keys(what).length !== 1)
    throw wrongUsage('Say what to erase: --session, --project or --before, one of them.');
  await carefully(
    cli,
    { dryRun, yes },
    (dry) => cli.call('POST /v1/erase', { body: { ...what, keepLearned, dryRun: dry } }),
    ({ erased }, isDone) =>
      `${isDone ? 'Erased' : 'This would be erased, and cannot be brought back'}:\n${reportOf(erased)}`,
    ['Erasing', 'Erase it?', 'Nothing was erased.'],
  );
};

const joinProjects: Action = ({ from, into, ...care }: { from: string; into: string } & Care, cli) =>
  carefully(
    cli,
    care,
    (dryRun) => cli.call('POST /v1/projects/join', { body: { from, into, dryRun } }),
    (would, isDone) =>
      `${isDone ? 'Moved' : 'Would be moved'} from ${plain(would.from)} to ${plain(would.into)}:\n${movedOf(would)}`,
    ['Joining projects', 'It cannot be moved back. Join them?', 'Nothing was moved.'],
  );

const movedOf = ({ from, moved, stayed }: JoinedProjects): string =>
  Object.keys(stayed).length === 0
    ? reportOf(moved)
    : `${reportOf(moved)}\nThe other says these already; they stay, in “${plain(from)} (joined)”:\n${reportOf(stayed)}`;

const sql: Action = async ({ statement }: { statement?: string }, { io, call }) => {
  const query = (statement ?? (await textOf(io, []))).trim().replace(/;+$/, '');
  if (query === '') return;
  const { cut, columns, rows } = await call('POST /v1/sql', { body: { query } });
  if (cut !== null) io.error(cut);
  if (io.json) return io.print(rows);
  const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const cells = rows.map((row) => columns.map((name) => (row[name] == null ? null : cell(row[name]))));
  io.log(table(io, columns, cells, { whole: true }));
  io.log(`(${counted(rows.length, 'row')})`);
};

const reindex: Action = async ({ model, wait }: { model?: boolean; wait: boolean }, { io, call }) => {
  let index = await call('POST /v1/index/rebuild', { query: model ? { changeModel: 'true' } : {} });
  while (wait && (index.rebuilding || (index.model !== null && index.pending > index.failing))) {
    await sleep(PAUSE_MS);
    index = await call('GET /v1/index');
  }
  const { sources, documents, embedded, pending } = index;
  io.answer(index, `${sources} records in ${documents} rows, ${embedded} embedded, ${pending} pending.`);
};

// A backup holds the keys with which an agent could decide as the person, so none of this is for agents.

/** Has the server write a backup into a folder, and prints what it holds. */
async function makeBackup({ config, io, call }: Cli, given?: string): Promise<void> {
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = given ? resolve(io.cwd, given) : join(config.home, 'backups', `by-hand-${at}`);
  if (!given) mkdirSync(join(config.home, 'backups'), { recursive: true, mode: 0o700 });
  const made = await call('POST /v1/backup', { body: { folder } });
  const total = Object.values(made.rows).reduce((sum, n) => sum + n, 0);
  const what = made.engine === 'pglite' ? `${total} rows, opened and counted` : 'a dump of PostgreSQL';
  io.answer(
    made,
    `Backup in ${made.folder} (${what}).`,
    'It holds your keys: keep it where only you can read it.',
    asCalled(`To restore it: stop the server, then lore restore ${made.folder}`),
  );
}

export const actions: Record<string, Action> = {
  ...{ status, erase, sql, reindex, 'projects join': joinProjects },
  backup: ({ folder }, cli) => makeBackup(cli, folder),
};
