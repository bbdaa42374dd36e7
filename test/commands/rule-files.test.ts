import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFiles } from '../../src/commands/files.ts';
import { policyFor, readRules } from '../../src/commands/rule-files.ts';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
let project: string;

const write = (folder: string, content: unknown) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'rules.json'), typeof content === 'string' ? content : JSON.stringify(content));
};
const projectRules = (content: unknown) => write(join(project, '.lore'), content);
const ownRules = (content: unknown) => write(server.home, content);
const check = async (command: string, key?: string) =>
  (
    await server.request('POST', '/v1/commands/check', {
      ...(key && { key }),
      body: { command, cwd: project },
    })
  ).body;

const noProd = {
  id: 'team.no-prod',
  severity: 'high',
  reason: 'touches production',
  instead: 'use the staging context',
  when: [{ program: ['frobnicate', 'kubectl'], line: 'prod(uction)?\\b' }],
};

beforeEach(() => {
  project = temporaryFolder();
  rmSync(join(server.home, 'rules.json'), { force: true });
});

describe("a project's rule file", () => {
  test('denies more, from the moment it is written until it is deleted', async () => {
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'ask' });
    projectRules(`{ // with comments\n "rules": [${JSON.stringify(noProd)},] }`);
    const denied = await check('cd x && frobnicate production');
    expect(denied).toMatchObject({ decision: 'deny', rule: 'team.no-prod', source: 'policy' });
    expect(denied.reason).toContain('use the staging context');
    expect(await check('frobnicate staging')).toMatchObject({ decision: 'ask' });
    rmSync(join(project, '.lore'), { recursive: true });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'ask' });
  });

  test.each<[string, () => void]>([
    ['gets a fault', () => projectRules('{ "rules": [')],
    ['says something that it may not', () => projectRules({ rules: [], off: ['git.reset-hard'] })],
    [
      'becomes a link to itself',
      () => {
        rmSync(join(project, '.lore', 'rules.json'));
        symlinkSync('rules.json', join(project, '.lore', 'rules.json'));
      },
    ],
  ])('keeps in force what it last held when it %s, and says so', async (_, spoil) => {
    projectRules({ rules: [noProd] });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'deny' });
    spoil();
    const said = expect.stringMatching(/rules\.json.*The rules that it last held still apply\.$/);
    expect(await check('frobnicate prod')).toMatchObject({
      decision: 'deny',
      rule: 'team.no-prod',
      problems: [said],
    });
    rmSync(join(project, '.lore'), { recursive: true });
    projectRules({ rules: [] });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'ask' });
  });

  test('holds in a session of that project, and the agent gets its reason', async () => {
    projectRules({ rules: [noProd] });
    const session = hookSession(server, { key: server.key, cwd: project });
    await session.start();
    const call = { tool_name: 'Bash', tool_input: { command: 'frobnicate prod' }, tool_use_id: 't1' };
    const { permissionDecision, permissionDecisionReason } = (await session.send('PreToolUse', call))
      .hookSpecificOutput;
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toContain('touches production');
  });

  test.each([
    [
      'allow',
      { allow: [{ about: 'ours', when: [{ program: ['frobnicate'] }] }] },
      'a project can only deny more',
    ],
    ['off', { off: ['git.reset-hard'] }, 'a project can only deny more'],
    ['a built-in id', { rules: [{ ...noProd, id: 'git.reset-hard' }] }, 'built-in'],
  ])('cannot loosen anything by %s', async (_, content, why) => {
    projectRules({ rules: [], ...content });
    expect(await check('git reset --hard')).toMatchObject({ decision: 'deny', rule: 'git.reset-hard' });
    expect(await check('frobnicate')).toMatchObject({ decision: 'ask' });
    expect(() => readRules(JSON.stringify({ rules: [], ...content }), 'project')).toThrow(why);
  });

  test.each([
    ['{"rules": [', 'line 1'],
    ['[]', 'expected object'],
    [JSON.stringify({ rules: [{ ...noProd, severity: 'fatal' }] }), 'rules.0.severity'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{}] }] }), 'must have a condition'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ progam: ['x'] }] }] }), 'progam'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ line: '(' }] }] }), 'must be a regular expression'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ line: '(?=a)b' }] }] }), 'when.line'],
    [JSON.stringify({ rules: [noProd, noProd] }), 'stands twice'],
    [
      JSON.stringify({ rules: [{ ...noProd, when: [{ program: ['@none'] }] }] }),
      'rules.0.when.0: there is no list “none”',
    ],
    [JSON.stringify({ patterns: { a: 'x{b}' }, rules: [noProd] }), 'patterns.a: there is no pattern “b”'],
    [JSON.stringify({ lists: { 'A b': ['x'] }, rules: [noProd] }), 'lists.A b'],
    [JSON.stringify({ lists: { a: 'x' }, rules: [noProd] }), 'lists.a'],
  ])('with a fault is ignored and the fault is named: %s', async (text, why) => {
    expect(() => readRules(text, 'project')).toThrow(why);
    projectRules(text);
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'ask' });
    expect(await check('rm -rf /')).toMatchObject({ decision: 'deny' });
  });

  test('names words and parts of patterns once, and uses them in several conditions', async () => {
    projectRules(`{
      "lists": { "ours": ["frobnicate frob"], "all": ["@ours kubectl"] },
      "patterns": { "place": ["prod(uction)?", "live"], "names-it": "(^| ){place}( |$)" },
      "rules": [${JSON.stringify({
        ...noProd,
        when: [
          { program: ['@all'], line: '{names-it}', notFlags: ['--dry --help'] },
          { program: ['@awks'], sub: ['run, run it'], arg: '^({@ours})$' },
        ],
      })}]
    }`);
    const rule = 'team.no-prod';
    expect(await check('frob x live')).toMatchObject({ decision: 'deny', rule });
    expect(await check('kubectl production')).toMatchObject({ decision: 'deny', rule });
    expect(await check('gawk run frob')).toMatchObject({ decision: 'deny', rule });
    for (const line of ['frob alive', 'frob live --help', 'other live', 'gawk walk frob', 'gawk run frobs'])
      expect([line, (await check(line)).rule]).toEqual([line, undefined]);
  });

  test('may have braces that mean themselves', () => {
    const upstream = { ...noProd, when: [{ arg: '@{upstream}' }] };
    expect(readRules(JSON.stringify({ rules: [upstream] }), 'project').rules[0]?.when[0]?.arg).toBe(
      '@{upstream}',
    );
    const escaped = { patterns: { a: 'b' }, rules: [{ ...noProd, when: [{ arg: '{a}\\{upstream}' }] }] };
    expect(readRules(JSON.stringify(escaped), 'project').rules[0]?.when[0]?.arg).toBe('b\\{upstream}');
  });

  test('cannot become huge by names that name each other', () => {
    const doubled = (first: string, double: (before: string) => unknown) =>
      Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [`n${n}`, n === 0 ? [first] : double(`n${n - 1}`)]),
      );
    const lists = doubled('a b', (before) => [`@${before} @${before}`]);
    const patterns = doubled('ab', (before) => `{${before}}{${before}}`);
    expect(() => readRules(JSON.stringify({ lists, rules: [noProd] }), 'project')).toThrow('1000 words');
    expect(() => readRules(JSON.stringify({ patterns, rules: [noProd] }), 'project')).toThrow(
      '2000 characters',
    );
  });

  test('cannot stall the server with a pattern', async () => {
    projectRules({ rules: [{ ...noProd, when: [{ line: '^(a+)+$' }, { line: '(.*a){30}b' }] }] });
    // a backtracking engine would never finish with these
    expect(await check(`frobnicate ${'a'.repeat(5000)}!`)).toMatchObject({ decision: 'ask' });
  });
});

