import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

// The tests of a file must end the processes and servers that they started. A file that leaves one behind fails, and what it
// left is ended, so that it does not disturb the next file.

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
  client ??= mkdtempSync(join(inject('lasting').folder, 'client-'));
  return client;
}

/** Returns a new folder in which the client keeps the transcripts of a project. It goes at the end of the run. */
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

type Handle = ChildProcess | Server;

/** Processes and servers that belong to all files of this process, and end with it. */
const lastingHandles = new Set<Handle>();

/** Makes something that outlasts the file. Nothing else may be made meanwhile. */
export async function lasting<T>(make: () => Promise<T>): Promise<T> {
  const before = new Set(handles());
  const result = await make();
  for (const handle of handles()) if (!before.has(handle)) lastingHandles.add(handle);
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

/** Returns what was started and still runs. */
const left = (before: Set<Handle>): Left[] => [
  ...handles()
    .filter((handle) => !before.has(handle) && !lastingHandles.has(handle))
    .map((handle) =>
      'kill' in handle
        ? { what: `process ${handle.spawnargs.join(' ')}`, end: () => handle.kill('SIGKILL') }
        : { what: `server on ${JSON.stringify(handle.address())}`, end: () => handle.close() },
    ),
  ...workingOn(folders).map(([pid, what]) => ({
    what: `process ${pid}: ${what}`,
    end: () => process.kill(pid, 'SIGKILL'),
  })),
];

/**
 * Notes what runs before a file. Returns a function to call after it: it ends what the file left, and removes its folders.
 *
 * @throws {Error} (the returned function) naming what was left behind
 */
export function watch(): () => Promise<void> {
  const before = new Set(handles());
  return async () => {
    for (let waited = 0; waited < GRACE_MS && left(before).length > 0; waited += 100) await sleep(100);
    const found = left(before);
    for (const { end } of found) await end();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    const what = found.map((one) => one.what);
    if (what.length > 0) throw new Error(`left behind by this file:\n  ${[...new Set(what)].join('\n  ')}`);
  };
}
