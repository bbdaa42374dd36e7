import { setTimeout as sleep } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import { Option } from 'commander';
import { attachmentsIn } from '../files/attachments.ts';
import type { JoinedProjects } from '../wire/routes.ts';
import type { Define } from './commands.ts';
import { confirmed } from './confirm.ts';
import { textOf } from './here.ts';
import type { Io } from './io.ts';
import { sub, time } from './options.ts';
import { asCalled, counted, hint, plain, uncheckedLine } from './print.ts';
import { list, table } from './table.ts';

// What is in the database as a whole: its state, projects, SQL, the index, and to erase some of it.

const status: Define = (command, cli) =>
  command.action(async () => {
    const { io, call, config } = cli;
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
    list(
      io,
      sessions,
      asCalled(`No session yet. ${begin}`),
      'session project status errors=errorsEncountered last_activity=lastActivity',
      { session: (s) => s.shortTitle ?? '(no prompt)' },
      'errors project',
    );
  });

/** Returns the counts as lines of text, without the kinds of which nothing goes. */
export function reportOf(counts: Record<string, number>): string {
  const words = (kind: string) => kind.replace(/_|(?=[A-Z])/g, ' ').toLowerCase();
  const lines = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `  ${String(count).padStart(7)} ${words(kind)}`);
  return lines.length === 0 ? '  nothing' : lines.join('\n');
}

const erase: Define = (command, { io, call }) => {
  const only = (flags: string, text: string, ...others: string[]) =>
    new Option(flags, text).conflicts(others);
  command
    .addOption(only('--session <id>', "a session, by Lore's id or the client's", 'project', 'before'))
    .addOption(only('--project <name>', 'a project', 'session', 'before'))
    .addOption(
      only('--before <date>', 'everything from before a day or an instant', 'session', 'project').argParser(
        time,
      ),
    )
    .option('--keep-learned', 'keep lessons and notes')
    .option('--dry-run', 'only show what would be erased')
    .option('-y, --yes', 'do not ask')
    .action(async ({ dryRun = false, yes = false, keepLearned = false, ...what }) => {
      if (Object.keys(what).length === 0)
        command.error('error: say what to erase: --session, --project or --before');
      const ask = (dry: boolean) => call('POST /v1/erase', { body: { ...what, keepLearned, dryRun: dry } });
      if (!dryRun && !yes) {
        const { erased } = await ask(true);
        const question = `This would be erased, and cannot be brought back:\n${reportOf(erased)}\nErase it?`;
        if (!(await confirmed(io, 'Erasing', question))) return io.error('Nothing was erased.');
      }
      const done = await ask(dryRun);
      io.answer(done, `${dryRun ? 'This would be erased:' : 'Erased:'}\n${reportOf(done.erased)}`);
    });
};

const projects: Define = (command, { io, call }) => {
  const all = command.command('list', { isDefault: true });
  all.description('all projects, and the names that lead to them').action(async () => {
    const { projects } = await call('GET /v1/projects');
    if (io.json) return io.print({ projects });
    list(io, projects, 'No projects.', 'project=name also last_active=lastActivity');
  });
  sub(
    command,
    'join <from> <into>',
    'move all that a project has to another one, permanently; its name leads there from then on',
  )
    .option('--dry-run', 'only show what would be moved')
    .option('-y, --yes', 'do not ask')
    .action(async (from, into, { dryRun = false, yes = false }) => {
      const ask = (dry: boolean) => call('POST /v1/projects/join', { body: { from, into, dryRun: dry } });
      if (!dryRun && !yes) {
        const would = await ask(true);
        const question = `This would be moved from ${plain(would.from)} to ${plain(would.into)}, and cannot be moved back:\n${movedOf(would)}\nJoin them?`;
        if (!(await confirmed(io, 'Joining projects', question))) return io.error('Nothing was moved.');
      }
      const joined = await ask(dryRun);
      const did = dryRun ? 'Would be moved' : 'Moved';
      io.answer(joined, `${did} from ${plain(joined.from)} to ${plain(joined.into)}:\n${movedOf(joined)}`);
    });
};

const movedOf = ({ from, moved, stayed }: JoinedProjects): string =>
  Object.keys(stayed).length === 0
    ? reportOf(moved)
    : `${reportOf(moved)}\nThe other says these already; they stay, in “${plain(from)} (joined)”:\n${reportOf(stayed)}`;

