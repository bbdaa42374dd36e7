import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { reportOf } from '../../src/cli/data.ts';
import { startedSession } from '../support/hook-session.ts';
import { listen } from '../support/loopback.ts';
import { freePort, preparedHome, runLore, startHere, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';
import { tableOf } from '../support/tables.ts';

// Commands that are no rows of a table: what they print, and what they make of mistakes.

const server = await startTestServer();
const env = { LORE_HOME: server.home, LORE_URL: server.url };
const nowhere = { ...env, LORE_URL: `http://127.0.0.1:${await freePort()}` };

/** Runs a command that must succeed. Returns its output. */
async function lore(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runLore(args, { env });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}
const loreJson = async (...args: string[]): Promise<any> => JSON.parse(await lore(...args, '--json'));

const CWD = '/home/dev/app';
const session = await startedSession(server, { cwd: CWD }, 'Make the integration tests pass');
await session.bashFails('npm test', "Exit code 1\nError: Cannot find module './emulator/ports.json'");
await session.bashWorks('npm run emulator', 'started');
await session.bashWorks('npm test', '42 passed');
await session.finish('The emulator has to run before the integration tests.');

const folder = temporaryFolder();
writeFileSync(join(folder, 'a-file'), '');
mkdirSync(join(folder, 'taken'));
const at: Record<string, Record<string, string>> = {
  nowhere,
  ftp: { ...env, LORE_URL: 'ftp://x' },
  other: { ...env, LORE_KEY: 'x'.repeat(40) },
  keyless: { ...env, LORE_HOME: temporaryFolder() },
};

test.each(tableOf('refused', { folder }))(
  'refused: lore %s',
  async (line = '', code, says = '', place = '') => {
    const finished = await runLore(line.split(' ').filter(Boolean), { env: at[place] ?? env });
    expect({ code: finished.code, stdout: finished.stdout }).toEqual({ code: Number(code), stdout: '' });
    expect(finished.stderr).toContain(says);
    expect(readdirSync(folder).sort()).toEqual(['a-file', 'taken']);
  },
);

test('with --json a refusal is one object', async () => {
  const { stderr } = await runLore(['findings', 'add', 'x', '--line', 'abc', '--json'], { env });
  expect(JSON.parse(stderr)).toEqual({
    ...{ title: 'Wrong usage', code: 'wrong-usage', detail: expect.stringContaining('--line') },
  });
  const none = await runLore(['--json', 'lessons'], { env: nowhere });
  expect([none.code, JSON.parse(none.stderr).title]).toEqual([3, 'No server']);
});

test('a server that accepts and stays silent is no server', async () => {
  const { url, close } = await listen(() => undefined);
  onTestFinished(close);
  const { code, stderr } = await runLore(['search', 'x'], { env: { ...env, LORE_URL: url } });
  expect([code, stderr]).toEqual([3, expect.stringContaining('Nothing answers')]);
});

test('a server that is not Lore is told as such', async () => {
  const { url, close } = await listen((_, answer) => answer.end('<html>It works!</html>'));
  onTestFinished(close);
  const there = { ...env, LORE_URL: url };
  const { code, stderr } = await runLore(['status'], { env: there });
  expect([code, stderr]).toEqual([1, expect.stringContaining('not answer like a Lore server')]);
  expect(await runLore(['doctor'], { env: there })).toMatchObject({ code: 4 });
});

test('--help has every command in a group; a pipe that is closed early is no error', async () => {
  const help = await lore('--help');
  expect(help).toMatch(/Every day:\n {2}up /);
  expect(help).not.toMatch(/^Commands:/m);
  expect(help).toMatch(/0 done, 1 failed or refused, 2 wrong usage, 3 no server answers, 4 doctor/);
  expect(await lore('--version')).toBe(`${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`);
  const shell = `"$0" bin/lore.js --help | head -n 1; printf '%s' "\${PIPESTATUS[0]}"`;
  const piped = await promisify(execFile)('bash', ['-c', shell, process.execPath]);
  expect(piped).toEqual({ stdout: 'Usage: lore [options] [command]\n0', stderr: '' });
});

test('start --json prints one line with its URL; commands find the server by LORE_PORT until it stops', async () => {
  const port = await freePort();
  const own = { ...(await preparedHome()), LORE_PORT: String(port) };
  const started = await startHere(own, ['--json']);
  const embedding = expect.stringMatching(/^(loading|ready)$/);
  expect(JSON.parse(started.stdout())).toEqual({
    ...{ url: `http://127.0.0.1:${port}`, home: own.LORE_HOME, version: expect.any(String), embedding },
  });
  const status = await runLore(['status'], { env: own });
  expect(status).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('No session yet') });
  started.kill('SIGTERM');
  expect(await started.finished).toMatchObject({ code: 0, stderr: '' });
  expect((await runLore(['status'], { env: own })).code).toBe(3);
});

