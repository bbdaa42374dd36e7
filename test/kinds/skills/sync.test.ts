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
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../support/loopback.ts';
import { runLore, temporaryFolder } from '../../support/process.ts';
import { sharedServer } from '../../support/server.ts';

// Skills and the text files beside their SKILL.md travel with `lore skills sync`, and never out of their folder.

const server = await sharedServer({ model: false });
const SECRET = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5'}`;
const skill = (text: string) => `---\nname: s\ndescription: A skill\n---\n${text}\n`;

async function sync(dir: string, to: { url: string; key: string }, ...args: string[]) {
  const env = { LORE_URL: to.url, LORE_KEY: to.key, LORE_HOME: '/nonexistent' };
  const { code, stdout, stderr } = await runLore(['skills', 'sync', dir, '--json', ...args], { env });
  if (stdout === '') throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

/** A member with several machines, each with a folder of skills. */
async function tenant() {
  const { key, ask, keyOf } = await server.member();
  const machine = () => {
    const dir = temporaryFolder();
    const path = (name: string, file = 'SKILL.md') => join(dir, name, file);
    return {
      dir,
      path,
      read: (name: string, file?: string) => readFileSync(path(name, file), 'utf8'),
      write(name: string, content: string | Buffer, file?: string) {
        mkdirSync(dirname(path(name, file)), { recursive: true });
        writeFileSync(path(name, file), content);
      },
      sync: (...args: string[]) => sync(dir, { url: server.url, key }, ...args),
    };
  };
  return { ask, keyOf, machine };
}

test('skills reach the other folder byte for byte, and changes on both sides lose nothing', async () => {
  const { machine, ask } = await tenant();
  const [one, two] = [machine(), machine()];
  const names = Array.from({ length: 12 }, (_, n) => `skill-${n}`).sort();
  // files of every shape, so that a byte that gets lost is noticed
  const fileOf = (name: string, n: number) =>
    [
      ...['---', `name: ${name}`, "description: 'It''s “quoted”'", 'x-unknown:', '  deep: {a: 1}', '---'],
      ...[
        '',
        `# ${name}`,
        `Step with ümlauts and 🦓.\t`,
        ...(n % 3 === 0 ? ['## Memory', '- noted', ''] : ['']),
      ],
    ].join(n % 2 === 0 ? '\r\n' : '\n');
  for (const [n, name] of names.entries()) one.write(name, fileOf(name, n));
  expect(await one.sync()).toMatchObject({ code: 0, conflicts: [], failed: [], pulled: [] });
  expect(await two.sync()).toMatchObject({ code: 0, pushed: [], unchanged: 0 });
  for (const [n, name] of names.entries()) expect(two.read(name)).toBe(fileOf(name, n));
  for (const each of [one, two]) expect((await each.sync()).unchanged).toBe(12);

  // each side changes its own; one is changed by both
  const [a, b, both] = names as [string, string, string];
  one.write(a, `${one.read(a)}\nfrom one\n`);
  two.write(b, two.read(b).replace('Step', 'Two steps'));
  one.write(both, `${one.read(both)}one\n`);
  two.write(both, `${two.read(both)}two\n`);
  const [ones, twos] = [one.read(both), two.read(both)];
  expect(await one.sync()).toMatchObject({ code: 0, pushed: [a, both].sort(), pulled: [] });
  const conflicts = [{ name: both, reason: 'changed on the server, and changed here' }];
  expect(await two.sync()).toMatchObject({ code: 1, pushed: [b], pulled: [a], conflicts });
  expect([one.read(both), two.read(both)]).toEqual([ones, twos]);
  expect((await one.sync()).pulled).toEqual([b]);
  expect(one.read(b)).toContain('Two steps');

  // the way out that the report names
  expect((await ask('POST', `/v1/skills/${both}/retire`)).status).toBe(204);
  expect((await two.sync()).pushed).toEqual([both]);
  expect((await ask('GET', `/v1/skills/${both}/history`)).body.versions).toHaveLength(3);
});

test('files beside it come too, with their modes; what is no text stays and is named', async () => {
  const { ask, machine } = await tenant();
  const [one, two] = [machine(), machine()];
  const outside = join(temporaryFolder(), 'outside.txt');
  writeFileSync(outside, 'not of the skill');
  one.write('s', skill('Run scripts/run.sh'));
  one.write('s', '#!/bin/sh\necho “größer”\r\n', 'scripts/run.sh');
  chmodSync(one.path('s', 'scripts/run.sh'), 0o755);
  one.write('s', 'one', 'reference.md');
  one.write('s', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), 'logo.png');
  one.write('s', 'HIDDEN=1', '.env');
  one.write('s', 'x', 'node_modules/x.js');
  symlinkSync(outside, one.path('s', 'link.txt'));
  expect((await one.sync()).leftOut).toEqual([
    { name: 's/link.txt', reason: 'is a link or no plain file' },
    { name: 's/logo.png', reason: 'is no text' },
  ]);
  expect((await two.sync()).pulled).toEqual(['s']);
  expect(readdirSync(two.path('s', '')).sort()).toEqual(['SKILL.md', 'reference.md', 'scripts']);
  expect(two.read('s', 'scripts/run.sh')).toBe(one.read('s', 'scripts/run.sh'));
  expect(statSync(two.path('s', 'scripts/run.sh')).mode & 0o111).not.toBe(0);
  // what the other side changed, made executable and removed comes back
  two.write('s', 'two', 'reference.md');
  chmodSync(two.path('s', 'reference.md'), 0o755);
  rmSync(two.path('s', 'scripts/run.sh'));
  expect((await two.sync()).pushed).toEqual(['s']);
  expect((await one.sync()).pulled).toEqual(['s']);
  expect([one.read('s', 'reference.md'), one.read('s', '.env')]).toEqual(['two', 'HIDDEN=1']);
  expect(statSync(one.path('s', 'reference.md')).mode & 0o111).not.toBe(0);
  expect(existsSync(one.path('s', 'scripts/run.sh'))).toBe(false);
  // an edit of the text alone keeps them
  await ask('PUT', '/v1/skills/s', { file: skill('Try') });
  const { files } = (await ask('GET', '/v1/skills/s')).body;
  expect(files).toEqual([{ path: 'reference.md', text: 'two', executable: true }]);
});

