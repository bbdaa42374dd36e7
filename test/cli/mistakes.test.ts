import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { reportOf } from '../../src/cli/data.ts';
import { hookSession } from '../support/hook-session.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// What commands make of plain mistakes, and whether they tell all that a person has to know before saying yes.

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };
const lore = (...args: string[]) => runLore(args, { env });
const post = async (path: string, body: object) =>
  (await server.request('POST', path, { key: server.key, body })).body;

test('erase names every kind that it would erase', async () => {
  await server.request('PUT', '/v1/facts', {
    key: server.key,
    body: { project: 'heron', type: 'tool', key: 'node.version', value: 22 },
  });
  await post('/v1/findings', { project: 'heron', title: 'It leaks' });
  await post('/v1/plans', { project: 'heron', goal: 'Move to Vitest', steps: [] });
  const { code, stdout } = await lore('erase', '--project', 'heron', '--dry-run');
  expect(code).toBe(0);
  for (const kind of ['facts', 'findings', 'plans', 'projects']) expect(stdout).toMatch(`1 ${kind}\n`);
  const { erased } = await post('/v1/erase', { project: 'heron', dryRun: true });
  const all = reportOf(Object.fromEntries(Object.keys(erased).map((kind) => [kind, 1])));
  expect(all.split('\n')).toHaveLength(Object.keys(erased).length);
  // not by the server's names
  expect(all).not.toMatch(/[a-z][A-Z]/);
});

test('an option that may be repeated leaves the words behind it alone', async () => {
  const added = await lore(
    ...['notes', 'add', '-p', 'heron', '--file', 'a.ts#connect', '--file', 'b.ts', '--commit', '4f2c1aa'],
    ...['--mention', 'reviewer', 'The queue is NATS', '--json'],
  );
  expect(JSON.parse(added.stdout)).toMatchObject({
    content: 'The queue is NATS',
    mentions: ['reviewer'],
    metadata: { breadcrumbs: { modified_files: ['a.ts#connect', 'b.ts'], commits: ['4f2c1aa'] } },
  });
  const found = await lore('search', '--type', 'reflection', '--type', 'decision', 'NATS');
  expect(found.stdout).toContain('The queue is NATS');
});

test('a file or folder that cannot be used is named in one line, and a failed export leaves nothing', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  mkdirSync(join(folder, 'taken'));
  mkdirSync(join(folder, 'home', 'key'), { recursive: true });
  const gone = join(folder, 'nowhere');
  for (const [args, says] of [
    [['check', gone], `No such file. ${gone}: `],
    [['check', folder], `${folder}: it is a folder`],
    [['import', gone], `No such file. ${gone}: `],
    [['import', '/dev/zero'], '/dev/zero is neither a file nor a folder'],
    [['export', join(gone, 'x')], `${join(gone, 'x')}: there is no such`],
    [['export', join(folder, 'taken')], '--dir'],
    [['export', '--dir', file], 'a-file'],
    [['export', '--dir', '/proc/nowhere'], 'there is no such file or folder'],
    [['init', join(file, 'x')], 'a-file'],
    [['export', '-p', 'nosuch', join(folder, 'out')], 'There is no project “nosuch”'],
  ] as const) {
    const { code, stdout, stderr } = await lore(...args);
    expect({ args, code, stdout, lines: stderr.split('\n').length }).toEqual({
      args,
      code: 1,
      stdout: '',
      lines: 2,
    });
    expect(stderr).toContain(says);
  }
  expect(readdirSync(folder).sort()).toEqual(['a-file', 'home', 'taken']);
  const unreadable = await runLore(['status'], { env: { ...env, LORE_HOME: join(folder, 'home') } });
  expect(unreadable.stderr).toContain(`${join(folder, 'home', 'key')}: it is a folder`);
  const nowhere = await runLore(['start'], { env: { LORE_HOME: '/proc/nowhere/lore' } });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Data folder cannot be used') });
});

