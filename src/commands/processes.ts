import { readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { readText } from '../base/files/read-text.ts';
import { type Processes, within } from '../shell/zones.ts';

// What Linux says about processes in /proc. On other systems only the server itself and its parent are known, and every
// other process counts as somebody else's.

const MAX_ANCESTORS = 64;
const textOf = (path: string) => readText(path, { encoding: 'latin1' }) ?? '';

/** Returns the numbers of a process, from its parent's on: its group is the second one. */
const statOf = (id: number): number[] =>
  (/^\d+ \([\s\S]*\) \S (-?\d+ [\s\S]*)/.exec(textOf(`/proc/${id}/stat`))?.[1] ?? '').split(' ').map(Number);

/** Returns a process and those that it descends from, without the first process of the machine. */
function lineage(id: number): number[] {
  const found: number[] = [];
  for (let at = id; at > 1 && found.length < MAX_ANCESTORS && !found.includes(at); at = statOf(at)[0] ?? 0)
    found.push(at);
  return found;
}

function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}

/** Returns the server and the processes that it has started and that still run. */
function family(): number[] {
  const tasks = `/proc/${process.pid}/task`;
  const listed = orNothing(() => readdirSync(tasks), []).map((thread) =>
    textOf(`${tasks}/${thread}/children`),
  );
  return [process.pid, ...listed.flatMap((text) => text.split(' ').filter(Boolean).map(Number))];
}

/** Returns an access to the machine's processes for one check. `asked`: whether the check depended on a number. */
export function openProcesses(): Processes & { readonly asked: boolean } {
  let asked = false;
  return {
    whose(id, folder) {
      asked = true;
      // a signal to a thread or to a group reaches the whole process
      const line = lineage(Number(/^Tgid:\s*(\d+)/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? id));
      const above = [process.ppid, ...lineage(process.pid)];
      const isGroup = family().some((one) => statOf(one)[1] === id);
      if (isGroup || line.includes(process.pid) || above.includes(line[0] ?? id)) return 'lore';
      const works = (one: number) =>
        within(
          orNothing(() => readlinkSync(`/proc/${one}/cwd`), ''),
          folder ?? '/',
        );
      return folder !== null && line.some(works) ? 'project' : 'other';
    },
    lore: () => [
      { name: basename(process.execPath), line: [process.execPath, ...process.argv].join(' ') },
      ...family().map((id) => ({
        name: textOf(`/proc/${id}/comm`).trim(),
        line: textOf(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim(),
      })),
    ],
    get asked() {
      return asked;
    },
  };
}
