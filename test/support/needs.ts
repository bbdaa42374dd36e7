import { describe, test } from 'vitest';
import { hasVersion, programOnPath } from './programs.ts';

// Only Node is taken for granted. A test that needs something else of its machine says so with `needs`, is skipped
// where that is missing, and `test/support/what-was-skipped.ts` tells at the end of the run.

/** Thrown while a file is collected. It is then skipped (`test/support/runner.ts`). */
export class Missing extends Error {}

type Body = Parameters<typeof test>[2];

/**
 * Returns `test` and `describe` for what needs something that a machine may lack.
 *
 * @param what what it is, and how one gets it
 * @param there whether this machine has it
 */
export function needs(what: string, there: unknown) {
  const options = { skip: !there, meta: { needs: what } };
  return {
    /** skips the whole file: nothing of it runs after this call */
    orSkipFile() {
      if (!there) throw new Missing(what);
    },
    test: (name: string, body: Body, timeout?: number) =>
      test(name, { ...options, ...(timeout !== undefined && { timeout }) }, body),
    /** without what is needed, `body` is not run at all */
    describe: (name: string, body: () => unknown, timeout?: number) =>
      there ? describe(name, body as () => void, timeout) : test(name, options, () => {}),
  };
}

export const onPostgres = needs(
  'PostgreSQL 17 (TEST_DATABASE_URL=postgres://…)',
  process.env.TEST_DATABASE_URL,
);
export const embedded = needs('the embedded engine', !process.env.TEST_DATABASE_URL);
export const notRoot = needs('a user other than root', process.getuid?.() !== 0);
export const onLinux = needs('Linux', process.platform === 'linux');
/** The terminal of a person, which `startLore` makes. */
export const onTerminal = needs(
  'script and setsid of util-linux',
  process.platform === 'linux' && programOnPath('script') && programOnPath('setsid'),
);
export const withPostgresPrograms = needs(
  'pg_dump and pg_restore of PostgreSQL 17, and TEST_DATABASE_URL',
  process.env.TEST_DATABASE_URL && ['pg_dump', 'pg_restore'].every((name) => hasVersion(name, 17)),
);
export const withGit = needs('git 2.28', hasVersion('git', 2, 28));

declare module 'vitest' {
  interface TaskMeta {
    /** what a skipped test would have needed */
    needs?: string;
  }
}