test('what differs at the first sync is a conflict, and so is a secret that a pull would lose', async () => {
  const { machine, ask } = await tenant();
  const one = machine();
  await ask('PUT', '/v1/skills/a', { file: skill('theirs') });
  one.write('a', skill('ours'));
  one.write('s', skill(`TOKEN=${SECRET}`));
  const first = await one.sync();
  expect([first.code, first.conflicts[0].name, first.pushed]).toEqual([1, 'a', ['s']]);
  expect((await ask('GET', '/v1/skills/s')).body.content).toContain('[redacted');
  await ask('PUT', '/v1/skills/s', { file: skill('new') });
  const { code, conflicts } = await one.sync('s');
  expect([code, conflicts[0].reason]).toEqual([1, expect.stringContaining('a secret here')]);
  expect(one.read('s')).toContain(SECRET);
});

test('what was removed on one side is told and left alone; if the other side changed it, it comes back', async () => {
  const { machine, ask } = await tenant();
  const [one, two] = [machine(), machine()];
  for (const name of ['a', 'b', 'c', 'd']) one.write(name, skill(name));
  await one.sync();
  await two.sync();
  rmSync(join(one.dir, 'a'), { recursive: true });
  rmSync(join(one.dir, 'b'), { recursive: true });
  await ask('PUT', '/v1/skills/b', { file: skill('edited') });
  expect(await one.sync()).toMatchObject({ code: 0, missing: [{ name: 'a' }], pulled: ['b'], conflicts: [] });
  expect((await ask('GET', '/v1/skills/a')).status).toBe(200);
  expect(one.read('b')).toContain('edited');
  await ask('POST', '/v1/skills/c/retire');
  two.write('c', skill('c edited'));
  await ask('POST', '/v1/skills/d/retire');
  expect(await two.sync()).toMatchObject({ code: 0, missing: [{ name: 'd' }], pushed: ['c'], pulled: ['b'] });
});