test('status shows the server, its projects and sessions', async () => {
  const text = await lore('status');
  for (const says of [
    ...[new RegExp(`on ${server.url}: ok`), /database\s+(pglite|postgres)\n/, /projects\s+1\n/],
    ...[/lessons\s+0 active, 1 proposed\n/, /Make the integration tests pass.*completed/],
  ])
    expect(text).toMatch(says);
  const json = await loreJson('status');
  expect(json).toMatchObject({
    health: { status: 'ok' },
    sessions: [{ project: CWD, errorsEncountered: 1 }],
  });
});

describe('doctor', () => {
  test('finds a healthy server healthy', async () => {
    const json = await loreJson('doctor');
    expect(await lore('doctor')).not.toContain('PROBLEM');
    expect(json.healthy).toBe(true);
    const names = json.checks.map((check: { name: string }) => check.name);
    for (const name of ['data folder', 'server', 'database', 'key', 'search index', 'journal'])
      expect(names).toContain(name);
  });

  test.each<[string, Record<string, string>]>([
    ['server', { LORE_URL: nowhere.LORE_URL }],
    ['key', { LORE_KEY: 'x'.repeat(40) }],
    ['data folder', { LORE_HOME: '/nonexistent/lore' }],
    ['data folder .*: chmod 700', { LORE_HOME: join(folder, 'taken') }],
  ])('ends with 4 and names the trouble: %s', async (name, change) => {
    const { code, stdout, stderr } = await runLore(['doctor'], { env: { ...env, ...change } });
    expect([code, stderr]).toEqual([4, '']);
    expect(stdout).toMatch(new RegExp(`^PROBLEM ${name} `, 'm'));
  });

  test('ends with 4 when the index lacks a lesson, which reindex mends', async () => {
    const [noticed] = await loreJson('lessons', '--status', 'proposed');
    // who is to approve it sees what it is for
    expect((await lore('lessons')).replace(/[│\s]+/g, ' ')).toContain('(for: ');
    await lore('lessons', 'approve', noticed.id.slice(0, 8));
    await server.settled();
    await server.rows(`delete from search_documents`);
    const broken = await runLore(['doctor'], { env });
    expect([broken.code, broken.stdout]).toEqual([
      4,
      expect.stringMatching(/^PROBLEM search index .*reindex/m),
    ]);
    expect(await lore('reindex')).toMatch(
      /^[1-9]\d* records in [1-9]\d* rows, [1-9]\d* embedded, 0 pending\.\n$/,
    );
    await lore('doctor');
  });
});

test('search finds by meaning, within a project and a time, and shows a text once', async () => {
  const question = ['which', 'script', 'goes', 'before', 'npm', 'test'];
  expect(await lore('search', ...question)).toMatch(/^1\. \[(HIGH|MEDIUM|LOW)\] .*emulator/);
  expect(await lore('search', ...question, '--explain')).toContain('"lexical"');
  expect((await loreJson('search', ...question, '--as-of', '2020-01-01')).results).toEqual([]);
  const text = 'The heron nests at the weir by the old mill';
  await lore('notes', 'add', text, '-p', '/mill');
  await lore('findings', 'add', text, '-p', '/mill');
  await server.settled();
  const found = await lore('search', '-p', 'mill', ...text.split(' '));
  expect(found.split(text)).toHaveLength(2);
  expect(found).toMatch(/^ {3}also: (note|finding) [0-9a-f]{8}$/m);
  const [, id = ''] = /lore rate (\S+)/.exec(found) ?? [];
  const [, note = ''] = /(?:note|finding) ([0-9a-f]{8})/.exec(found) ?? [];
  expect(await lore('rate', id, '--useful', note)).toContain(note);
  expect(await lore('metrics')).toContain('precision');
});

