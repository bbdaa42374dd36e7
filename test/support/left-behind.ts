import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

/** What the tests of a file have made and not yet taken away. */
export const running = new Set<ChildProcess>();
export const folders: string[] = [];

export function cleanUp(): void {
  // none is left unless a test failed
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
