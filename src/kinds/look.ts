import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../base/files/package-root.ts';

type Looking = typeof import('../../hooks/freshness.cjs');
export type Seen = ReturnType<Looking['look']>;

// The file is among the hooks, because the session-start hook looks at files too, and must load nothing else.
const file = fileURLToPath(new URL('hooks/freshness.cjs', packageRoot));
/** Looks at files, symbols and commits inside a folder, without starting git. It blocks the thread while it does. */
export const { look, compare, headOf }: Looking = createRequire(import.meta.url)(file);
