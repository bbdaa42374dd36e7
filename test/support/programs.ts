import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns where the first of these programs on the PATH is; undefined if there is none. */
export function programOnPath(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program on the PATH has at least this version. */
export function hasVersion(name: string, major: number, minor = 0): boolean {
  try {
    const said = execFileSync(name, ['--version'], { encoding: 'utf8' });
    const [, has = 0, and = 0] = (/(\d+)\.(\d+)/.exec(said) ?? []).map(Number);
    return has > major || (has === major && and >= minor);
  } catch {
    return false;
  }
}
