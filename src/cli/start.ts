import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { lockFolder } from '../base/files/lock-folder.ts';
import { version } from '../base/files/package-root.ts';
import { within } from '../base/timing/within.ts';
import { restoreBackup } from '../server/backup/backup.ts';
import { prepareHome } from '../server/home.ts';
import { asCalled, confirmed } from './io.ts';
import type { Action, Cli } from './rows.ts';
import { networkAddresses, type Reach, reachable, whatStarts } from './service.ts';

/** Longest time for a stop. A database or a model that does not answer is not waited for any longer. */
const MAX_STOP_MS = 4_000;

/**
 * Starts the server, prints what matters in a few lines, and stops the server on SIGINT or SIGTERM, or when its terminal
 * is closed. It ends within 5 s of the first signal, and at once on the second.
 *
 * @param options.lan listen on all interfaces, so that a phone in the same network reaches the page
 * @param options.code false: no code that signs a phone in is printed, since the output is a log
 */
export async function start(
  { config: configured, io }: Cli,
  options: Reach & { code?: boolean },
): Promise<void> {
  // With listeners of its own from the beginning, Node neither ends at a hang-up nor opens a debugger, by which others
  // could run programs in the server.
  let hangUp = () => {};
  io.onSignal('SIGHUP', () => hangUp());
  io.onSignal('SIGUSR1', () => {});
  // nohup and a background job with a log of its own are meant to outlive the terminal
  const ownsTerminal = io.stdout.isTTY && hasTerminal();
  const config = reachable(configured, options);
  if (io.stderr.isTTY && !io.json) io.error(whatStarts(config));
  // The default has V8 compile much of the code with care that runs a few hundred times in a day: in its helper threads
  // that took as long as a quarter of all answers.
  setFlagsFromString('--interrupt-budget=1000000');
  // what it is made of takes its time to load: the line above is there before
  const { startServer } = await import('../server/compose.ts');
  const server = await startServer(config);
  server.embedder.ready.then((status) => {
    if (status.state === 'unavailable' && !io.json)
      io.log(`  embedding   unavailable: ${status.reason}. Search goes by words alone.`);
  });

  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    // A second signal means that the person does not want to wait. All acknowledged data is in the journal or
    // the database.
    if (stopping) io.exit(128 + constants.signals[signal]);
    stopping = true;
    const ended = server.stop().then(() => true);
    if (!(await within(ended, MAX_STOP_MS)))
      io.error(`lore: ended without waiting any longer; nothing acknowledged is lost`);
    io.exit(0);
  };
  io.onSignal('SIGINT', stop);
  io.onSignal('SIGTERM', stop);
  // the server guards sessions: only the end of its own terminal ends it
  hangUp = () => {
    if (ownsTerminal && !hasTerminal()) stop('SIGHUP');
  };

  const { state, model } = server.embedder.status();
  const network = networkAddresses({ ...config, port: Number(new URL(server.url).port) });
  if (io.json) {
    const lan = options.lan && { lan: network };
    return io.log(JSON.stringify({ url: server.url, home: config.home, version, embedding: state, ...lan }));
  }
  const { databaseUrl, home } = config;
  io.log(`Lore ${version}
  address     ${server.url}
  data        ${home} (database: ${databaseUrl ? `PostgreSQL at ${new URL(databaseUrl).host}` : join(home, 'pgdata')})
  embedding   ${state}${model ? ` (${model})` : ''}
Attach a project:  ${asCalled('lore init')} /path/to/project
Open the page:     ${asCalled('lore open')}   (on a phone: ${asCalled('lore pair')})`);
  if (!options.lan || options.code === false) return;
  const { lanLines } = await import('./pair.ts');
  io.log(await lanLines({ ...config, url: server.url, key: server.key }, io, network));
}

/** Whether this process has a terminal: not when it was started without one, or when its window was closed. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Does something with the data folder while no server runs. */
async function alone<T>({ config }: Cli, work: () => Promise<T>): Promise<T> {
  prepareHome(config.home);
  const lock = lockFolder(config.home, { url: config.url });
  return work().finally(lock.release);
}

async function restore(cli: Cli, folder: string, yes: boolean): Promise<void> {
  const { config, io } = cli;
  const from = resolve(io.cwd, folder);
  if (!yes && !(await confirmed(io, 'A restore', `Restore ${from} into ${config.home}?`))) return;
  const done = await alone(cli, () => restoreBackup(config, from));
  const aside = done.aside.map((file) => `What was there before lies in ${file}`);
  io.answer(done, asCalled(`Restored as of ${done.at}. Start it with: lore start`), ...aside);
}

export const actions: Record<string, Action> = {
  start: (options, cli) => start(cli, options),
  restore: ({ folder, yes }, cli) => restore(cli, folder, yes === true),
};
