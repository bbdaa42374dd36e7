import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/base/files/package-root.ts';
import type { FunctionName } from '../../src/server/functions/functions.ts';
import { temporaryFolder } from './left-behind.ts';

// Edge Functions under real Deno: the npm package brings the program. They are served as they are deployed, from one bundle.
// They reach nothing but this machine, and no package.

const ARGS = ['run', '--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-lock', '--cached-only'];
/** What the platform allows a function, as far as Lore asks for it. Nothing may be written, and no program started. */
const RIGHTS = ['--allow-net=127.0.0.1', '--allow-env', '--allow-read', '--allow-sys=hostname,homedir'];

export type RunningFunction = {
  /** the address below which a platform would have it, with its name */
  url: string;
  pid: number;
  /** what it has written */
  written(): string;
  stop(): void;
};

/** Returns where the program is. */
export const denoProgram = (): string => createRequire(import.meta.url)('deno/install_api.cjs').runInstall();

/** Starts a function for a test file, which is stopped after it. Call it where tests are described. */
export async function serveFunction(
  name: FunctionName,
  env: Record<string, string>,
): Promise<RunningFunction> {
  const running = await startFunction(name, env);
  afterAll(running.stop);
  return running;
}

/** Returns what a function that does not start says. */
export const refusalOf = (name: FunctionName, env: Record<string, string>): Promise<string> =>
  startFunction(name, env).then(
    ({ stop }) => {
      stop();
      throw new Error(`${name} started`);
    },
    (error) => (error as Error).message,
  );

/** Starts a function with this environment only. Rejects with what it wrote, if it ends instead. */
function startFunction(name: FunctionName, env: Record<string, string>): Promise<RunningFunction> {
  const folder = temporaryFolder();
  // nothing else of the repository is deployed
  cpSync(new URL('edge-functions', packageRoot), join(folder, 'deployed'), { recursive: true });
  const entry = join(folder, 'deployed', name, 'index.ts');
  const child = spawn(denoProgram(), [...ARGS, ...RIGHTS, entry], {
    cwd: folder,
    env: { DENO_DIR: folder, NO_COLOR: '1', DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const origin = /Listening on (http:\S+?)\/?\s/.exec(said)?.[1];
        if (!origin) return;
        const url = `${origin}/${name}`;
        resolve({ url, pid: child.pid as number, written: () => said, stop: () => void child.kill() });
      });
    }
    child.on('exit', () => reject(new Error(said)));
  });
}
