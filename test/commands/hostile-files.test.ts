import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { notRoot } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

// A repository may hold any file under the names that a check reads. A caller other than the owner may name any file of
// the server's machine.

const server = await sharedServer({ model: false, owner: true });
let project: string;
beforeEach(() => {
  project = temporaryFolder();
});

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
};
const scripts = (content: Record<string, string>) => JSON.stringify({ scripts: content });
const check = async (command: string, key?: string, cwd = project) =>
  (await server.request('POST', '/v1/commands/check', { ...(key && { key }), body: { command, cwd } })).body;
const GONE = 'rm -rf ~';

/** What a repository may have put where a file is expected: how it is made, and what the answer says of it. */
const traps: [string, (path: string) => void, RegExp][] = [
  ['a folder', (path) => mkdirSync(path), /not a regular file/],
  ['a named pipe', (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]), /not a regular file/],
  ['a link to a device without end', (path) => symlinkSync('/dev/zero', path), /not a regular file/],
  ['a link to itself', (path) => symlinkSync(path, path), /ELOOP/],
  // its size is told as 0, and reading it to the end would take a terabyte of memory
  [
    'a link to a file of the kernel',
    (path) => symlinkSync('/proc/self/pagemap', path),
    /more than its size|EINVAL/,
  ],
  ['a file below a file', (path) => writeFileSync(dirname(path), ''), /ENOTDIR/],
];

describe('a file that cannot be read allows nothing, and the answer says so', () => {
  test.each(traps)('%s as what a command runs', async (_, make, why) => {
    mkdirSync(join(project, 'sub'));
    if (/file below/.test(String(_))) rmdirSync(join(project, 'sub'));
    make(join(project, 'sub/package.json'));
    expect(await check('cd sub && npm test && rm -rf /')).toMatchObject({ decision: 'deny' });
    const asked = await check('cd sub && npm test');
    expect(asked).toMatchObject({ decision: 'ask', problems: [expect.stringMatching(why)] });
    expect(asked.reason).toContain('cannot be read');
    expect(asked.problems[0]).toContain(join(project, 'sub/package.json'));
  });

  notRoot.test('a file without the right to read it', async () => {
    put('package.json', scripts({ test: 'true' }));
    chmodSync(join(project, 'package.json'), 0);
    expect(await check('npm test')).toMatchObject({
      decision: 'ask',
      problems: [expect.stringContaining('EACCES')],
    });
  });
});

describe('nothing in a script stays hidden', () => {
  test.each<[string, string, string, string]>([
    ['behind a NUL', 'npm test', 'x.sh', `#!/bin/bash\n# \0\n${GONE}\n`],
    ['behind the part that is read', 'npm test', 'x.sh', `${'# padding\n'.repeat(4000)}${GONE}\n`],
    ['in a file longer than any that is read', 'npm test', 'x.sh', `${'# padding\n'.repeat(200_000)}${GONE}`],
    ['in a long Makefile', 'make', 'Makefile', `${'# padding\n'.repeat(200_000)}all:\n\t${GONE}\n`],
    ['behind work without end', 'npm test', 'x.sh', `${'f() { f; f; }; f; '.repeat(500)}\n${GONE}\n`],
  ])('%s', async (_, command, file, text) => {
    put('package.json', scripts({ test: 'sh x.sh' }));
    put(file, text);
    expect((await check(command)).decision).not.toBe('allow');
  });
});

describe('a check reads little, whatever it is asked', () => {
  // Without a limit each of these takes from half a minute to hours, in the thread that answers everybody.
  test.each<[string, () => string]>([
    ['very deep folders', () => `cd ${'a/'.repeat(8_000)}; ${'make; '.repeat(450)}`],
    [
      'a hundred thousand scripts',
      () => {
        put('x.sh', Array.from({ length: 100_000 }, (_, i) => `./s/${i}.sh`).join('\n'));
        return 'sh x.sh; '.repeat(400);
      },
    ],
  ])('%s', async (_, make) => {
    expect((await check(make())).decision).not.toBe('allow');
  });
});

describe("the server's files are nobody's but its owner's", () => {
  test("no rule, no script and no content of a file has a part in a member's verdict", async () => {
    const { key } = await server.member();
    put('x.sh', `echo first-line\n${GONE}\n`);
    put('.lore/rules.json', '{"rules": [');
    put('package.json', scripts({ test: 'sh x.sh' }));
    expect(await check('npm test')).toMatchObject({ decision: 'deny' });
    const asked = await check('npm test', key);
    expect(asked).toMatchObject({ decision: 'ask', source: 'none' });
    expect(asked).not.toHaveProperty('problems');
    expect(JSON.stringify(asked)).not.toContain('rm -rf');
    put('rules', '');
    put(
      '.lore/rules.json',
      JSON.stringify({
        rules: [{ id: 'team.no', reason: 'internal', instead: 'none', when: [{ program: ['frobnicate'] }] }],
      }),
    );
    expect(await check('frobnicate')).toMatchObject({ decision: 'deny' });
    expect(await check('frobnicate', key)).toMatchObject({ decision: 'ask' });
    const session = await startedSession(server, { key, cwd: project });
    for (const command of ['npm test', 'frobnicate', 'sh x.sh'])
      expect(await session.before(command)).toEqual({});
  });

  test("a member's code does not depend on what a file holds, or on whether it is there", async () => {
    const { key } = await server.member();
    const code = async () => (await check('frobnicate ./pin.txt', key)).code;
    const absent = await code();
    put('pin.txt', '4711');
    expect(await code()).toBe(absent);
    put('pin.txt', '4712');
    expect(await code()).toBe(absent);
    // where the owner's changes with each
    const own = async () => (await check('frobnicate ./pin.txt')).code;
    const before = await own();
    put('pin.txt', '4711');
    expect(await own()).not.toBe(before);
  });
});