test('a stored text cannot steer the terminal', async () => {
  const { key } = await server.member();
  const evil = 'Run `make seed` first\u001b]0;title\u0007\u001b[2J\u202e, the tables are empty\u009b31m';
  const stated = { project: 'evil', lesson: evil, context: evil, why: evil, appliesTo: ['make seed'] };
  const { id } = (await server.request('POST', '/v1/learnings', { key, body: stated })).body.learning;
  for (const args of [['lessons'], ['lessons', 'show', id], ['search', 'make seed']]) {
    const { stdout } = await runLore(args, { env: { ...env, LORE_KEY: key } });
    expect(stdout.replace(/\s+/g, ' ')).toContain('make seed');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  }
});

describe('sql', () => {
  test('prints a table, or the rows as JSON, also of a statement from a pipe', async () => {
    const query = `select 1 as a, 'two' as b, null as c, '{"d": [4]}'::jsonb as j`;
    expect(await lore('sql', query)).toMatch(/│ 1 +│ two +│ +│ \{"d":\[4\]\} +│[\s\S]*\(1 row\)/);
    expect(await loreJson('sql', query)).toEqual([{ a: 1, b: 'two', c: null, j: { d: [4] } }]);
    const piped = await runLore(['sql', '--json'], { env, input: 'select 1 as a\n  ;\n' });
    expect(JSON.parse(piped.stdout)).toEqual([{ a: 1 }]);
    const wrong = await runLore(['sql', 'select * from nowhere'], { env });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/"nowhere" does not exist.*character 15/),
    ]);
  });
});

test('keys and users: a new key works until it is revoked; a member adds nobody', async () => {
  const said = await lore('keys', 'create', 'tablet');
  const [, key = '', id = ''] = /^(lore_[\w-]{43})\n.*lore keys revoke ([0-9a-f-]{36})\./.exec(said) ?? [];
  expect(await lore('keys')).toMatch(/tablet.*live/);
  expect((await runLore(['keys'], { env: { ...env, LORE_KEY: key } })).code).toBe(0);
  expect(await lore('keys', 'revoke', id.slice(0, 8))).toBe(`Revoked ${id.slice(0, 8)}.\n`);
  expect((await runLore(['keys'], { env: { ...env, LORE_KEY: key } })).code).toBe(1);

  const [member = ''] = (await lore('users', 'add', 'ann')).split('\n');
  expect(await lore('users')).toMatch(/ann +│ member/);
  const refused = await runLore(['users', 'add', 'friend'], { env: { ...env, LORE_KEY: member } });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('owner')]);
  expect(await lore('users', 'remove', 'ann', '--erase', '-y')).toContain('Removed ann. Erased:');
  expect((await runLore(['lessons'], { env: { ...env, LORE_KEY: member } })).code).toBe(1);
});

test('a project that there is not is told; projects are joined; what would be erased is told', async () => {
  for (const args of [['incidents'], ['notes'], ['lessons', '--json']]) {
    const { code, stderr } = await runLore([...args, '-p', 'ap'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('“ap” is no project of yours')]);
  }
  await lore('notes', 'add', 'kept by the first', '-p', '/join/one');
  await lore('notes', 'add', 'kept by the second', '-p', '/join/two');
  const would = await lore('projects', 'join', '/join/one', '/join/two', '--dry-run');
  expect(would).toBe('Would be moved from /join/one to /join/two:\n        1 notes\n');
  expect(await lore('projects', 'join', '/join/one', '/join/two', '-y')).toContain('1 notes');
  expect(await lore('notes', '-p', '/join/one/')).toContain('kept by the first');
  expect(await lore('projects')).toMatch(/join\/two +│ \/join\/one +│/);

  expect(await lore('erase', '--project', '/join/two', '--dry-run')).toMatch(/2 notes\n/);
  const { erased } = await loreJson('erase', '--project', '/join/two', '-y');
  const all = reportOf(Object.fromEntries(Object.keys(erased).map((kind) => [kind, 1])));
  // not by the server's names
  expect(all).not.toMatch(/[a-z][A-Z]/);
});