const sql: Define = (command, cli) =>
  command
    .argument('[statement]', 'one statement; without it, from standard input')
    .option('--write', 'allow insert, update, delete (asks first)')
    .option('-y, --yes', 'do not ask')
    .action(async (given: string | undefined, { write = false, yes }) => {
      const { io, call } = cli;
      const query = (given ?? (await textOf(io, []))).trim().replace(/;+$/, '');
      if (query === '') return;
      const question = `This changes your data:\n  ${query}\nRun it?`;
      if (write && !yes && !(await confirmed(io, 'A statement that writes', question)))
        return io.error('Not run.');
      const { cut, columns, rows, affected } = await call('POST /v1/sql', { body: { query, write } });
      if (cut !== null) io.error(cut);
      if (io.json) return io.print(rows);
      const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
      const cells = rows.map((row) => columns.map((name) => (row[name] == null ? null : cell(row[name]))));
      if (columns.length > 0) io.log(table(io, columns, cells, { whole: true }));
      const count = columns.length > 0 ? rows.length : (affected ?? 0);
      io.log(`(${counted(count, 'row')}${columns.length > 0 ? '' : ' changed'})`);
    });

const reindex: Define = (command, { io, call }) =>
  command
    .option('--model', "change the database's embedding model to the server's")
    .option('--no-wait', 'return at once')
    .action(async ({ model, wait }) => {
      if (!model) {
        let index = await call('POST /v1/index/rebuild');
        if (wait)
          index = await follow(
            io,
            index,
            () => call('GET /v1/index'),
            (now) => ({
              left: now.rebuilding || (now.model !== null && now.pending > now.failing),
              done: now.embedded,
            }),
          );
        const { sources, documents, embedded, pending } = index;
        return io.answer(
          index,
          `${sources} records in ${documents} rows, ${embedded} embedded, ${pending} pending.`,
        );
      }
      let change = await call('POST /v1/index/model');
      if (wait)
        change = await follow(
          io,
          change,
          () => call('GET /v1/index/model'),
          (now) => ({
            left: now.embedded < now.documents,
            done: now.embedded,
          }),
        );
      const { inUse, embedded, documents } = change;
      io.answer(
        change,
        `The embedding model of the database is ${inUse}: ${embedded} of ${documents} vectors are made.`,
      );
    });

/** Asks again and again until nothing is left, and shows how much is done. Returns the last answer. */
async function follow<T extends { documents: number }>(
  io: Io,
  first: T,
  ask: () => Promise<T>,
  stateOf: (answer: T) => { left: boolean; done: number },
): Promise<T> {
  const bar = new cliProgress.SingleBar(
    { format: 'embedding {bar} {value}/{total}', stream: io.stderr, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  const shown = io.stderr.isTTY && !io.json;
  let answer = first;
  if (shown) bar.start(answer.documents, 0);
  // counting costs the database time, so it is asked seldom
  for (let pause = 200; stateOf(answer).left; ) {
    await sleep(pause);
    const asked = performance.now();
    answer = await ask();
    pause = Math.max(200, 10 * (performance.now() - asked));
    bar.setTotal(answer.documents);
    bar.update(stateOf(answer).done);
  }
  if (shown) bar.stop();
  return answer;
}

/** Has the server try again all work that it gave up. `lore doctor` shows what that is. */
const retry: Define = (command, { io, call }) =>
  command.action(async () => {
    const { retried } = await call('POST /v1/dead-letters/retry');
    // the journal contains the events of all users, so only the owner may use it
    const isOwner = (await call('GET /v1/me')).role === 'owner';
    const last = isOwner ? (await call('GET /v1/journal')).refused.at(-1) : undefined;
    const journal = last && (await call('POST /v1/journal/retry'));
    const done = {
      retried: retried + (journal?.retried ?? 0),
      // older ones are lines that cannot be tried again, because they are not events
      refusedAgain: journal?.refused.filter(({ at }) => last && at > last.at).length ?? 0,
    };
    io.answer(
      done,
      done.retried === 0 ? 'There is nothing to try again.' : `Trying ${done.retried} again.`,
      ...(done.refusedAgain > 0
        ? [`The database refused ${done.refusedAgain} events again: lore doctor`]
        : []),
    );
  });

export const commands = { status, erase, projects, sql, reindex, retry };
