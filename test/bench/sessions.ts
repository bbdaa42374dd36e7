// Made-up sessions that look like real ones: prompts and tool calls in a handful of projects. Some commands fail, an
// edit repairs the cause, and then the same command passes. The same seed makes the same sessions.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type Event = { hook_event_name: string; [field: string]: unknown };
export type Random = () => number;

/** Returns a random generator, uniform in [0, 1): Mulberry32 (Tommy Ettinger, 2017, public domain). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const PROJECTS = ['shop-api', 'billing', 'web', 'ingest', 'mobile', 'infra'];

type Failure = Record<'command' | 'error' | 'file' | 'before' | 'after' | 'said', string>;
/** `failures`: commands that fail until a file is repaired. */
const { failures: FAILURES, prompts: PROMPTS } = JSON.parse(
  readFileSync('test/bench/sessions.json', 'utf8'),
) as { failures: Failure[]; prompts: string[] };

const words = (text: string) => text.split(', ');
const CALM = words(
  'git status --short, ls -la src, npm run lint, git diff --stat, rg -n "total" src, npm test',
);
const NAMES = words('total, order, customer, price, token, session, cursor, invoice, worker, retry');

const codeLine = (random: Random) => {
  const [a, b] = [pick(random, NAMES), pick(random, NAMES)];
  return pick(random, [
    `export async function load${a}(${b}: string): Promise<void> {`,
    `  const ${a} = await get${b}(request.headers, { retries: ${Math.floor(random() * 9)} });`,
    `  if (${a} === undefined) throw new Error('no ${a} for this ${b}');`,
    `  // the ${a} may be older than its ${b}, see issue ${Math.floor(random() * 2000)}`,
    `  return { ${a}, ${b}: ${b}.map((item) => item.${a}), at: new Date() };`,
    '}',
  ]);
};
const outputLine = (random: Random) => {
  const name = pick(random, NAMES);
  const ms = Math.floor(random() * 400);
  return pick(random, [
    ` ✓ test/${name}.test.ts (${Math.floor(random() * 40)} tests) ${ms}ms`,
    `src/${name}/index.ts:${ms}:  const ${name} = load(${pick(random, NAMES)});`,
    `[12:00:0${ms % 10}] ${name}: done in ${ms} ms, 0 errors`,
    `-rw-r--r-- 1 dev dev ${ms * 13} Nov 21 12:00 ${name}.ts`,
  ]);
};
/** Returns whole lines with about `size` characters in total. */
function text(random: Random, line: (random: Random) => string, size: number): string {
  let made = '';
  while (made.length < size) made += `${line(random)}\n`;
  return made;
}
const size = (random: Random) => 400 + Math.floor(random() * 2800);

/**
 * Yields the events of one session, in order.
 *
 * @param options.turns number of prompts; about `calls` tool calls follow each, and one in ten of them fails at first
 * @param options.cwd the project; default: one of six made-up ones
 */
export function* session(
  random: Random,
  options: { turns: number; calls: number; cwd?: string },
): Generator<Event> {
  const cwd = options.cwd ?? `/home/dev/${pick(random, PROJECTS)}`;
  const id = randomUUID();
  const base = {
    session_id: id,
    transcript_path: `/home/dev/.claude/projects/none/${id}.jsonl`,
    cwd,
    permission_mode: 'default',
  };
  let calls = 0;
  function* call(tool: string, input: object, result: object): Generator<Event> {
    const about = { ...base, tool_name: tool, tool_input: input, tool_use_id: `toolu_${id}_${calls++}` };
    yield { ...about, hook_event_name: 'PreToolUse' };
    const failed = 'error' in result;
    yield {
      ...about,
      hook_event_name: failed ? 'PostToolUseFailure' : 'PostToolUse',
      duration_ms: 40,
      ...result,
    };
  }
  const bash = (command: string, stdout: string) =>
    call(
      'Bash',
      { command, description: 'run it' },
      { tool_response: { stdout, stderr: '', interrupted: false } },
    );
  const edit = (file: string, before: string, after: string) =>
    call(
      'Edit',
      { file_path: `${cwd}/${file}`, old_string: before, new_string: after, replace_all: false },
      {
        tool_response: {
          filePath: `${cwd}/${file}`,
          oldString: before,
          newString: after,
          originalFile: `${before}\n${text(random, codeLine, size(random))}`,
          structuredPatch: [
            { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${before}`, `+${after}`] },
          ],
          userModified: false,
        },
      },
    );

  const lore = { root: cwd, repo: null, branch: 'main', deliveryId: randomUUID() };
  yield { ...base, hook_event_name: 'SessionStart', source: 'startup', lore };
  for (let turn = 0; turn < options.turns; turn++) {
    yield {
      ...base,
      hook_event_name: 'UserPromptSubmit',
      prompt_id: randomUUID(),
      // each prompt is different, because the server caches the vectors of queries
      prompt: `${pick(random, PROMPTS)} It is about the ${pick(random, NAMES)}, ticket ${Math.floor(random() * 1e6)}.`,
    };
    let said = 'Done.';
    for (let n = 0; n < options.calls; n++) {
      const dice = random();
      if (dice < 0.1) {
        const failure = pick(random, FAILURES);
        const error = `Exit code 1\n${text(random, outputLine, size(random))}${failure.error}`;
        yield* call(
          'Bash',
          { command: failure.command, description: 'run it' },
          { error, is_interrupt: false },
        );
        yield* edit(failure.file, failure.before, failure.after);
        yield* bash(failure.command, text(random, outputLine, size(random)));
        said = failure.said;
      } else if (dice < 0.55) {
        yield* bash(pick(random, CALM), text(random, outputLine, size(random)));
      } else if (dice < 0.75) {
        const [before, after] = [codeLine(random), codeLine(random)];
        yield* edit(`src/${pick(random, NAMES)}.ts`, before, after);
      } else {
        const file = `${cwd}/src/${pick(random, NAMES)}.ts`;
        const content = text(random, codeLine, size(random));
        const lines = content.split('\n').length;
        const read = { filePath: file, content, numLines: lines, startLine: 1, totalLines: lines };
        yield* call('Read', { file_path: file }, { tool_response: { type: 'text', file: read } });
      }
    }
    const stop = { prompt_id: randomUUID(), stop_hook_active: false, background_tasks: [] };
    yield { ...base, hook_event_name: 'Stop', ...stop, last_assistant_message: said };
  }
  yield { ...base, hook_event_name: 'SessionEnd', reason: 'other' };
}
