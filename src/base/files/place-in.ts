import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './package-root.ts';

/** Returns what the files of a folder tell of its place, as the hook tells it at the start of a session. */
export function placeIn(cwd: string) {
  // read when it is needed, because an Edge Function, which sees no folders, does not have it
  const hook: typeof import('../../../hooks/session-start.cjs') = createRequire(import.meta.url)(
    fileURLToPath(new URL('hooks/session-start.cjs', packageRoot)),
  );
  const { root, repo, branch } = hook.workTree(cwd);
  return { cwd, root: root ?? undefined, repo: repo ?? undefined, main: hook.mainTree(cwd), branch };
}
