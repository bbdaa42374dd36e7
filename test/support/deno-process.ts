import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/base/files/package-root.ts';
import type { FunctionName } from '../../src/server/functions/functions.ts';

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

/**
 * Starts a function with this environment only, and with a folder for what Deno keeps.
 *
 * @throws Error with what it wrote, if it ends instead
 */
export function startFunction(
  name: FunctionName,
  env: Record<string, string>,
  folder: string,
): Promise<RunningFunction> {
  const entry = fileURLToPath(new URL(`edge-functions/${name}/index.ts`, packageRoot));
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
