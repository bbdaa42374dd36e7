import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { jsonLines } from '../../support/json-lines.ts';
import { listen } from '../../support/loopback.ts';
import { runLore, temporaryFolder } from '../../support/process.ts';
import { sharedServer } from '../../support/server.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await sharedServer({ model: false });

const SET = jsonLines<{ name: string; description: string; category: string }>(
  'test/eval/sets/skills/skills.jsonl',
);

/** A member with several machines, each with a folder of skills. */
async function tenant() {
  const { key } = await server.member();
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { key, ...(body !== undefined && { body }) });
  const lore = async (...args: string[]) => {
    const env = { LORE_URL: server.url, LORE_KEY: key, LORE_HOME: '/nonexistent' };
    return runLore(['skills', ...args], { env });
  };
  const machine = () => {
    const dir = temporaryFolder();
    const path = (name: string) => join(dir, name, 'SKILL.md');
    return {
      dir,
      read: (name: string) => readFileSync(path(name), 'utf8'),
      has: (name: string) => existsSync(path(name)),
      write(name: string, file: string | Buffer) {
        mkdirSync(join(dir, name), { recursive: true });
        writeFileSync(path(name), file);
      },
      async sync(...args: string[]) {
        const { code, stdout, stderr } = await lore('sync', dir, '--json', ...args);
        if (stdout === '') throw new Error(stderr);
        return { code, ...JSON.parse(stdout) };
      },
    };
  };
  return { key, ask, lore, machine };
}

/** Files of every shape, so that a byte that gets lost is noticed. */
function fileOf({ name, description, category }: (typeof SET)[number], n: number): string {
  const end = n % 5 === 0 ? '\r\n' : '\n';
  const memory = [
    [],
    ['## Memory', '', '- noted once', ''],
    ['## Memory', ''],
    ['## Memory', '- noted', '', '## After', 'more'],
  ][n % 4] as string[];
  return [
    ...[
      '---',
      `name: ${name}`,
      `description: ${n % 7 === 0 ? `'${description.replaceAll("'", "''")}'` : description}`,
    ],
    ...[
      `category:   ${category}  # where it belongs`,
      'allowed-tools: [ Bash,Read ]',
      'x-unknown:',
      '  deep: {a: 1}',
      '---',
    ],
    ...['', `# ${name}`, '', `Step with “quotes”, ümlauts and 🦓 ${n}.\t`, '', ...memory],
  ].join(end);
}

describe('59 skills in two folders', () => {
  test('reach the other folder byte for byte, and changes on both sides lose nothing', async () => {
    const { machine } = await tenant();
    const [one, two] = [machine(), machine()];
    for (const [n, skill] of SET.entries()) one.write(skill.name, fileOf(skill, n));
    writeFileSync(join(one.dir, SET[0]?.name as string, 'helper.py'), 'print(1)');

    expect(await one.sync()).toMatchObject({ code: 0, conflicts: [], failed: [], pulled: [] });
    expect(await two.sync()).toMatchObject({ code: 0, pushed: [], unchanged: 0 });
    for (const [n, skill] of SET.entries()) {
      expect(two.read(skill.name)).toBe(fileOf(skill, n));
      expect(one.read(skill.name)).toBe(fileOf(skill, n));
    }
    for (const each of [one, two]) {
      const again = await each.sync();
      expect([again.code, again.unchanged, again.pushed, again.pulled]).toEqual([0, 59, [], []]);
    }

    // each side changes its own; one is changed by both
    const names = SET.map(({ name }) => name);
    const [a, b, both] = [names.slice(0, 10), names.slice(10, 20), names[32] as string];
    for (const name of a) one.write(name, `${one.read(name)}\nfrom one\n`);
    for (const name of b) two.write(name, two.read(name).replace('Step', 'Two steps'));
    one.write(both, `${one.read(both)}one\n`);
    two.write(both, `${two.read(both)}two\n`);
    const [ones, twos] = [one.read(both), two.read(both)];

    const first = await one.sync();
    expect([first.code, first.pushed, first.pulled]).toEqual([0, [...a, both].sort(), []]);
    const second = await two.sync();
    expect([second.code, second.pushed]).toEqual([1, [...b].sort()]);
    expect(second.conflicts).toEqual([{ name: both, reason: 'changed on the server, and changed here' }]);
    expect(second.pulled).toEqual([...a].sort());
    expect([one.read(both), two.read(both)]).toEqual([ones, twos]);
    expect((await one.sync()).pulled).toEqual([...b].sort());
    for (const name of names.filter((one) => one !== both)) expect(two.read(name)).toBe(one.read(name));
    for (const name of a) expect(two.read(name)).toMatch(/from one\n$/);
    for (const name of b) expect(one.read(name)).toContain('Two steps');

    // the folder that is moved away comes back as the server has it
    renameSync(join(two.dir, both), join(temporaryFolder(), both));
    expect((await two.sync()).pulled).toEqual([both]);
    expect(two.read(both)).toBe(ones);
    expect((await two.sync()).unchanged).toBe(59);
    for (const { dir } of [one, two]) {
      expect(readFileSync(join(dir, SET[0]?.name as string, 'helper.py'), 'utf8')).toBe('print(1)');
    }
  });
});

