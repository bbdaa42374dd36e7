import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

// A repository holds the hooks, and the machine that runs them has Node and nothing of Lore.
const server = await sharedServer({ model: false });

const initTeam = async (dir: string, ...more: string[]) => {
  const done = await runLore(['init', dir, '--team', ...more], { env: { LORE_HOME: join(dir, 'none') } });
  expect(done).toMatchObject({ code: 0, stderr: '' });
};
const settingsOf = (dir: string) => readFileSync(join(dir, '.claude/settings.json'), 'utf8');

/** Copies what git would bring to another machine: a folder with the two files, a PATH with Node only, an empty home. */
async function elsewhere() {
  const [repository, machine] = [temporaryFolder(), temporaryFolder()];
  await initTeam(repository);
  const [clone, home, programs] = ['clone', 'home', 'programs'].map((name) => join(machine, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [clone, home, programs]) mkdirSync(folder);
  cpSync(join(repository, '.claude'), join(clone, '.claude'), { recursive: true });
  symlinkSync(process.execPath, join(programs, 'node'));
  const { hooks } = JSON.parse(settingsOf(clone));
  /** Runs the event's hook as the client does, by a shell, and returns its answer; null for an empty one. */
  const run = async (event: Record<string, unknown>, env: Record<string, string>) => {
    const [{ hooks: [hook] = [] }] = hooks[event.hook_event_name as string];
    const child = spawn('/bin/sh', ['-c', hook.command], {
      cwd: clone,
      env: { PATH: programs, HOME: home, CLAUDE_PROJECT_DIR: clone, ...env },
    });
    const [out, complaints]: Buffer[][] = [[], []];
    child.stdout.on('data', (piece: Buffer) => out?.push(piece));
    child.stderr.on('data', (piece: Buffer) => complaints?.push(piece));
    child.stdin.end(JSON.stringify(event));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, Buffer.concat(complaints ?? []).toString()]).toEqual([0, '']);
    const text = Buffer.concat(out ?? []).toString();
    return text === '' ? null : JSON.parse(text);
  };
  return { clone, home, run };
}

test('a machine without Lore is told, judged and recorded, by its key in the environment', async () => {
  const { key } = await server.member();
  const { clone, home, run } = await elsewhere();
  const first = await startedSession(server, { key, cwd: clone });
  await first.prompt('Always run `make lint` before you commit in this repository.');
  await first.finish('I will.');
  const env = { LORE_URL: server.url, LORE_KEY: key };
  const { session_id, transcript_path } = hookSession(server, { key });
  const event = { session_id, transcript_path, cwd: clone };
  const start = await run({ ...event, hook_event_name: 'SessionStart', source: 'startup' }, env);
  expect(contextOf(start)).toContain('make lint');
  const push = {
    tool_name: 'Bash',
    tool_input: { command: 'git push --force origin main' },
    tool_use_id: 't1',
  };
  const judged = await run({ ...event, hook_event_name: 'PreToolUse', ...push }, env);
  expect(judged.hookSpecificOutput.permissionDecision).toBe('deny');
  await server.stored();
  const { body } = await server.request('GET', `/v1/sessions/${session_id}`, { key });
  expect(body.events.map((one: { event: string }) => one.event)).toEqual(['SessionStart', 'PreToolUse']);
  // for somebody without a key nothing happens
  expect(await run({ ...event, hook_event_name: 'PreToolUse', ...push }, { LORE_URL: server.url })).toBe(
    null,
  );
  expect([readdirSync(home), readdirSync(clone)]).toEqual([[], ['.claude']]);
});

test('a second call changes nothing, and --remove takes away only what is ours', async () => {
  const dir = temporaryFolder();
  await initTeam(dir);
  expect(settingsOf(dir)).not.toContain('LORE_KEY');
  await initTeam(dir, '--remove');
  expect(existsSync(join(dir, '.claude'))).toBe(false);

  const own = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "make tidy" }] }] } }';
  mkdirSync(join(dir, '.claude'));
  writeFileSync(join(dir, '.claude/settings.json'), own);
  await initTeam(dir);
  const written = settingsOf(dir);
  expect(JSON.parse(written).hooks.Stop).toHaveLength(2);
  await initTeam(dir);
  expect(settingsOf(dir)).toBe(written);
  await initTeam(dir, '--remove');
  expect(JSON.parse(settingsOf(dir))).toEqual(JSON.parse(own));
  expect(readdirSync(join(dir, '.claude'))).toEqual(['settings.json']);
});
