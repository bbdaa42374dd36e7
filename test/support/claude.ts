import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
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

const PROGRAM = `#!/usr/bin/env node
const { appendFileSync, readFileSync, readdirSync, readlinkSync } = require('node:fs');
const { join } = require('node:path');
const from = Date.now();
const reply = JSON.parse(readFileSync(join(__dirname, 'reply.json'), 'utf8'));
const say = (about) => JSON.stringify({
  duration_api_ms: 10, stop_reason: 'end_turn', session_id: 's', total_cost_usd: 0.001,
  usage: { input_tokens: 800, cache_creation_input_tokens: 150, cache_read_input_tokens: 50, output_tokens: 100 },
  permission_denials: [], num_turns: 2, type: 'result', subtype: 'success', ...about,
});
const end = () => {
  const about = { args: process.argv.slice(2), env: Object.keys(process.env), cwd: process.cwd(), files: readdirSync('.'),
    stdin: readlinkSync('/proc/self/fd/0'), from, to: Date.now() };
  appendFileSync(join(__dirname, 'runs.jsonl'), JSON.stringify(about) + '\\n');
};
if (reply.hang) {
  end();
  setInterval(() => {}, 1000);
} else {
  setTimeout(() => {
    end();
    if ('answer' in reply) console.log(say({ is_error: false, api_error_status: null, result: JSON.stringify(reply.answer), structured_output: reply.answer }));
    else if ('text' in reply) console.log(reply.text);
    else {
      console.log(say({ is_error: true, api_error_status: reply.status ?? null, terminal_reason: 'api_error', result: reply.failure,
        usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 } }));
      process.exitCode = 1;
    }
  }, 100);
}
`;

/** Puts a program called `claude` first on the PATH of this process. It answers according to `reply`. */
export function fakeClaude() {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'claude'), PROGRAM, { mode: 0o755 });
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
