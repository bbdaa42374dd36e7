import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import threads, { type Worker } from 'node:worker_threads';
import { inject } from 'vitest';

// The tests of a file must end what they started: processes, threads, servers, temporary folders. A file that leaves
// something behind fails. What it left is then removed, so that it does not disturb the next file.

const folders: string[] = [];

/** Returns a new folder that is removed automatically when the file is done. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'lore-process-'));
  folders.push(folder);
  return folder;
}

let client: string | undefined;

/** Returns the folder of the client's settings and transcripts, as servers under test are told. */
export function clientFolder(): string {
  if (client === undefined) {
    client = mkdtempSync(join(inject('lasting').folder, 'client-'));
    made.delete(client);
  }
  return client;
}

/** Returns a new folder in which the client keeps the transcripts of a project. */
export function transcriptFolder(): string {
  const folder = join(clientFolder(), 'projects', randomUUID());
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * A process with this in its command line belongs to all files, and ends with this one. It is a folder that is never
 * made.
 */
export const LASTING = '/nonexistent/lore-lasts';

/** How long the check waits for what ends by itself, such as a process whose parent was killed. */
const GRACE_MS = 5_000;

/** Folders made by mkdtemp, and running threads. They are noted when they are made, because nothing lists them later. */
const made = new Set<string>();
const live = new Set<Worker>();
noteWhatIsMade();

function noteWhatIsMade() {
  const { mkdtempSync: make, promises } = fs;
  const { mkdtemp } = promises;
  const note = <T>(folder: T): T => {
    made.add(String(folder));
    return folder;
  };
  fs.mkdtempSync = ((...args: Parameters<typeof make>) => note(make(...args))) as typeof make;
  promises.mkdtemp = (async (...args: Parameters<typeof mkdtemp>) =>
    note(await mkdtemp(...args))) as typeof mkdtemp;
  threads.Worker = class extends threads.Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      // the database of the shared server, which may start its thread anew at any time; and what redacts for all servers
      if (String(args[1]?.workerData?.folder).startsWith(inject('lasting').fast)) return;
      if (args[1]?.name === 'redaction') return;
      live.add(this);
      this.once('exit', () => live.delete(this));
    }
  };
  syncBuiltinESMExports();
}

type Handle = ChildProcess | Server;

/** Processes and servers that belong to all files of this process, and end with it. */
const lastingHandles = new Set<Handle>();

/**
 * Makes something that outlasts the file. Nothing else may be made meanwhile. Its folders must lie in those that the
 * whole run removes at its end (`inject('lasting')`).
 */
export async function lasting<T>(make: () => Promise<T>): Promise<T> {
  const before = { handles: new Set(handles()), made: new Set(made) };
  const result = await make();
  for (const handle of handles()) if (!before.handles.has(handle)) lastingHandles.add(handle);
  for (const folder of made) if (!before.made.has(folder)) made.delete(folder);
  return result;
}

/** Returns the processes and listening servers that keep this process alive. Node has no public API for this. */
function handles(): Handle[] {
  const all = (process as unknown as { _getActiveHandles(): Handle[] })._getActiveHandles();
  return all
    .filter((handle) => ['ChildProcess', 'Server'].includes(handle.constructor.name))
    .filter((handle) => !('kill' in handle) || !handle.spawnargs.some((word) => word.includes(LASTING)));
}

/** Returns the processes whose command line or environment names one of the folders, each with its command line. */
function workingOn(wanted: string[]): [pid: number, command: string][] {
  if (wanted.length === 0 || !existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const [command = '', environment = ''] = ['cmdline', 'environ'].map((file) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' '),
      );
      const works = wanted.some((folder) => command.includes(folder) || environment.includes(folder));
      return works ? [[Number(pid), command] as [number, string]] : [];
    } catch {
      return []; // it has ended meanwhile, or belongs to another user
    }
  });
}

type Left = { what: string; end(): unknown };

/** Returns what was made and is still there, apart from folders. */
const left = (before: Set<Handle>): Left[] => [
  ...handles()
    .filter((handle) => !before.has(handle) && !lastingHandles.has(handle))
    .map((handle) =>
      'kill' in handle
        ? { what: `process ${handle.spawnargs.join(' ')}`, end: () => handle.kill('SIGKILL') }
        : { what: `server on ${JSON.stringify(handle.address())}`, end: () => handle.close() },
    ),
  ...workingOn([...made]).map(([pid, what]) => ({
    what: `process ${pid}: ${what}`,
    end: () => process.kill(pid, 'SIGKILL'),
  })),
  ...[...live].map((thread) => ({ what: `worker thread ${thread.threadId}`, end: () => thread.terminate() })),
];

/**
 * Notes what exists before a file. Returns a function to call after it: it removes what the file left behind.
 *
 * @throws {Error} (the returned function) naming what was left behind
 */
export function watch(): () => Promise<void> {
  const before = new Set(handles());
  made.clear();
  return async () => {
    for (let waited = 0; waited < GRACE_MS && left(before).length > 0; waited += 100) await sleep(100);
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    const kept = [...made].filter((folder) => existsSync(folder));
    const found = left(before);
    for (const { end } of found) await end();
    for (const folder of kept) rmSync(folder, { recursive: true, force: true });
    const what = [...found.map((one) => one.what), ...kept.map((folder) => `folder ${folder}`)];
    if (what.length > 0) throw new Error(`left behind by this file:\n  ${[...new Set(what)].join('\n  ')}`);
  };
}
