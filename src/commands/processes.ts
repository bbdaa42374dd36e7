import { readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { readText } from '../files/read-text.ts';
import { type Processes, type RunningProcess, within } from '../shell/zones.ts';

// What Linux says about processes in /proc. On other systems only the server itself and its parent are known, and every
// other process counts as somebody else's.

/** How many processes are followed upwards. */
const MAX_ANCESTORS = 64;

type Stat = {
  name: string;
  parent: number;
  group: number;
  session: number;
  terminal: number;
  started: number;
};

const textOf = (path: string) => readText(path, { encoding: 'latin1' });

function statOf(id: number): Stat | null {
  const [, name = '', rest] =
    /^\d+ \(([\s\S]*)\) \S (-?\d+ [\s\S]*)/.exec(textOf(`/proc/${id}/stat`) ?? '') ?? [];
  if (rest === undefined) return null;
  const numbers = rest.split(' ').map(Number);
  const [parent = 0, group = 0, session = 0, terminal = 0] = numbers;
  return { name, parent, group, session, terminal, started: numbers[STARTED_AT] ?? 0 };
}

/** Where the start of a process stands in the numbers of its `stat`, counted from its parent's. */
const STARTED_AT = 18;

/** Returns what is known of a process; null if it has ended. */
function runningAs(id: number): (RunningProcess & { started: number }) | null {
  const line = textOf(`/proc/${id}/cmdline`)?.replaceAll('\0', ' ').trim();
  const stat = statOf(id);
  return line === undefined || stat === null ? null : { ...stat, line };
}

/** Returns a process and those that it descends from, without the first process of the machine. */
function lineage(id: number): number[] {
  const found: number[] = [];
  for (let at = id; at > 1 && found.length < MAX_ANCESTORS && !found.includes(at); ) {
    found.push(at);
    at = statOf(at)?.parent ?? 0;
  }
  return found;
}

/** Returns the process that a thread belongs to, because a signal to a thread reaches the whole process. */
const processOf = (id: number): number =>
  Number(/^Tgid:\s*(\d+)/m.exec(textOf(`/proc/${id}/status`) ?? '')?.[1] ?? id);

/** Returns the processes that a process has started and that still run. */
function childrenOf(id: number): number[] {
  try {
    const threads = readdirSync(`/proc/${id}/task`);
    const listed = threads.map((thread) => textOf(`/proc/${id}/task/${thread}/children`) ?? '');
    return listed.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** More processes than this are not looked at. */
const MAX_PROCESSES = 5_000;

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Returns an access to the machine's processes for one check. `asked`: whether the check depended on a number. */
export function openProcesses(): Processes & { readonly asked: boolean } {
  let asked = false;
  const worksIn = (id: number, folder: string): boolean => {
    try {
      return within(readlinkSync(`/proc/${id}/cwd`), folder);
    } catch {
      return false;
    }
  };
  return {
    whose(id, { group, folder }) {
      asked = true;
      if (group) {
        const own = [process.pid, ...childrenOf(process.pid)];
        if (own.some((one) => statOf(one)?.group === id)) return 'lore';
      }
      const line = lineage(processOf(id));
      const above = [process.ppid, ...lineage(process.pid)];
      if (id === process.pid || line.includes(process.pid) || above.includes(line[0] ?? id)) return 'lore';
      return folder !== null && line.some((one) => worksIn(one, folder)) ? 'project' : 'other';
    },
    lore() {
      const name = basename(process.execPath);
      const line = [process.execPath, ...process.argv].join(' ');
      const known = [process.pid, ...childrenOf(process.pid)].flatMap((id) => runningAs(id) ?? []);
      const numbers = known[0] ?? { parent: process.ppid, group: null, session: null, terminal: null };
      return [{ ...numbers, name, line }, ...known];
    },
    isLores(which, fits) {
      asked = true;
      const ids = numbersIn('/proc');
      if (ids.length === 0 || ids.length > MAX_PROCESSES) return true;
      const own = [process.pid, ...childrenOf(process.pid)];
      const found = ids.flatMap((id) => {
        const running = runningAs(id);
        return running && fits(running) ? [{ id, at: running.started }] : [];
      });
      const times = found.map(({ at }) => at);
      const best = which === 'oldest' ? Math.min(...times) : Math.max(...times);
      return found.some(({ id, at }) => at === best && own.includes(id));
    },
    get asked() {
      return asked;
    },
  };
}
