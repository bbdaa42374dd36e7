import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { outputError } from '../../src/incidents/detect.ts';
import { errorSignature } from '../../src/incidents/signature.ts';
import { readLine } from '../../src/shell/line.ts';
import { learnings } from '../learnings/mend.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

/** A member, and sessions in one project of theirs, each with its first prompt. */
async function person() {
  const { key } = await server.member();
  const cwd = `/home/dev/${randomUUID()}`;
  const session = async () => {
    const one = hookSession(server, { key, cwd });
    await one.start();
    await one.prompt('go on');
    return one;
  };
  return { key, session };
}

describe('an error is known again by one line that tells enough', () => {
  test('without where to read more, and not of lines that any failure prints', () => {
    const linesOf = (error: string) =>
      errorSignature({ tool: 'Bash', target: 'golangci-lint run', error: `Exit code 3\n${error}` }).lines;
    const line = "Error: can't load config: unsupported version of the configuration";
    expect(linesOf(`${line}: "" See https://golangci-lint.run/docs for migration instructions`)).toEqual(
      linesOf(line),
    );
    expect(linesOf(line)).toHaveLength(1);
    for (const heading of [
      'Error: Command failed with exit code 1',
      'BUILD FAILED in 2s',
      'npm ERR! code ELIFECYCLE',
    ])
      expect(linesOf(heading), heading).toEqual([]);
  });
});

describe('a run that found none of the tests that it was to run', () => {
  const run = (command: string, stdout: string) =>
    outputError('Bash', readLine(command), { stdout, stderr: '', interrupted: false });
  const none = 'No tests found, exiting with code 0';

  test('is a failure, though it ends with 0', () => {
    expect(run('pnpm --filter api test -- --testPathPattern=auth', none)).toBe(none);
    // a package without tests is none, nor is a run that found some in another package
    expect(run('pnpm -r test', none)).toBeNull();
    expect(run('npx jest src/a.test.ts', 'Tests:       3 passed, 3 total')).toBeNull();
  });

  test('is answered by a run of the same tests, and by no other', async () => {
    for (const [worked, kept] of [
      ['pnpm --filter api exec jest --testPathPattern=auth.service', 1],
      ['pnpm --filter crypto lint', 0],
    ] as const) {
      const { key, session } = await person();
      const one = await session();
      await one.bashWorks('pnpm --filter api test -- --testPathPattern=auth.service', none);
      await one.bashWorks(worked, 'Tests:       12 passed, 12 total');
      await one.stop('The tests pass.');
      await server.settled();
      expect(await learnings(server, key), worked).toHaveLength(kept);
    }
  });
});
