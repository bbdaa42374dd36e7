import { basename } from 'node:path';
import { readText } from '../base/files/read-text.ts';
import type { Processes } from './zones.ts';

// What Linux says in /proc about Lore's processes: the server, its group, and what started it. What it has started itself, it
// starts again. On other systems only the server itself and its parent are known.

const textOf = (path: string) => readText(path, { encoding: 'latin1' }) ?? '';

/** Returns the group of the server's process. */
const ownGroup = () => Number(/^\d+ \([\s\S]*\) \S -?\d+ (\d+)/.exec(textOf('/proc/self/stat'))?.[1]);

/** Returns an access to Lore's processes for one check. `asked`: whether the check depended on a number. */
export function openProcesses(): Processes & { readonly asked: boolean } {
  let asked = false;
  return {
    isLores(id) {
      asked = true;
      // a signal to a thread or to a group reaches the whole process
      const main = Number(/^Tgid:\s*(\d+)/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? id);
      return ownGroup() === id || [process.pid, process.ppid].includes(main);
    },
    lore: () => [
      { name: basename(process.execPath), line: [process.execPath, ...process.argv].join(' ') },
      {
        name: textOf('/proc/self/comm').trim(),
        line: textOf('/proc/self/cmdline').replaceAll('\0', ' ').trim(),
      },
    ],
    get asked() {
      return asked;
    },
  };
}
