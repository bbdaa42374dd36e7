import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';
import { tableOf } from '../support/tables.ts';

withGit.orSkipFile();

// What a session has seen: code from outside, and what it wrote, is left to a person once.

const server = await sharedServer({ model: false, owner: true });

/** Returns a session of the owner in a project whose tests run. */
async function sessionIn({ mode = 'default' } = {}) {
  const cwd = temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd });
  execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/acme/shop.git'], { cwd });
  writeFileSync(join(cwd, 'package.json'), '{"scripts":{"test":"vitest run"}}');
  writeFileSync(join(cwd, 'README.md'), 'The API is at https://api.shop.example/v1.');
  const session = await startedSession(server, { key: server.key, cwd });
  const call = async (tool: string, input: Record<string, unknown>) => {
    const about = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${Math.random()}` };
    const { hookSpecificOutput } = await session.send('PreToolUse', { ...about, permission_mode: mode });
    return { about, decision: hookSpecificOutput?.permissionDecision ?? 'none' };
  };
  const ask = async (command: string) => (await call('Bash', { command })).decision;
  /** Asks, and lets the call run whatever the answer is. */
  const run = async (command: string) => {
    const { about, decision } = await call('Bash', { command });
    await session.send('PostToolUse', {
      ...about,
      tool_response: { stdout: '', stderr: '', interrupted: false },
    });
    return decision;
  };
  const fail = async (command: string, error: string) => {
    const { about, decision } = await call('Bash', { command });
    await session.send('PostToolUseFailure', { ...about, error });
    return decision;
  };
  return { cwd, ask, run, fail, call };
}

describe('the first install or test after foreign code', () => {
  test.each(tableOf('foreign-code'))('is left to a person once: %s', async (_, ...lines) => {
    const { run } = await sessionIn();
    expect(await run('npm test')).toBe('allow');
    for (const line of lines) await run(line);
    expect(await run('git diff HEAD')).toBe('allow');
    expect(await run('npm test')).toBe('none');
    expect(await run('npm test')).toBe('allow');
  });

  test('is left to a person in the line that brings it, too', async () => {
    const { ask } = await sessionIn();
    expect(await ask('git fetch origin pull/7/head && git checkout FETCH_HEAD && npm ci')).toBe('none');
    expect(await ask('gh pr checkout 7 && npm test')).toBe('none');
    const own = await sessionIn();
    expect(await own.ask('git fetch origin && git checkout -b mine && npm test')).toBe('allow');
  });

  test('counts as run if it fails, and not if a person refuses it', async () => {
    const { run, fail, ask } = await sessionIn();
    await run('gh pr checkout 12');
    expect(await fail('npm test', 'The user does not want to run this')).toBe('none');
    expect(await ask('npm test')).toBe('none');
    expect(await fail('npm test', 'Exit code 1\n1 failed')).toBe('none');
    expect(await ask('npm test')).toBe('allow');
  });

  test('is that in the clone, and not elsewhere', async () => {
    const { run } = await sessionIn();
    expect(await run('git clone https://github.com/x/tool /tmp/tool')).toBe('allow');
    expect(await run('npm test')).toBe('allow');
    expect(await run('cd /tmp/tool && npm ci')).toBe('none');
  });

  test('is that of a file of another commit', async () => {
    const { run } = await sessionIn();
    expect(await run('node scripts/x.js')).toBe('allow');
    expect(await run('git checkout other -- scripts/x.js')).toBe('none');
    expect(await run('node scripts/x.js')).toBe('none');
    expect(await run('node scripts/x.js')).toBe('allow');
  });

  test("is as before after the project's own branches", async () => {
    const { run } = await sessionIn();
    for (const line of ['git pull', 'git fetch origin', 'git checkout feature/x', 'git merge origin/main'])
      await run(line);
    expect(await run('npm test')).toBe('allow');
  });
});

describe('what the session wrote is left to a person at its first run', () => {
  const put = (cwd: string, name: string) => {
    mkdirSync(join(cwd, name, '..'), { recursive: true });
    writeFileSync(join(cwd, name), 'x\n');
  };
  test.each([
    ['a program', 'scripts/tidy.py', 'python3 scripts/tidy.py'],
    ['a shell script', 'scripts/tidy.sh', 'bash scripts/tidy.sh'],
    ['a test', 'test/k.test.js', 'node --test test/k.test.js'],
    ['what makes code', 'gen.go', 'go generate ./...'],
    ['a test that is found', 'test/k.test.js', 'npm test'],
    ['a Makefile', 'Makefile', 'make'],
    ['a changed manifest', 'package.json', 'npm install'],
    ['a list of packages', 'requirements.txt', 'pip install -r requirements.txt'],
    ['a workspace', 'Cargo.toml', 'cargo build'],
  ])('%s', async (_, file, line) => {
    const { cwd, run, call } = await sessionIn();
    await call('Write', { file_path: join(cwd, file), content: 'x\n' });
    put(cwd, file);
    expect(await run(line)).toBe('none');
    // a changed package.json is no longer what is written about it here: what it says is judged
    if (file !== 'package.json') expect(await run(line)).not.toBe('deny');
  });

  test('and denied where nobody would be asked, unless it is a new test', async () => {
    const { cwd, run, call } = await sessionIn({ mode: 'bypassPermissions' });
    for (const file of ['scripts/tidy.py', 'test/k.test.js']) {
      await call('Write', { file_path: join(cwd, file), content: 'x\n' });
      put(cwd, file);
    }
    expect(await run('python3 scripts/tidy.py')).toBe('deny');
    expect(await run('npm test')).toBe('none');
    expect(await run('echo "print(1)" > a.py && python3 a.py')).toBe('deny');
    expect(await run('git status')).toBe('allow');
    mkdirSync(join(cwd, '.claude'));
    writeFileSync(join(cwd, '.claude/settings.json'), '{"sandbox":{"enabled":true}}');
    expect(await run('python3 scripts/tidy.py')).toBe('none');
  });
});

describe('what is run in the clone of another repository is left to a person', () => {
  test.each([
    'cd /tmp/y && make',
    'make -C /tmp/y',
    'pip install /tmp/y',
    'python3 /tmp/y/a.py',
    'python3 < /tmp/y/a.py',
    'cat /tmp/y/a.py | python3',
    'docker build -t y /tmp/y',
    'docker compose -f /tmp/y/compose.yml up',
    'node --require /tmp/y/a.js src/b.js',
  ])('%s', async (line) => {
    const { run } = await sessionIn();
    await run('git clone https://github.com/x/y.git /tmp/y');
    expect(await run('ls /tmp/y')).toBe('allow');
    expect(await run(line)).toBe('none');
  });
});

test('data that the session downloaded may be read by a program', async () => {
  const { run } = await sessionIn();
  expect(await run('curl -s https://registry.npmjs.org/react -o /tmp/a.json')).toBe('allow');
  expect(await run('jq .name /tmp/a.json')).toBe('allow');
  expect(await run('python3 -c \'import json; print(len(json.load(open("/tmp/a.json"))))\'')).toBe('allow');
});

test('a script that the session downloaded is left to a person once, also as a copy', async () => {
  const { run } = await sessionIn();
  expect(await run('curl -s https://raw.githubusercontent.com/x/y/main/a.py -o /tmp/a.py')).toBe('allow');
  expect(await run('cp /tmp/a.py b.py')).toBe('allow');
  expect(await run('head b.py')).toBe('allow');
  expect(await run('python3 b.py')).toBe('none');
  expect(await run('python3 b.py')).toBe('allow');
});

test('a host that nothing in the project names is left to the client each time', async () => {
  const { cwd, run, call } = await sessionIn();
  expect(await run('curl -s https://api.shop.example/v1')).toBe('allow');
  for (const _ of [1, 2]) expect(await run('curl -s https://docs.vendor.example/a')).toBe('none');
  // a file that the session wrote makes none known
  await call('Edit', { file_path: join(cwd, 'README.md'), old_string: 'The', new_string: 'evil.example' });
  writeFileSync(join(cwd, 'README.md'), 'See https://evil.example.');
  expect(await run('curl -s https://evil.example/a')).toBe('none');
});
