import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { plugin } from '../../hooks/opencode.mjs';
import { rowsOf } from '../support/json-lines.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

// Other clients, by what their hooks were sent in genuine sessions (Codex 0.169.0, Copilot 1.0.102, opencode 1.18.33), or,
// for Cursor, by what its documentation says.

const server = await sharedServer();
const root = new URL('../../', import.meta.url);
const folder = temporaryFolder();

type Json = Record<string, unknown>;
const CLIENTS = ['codex', 'copilot', 'cursor'] as const;
type Client = (typeof CLIENTS)[number];

const keyFile = (key: string, url = server.url) => {
  const file = join(folder, `${randomUUID()}.json`);
  writeFileSync(file, JSON.stringify({ url, key }));
  return file;
};

/** Somebody with a folder, and what Lore lists for them. */
async function person() {
  const { key, ask } = await server.member();
  const listed = async (what: string) => (await ask('GET', `/v1/${what}`)).body[what];
  return { key, file: keyFile(key), cwd: `/home/dev/${randomUUID()}`, listed };
}

/** Runs the hook of a client as that does. Returns what it answers: its JSON, '' for silence. */
async function hook(
  args: string[],
  input: string,
  env: NodeJS.ProcessEnv = {},
  program = 'hooks/client.cjs',
) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, root)), ...args], {
    env: { PATH: process.env.PATH, TMPDIR: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { out, err, code };
}

/** Reads a recording, for a session of its own. */
function recorded(name: string, cwd: string): Json[] {
  const session = randomUUID();
  const fill = (file: string) =>
    readFileSync(new URL(`test/fixtures/clients/${file}.jsonl`, root), 'utf8')
      .replaceAll('{session}', session)
      .replaceAll('{cwd}', cwd)
      .replaceAll('{transcript}', join(folder, `${session}.jsonl`));
  if (name === 'codex' || name === 'copilot')
    writeFileSync(join(folder, `${session}.jsonl`), fill(`${name}-transcript`));
  return rowsOf(fill(name));
}

/** Reads a recording in which a script of the project does what an edit did when it was recorded. */
function withScript(name: string, cwd: string): Json[] {
  const lines = recorded(name, cwd).map((event) =>
    JSON.stringify(event).replaceAll(
      'connection pool exhausted: timeout waiting for a free database connection',
      "Cannot find module './config.json'",
    ),
  );
  const edit = lines.findIndex((line) => /"(?:apply_patch|edit|StrReplace)"/.test(line));
  const passes = lines.slice(edit + 2, edit + 4);
  const script = passes.map((line) =>
    line.replaceAll('node check.cjs', 'npm run gen').replaceAll(/(call|tool)_[34]/g, '$1_gen'),
  );
  return [...lines.slice(0, edit), ...script, ...lines.slice(edit + 2)].map((line) => JSON.parse(line));
}

/** Plays a recorded session. Returns the answers. */
async function play(client: Client, file: string, cwd: string, events = recorded(client, cwd)) {
  const answers = [];
  for (const event of events) {
    const { out, code } = await hook([client, file], JSON.stringify(event));
    expect(code).toBe(0);
    answers.push(out === '' ? null : JSON.parse(out));
  }
  return answers;
}

const isStart = (event: Json) =>
  /^sessionstart$/i.test(String(event.hook_event_name)) || event.source === 'new';
const isFailure = (event: Json) => JSON.stringify(event).includes('Cannot find module');

describe.each(CLIENTS)('a session of %s', (client) => {
  test('is learned from, and the next one is told in the form that the client reads', async () => {
    const { file, cwd, listed } = await person();
    await play(client, file, cwd, withScript(client, cwd));
    await server.settled();
    const incidents = await listed('incidents');
    expect(incidents).toMatchObject([{ toolName: 'Bash', target: 'node check.cjs', status: 'resolved' }]);
    const learnings = await listed('learnings');
    expect(learnings).toMatchObject([{ status: 'proposed', project: cwd }]);
    expect(learnings[0].lesson).toContain('npm run gen');

    const events = withScript(client, cwd);
    const [again] = events.filter(isFailure);
    const told = await play(client, file, cwd, [...events.filter(isStart), again as Json]);
    const said = told.at(-1);
    const context =
      client === 'codex'
        ? said.hookSpecificOutput.additionalContext
        : (said.additionalContext ?? said.additional_context);
    expect(context).toContain('npm run gen');
    if (client === 'codex') expect(said.hookSpecificOutput.hookEventName).toBe('PostToolUse');
  });

  test('is denied what Lore denies, is never told to allow, and is recorded once', async () => {
    const { file, cwd, listed } = await person();
    const events = recorded(client, cwd);
    const before = events.find((event) =>
      /"preToolUse"|"PreToolUse"|"toolArgs"/.test(JSON.stringify(event)),
    ) as Json;
    const call = (command: string) =>
      JSON.parse(
        JSON.stringify(before)
          .replaceAll('node check.cjs', command)
          .replace(/(?:call|tool)_1/, randomUUID()),
      ) as Json;
    const [, , denied, harmless, unknown] = await play(client, file, cwd, [
      ...events.slice(0, 2),
      call('git push --force origin main'),
      call('git status'),
      call('frobnicate'),
    ]);
    const reason = expect.stringMatching(/^Lore: .*git push --force-with-lease/);
    if (client === 'codex')
      expect(denied).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      });
    if (client === 'copilot')
      expect(denied).toEqual({ permissionDecision: 'deny', permissionDecisionReason: reason });
    if (client === 'cursor')
      expect(denied).toEqual({ permission: 'deny', user_message: reason, agent_message: reason });
    expect([harmless, unknown]).toEqual([null, null]);
    await server.settled();
    expect(await listed('sessions')).toMatchObject([{ project: cwd }]);
  });

  test('goes on in silence without a server, with another shape, and with nothing', async () => {
    const [event] = recorded(client, '/home/dev/app') as [Json];
    const { session_id: _, sessionId: __, conversation_id: ___, ...without } = event;
    const { key, file, listed } = await person();
    const gone = keyFile(key, 'http://127.0.0.1:9');
    // only Codex shows a person what a hook says
    const away =
      client === 'codex' ? 'Lore is not running: commands are not checked. Start it: lore up' : undefined;
    const told = await hook([client, gone], JSON.stringify(event));
    expect(told).toMatchObject({ err: '', code: 0 });
    expect(told.out === '' ? {} : JSON.parse(told.out)).toEqual(away ? { systemMessage: away } : {});
    const odd: [string[], string][] = [
      [[client, gone], JSON.stringify(event)], // once a session
      [[client, join(folder, 'nothing.json')], JSON.stringify(event)],
      [[client], JSON.stringify(event)],
      [[client, file], JSON.stringify(without)],
      [[client, file], JSON.stringify({ ...without, session_id: 7, sessionId: {}, conversation_id: null })],
      [
        [client, file],
        JSON.stringify({
          ...without,
          hook_event_name: 'PreToolUse',
          toolName: 'Shell',
          command: ['rm', '-rf', '/'],
        }),
      ],
      [[client, file], '[]'],
      [[client, file], 'null'],
      [[client, file], '{'],
      [[client, file], ''],
    ];
    for (const [args, input] of odd)
      expect(await hook(args, input), input).toEqual({ out: '', err: '', code: 0 });
    await server.stored();
    expect(await listed('sessions')).toEqual([]);
  });
});