test('a folder with what is no skill is synced without it, and says so', async () => {
  const { machine } = await tenant();
  const one = machine();
  one.write('good', skill('x'));
  one.write('not utf-8', 'x');
  one.write('latin', Buffer.from([0x2d, 0xe4, 0x0a]));
  one.write('empty', '');
  const { code, pushed, failed } = await one.sync();
  expect([code, pushed]).toEqual([1, ['good']]);
  expect(failed.map((f: { name: string }) => f.name)).toEqual(['empty', 'latin', 'not utf-8']);
  // without a record that can be read, only what differs is a conflict
  writeFileSync(join(one.dir, '.lore-sync.json'), '{');
  one.write('good', skill('y'));
  expect(await one.sync('good')).toMatchObject({ conflicts: [{ name: 'good' }] });
});

test('a project’s folder is synced with the project’s own skills, and an agent may not', async () => {
  const { machine, ask, keyOf } = await tenant();
  const [one, two] = [machine(), machine()];
  one.write('s', skill('of the project'));
  await ask('PUT', '/v1/skills/mine', { file: skill('mine') });
  expect(await one.sync('--project', '/home/dev/app')).toMatchObject({ pushed: ['s'], pulled: [] });
  expect((await two.sync('--project', 'app')).pulled).toEqual(['s']);
  one.write('s', skill('by an agent'));
  const env = { LORE_URL: server.url, LORE_KEY: await keyOf('hooks'), LORE_HOME: '/nonexistent' };
  const refused = await runLore(['skills', 'sync', one.dir, '--project', 'app'], { env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Key may not do this')]);
  expect((await ask('GET', '/v1/skills/s?project=app')).body.content).toBe('of the project\n');
});

test.each(['../up.md', '/tmp/up.md', 'a/../../up.md', 'a\\up.md', 'c:up.md', '.git/config', `${SECRET}.md`])(
  'a file is refused by the server with the path %s',
  async (path) => {
    const { ask } = await tenant();
    const body = { file: skill('x'), files: [{ path, text: 'x' }] };
    const answer = await ask('PUT', '/v1/skills/s', body);
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'files.0.path']);
  },
);

describe('a server that is not Lore’s', () => {
  /** Starts one that lists skills of these names, each with one file. */
  async function strange(names: string[], path: string) {
    const skills = names.map((name) => ({
      ...{ name, project: null, id: 'x', frontMatter: '', content: 'planted' },
      files: [{ path, text: 'planted', executable: true }],
    }));
    const bodies: Record<string, object> = { '/v1/me': { userId: 'somebody' }, '/v1/skills': { skills } };
    const { url, close } = await listen((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(bodies[pathname] ?? skills[0]));
    });
    onTestFinished(close);
    return { url, key: 'k'.repeat(30) };
  }

  test.each([
    [['s'], '../up.md'],
    [['s'], 'linked/up.md'],
    [['s'], 'linked'],
    [['s'], 'mine.md'],
    [['s'], 'SKILL.MD'],
    [['../up', '..', 'a/b', 'a\\b', '/tmp/lore-planted', '.hidden', ''], 'x.md'],
  ])('cannot write %j %s', async (names, path) => {
    const parent = temporaryFolder();
    const [dir, outside] = [join(parent, 'skills'), join(parent, 'outside')];
    mkdirSync(join(dir, 's'), { recursive: true });
    mkdirSync(outside);
    symlinkSync(outside, join(dir, 's', 'linked'));
    writeFileSync(join(dir, 's', 'mine.md'), 'mine');
    const report = await sync(dir, await strange(names, path));
    expect([report.code === 0, report.pulled]).toEqual([false, []]);
    expect(readdirSync(parent).sort()).toEqual(['outside', 'skills']);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(dir).filter((name) => !name.startsWith('.'))).toEqual(['s']);
    expect(readdirSync(join(dir, 's')).sort()).toEqual(['linked', 'mine.md']);
    expect(readFileSync(join(dir, 's', 'mine.md'), 'utf8')).toBe('mine');
  });
});