describe('a folder that cannot be read has no rules', () => {
  /** Makes the rules of the folder unreadable, and returns the folder that the command then runs in. */
  const unreadable: [string, string, () => string][] = [
    [
      '.lore is a file',
      'ENOTDIR',
      () => {
        writeFileSync(join(project, '.lore'), '');
        return project;
      },
    ],
    [
      'the folder is a file',
      'ENOTDIR',
      () => {
        writeFileSync(join(project, 'file'), '');
        return join(project, 'file');
      },
    ],
    [
      '.lore is a link to itself',
      'ELOOP',
      () => {
        symlinkSync(join(project, '.lore'), join(project, '.lore'));
        return project;
      },
    ],
    ['the name is longer than a name can be', 'ENAMETOOLONG', () => join(project, 'x'.repeat(300))],
  ];

  test.each(unreadable)('%s', async (_, code, prepare) => {
    const cwd = prepare();
    const { problems, files } = policyFor({ root: cwd, personal: server.home }, openFiles());
    expect([problems, files]).toEqual([[expect.stringContaining(code)], []]);
    const asked = async (command: string) =>
      await server.request('POST', '/v1/commands/check', { body: { command, cwd } });
    expect(await asked('git status')).toMatchObject({ status: 200, body: { decision: 'allow' } });
    expect(await asked('rm -rf /')).toMatchObject({ status: 200, body: { decision: 'deny' } });
    expect(await asked('npm test')).toMatchObject({ status: 200 });
    // the rules are read as soon as that is possible
    rmSync(join(project, '.lore'), { force: true });
    projectRules({ rules: [noProd] });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'deny' });
  });

  test.each(['../../etc/passwd', '.', '..', 'src', '~'])(
    'a session in the relative folder %s is judged by the built-in rules alone',
    async (cwd) => {
      expect(policyFor({ root: cwd, personal: server.home }, openFiles())).toMatchObject({
        problems: [],
        files: [],
      });
      const session = hookSession(server, { key: server.key, cwd });
      await session.start();
      const decide = async (command: string) =>
        (
          await session.send('PreToolUse', {
            tool_name: 'Bash',
            tool_input: { command },
            tool_use_id: command,
          })
        ).hookSpecificOutput?.permissionDecision;
      expect(await decide('git status')).toBe('allow');
      expect(await decide('rm -rf /')).toBe('deny');
      // this makes Lore look for package.json and Makefile in the folders above
      for (const command of ['npm test', 'make', './x.sh']) expect(await decide(command)).not.toBe('deny');
    },
  );
});

