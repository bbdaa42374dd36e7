import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { listen } from '../../support/loopback.ts';
import { runLore, temporaryFolder } from '../../support/process.ts';
import { sharedServer } from '../../support/server.ts';

// The text files beside a SKILL.md: they travel with `lore skills sync`, and never out of their folder.

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await sharedServer({ model: false });
const TEXT = '---\nname: s\ndescription: A skill\n---\nRun scripts/run.sh\n';
const SECRET = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5'}`;

async function sync(dir: string, to: { url: string; key: string }, ...args: string[]) {
  const env = { LORE_URL: to.url, LORE_KEY: to.key, LORE_HOME: '/nonexistent' };
  const { code, stdout, stderr } = await runLore(['skills', 'sync', dir, '--json', ...args], { env });
  if (stdout === '') throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

/** A folder of skills on one machine, with the skill `s`. */
function machine(to: { url: string; key: string }) {
  const dir = temporaryFolder();
  const path = (file: string) => join(dir, 's', file);
  return {
    dir,
    path,
    write(file: string, content: string | Buffer) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), content);
    },
    read: (file: string) => readFileSync(path(file), 'utf8'),
    sync: (...args: string[]) => sync(dir, to, ...args),
  };
}

async function tenant() {
  const { key } = await server.member();
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { key, ...(body !== undefined && { body }) });
  return { ask, machine: () => machine({ url: server.url, key }) };
}

describe('files of a skill', () => {
  test('reach the other machine with their modes; what is no text stays and is named', async () => {
    const { ask, machine } = await tenant();
    const [one, two] = [machine(), machine()];
    const outside = join(temporaryFolder(), 'outside.txt');
    writeFileSync(outside, 'not of the skill');
    one.write('SKILL.md', TEXT);
    one.write('scripts/run.sh', '#!/bin/sh\necho “größer”\r\n');
    chmodSync(one.path('scripts/run.sh'), 0o755);
    one.write('reference.md', 'one');
    one.write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]));
    one.write('.env', 'HIDDEN=1');
    one.write('node_modules/x.js', 'x');
    symlinkSync(outside, one.path('link.txt'));
    const first = await one.sync();
    expect(first).toMatchObject({ code: 0, pushed: ['s'] });
    expect(first.leftOut).toEqual([
      { name: 's/link.txt', reason: 'is a link or no plain file' },
      { name: 's/logo.png', reason: 'is no text' },
    ]);
    expect((await two.sync()).pulled).toEqual(['s']);
    expect(readdirSync(two.path('')).sort()).toEqual(['SKILL.md', 'reference.md', 'scripts']);
    expect(two.read('scripts/run.sh')).toBe(one.read('scripts/run.sh'));
    expect(statSync(two.path('scripts/run.sh')).mode & 0o111).not.toBe(0);
    expect(statSync(two.path('reference.md')).mode & 0o111).toBe(0);
    expect(await two.sync()).toMatchObject({ unchanged: 1, pushed: [], pulled: [] });

    // what the other side changed, made executable and removed comes back
    two.write('reference.md', 'two');
    chmodSync(two.path('reference.md'), 0o755);
    rmSync(two.path('scripts/run.sh'));
    two.write('new.md', 'new');
    expect((await two.sync()).pushed).toEqual(['s']);
    expect((await one.sync()).pulled).toEqual(['s']);
    expect([one.read('reference.md'), one.read('new.md')]).toEqual(['two', 'new']);
    expect(statSync(one.path('reference.md')).mode & 0o111).not.toBe(0);
    expect(existsSync(one.path('scripts/run.sh'))).toBe(false);
    expect([one.read('.env'), one.read('link.txt')]).toEqual(['HIDDEN=1', 'not of the skill']);
    expect((await ask('GET', '/v1/skills/s/history')).body.versions).toHaveLength(2);
    // an edit of the text alone keeps them
    await ask('PUT', '/v1/skills/s', { file: TEXT.replace('Run', 'Try') });
    const { files } = (await ask('GET', '/v1/skills/s')).body;
    expect(files).toEqual([
      { path: 'new.md', text: 'new', executable: false },
      { path: 'reference.md', text: 'two', executable: true },
    ]);
  });

  test('that both sides changed are a conflict, and a secret never reaches the server', async () => {
    const { ask, machine } = await tenant();
    const [one, two] = [machine(), machine()];
    one.write('SKILL.md', TEXT);
    one.write('a.md', 'same');
    await one.sync();
    await two.sync();
    one.write('a.md', 'one');
    await one.sync();
    two.write('a.md', 'two');
    expect((await two.sync()).conflicts).toEqual([
      { name: 's', reason: 'changed on the server, and changed here' },
    ]);
    expect(two.read('a.md')).toBe('two');
    two.write('a.md', 'one');
    expect(await two.sync()).toMatchObject({ code: 0, unchanged: 1 });

    two.write('a.md', `TOKEN=${SECRET}`);
    expect((await two.sync()).pushed).toEqual(['s']);
    expect((await ask('GET', '/v1/skills/s')).body.files[0].text).toMatch(/redacted/);
    expect((await two.sync()).unchanged).toBe(1);
    await ask('PUT', '/v1/skills/s', { file: TEXT, files: [] });
    expect((await two.sync()).conflicts[0].reason).toContain('a secret here');
    expect(two.read('a.md')).toContain(SECRET);
  });

  test.each([
    ['../up.md'],
    ['/tmp/up.md'],
    ['a/../../up.md'],
    ['a\\up.md'],
    ['c:up.md'],
    ['.git/config'],
    ['skill.md'],
    [`${SECRET}.md`],
  ])('are refused by the server with the path %s', async (path) => {
    const { ask } = await tenant();
    const { status, body } = await ask('PUT', '/v1/skills/s', { file: TEXT, files: [{ path, text: 'x' }] });
    expect([status, body.errors[0].field]).toEqual([400, 'files.0.path']);
  });

  test('are refused by the server when they are more than a megabyte', async () => {
    const { ask } = await tenant();
    const files = ['a', 'b'].map((path) => ({ path, text: 'x'.repeat(600_000) }));
    const { status, body } = await ask('PUT', '/v1/skills/s', { file: TEXT, files });
    expect([status, body.errors[0].field]).toEqual([400, 'files']);
  });
});