const skill = (text: string) => `---\nname: s\ndescription: A skill\n---\n${text}\n`;

describe('a conflict', () => {
  test('is settled for this side when the server’s is retired, which stays as an older version', async () => {
    const { machine, ask, lore } = await tenant();
    const [one, two] = [machine(), machine()];
    one.write('s', skill('same'));
    two.write('s', skill('same'));
    await one.sync();
    expect(await two.sync()).toMatchObject({ code: 0, unchanged: 1 });
    one.write('s', skill('one'));
    await one.sync();
    two.write('s', skill('two'));
    const text = await lore('sync', two.dir);
    expect([text.code, text.stdout]).toEqual([
      1,
      expect.stringContaining('conflict: s: changed on the server, and changed here'),
    ]);
    expect((await ask('GET', '/v1/skills/s')).body.content).toBe('one\n');
    await lore('retire', 's');
    expect((await two.sync()).pushed).toEqual(['s']);
    expect((await ask('GET', '/v1/skills/s')).body.content).toBe('two\n');
    expect((await ask('GET', '/v1/skills/s/history')).body.versions).toHaveLength(3);
    expect((await one.sync()).pulled).toEqual(['s']);
    expect(one.read('s')).toBe(skill('two'));
  });

  test('is also what differs at the first sync', async () => {
    const { machine, ask } = await tenant();
    const one = machine();
    await ask('PUT', '/v1/skills/s', { file: skill('theirs') });
    await ask('PUT', '/v1/skills/m', { file: skill('same') });
    one.write('s', skill('ours'));
    one.write('m', skill('same'));
    const { code, conflicts, unchanged } = await one.sync();
    expect([code, conflicts.map((c: { name: string }) => c.name), unchanged]).toEqual([1, ['s'], 1]);
    expect((await one.sync('m')).unchanged).toBe(1);
  });

  test('with a secret in the folder, which a pull would lose', async () => {
    const { machine, ask } = await tenant();
    const one = machine();
    const secret = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5'}`;
    one.write('s', skill(`TOKEN=${secret}`));
    expect((await one.sync()).pushed).toEqual(['s']);
    expect((await one.sync()).unchanged).toBe(1);
    expect((await ask('GET', '/v1/skills/s')).body.content).toContain('[redacted');
    await ask('PUT', '/v1/skills/s', { file: skill('new') });
    const { code, conflicts } = await one.sync();
    expect([code, conflicts[0].reason]).toEqual([1, expect.stringContaining('a secret here')]);
    expect(one.read('s')).toContain(secret);
  });
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
  expect((await ask('GET', '/v1/skills/c')).body.content).toBe('c edited\n');
});

