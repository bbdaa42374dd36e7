import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isObject, objectIn } from '../../text/json.ts';

/** A hook as Codex lists it; `trust`: whether a person has agreed to run it. */
export type CodexHook = { command: string; trust: string };

/** Codex starts in about a second; on a busy machine it may take some. */
const PATIENCE_MS = 10_000;

/**
 * Asks Codex for the hooks that are in force in a folder. Returns null if there is no Codex on PATH, or if it does not
 * answer in time.
 *
 * @param program the binary; default: `codex` on PATH
 */
export async function codexHooks(
  dir: string,
  env: Record<string, string | undefined>,
  program = 'codex',
): Promise<CodexHook[] | null> {
  const child = spawn(program, ['app-server'], { cwd: dir, env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {});
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ended = new Promise<null>((resolve) =>
    child.once('error', () => resolve(null)).once('exit', () => resolve(null)),
  );
  const late = setTimeout(() => child.kill(), PATIENCE_MS);
  try {
    const answer = (async () => {
      send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'lore', version: '1' } } });
      for await (const line of createInterface({ input: child.stdout })) {
        const { id, result } = objectIn(line) ?? {};
        if (id === 1) {
          send({ method: 'initialized' });
          send({ id: 2, method: 'hooks/list', params: { cwds: [dir] } });
        }
        if (id === 2) return hooksIn(result);
      }
      return null;
    })();
    return await Promise.race([answer, ended]);
  } finally {
    clearTimeout(late);
    child.kill();
  }
}

/** Returns the hooks anywhere in an answer, whatever they are grouped by. */
function hooksIn(value: unknown): CodexHook[] {
  if (Array.isArray(value)) return value.flatMap(hooksIn);
  if (!isObject(value)) return [];
  const { command, trustStatus } = value;
  if (typeof command === 'string' && typeof trustStatus === 'string')
    return [{ command, trust: trustStatus }];
  return Object.values(value).flatMap(hooksIn);
}
