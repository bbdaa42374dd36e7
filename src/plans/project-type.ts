import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../files/package-root.ts';

// The file is among the hooks, because the session-start hook must load nothing else.
const file = fileURLToPath(new URL('hooks/project-type.cjs', packageRoot));
/** Returns what a project is made with. The server may call this only for the person on its machine. */
export const { projectTypeIn }: typeof import('../../hooks/project-type.cjs') = createRequire(
  import.meta.url,
)(file);