describe('a folder', () => {
  test('with what is no skill is synced without it, and says so', async () => {
    const { machine, lore, ask } = await tenant();
    const one = machine();
    one.write('good', skill('x'));
    one.write('not utf-8', 'x');
    one.write('latin', Buffer.from([0x2d, 0xe4, 0x0a]));
    one.write('empty', '');
    one.write('constructor', '\uFEFF---\ndescription: with a mark\n---\nbody');
    mkdirSync(join(one.dir, 'no-skill'));
    const real = temporaryFolder();
    writeFileSync(join(real, 'SKILL.md'), skill('linked'));
    symlinkSync(real, join(one.dir, 'linked'));
    const { code, pushed, failed } = await one.sync();
    expect([code, pushed]).toEqual([1, ['constructor', 'good', 'linked']]);
    expect(failed.map((f: { name: string }) => f.name)).toEqual(['empty', 'latin', 'not utf-8']);
    await ask('PUT', '/v1/skills/linked', { file: skill('changed') });
    const again = await one.sync('linked', 'constructor');
    expect(again).toMatchObject({ pulled: ['linked'], unchanged: 1, failed: [] });
    expect(readFileSync(join(real, 'SKILL.md'), 'utf8')).toContain('changed');
    // without a record that can be read, only what differs is a conflict
    writeFileSync(join(one.dir, '.lore-sync.json'), '{');
    one.write('good', skill('y'));
    const broken = await one.sync('linked', 'good');
    expect(broken).toMatchObject({ unchanged: 1, conflicts: [{ name: 'good' }] });
    const none = await lore('sync', join(one.dir, 'nothing'));
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No such folder')]);
  });

  test('of a project is synced with the project’s own skills, and an agent may not', async () => {
    const { machine, ask, key } = await tenant();
    const [one, two] = [machine(), machine()];
    one.write('s', skill('of the project'));
    await ask('PUT', '/v1/skills/mine', { file: skill('mine') });
    expect(await one.sync('--project', '/home/dev/app')).toMatchObject({ pushed: ['s'], pulled: [] });
    expect((await two.sync('--project', 'app')).pulled).toEqual(['s']);
    expect((await ask('GET', '/v1/skills/s?project=/home/dev/app')).body.project).toBe('/home/dev/app');
    const hooks = (await server.request('POST', '/v1/keys', { key, body: { name: 'h', scope: 'hooks' } }))
      .body.key;
    one.write('s', skill('by an agent'));
    const env = { LORE_URL: server.url, LORE_KEY: hooks, LORE_HOME: '/nonexistent' };
    const refused = await runLore(['skills', 'sync', one.dir, '--project', 'app'], { env });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Key may not do this')]);
    expect((await ask('GET', '/v1/skills/s?project=app')).body.content).toBe('of the project\n');
  });
});

describe('what a server lists', () => {
  /** A server that is not Lore's, with a list of names. */
  async function strange(names: string[]) {
    const skill = (name: string) => ({ name, project: null, id: name });
    const { url, close } = await listen((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      response.setHeader('content-type', 'application/json');
      const one = { id: 'x', frontMatter: '', content: 'planted', files: [] };
      const bodies: Record<string, object> = {
        '/v1/me': { userId: 'somebody' },
        '/v1/skills': { skills: names.map(skill) },
      };
      response.end(JSON.stringify(bodies[pathname] ?? one));
    });
    const dir = join(temporaryFolder(), 'skills');
    mkdirSync(dir);
    const env = { LORE_URL: url, LORE_KEY: 'k'.repeat(30), LORE_HOME: '/nonexistent' };
    const { code, stdout, stderr } = await runLore(['skills', 'sync', dir, '--json'], { env });
    await close();
    return { dir, code, stdout, stderr };
  }

  test('is written into the folder, and nowhere else', async () => {
    const bad = ['../up', '..', 'a/b', 'a\\b', '/tmp/lore-planted', '.hidden', ''];
    const { dir, code, stdout } = await strange(['good', ...bad]);
    const report = JSON.parse(stdout);
    expect(report.pulled).toEqual(['good']);
    expect(report.failed.map(({ name }: { name: string }) => name)).toEqual([...bad].sort());
    expect(code).not.toBe(0);
    expect(readdirSync(dir).sort()).toEqual(['.lore-sync.json', 'good']);
    expect(readdirSync(join(dir, '..'))).toEqual(['skills']);
  });
});
