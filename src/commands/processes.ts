import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { type Processes, within } from '../shell/zones.ts';

// What Linux tells of processes in /proc. On other systems only the server itself and its parent are known, and every
// other process counts as somebody else's.

/** How many processes are followed upwards. */
const MAX_ANCESTORS = 64;

type Stat = { name: string; parent: number; group: number };

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

function statOf(id: number): Stat | null {
  const [, name = '', parent, group] =
    /^\d+ \(([\s\S]*)\) \S (-?\d+) (-?\d+) /.exec(textOf(`/proc/${id}/stat`) ?? '') ?? [];
  return parent === undefined ? null : { name, parent: Number(parent), group: Number(group) };
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
      const self = { name: basename(process.execPath), line: [process.execPath, ...process.argv].join(' ') };
      const known = [process.pid, ...childrenOf(process.pid)].flatMap((id) => {
        const line = textOf(`/proc/${id}/cmdline`)?.replaceAll('\0', ' ').trim();
        const name = statOf(id)?.name;
        return line === undefined || name === undefined ? [] : [{ name, line }];
      });
      return [self, ...known];
    },
    get asked() {
      return asked;
    },
  };
}
