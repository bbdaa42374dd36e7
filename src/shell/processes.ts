import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { readText } from '../base/files/read-text.ts';
import type { Processes } from './zones.ts';

// What Linux says in /proc about Lore's processes: the server, what started it, and what it has started. On other systems
// only the server itself and its parent are known.

const textOf = (path: string) => readText(path, { encoding: 'latin1' }) ?? '';

/** Returns the numbers of a process, from its parent's on: its group is the second one. */
const statOf = (id: number): number[] =>
  (/^\d+ \([\s\S]*\) \S (-?\d+ [\s\S]*)/.exec(textOf(`/proc/${id}/stat`))?.[1] ?? '').split(' ').map(Number);

/** Returns the processes that the server has started and that still run. */
function children(): number[] {
  const tasks = `/proc/${process.pid}/task`;
  try {
    const listed = readdirSync(tasks).map((thread) => textOf(`${tasks}/${thread}/children`));
    return listed.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** Returns an access to Lore's processes for one check. `asked`: whether the check depended on a number. */
export function openProcesses(): Processes & { readonly asked: boolean } {
  let asked = false;
  return {
    isLores(id) {
      asked = true;
      // a signal to a thread or to a group reaches the whole process
      const main = Number(/^Tgid:\s*(\d+)/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? id);
      const family = [process.pid, ...children()];
      return family.some((one) => statOf(one)[1] === id) || [...family, process.ppid].includes(main);
    },
    lore: () => [
      { name: basename(process.execPath), line: [process.execPath, ...process.argv].join(' ') },
      ...[process.pid, ...children()].map((id) => ({
        name: textOf(`/proc/${id}/comm`).trim(),
        line: textOf(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim(),
      })),
    ],
    get asked() {
      return asked;
    },
  };
}