/** A server that is not Lore's, whose skill `s` has one file. */
async function strange(path: string) {
  const skill = {
    ...{ name: 's', project: null, id: 'x', frontMatter: '', content: 'planted' },
    files: [{ path, text: 'planted', executable: true }],
  };
  const answers: Record<string, () => object> = {
    '/v1/me': () => ({ userId: 'somebody' }),
    '/v1/skills': () => ({ skills: [skill] }),
  };
  const server = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[pathname]?.() ?? skill));
  });
  return { ...server, key: 'k'.repeat(30) };
}

test.each([['../up.md'], ['linked/up.md'], ['linked'], ['mine.md'], ['SKILL.MD']])(
  'a server cannot write %s',
  async (path) => {
    const parent = temporaryFolder();
    const [dir, outside] = [join(parent, 'skills'), join(parent, 'outside')];
    mkdirSync(join(dir, 's'), { recursive: true });
    mkdirSync(outside);
    symlinkSync(outside, join(dir, 's', 'linked'));
    writeFileSync(join(dir, 's', 'mine.md'), 'mine');
    const to = await strange(path);
    const report = await sync(dir, to);
    to.close();
    expect(report.code).not.toBe(0);
    expect(report.pulled).toEqual([]);
    expect([...report.failed, ...report.conflicts].map(({ name }: { name: string }) => name)).toEqual(['s']);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(dir).filter((name) => !name.startsWith('.'))).toEqual(['s']);
    expect(readdirSync(join(dir, 's')).sort()).toEqual(['linked', 'mine.md']);
    expect(readFileSync(join(dir, 's', 'mine.md'), 'utf8')).toBe('mine');
  },
);