describe("a person's own rule file", () => {
  test('may allow, switch off and replace, for that person alone', async () => {
    ownRules({
      allow: [{ about: 'our own tool, read-only', when: [{ program: ['frobnicate'], notArg: '^--write' }] }],
      off: ['git.reset-hard'],
      rules: [
        { ...noProd, id: 'git.force-push', when: [{ program: ['git'], sub: ['push'], line: 'release' }] },
      ],
    });
    expect(await check('frobnicate --all')).toMatchObject({ decision: 'allow', source: 'policy' });
    expect(await check('frobnicate --write')).toMatchObject({ decision: 'ask' });
    expect((await check('git reset --hard')).decision).not.toBe('deny');
    expect((await check('git push --force origin me')).decision).not.toBe('deny');
    expect(await check('git push origin release')).toMatchObject({
      decision: 'deny',
      rule: 'git.force-push',
    });
    const { key } = await server.member();
    expect(await check('git reset --hard', key)).toMatchObject({ decision: 'deny' });
    expect(await check('frobnicate --all', key)).toMatchObject({ decision: 'ask' });
  });

  test.each<[string, object]>([
    ['allowed', { allow: [{ about: 'our own tool', when: [{ program: ['frobnicate'], arg: 'x' }] }] }],
    ['switched off', { off: ['git.reset-hard'] }],
    ['replaced', { rules: [{ ...noProd, id: 'git.force-push' }] }],
  ])('no longer has in force what it %s once it gets a fault, and says so', async (_, content) => {
    ownRules({ rules: [noProd], ...content });
    await check('frobnicate prod');
    ownRules('{ "rules": [');
    expect((await check('frobnicate prod')).problems).toEqual([
      expect.stringMatching(/rules\.json.*, but nothing that it allowed, switched off or replaced\.$/),
    ]);
  });

  test("switches a project's rule off, but a project's rule outranks what it allows", async () => {
    projectRules({ rules: [noProd] });
    ownRules({ allow: [{ about: 'our own tool', when: [{ program: ['frobnicate'] }] }] });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'deny' });
    ownRules({
      off: ['team.no-prod'],
      allow: [{ about: 'our own tool', when: [{ program: ['frobnicate'] }] }],
    });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'allow' });
  });

  test.each([
    [{ off: ['filesystem.delete-everything'] }],
    [{ rules: [{ ...noProd, id: 'filesystem.delete-everything' }] }],
    [{ allow: [{ about: 'everything', when: [{ notArg: 'x' }] }] }],
  ])('cannot switch off or replace a catastrophic rule, nor allow every program: %j', async (content) => {
    ownRules(content);
    expect(() => readRules(JSON.stringify(content), 'person')).toThrow();
    expect(await check('rm -rf /')).toMatchObject({ decision: 'deny' });
    expect(await check('frobnicate')).toMatchObject({ decision: 'ask' });
  });
});