test('a value that does not fit its option is wrong usage, which names the option', async () => {
  for (const [line, option] of [
    ['findings add x -p heron --line abc', '--line'],
    ['findings resolve 1a2b3c4d -s open', '--status'],
    ['plan add 1a2b do it --after one', '--after'],
    ['plan claim 1a2b abc', 'step'],
    ['notes -n abc', '--limit'],
    ['notes show zzzz', "'id'"],
    ['search x --type bogus', '--type'],
    ['decisions add when do -c high', '--confidence'],
    ['relations around a b --hops 9', '--hops'],
    ['lessons --as-of yesterday', '--as-of'],
    ['erase --before soon', '--before'],
  ] as const) {
    const { code, stdout, stderr } = await lore(...line.split(' '));
    expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: '' });
    expect(stderr).toContain(option);
    expect(stderr).toContain(`(lore ${line.split(' ')[0]}`);
  }
  const json = await lore('findings', 'add', 'x', '--line', 'abc', '--json');
  expect([json.code, JSON.parse(json.stderr)]).toEqual([
    2,
    { title: 'Wrong usage', code: 'wrong-usage', detail: expect.stringContaining('--line') },
  ]);
  expect((await server.request('GET', '/v1/findings', { key: server.key })).body.findings).toHaveLength(1);
});

test('explain tells what a person said of a command, and the code for lore allow', async () => {
  const cwd = temporaryFolder();
  const command = 'git reset --hard';
  const explain = (...more: string[]) => runLore(['explain', command, ...more], { env, cwd });
  const { code } = await post('/v1/commands/check', { command, cwd });
  const denied = await explain();
  expect(denied.stdout).toMatch(new RegExp(`^deny {3}code ${code}$`, 'm'));
  expect(denied.stdout).toContain(`npx lore allow ${code} lets it run`);
  const never = await runLore(['explain', 'rm -rf /'], { env, cwd });
  expect(never.stdout).toContain('Nobody can allow it');
  await server.settled();
  await post('/v1/commands/overrule', { code, decision: 'allow', once: false });
  const told = await explain();
  expect(told.stdout).toMatch(
    new RegExp(`^allow \\(a person said so; the rules: deny; .* code ${code}$`, 'm'),
  );
  expect(JSON.parse((await explain('--json')).stdout)).toMatchObject({
    decision: 'allow',
    rules: 'deny',
    remembered: { checkedBy: 'person', once: false },
  });
});

test('a slip in the name of a command or subcommand is told with what may be meant', async () => {
  for (const [line, says] of [
    ['stat', "unknown command 'stat'\n(Did you mean"],
    ['lessons shw 1a2b3c4d', "unknown command 'shw'. There are: show, "],
    ['plan -p mill shwo 1a2b', "unknown command 'shwo'. There are: show, "],
    ['frobnicate', "unknown command 'frobnicate'"],
  ] as const) {
    const { code, stdout, stderr } = await lore(...line.split(' '));
    expect([line, code, stdout]).toEqual([line, 2, '']);
    expect(stderr).toContain(says);
  }
  const unquoted = await lore('explain', 'ls', '-la', '--json');
  expect([unquoted.code, JSON.parse(unquoted.stderr).detail]).toEqual([
    2,
    'Write the command in quotes, as one word: lore explain "ls -la".',
  ]);
});

test('an argument without text is wrong usage, and is told so', async () => {
  for (const [args, says] of [
    [['explain', ''], 'npx lore explain "npm test"'],
    [['notes', 'add'], 'npx lore notes add "…"'],
    [['owner', '--claim', 'ann', '--release'], 'Either --claim or --release'],
  ] as const) {
    const { code, stderr } = await lore(...args);
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(`lore: Wrong usage. `)]);
    expect(stderr).toContain(says);
  }
});

test('search shows a text once, with the other records that have the same, and ages as elsewhere', async () => {
  const text = 'The heron nests at the weir by the old mill';
  const { id } = await post('/v1/notes', { project: '/srv/mill', content: text });
  const finding = await post('/v1/findings', { project: '/srv/mill', title: text });
  await server.settled();
  const { stdout } = await lore('search', '--scores', ...text.split(' '), '-p', 'mill');
  expect(stdout.split(text)).toHaveLength(2);
  const others = [`note ${id.slice(0, 8)}`, `finding ${finding.id.slice(0, 8)}`];
  for (const one of others) expect(stdout).toContain(one);
  expect(stdout).toMatch(/^ {3}also: (note|finding) [0-9a-f]{8}$/m);
  expect(stdout).toMatch(/confidence \d+ %, (just now|1 min ago)$/m);
});

