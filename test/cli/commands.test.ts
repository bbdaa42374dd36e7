// Longer than 400 lines because all commands share one server and its history, and creating them takes seconds.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { attachProject } from '../../src/cli/attach/attach.ts';
import { hookSession } from '../support/hook-session.ts';
import {
  type Finished,
  freePort,
  preparedHome,
  runLore,
  startHere,
  temporaryFolder,
} from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const env = { LORE_HOME: server.home, LORE_URL: server.url };
const nowhere = { ...env, LORE_URL: `http://127.0.0.1:${await freePort()}` };

/** Runs a command that must succeed. Returns its output. */
async function lore(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runLore(args, { env });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}
/** Runs a command with a project that there is not, which it says on stderr. Returns its output. */
async function loreOfNoProject(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runLore(args, { env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^lore: There is no project “\w+”\. Those of the last sessions: .+\n$/);
  return stdout;
}
// biome-ignore lint/suspicious/noExplicitAny: if it is not what the test expects, the test fails
const loreJson = async (...args: string[]): Promise<any> => JSON.parse(await lore(...args, '--json'));

/** Expects a refusal in one line on stderr (with --json: one JSON object) and nothing on stdout. */
function expectFailure(finished: Finished, code: number, ...says: (string | RegExp)[]) {
  expect(finished).toMatchObject({ code, stdout: '' });
  expect(finished.stderr).toMatch(/^(lore: [^\n]+|\{"title":"[^\n]+\})\n$/);
  for (const text of says) expect(finished.stderr).toMatch(text);
}

const CWD = '/home/dev/app';
const session = hookSession(server, { cwd: CWD });
await session.start();
await session.prompt('Make the integration tests pass');
await session.bashFails('npm test', "Exit code 1\nError: Cannot find module './emulator/ports.json'");
await session.bashWorks('npm run emulator', 'started');
await session.bashWorks('npm test', '42 passed');
await session.stop('The emulator has to run before the integration tests.');
await session.end();
await server.settled();

describe('usage', () => {
  test.each([
    ['no command', []],
    ['an unknown command', ['frobnicate']],
    ['an unknown option', ['status', '--frobnicate']],
    ['a missing argument', ['search']],
    ['a missing option', ['guards', 'edit', 'x']],
    ['an argument too many', ['status', 'x']],
    ['an option without its value', ['search', 'x', '--limit']],
  ])('%s ends with 2, says so and points to the help', async (_, args) => {
    const { code, stdout, stderr } = await runLore(args, { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--help');
  });

  test('--help names every command and what the exit codes mean; --version the version', async () => {
    const [help, version] = await Promise.all([lore('--help'), lore('--version')]);
    for (const command of [
      'start',
      'init',
      'status',
      'doctor',
      'search',
      'lessons',
      'sql',
      'reindex',
      'retry',
      'import',
      'export',
      'keys',
      'users',
    ]) {
      expect(help).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
    expect(help).toMatch(/0 done, 1 failed or refused, 2 wrong usage, 3 no server answers, 4 doctor/);
    expect(version).toBe(`${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`);
  });

  test('a wrong variable is named', async () => {
    const finished = await runLore(['status'], { env: { ...env, LORE_URL: 'ftp://x' } });
    expectFailure(finished, 1, 'Bad configuration', 'LORE_URL');
  });
});

describe('without a server that answers', () => {
  test.each(['status', 'search x', 'sql select', 'reindex', 'keys revoke 1a2b3c4d'])(
    '%s ends with 3',
    async (line) => {
      const finished = await runLore(line.split(' '), { env: nowhere });
      expectFailure(finished, 3, 'No server', nowhere.LORE_URL, 'lore start');
    },
  );

  test('--json says it in JSON', async () => {
    const finished = await runLore(['--json', 'learnings'], { env: nowhere });
    expectFailure(finished, 3);
    expect(JSON.parse(finished.stderr)).toMatchObject({ title: 'No server', detail: expect.any(String) });
  });

  test('a server that is not Lore is reported as such', async () => {
    const other = createServer((_, answer) => answer.end('<html>It works!</html>'));
    const port = await new Promise<number>((done) =>
      other.listen(0, '127.0.0.1', () => done((other.address() as { port: number }).port)),
    );
    onTestFinished(() => void other.close());
    const LORE_URL = `http://127.0.0.1:${port}`;
    for (const args of [['status'], ['learnings']]) {
      expectFailure(
        await runLore(args, { env: { ...env, LORE_URL } }),
        1,
        LORE_URL,
        'not answer like a Lore server',
      );
    }
    expect(await runLore(['doctor'], { env: { ...env, LORE_URL } })).toMatchObject({ code: 4 });
  });

  test('a wrong key, or none, ends with 1 and says which', async () => {
    const [wrong, none] = await Promise.all([
      runLore(['status'], { env: { ...env, LORE_KEY: 'x'.repeat(40) } }),
      runLore(['learnings'], { env: { ...env, LORE_HOME: temporaryFolder() } }),
    ]);
    expectFailure(wrong, 1, 'Not authenticated', 'revoked');
    expectFailure(none, 1, 'No key', 'LORE_KEY');
  });
});

test('start --json prints one line with its URL; commands find the server by LORE_PORT until it stops', async () => {
  const port = await freePort();
  const own = { ...(await preparedHome()), LORE_PORT: String(port) };
  const started = await startHere(own, ['--json']);
  const said = JSON.parse(started.stdout());
  expect(started.stdout().trim().split('\n')).toHaveLength(1);
  expect(said).toEqual({
    url: `http://127.0.0.1:${port}`,
    home: own.LORE_HOME,
    version: expect.any(String),
    embedding: expect.stringMatching(/^(loading|ready)$/),
  });
  const status = await runLore(['status'], { env: own });
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(status.stdout).toContain('No session yet');
  started.kill('SIGTERM');
  expect(await started.finished).toMatchObject({ code: 0, stderr: '' });
  expectFailure(await runLore(['status'], { env: own }), 3);
});

describe('init', () => {
  const project = join(temporaryFolder(), 'project');
  mkdirSync(project);
  const file = join(project, '.claude', 'settings.local.json');

  test('--print shows what it would merge and changes nothing', async () => {
    const settings = JSON.parse(await lore('init', project, '--print'));
    expect(settings.hooks.SessionStart[0].hooks[0].command).toContain('session-start');
    expect(JSON.stringify(settings)).not.toContain(server.key);
    expect(existsSync(join(project, '.claude'))).toBe(false);
  });

  test('attaches once, --remove undoes it', async () => {
    expect(await lore('init', project)).toContain(file);
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    expect(settings.env).toEqual({ LORE_KEY: expect.any(String), LORE_URL: server.url });
    const { LORE_KEY } = settings.env;
    const whose = async () => (await server.request('GET', '/v1/me', { key: LORE_KEY })).body;
    // the agent's shell sees this key
    expect(await whose()).toMatchObject({ role: 'owner', scope: 'hooks' });
    expect(settings.hooks.PostToolUse[0].hooks[0].url).toBe(`${server.url}/v1/hooks`);
    const [, script, node, again] =
      /^node "([^"]+)" \|\| "([^"]+)" "([^"]+)" \|\| true$/.exec(
        settings.hooks.SessionStart[0].hooks[0].command,
      ) ?? [];
    expect([again, node]).toEqual([script, process.execPath]);
    expect(existsSync(script ?? '')).toBe(true);
    expect(await lore('init', project)).toContain('Already attached');
    expect(await loreJson('init', project)).toEqual({ file, changed: false, warnings: [] });
    // as from the agent's shell
    expect((await runLore(['init', project], { env: { ...env, LORE_KEY } })).stdout).toContain('Already');
    expect(await lore('init', project, '--remove')).toContain('Detached');
    expect(existsSync(join(project, '.claude'))).toBe(false);
    expect(await loreJson('init', project, '--remove')).toMatchObject({ found: false });
    expect(await whose()).toMatchObject({ status: 401 });
  });

  test("gives a project that holds a person's key, from before 0.3, one for hooks; doctor says that it is needed", async () => {
    // what lore init did before 0.3
    const hookScript = '/opt/lore/hooks/session-start';
    attachProject({ dir: project, home: server.home, url: server.url, key: server.key, hookScript });
    expect(readFileSync(file, 'utf8')).toContain(server.key);
    const doctor = () => runLore(['doctor', '--json'], { env, cwd: project });
    type Checks = { checks: { name: string; ok: boolean; detail: string }[] };
    const here = async () =>
      (JSON.parse((await doctor()).stdout) as Checks).checks.find(({ name }) => name === 'hooks here');
    expect(await here()).toMatchObject({ ok: false, detail: expect.stringContaining('run lore init again') });
    await lore('init', project);
    const now = JSON.parse(readFileSync(file, 'utf8')).env.LORE_KEY;
    expect((await server.request('GET', '/v1/me', { key: now })).body).toMatchObject({ scope: 'hooks' });
    expect(await here()).toMatchObject({ ok: true });
    await lore('init', project, '--remove');
  });

  test('leaves no key behind when the settings cannot be merged', async () => {
    const live = async () =>
      (await loreJson('keys')).filter((key: { revokedAt: string | null }) => key.revokedAt === null).length;
    const before = await live();
    mkdirSync(join(project, '.claude'), { recursive: true });
    writeFileSync(file, '{"env": {"LORE_KEY": "somebody-elses-key-0000000"}}');
    expectFailure(await runLore(['init', project], { env }), 1, 'already set to another key');
    expect(await live()).toBe(before);
    rmSync(file);
  });

  test('--user attaches all projects at once, in the settings of the person', async () => {
    const CLAUDE_CONFIG_DIR = join(temporaryFolder(), 'claude');
    const own = { ...env, CLAUDE_CONFIG_DIR };
    const settings = join(CLAUDE_CONFIG_DIR, 'settings.json');
    expect((await runLore(['init', '--user'], { env: own })).stdout).toContain(settings);
    const { LORE_KEY } = JSON.parse(readFileSync(settings, 'utf8')).env;
    const { body } = await server.request('GET', '/v1/me', { key: LORE_KEY });
    expect(body).toMatchObject({ scope: 'hooks', project: null });
    expect((await runLore(['init', '--user'], { env: own })).stdout).toContain('Already attached');
    expect((await runLore(['init', '--user', '--remove'], { env: own })).stdout).toContain('Detached');
    expect(existsSync(settings)).toBe(false);
    expect((await server.request('GET', '/v1/me', { key: LORE_KEY })).status).toBe(401);
  });

  test('doctor says where the hooks are gone', async () => {
    await lore('init', project);
    rmSync(file);
    const { code, stdout } = await runLore(['doctor'], { env });
    expect([code, stdout]).toEqual([
      4,
      expect.stringMatching(/PROBLEM attachments .*is gone\. Run npx lore init/),
    ]);
    await lore('init', project);
    expect((await runLore(['doctor'], { env })).stdout).toContain('ok      attachments');
    await lore('init', project, '--remove');
  });

  test('refuses a path that is not a folder', async () => {
    expectFailure(await runLore(['init', join(project, 'nope')], { env }), 2, 'nope');
  });
});

test('status shows the server, its projects and sessions', async () => {
  const [text, json] = await Promise.all([lore('status'), loreJson('status')]);
  expect(text).toContain(server.url);
  expect(text).toMatch(/database\s+(pglite|postgres)\n/);
  expect(text).toMatch(/projects\s+2\n/);
  expect(text).toMatch(/lessons\s+0 active, 1 proposed\n/);
  expect(text).toContain('Make the integration tests pass');
  expect(text).toContain('completed');
  expect(json).toMatchObject({
    health: { status: 'ok' },
    projects: expect.arrayContaining([expect.objectContaining({ name: CWD })]),
    sessions: [{ project: CWD, shortTitle: 'Make the integration tests pass', errorsEncountered: 1 }],
  });
});

describe('doctor', () => {
  test('finds a healthy server healthy', async () => {
    const [text, json] = await Promise.all([lore('doctor'), loreJson('doctor')]);
    expect(text.trim().split('\n').length).toBe(json.checks.length);
    expect(text).not.toContain('PROBLEM');
    expect(json.healthy).toBe(true);
    expect(json.checks.map((check: { name: string }) => check.name)).toEqual([
      'data folder',
      'rule files',
      'attachments',
      'judged',
      'server',
      'database',
      'embedding',
      'consolidation',
      'key',
      'search index',
      'hooks here',
      'permissions',
      'model',
      'calls',
      'dead letters',
      'journal',
      'workers',
    ]);
  });

  test.each<[string, string, Record<string, string>]>([
    ['no server', 'server', { LORE_URL: nowhere.LORE_URL }],
    ['a wrong key', 'key', { LORE_KEY: 'x'.repeat(40) }],
    ['no data folder', 'data folder', { LORE_HOME: '/nonexistent/lore' }],
  ])('ends with 4 and names the trouble: %s', async (_, name, change) => {
    const broken = { ...env, ...change };
    const [text, json] = await Promise.all([
      runLore(['doctor'], { env: broken }),
      runLore(['doctor', '--json'], { env: broken }),
    ]);
    expect(text).toMatchObject({ code: 4, stderr: '' });
    expect(text.stdout).toMatch(new RegExp(`^PROBLEM ${name} `, 'm'));
    expect(json).toMatchObject({ code: 4, stderr: '' });
    const { healthy, checks } = JSON.parse(json.stdout);
    expect(healthy).toBe(false);
    expect(checks).toContainEqual({ name, ok: false, detail: expect.stringMatching(/.{10}/) });
  });

  test('ends with 4 when the index lacks a lesson, which reindex mends', async () => {
    const indexed = `select 1 from search_documents where kind = 'learning'`;
    const [noticed] = await loreJson('learnings', '--status', 'proposed');
    expect(await server.rows(indexed)).toEqual([]);
    await lore('learnings', 'approve', noticed.id.slice(0, 8));
    await server.settled();
    expect(await server.rows(indexed)).toHaveLength(1);
    await server.rows(`delete from search_documents`);
    const broken = await runLore(['doctor'], { env });
    expect(broken.code).toBe(4);
    expect(broken.stdout).toMatch(/^PROBLEM search index .*lore reindex/m);
    const lessons = (await loreJson('learnings')).length;
    const turns = (await server.rows('select 1 from turns')).length;
    const errors = (await server.rows('select 1 from searchable_error')).length;
    const episodes = (await server.rows('select 1 from episodes')).length;
    expect(Math.min(lessons, turns, errors, episodes)).toBeGreaterThan(0);
    // an error has two parts
    const others = lessons + turns + episodes;
    const [records, rows] = [others + errors, others + 2 * errors];
    expect(await lore('reindex')).toBe(`${records} records in ${rows} rows, ${rows} embedded, 0 pending.\n`);
    await lore('doctor');
    expect(await loreJson('reindex', '--no-wait')).toMatchObject({ sources: records, documents: rows });
    await server.settled();
  });
});

test('amendments lists links with their evidence; undo and restore change them', async () => {
  const note = { project: '/home/dev/keys', messageType: 'decision' };
  await server.request('POST', '/v1/notes', {
    body: [
      { ...note, content: 'API keys get 300 requests a minute', createdAt: '2025-01-01T00:00:00Z' },
      {
        ...note,
        content: 'API keys no longer get 300 requests a minute but 600',
        createdAt: '2025-02-01T00:00:00Z',
      },
    ],
  });
  await server.settled();
  const [link] = await loreJson('amendments', '-p', '/home/dev/keys');
  const id = link.id.slice(0, 8);
  const listed = await lore('amendments', '--record', link.older.id);
  expect(listed).toMatch(new RegExp(`^${id}  “no longer”, similarity 0\\.\\d\\d, [^,]*\n  newer `));
  expect(listed).toContain('API keys get 300 requests a minute\n');
  expect(await lore('amendments', 'undo', id)).toBe(`Undone ${id}\n`);
  expect(await lore('amendments')).toMatch(/, undone$/m);
  expect(await loreJson('amendments', 'restore', id)).toMatchObject({ id: link.id, undoneAt: null });
  expect(await loreOfNoProject('amendments', '-p', 'nowhere')).toBe('Nothing amends anything.\n');
  expectFailure(await runLore(['amendments', 'undo', 'ffffffff'], { env }), 1, 'ffffffff');
  for (const side of [link.newer, link.older]) await server.request('DELETE', `/v1/notes/${side.id}`);
  await server.settled();
});

describe('learnings', () => {
  test('a stored text cannot steer the terminal', async () => {
    const { key } = await server.member();
    const evil = 'Run `make seed` first\u001b]0;title\u0007\u001b[2J\u202e, the tables are empty\u009b31m';
    const stated = { project: 'evil', lesson: evil, context: evil, why: evil, appliesTo: ['make seed'] };
    const { body } = await server.request('POST', '/v1/learnings', { key, body: stated });
    const { id } = body.learning;
    for (const args of [['learnings'], ['learnings', 'show', id], ['search', 'make seed']]) {
      const { stdout } = await runLore(args, { env: { ...env, LORE_KEY: key } });
      expect(stdout.replace(/\s+/g, ' ')).toContain('make seed');
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  const lesson = 'Run `npm run migrate -- --env test` before the billing tests, or their tables are missing';
  const add = [
    '-p',
    '/home/dev/billing',
    '-c',
    'when billing tests fail with a missing table',
    '-a',
    'npm test',
    '-a',
    'migrate.js',
  ];
  let id: string;

  test('add states a lesson and prints the decision on it', async () => {
    const said = await lore('learnings', 'add', lesson, ...add, '-w', 'CI starts with an empty database');
    id = /^stored ([0-9a-f]{8}): /.exec(said)?.[1] as string;
    expect(id).toBeDefined();
    expect(await loreJson('learnings', 'add', lesson, ...add)).toMatchObject({
      decision: 'merged',
      reason: expect.any(String),
    });
    const [, project, , context] = add;
    const body = {
      lesson: 'Commit with `git commit --no-verify`',
      project,
      context,
      appliesTo: ['npm test'],
      agent: 'tester',
    };
    const { body: refused } = await server.request('POST', '/v1/learnings', { body });
    expect(refused).toMatchObject({ decision: 'discarded', learning: null });
    await server.settled();
  });

  test('lists them, by project, status and time', async () => {
    const [all, mine, text, none, ended] = await Promise.all([
      loreJson('learnings'),
      loreJson('learnings', '-p', 'billing'),
      lore('learnings', '--project', 'billing', '--limit', '1'),
      loreOfNoProject('learnings', '-p', 'nope'),
      loreJson('learnings', '--status', 'ended'),
    ]);
    expect(all.length).toBe(2);
    expect(mine).toMatchObject([
      { project: '/home/dev/billing', lesson, why: 'CI starts with an empty database' },
    ]);
    expect(text).toContain(id);
    expect(text).toContain('/home/dev/billing');
    expect(none).toBe('No lessons.\n');
    expect(ended).toEqual([]);
    for (const given of [
      ['--limit', '0'],
      ['--as-of', 'yesterday'],
    ] as const) {
      const refused = await runLore(['learnings', ...given], { env });
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(given[0]) });
    }
  });

  test('show prints the history of a lesson', async () => {
    const [text, json] = await Promise.all([
      lore('learnings', 'show', id),
      loreJson('learnings', 'show', `lore:${id}`),
    ]);
    expect(text.split('\n')[0]).toBe(lesson);
    expect(text).toMatch(/^ {2}judged +stored by person: /m);
    expect(text).toMatch(/^ {2}why +CI starts with an empty database$/m);
    expect(json.id.slice(0, 8)).toBe(id);
    expect(json.judgements.length).toBe(2);
    expectFailure(await runLore(['learnings', 'show', '00000000'], { env }), 1, 'not found');
  });

  test('approve, retire and erase', async () => {
    await server.rows(`update learnings set status = 'proposed' where id::text like '${id}%'`);
    expect(await loreJson('learnings', '-p', 'billing', '-s', 'active')).toEqual([]);
    expect(await lore('learnings', 'approve', id)).toBe(`Approved ${id}\n`);
    expect(await loreJson('learnings', '-p', 'billing', '-s', 'active')).toMatchObject([
      { status: 'active' },
    ]);
    await server.settled();

    const before = new Date().toISOString();
    expect(await loreJson('learnings', 'retire', id)).toEqual({ id, done: 'retire' });
    expect(await loreJson('learnings', '-p', 'billing')).toEqual([]);
    expect(await loreJson('learnings', '-p', 'billing', '--as-of', before)).toMatchObject([{ lesson }]);

    expect(await lore('learnings', 'erase', id)).toBe(`Erased ${id}\n`);
    expect(await loreJson('learnings', '-p', 'billing', '--as-of', before)).toEqual([]);
    expectFailure(await runLore(['learnings', 'approve', id], { env }), 1, 'not found');
  });
});

test('search finds by meaning, within a project and a time', async () => {
  const question = ['which', 'script', 'goes', 'before', 'npm', 'test'];
  const [text, json, explained, none, past] = await Promise.all([
    lore('search', ...question),
    loreJson('search', question.join(' '), '-p', 'app', '-n', '1'),
    lore('search', ...question, '--explain'),
    loreOfNoProject('search', 'x', '-p', 'nope'),
    loreJson('search', ...question, '--as-of', '2020-01-01T00:00:00Z'),
  ]);
  expect(text).toMatch(/^1\. \[(HIGH|MEDIUM|LOW)\] .*emulator/);
  expect(json).toMatchObject({
    degraded: false,
    results: [{ kind: 'learning', content: expect.stringContaining('emulator') }],
  });
  expect(explained).toContain('"lexical"');
  expect(none).toBe('Nothing found.\n');
  expect(past.results).toEqual([]);
  // the server says what only it knows
  expectFailure(await runLore(['search', 'x', '-n', '1000'], { env }), 2, 'limit');
});

describe('sql', () => {
  test('prints a table, or the rows as JSON', async () => {
    const query = `select 1 as a, 'two' as b, null as c, '{"d": [4]}'::jsonb as j`;
    const [text, json, empty, long] = await Promise.all([
      lore('sql', query),
      loreJson('sql', query),
      lore('sql', 'select name from projects where false;'),
      lore('sql', `select repeat('wide ', 200) as w`),
    ]);
    expect(text).toMatch(/│ a +│ b +│ c +│ j +│/);
    expect(text).toMatch(/│ 1 +│ two +│ +│ \{"d":\[4\]\} +│/);
    expect(text).toContain('(1 row)');
    expect(json).toEqual([{ a: 1, b: 'two', c: null, j: { d: [4] } }]);
    expect(empty).toContain('(0 rows)');
    for (const line of long.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  test('takes a statement from a pipe', async () => {
    const run = (input: string, ...args: string[]) => runLore(['sql', ...args], { env, input });
    const [piped, nothing] = await Promise.all([run('select 1 as a\n  ;\n', '--json'), run(' \n')]);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(piped.stdout)).toEqual([{ a: 1 }]);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
  });

  test('says what is wrong and where, and ends with 1', async () => {
    const [wrong, wrongJson, refused, several] = await Promise.all([
      runLore(['sql', 'select * from nowhere'], { env }),
      runLore(['sql', 'select * from nowhere', '--json'], { env }),
      runLore(['sql', 'reset role'], { env }),
      runLore(['sql', 'select 1; select 2'], { env }),
    ]);
    expectFailure(wrong, 1, 'SQL error', '"nowhere" does not exist', 'character 15');
    expectFailure(wrongJson, 1);
    expect(JSON.parse(wrongJson.stderr)).toMatchObject({ title: 'SQL error' });
    expectFailure(refused, 1, 'Statement refused', 'reset');
    expectFailure(several, 1);
  });

  const names = async () =>
    (await server.rows('select name from projects order by 1')).map((row) => row.name);
  const writes = [
    `insert into projects (name) values ('sneaked')`,
    `/* only looking */ insert into projects (name) values ('sneaked')`,
    `-- only looking\ninsert into projects (name) values ('sneaked')`,
    `explain analyze insert into projects (name) values ('sneaked')`,
    `with x as (insert into projects (name) values ('sneaked') returning *) select * from x`,
  ];

  test('writes only with --write, and then asks, so not without a terminal', async () => {
    const before = await names();
    expectFailure(await runLore(['sql', writes[0] as string], { env }), 1, '--write');
    for (const statement of writes) {
      expectFailure(
        await runLore(['sql', '--write'], { env, input: statement }),
        1,
        'Not confirmed',
        '--yes',
      );
    }
    expect(await names()).toEqual(before);
  });

  test('writes with --write --yes, and says how much', async () => {
    expect(await lore('sql', '--write', '--yes', `insert into projects (name) values ('told'), ('so')`)).toBe(
      '(2 rows changed)\n',
    );
    expect(await names()).toEqual(expect.arrayContaining(['told', 'so']));
    expect(
      await loreJson(
        'sql',
        '--write',
        '-y',
        `delete from projects where name in ('told', 'so') returning name`,
      ),
    ).toHaveLength(2);
  });

  test('asks on a terminal', async () => {
    const typed = async (input: string) => {
      const args = ['sql', '--write', `insert into projects (name) values ('typed')`];
      return (await runLore(args, { env, terminal: true, input })).stdout;
    };
    expect(await typed('n\n')).toMatch(/This changes your data:[\s\S]*Run it\? \[y\/N\][\s\S]*Not run/);
    expect(await names()).not.toContain('typed');
    expect(await typed('y\n')).toContain('(1 row changed)');
    expect(await names()).toContain('typed');
  });
});

test('keys: a new key works until it is revoked', async () => {
  const said = await lore('keys', 'create', 'tablet');
  const [, key, id] = /^(lore_[\w-]{43})\n.*lore keys revoke ([0-9a-f-]{36})\./.exec(said) ?? [];
  const other = { ...env, LORE_KEY: key as string };
  expect(await runLore(['keys'], { env: other })).toMatchObject({ code: 0 });
  const [text, json] = await Promise.all([lore('keys'), loreJson('keys')]);
  expect(text).toContain('tablet');
  expect(text).toContain('first device');
  expect(json.map((k: { name: string }) => k.name).filter((n: string) => !n.startsWith('hooks'))).toEqual([
    'tablet',
    'first device',
  ]);
  expect(text + JSON.stringify(json)).not.toContain(key);
  expect(await lore('keys', 'revoke', id as string)).toBe(`Revoked ${id}.\n`);
  expectFailure(await runLore(['keys'], { env: other }), 1, 'Not authenticated');
  expectFailure(await runLore(['keys', 'revoke', id as string], { env }), 1, 'no live key');
  expect(await runLore(['keys', 'revoke', 'tablet'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be an id'),
  });
  expect(await lore('keys')).toContain('revoked');
  const made = await loreJson('keys', 'create', 'phone');
  expect(await loreJson('keys', 'revoke', made.id.slice(0, 8))).toEqual({ id: made.id, done: 'revoke' });
});

test('users add: the owner adds a member, a member adds nobody', async () => {
  const said = await lore('users', 'add', 'ann');
  const key = /^(lore_[\w-]{43})\n/.exec(said)?.[1] as string;
  expect(said).toContain(server.url);
  const member = { ...env, LORE_KEY: key };
  const [learnings, adding, console] = await Promise.all([
    runLore(['learnings'], { env: member }),
    runLore(['users', 'add', 'friend'], { env: member }),
    runLore(['sql', 'select 1'], { env: member }),
  ]);
  expect(learnings).toMatchObject({ code: 0, stdout: 'No lessons.\n' });
  expectFailure(adding, 1, 'owner');
  expectFailure(console, 1, 'owner');
  expect(await loreJson('users', 'add', 'bob')).toEqual({
    userId: expect.any(String),
    name: 'bob',
    key: expect.any(String),
  });
});

test('lore plan: what an agent does with a plan in its shell', async () => {
  const made = await loreJson(
    'plan',
    'make',
    'Move the checks',
    'write it',
    'move it',
    '-p',
    CWD,
    '-c',
    'no downtime',
  );
  const id = made.id.slice(0, 4);
  expect(await lore('plan', '-p', CWD)).toContain('Move the checks');
  expect(await loreJson('plan', 'add', id, 'remove', 'the', 'old', 'one', '--after', '2')).toMatchObject({
    steps: [{}, { dependencies: [1] }, { description: 'remove the old one', dependencies: [2] }],
  });
  expectFailure(await runLore(['plan', 'claim', id, '2'], { env }), 1, 'waits for steps before it');
  expect(await lore('plan', 'claim', id, '1', '--agent', 'ann')).toMatch(
    /^Step 1 .*: in_progress, ann\. write it$/m,
  );
  expectFailure(
    await runLore(['plan', 'claim', id, '1', '--agent', 'bob'], { env }),
    1,
    'Step 1 is held by another agent',
  );
  await lore('plan', 'note', id, '1', 'the old file is generated');
  await lore('plan', 'complete', id, '1', 'written');
  await lore('plan', 'wait', id, '2', 'the keys from Ann');
  expect(await lore('plan', 'show', id)).toMatch(
    /waits for the keys from Ann[\s\S]*1: the old file is generated/,
  );
  await lore('plan', 'claim', id, '2');
  await lore('plan', 'fail', id, '2', 'no keys');
  expect(await lore('plan', 'show', id)).toContain('step 2 failed: no keys');
  const history = await lore('plan', 'history', id);
  for (const word of ['claimed', 'noted', 'completed', 'waits', 'failed']) expect(history).toContain(word);
  expect(await lore('plan', 'rename', id, 'Move', 'all', 'checks')).toContain('Move all checks');
  expect(await loreJson('plan', 'close', id, '--abandon')).toMatchObject({ status: 'failed' });
  expectFailure(await runLore(['plan', 'claim', id, '2'], { env }), 1, 'ended');
  expectFailure(await runLore(['plan', 'close', id], { env }), 1, 'has ended already, as failed');
});

test('incidents tells what helped, not only the call that then worked; without a status, what nothing solved', async () => {
  expect(await lore('incidents', '-s', 'resolved')).toContain('npm run emulator');
  expect(await lore('incidents')).toBe('No unsolved errors.\n');

  const { key } = await server.member();
  const another = hookSession(server, { cwd: CWD, key });
  const told = async (...args: string[]) =>
    (await runLore(['incidents', ...args], { env: { ...env, LORE_KEY: key } })).stdout;
  await another.start();
  await another.bashFails('terraform plan', 'Exit code 1\nError: No valid credential sources found');
  await server.settled();
  for (const args of [[], ['-s', 'open']])
    expect(await told(...args)).toContain('No valid credential sources');
  await another.end();
  await server.settled();
  for (const args of [[], ['-s', 'unresolved']])
    expect(await told(...args)).toContain('No valid credential sources');
});

test('a project that there is not is told, with those that there are', async () => {
  expect(await lore('incidents', '-p', CWD)).not.toBe('');
  expect(await lore('incidents', '-p', 'app')).not.toBe('');
  for (const args of [['incidents'], ['notes'], ['search', 'emulator'], ['learnings', '--json']]) {
    const { code, stderr } = await runLore([...args, '-p', 'ap'], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^lore: There is no project “ap”\. Those of the last sessions: .+\n$/);
    expect(stderr).toContain(CWD);
  }
});

test('lore projects lists projects, and joins one to another', async () => {
  await lore('notes', 'add', 'kept by the first', '-p', '/join/one');
  await lore('notes', 'add', 'kept by the second', '-p', '/join/two');
  const would = await lore('projects', 'join', '/join/one', '/join/two', '--dry-run');
  expect(would).toBe('Would be moved from /join/one to /join/two:\n        1 notes\n');
  expectFailure(
    await runLore(['projects', 'join', '/join/one', 'join/three', '-y'], { env }),
    1,
    'join/three',
  );
  expect(await lore('projects', 'join', '/join/one', '/join/two', '-y')).toContain('1 notes');
  expect(await lore('projects')).toMatch(/join\/two +│ \/join\/one +│/);
});