describe('a session of opencode', () => {
  type Play = { hook: string; input: Json; output?: Json };
  type Hooks = Record<string, (input: Json, output?: Json) => Promise<void>>;
  test('is denied what Lore denies, once, and that is no error of the project', async () => {
    const { file, cwd, listed } = await person();
    const hooks = plugin({ directory: cwd }, file) as unknown as Hooks;
    const calls = withScript('opencode', cwd) as Play[];
    const run = async ({ hook, input, output }: Play) => hooks[hook]?.(input, output);
    for (const call of calls.slice(0, 2)) await run(call);
    const before = calls.find((call) => call.hook === 'tool.execute.before') as Play;
    const denied = { ...before, output: { args: { command: 'rm -rf ~' } } };
    await expect(run(denied)).rejects.toThrow(/^Lore: /);
    const { sessionID, callID } = before.input as Record<string, string>;
    const part = {
      type: 'tool',
      tool: 'bash',
      sessionID,
      callID,
      state: { status: 'error', input: {}, error: 'Lore: no' },
    };
    await run({ hook: 'event', input: { event: { type: 'message.part.updated', properties: { part } } } });
    await server.settled();
    const incidents = await listed('incidents');
    expect(incidents).toEqual([]);
    expect(await listed('sessions')).toMatchObject([{ callsStopped: 1, errorsEncountered: 0 }]);
  });
});
