import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../files/package-root.ts';

/** What is found under a reference: whether it exists, and the size of the file in bytes and its SHA-256. */
export type Seen =
  | { state: 'there'; size: number | null; hash: string }
  | { state: 'gone' }
  | { state: 'unknown' };

type Looking = {
  look(root: string, ref: string): Seen;
  compare(baseline: { hash: string | null }, now: Seen): 'fresh' | 'changed' | 'gone' | 'unknown';
  headOf(root: string): string | null;
};

// The file is among the hooks, because the session-start hook looks at files too, and must load nothing else.
const file = fileURLToPath(new URL('hooks/freshness', packageRoot));
/** Looks at files, symbols and commits inside a folder, without starting git. It blocks the thread while it does. */
export const { look, compare, headOf }: Looking = createRequire(import.meta.url)(file);