test('a session that the client ended without a reason is completed, and nothing else', async () => {
  const session = hookSession(server, { key: server.key, cwd: '/work/weir' });
  await session.start();
  await session.prompt('Look at the weir');
  await session.send('SessionEnd', { reason: 'other' });
  await server.settled();
  const { stdout } = await lore('sessions', '-p', '/work/weir');
  expect(stdout).toContain('completed');
  expect(stdout).not.toContain('other');
});

test('plan lists what is open, or what has ended', async () => {
  const make = async (goal: string) =>
    (await post('/v1/plans', { project: 'weir', goal, steps: [{ description: 'Do it' }] })).id;
  const [open, ended] = [await make('Mend the gate'), await make('Paint the gate')];
  await server.request('PATCH', `/v1/plans/${ended}`, { key: server.key, body: { status: 'completed' } });
  const now = (await lore('plan', '-p', 'weir')).stdout;
  expect([now.includes(open.slice(0, 8)), now.includes(ended.slice(0, 8))]).toEqual([true, false]);
  const past = (await lore('plan', '-p', 'weir', '--ended')).stdout;
  expect([past.includes(open.slice(0, 8)), past.includes(ended.slice(0, 8))]).toEqual([false, true]);
});

test('metrics names measures as the page does', async () => {
  const { stdout } = await lore('metrics');
  expect(stdout).toContain('Useful search results');
  expect(stdout).not.toContain('precision');
});

test('what lists show can be given back: short ids, words for outcomes, days', async () => {
  const add = async (...args: string[]) =>
    (await lore('notes', 'add', '-p', '/ids', ...args)).stdout.slice(0, 8);
  const [first, second] = [await add('The port is 1'), await add('The host is a')];
  const third = await add('--supersedes', first, 'The port is 2');
  const older = await lore('notes', '-p', '/ids', '--before', third);
  expect(older.stdout).toContain(second);
  expect(older.stdout).not.toContain(third);
  expect((await lore('notes', 'show', third)).stdout).toMatch(new RegExp(`replaces +${first}`));
  const gone = await lore('notes', '--before', '00000000');
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('You have no note 00000000') });

  await lore('facts', 'set', 'tool', 'bun', '1', '-p', '/ids', '--from', '2026-01-01');
  expect((await lore('facts', '-p', '/ids', '--as-of', '2026-01-02')).stdout).toContain('2026-01-01T00:00');
  expect((await lore('facts', '-p', '/ids', '--as-of', '2025-12-31')).stdout).toBe('No facts.\n');
  expect(await lore('episodes', '--outcome', 'not verified')).toMatchObject({ code: 0, stderr: '' });
});

test('wrong usage is exit 2, with a sentence that names what is wrong', async () => {
  for (const [args, says] of [
    [['findings', '--severity', 'bogus'], 'It must be one of critical, high, medium, low, info.'],
    [['findings', '-s', 'bogus'], 'It must be one of open, '],
    [['rate', 'xyz'], 'It must be a whole id'],
    [['keys', 'revoke', '12b'], 'It must be an id or its first 8 characters'],
    [['erase'], 'say what to erase: --session, --project or --before'],
  ] as const) {
    const { code, stdout, stderr } = await lore(...args);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr).toContain(says);
  }
});

test('a slip in the name of a project makes none', async () => {
  const { code, stderr } = await lore('notes', 'add', '-p', 'hern', 'To heron');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /There is no project “hern”\. Those of the last sessions: .*heron.* A project begins/,
    ),
  });
  expect((await server.request('GET', '/v1/projects', { key: server.key })).body.projects).not.toContainEqual(
    expect.objectContaining({ name: 'hern' }),
  );
});

test('the help is grouped, with every command in a group', async () => {
  const { stdout } = await lore('--help');
  expect(stdout).toMatch(/Every day:\n {2}up /);
  expect(stdout).not.toMatch(/^Commands:/m);
});

test('a pipe that is closed early is no error', async () => {
  const shell = `"$0" bin/lore.js --help | head -n 1; printf '%s' "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', shell, process.execPath], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'Usage: lore [options] [command]\n0', stderr: '' });
});
