import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll } from 'vitest';
import { jsonLines } from './json-lines.ts';
import { temporaryFolder } from './left-behind.ts';

/**
 * What the fake client does: prints an answer as the genuine one does with `--json-schema`, prints a failure in its
 * shape, prints any text, or never ends.
 */
type Reply =
  | { answer: unknown }
  | { failure: string; status?: number | null }
  | { text: string }
  | { hang: true };

type ClaudeRun = {
  args: string[];
  env: string[];
  cwd: string;
  /** what stood in the working folder */
  files: string[];
  stdin: string;
  from: number;
  to: number;
};

/** Puts a program called `claude` first on the PATH of this process. It answers according to `reply`. */
export function fakeClaude() {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder);
  cpSync('test/fixtures/claude.cjs', join(folder, 'claude'));
  chmodSync(join(folder, 'claude'), 0o755);
  const path = process.env.PATH ?? '';
  process.env.PATH = `${folder}${delimiter}${path}`;
  afterAll(() => {
    process.env.PATH = path;
  });
  const file = join(folder, 'runs.jsonl');
  return {
    set reply(reply: Reply) {
      writeFileSync(join(folder, 'reply.json'), JSON.stringify(reply));
    },
    /** the runs so far, in the order in which they ended */
    runs: (): ClaudeRun[] => (existsSync(file) ? jsonLines(file) : []),
  };
}
