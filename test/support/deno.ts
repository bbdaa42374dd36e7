import { afterAll } from 'vitest';
import type { FunctionName } from '../../src/server/functions/functions.ts';
import { type RunningFunction, startFunction } from './deno-process.ts';
import { temporaryFolder } from './left-behind.ts';

export type { RunningFunction };

/** Starts a function for a test file, which is stopped after it. Call it where tests are described. */
export async function serveFunction(
  name: FunctionName,
  env: Record<string, string>,
): Promise<RunningFunction> {
  const running = await startFunction(name, env, temporaryFolder());
  afterAll(running.stop);
  return running;
}

/** Returns what a function that does not start says. */
export const refusalOf = (name: FunctionName, env: Record<string, string>): Promise<string> =>
  startFunction(name, env, temporaryFolder()).then(
    ({ stop }) => {
      stop();
      throw new Error(`${name} started`);
    },
    (error) => (error as Error).message,
  );
