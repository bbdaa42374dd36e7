import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRules } from '../../src/commands/rule-files.ts';
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
    const said = expect.stringMatching(
      /rules\.json.*The rules that it last held still apply, and nothing else of it\.$/,
    );
    expect(await check('frobnicate prod')).toMatchObject({
      decision: 'deny',
      rule: 'team.no-prod',
      problems: [said],
    });
    rmSync(join(project, '.lore'), { recursive: true });
    projectRules({ rules: [] });
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'ask' });
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
    ['[]', 'must be an object'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{}] }] }), 'must have a condition'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ progam: ['x'] }] }] }), 'progam'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ line: '(' }] }] }), 'must be a regular expression'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ line: '(?=a)b' }] }] }), 'when.line'],
    [JSON.stringify({ rules: [{ ...noProd, when: [{ program: ['@none'] }] }] }), 'there is no list “none”'],
  ])('with a fault is ignored and the fault is named: %s', async (text, why) => {
    expect(() => readRules(text, 'project')).toThrow(why);
    projectRules(text);
    expect(await check('frobnicate prod')).toMatchObject({ decision: 'ask' });
    expect(await check('rm -rf /')).toMatchObject({ decision: 'deny' });
  });

  test('cannot stall the server with a pattern', async () => {
    projectRules({ rules: [{ ...noProd, when: [{ line: '^(a+)+$' }, { line: '(.*a){30}b' }] }] });
    // a backtracking engine would never finish with these
    expect(await check(`frobnicate ${'a'.repeat(5000)}!`)).toMatchObject({ decision: 'ask' });
  });
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

  test.each<[string, { rules?: object[]; allow?: object[]; off?: string[] }]>([
    ['allowed', { allow: [{ about: 'our own tool', when: [{ program: ['frobnicate'], arg: 'x' }] }] }],
    ['switched off', { off: ['git.reset-hard'] }],
    ['replaced', { rules: [{ ...noProd, id: 'git.force-push' }] }],
  ])('no longer has in force what it %s once it gets a fault, and says so', async (_, content) => {
    ownRules({ rules: [noProd, ...(('rules' in content && content.rules) || [])], ...content });
    await check('frobnicate prod');
    ownRules('{ "rules": [');
    expect((await check('frobnicate prod')).problems).toEqual([expect.stringMatching(/rules\.json/)]);
    expect((await check('frobnicate x')).decision).toBe('ask');
    expect((await check('git reset --hard')).decision).toBe('deny');
    expect((await check('git push --force')).decision).toBe('deny');
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
