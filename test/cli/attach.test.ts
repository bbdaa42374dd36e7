// Longer than 400 lines because every case uses the same description of settings files.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createScanner, parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attachmentSettings, attachProject, detachProject } from '../../src/cli/attach/attach.ts';
import { Problem } from '../../src/errors/problem.ts';
import { fastFolder } from '../support/fast-folder.ts';
import { withGit } from '../support/needs.ts';

let base: string;
let dir: string;
let home: string;
let file: string;
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(join(fastFolder, 'attach-')));
  dir = join(base, 'project');
  home = join(base, 'home');
  file = join(dir, '.claude', 'settings.local.json');
  fs.mkdirSync(dir);
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const key = 'k'.repeat(32);
const otherKey = 'o'.repeat(32);
const wiring = { url: 'http://127.0.0.1:4747', key, hookScript: '/opt/lore/hooks/session-start' };
const events = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PermissionRequest',
  'Stop',
  'SessionEnd',
];

type Json = {
  env?: Record<string, string>;
  hooks?: Record<string, { matcher?: string; hooks: unknown[] }[]>;
};

const attach = (change: Partial<Parameters<typeof attachProject>[0]> = {}) =>
  attachProject({ dir, home, ...wiring, ...change });
const detach = () => detachProject({ dir, home });
const text = () => fs.readFileSync(file, 'utf8');
const settings = () => parse(text(), [], { allowTrailingComma: true }) as Json;
const mode = (path: string) => fs.statSync(path).mode & 0o777;
const wipeHome = () => fs.rmSync(home, { recursive: true, force: true });
function write(content: string | Buffer) {
  fs.mkdirSync(join(dir, '.claude'), { recursive: true });
  fs.writeFileSync(file, content);
}
function problem(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('no Problem was thrown');
}

const theirs = { type: 'command', command: './check.sh' };
const commented = `{
    // our rules
    "permissions": { "allow": ["Bash(npm test)"], /* none */ "deny": [] },
    "hooks": {
        "Stop": [
            { "hooks": [${JSON.stringify(theirs)}] } // stays
        ],
        "PreToolUse": [ { "matcher": "Bash", "hooks": [${JSON.stringify(theirs)}] } ],
        "Notification": [], // ours
    },
    "env": {
        "DEBUG": "1"
        // more to come
    }
}
`;

describe('attaching', () => {
  it('writes one command hook, ten http hooks and the environment, for its owner only', () => {
    expect(attach({ url: `${wiring.url}/` })).toEqual({ file, changed: true, warnings: [] });
    expect(mode(file)).toBe(0o600);
    expect(text().endsWith('}\n')).toBe(true);
    const http = {
      type: 'http',
      url: 'http://127.0.0.1:4747/v1/hooks',
      headers: { Authorization: 'Bearer $LORE_KEY' },
      allowedEnvVars: ['LORE_KEY'],
      timeout: 5,
    };
    const { env, hooks } = settings();
    expect(env).toEqual({ LORE_KEY: key, LORE_URL: 'http://127.0.0.1:4747' });
    expect(Object.keys(hooks ?? {})).toEqual(events);
    const { SessionStart, ...rest } = hooks ?? {};
    const script = '"/opt/lore/hooks/session-start"';
    const command = `node ${script} || "${process.execPath}" ${script} || true`;
    expect(SessionStart).toEqual([{ hooks: [{ type: 'command', command, timeout: 5 }] }]);
    for (const groups of Object.values(rest)) expect(groups).toEqual([{ hooks: [http] }]);
    expect(settings()).toEqual(attachmentSettings(wiring));
  });

  it('quotes a script path for the shell', () => {
    const odd = join(base, 'a "b" $HOME `id` \\c', 'hooks');
    fs.mkdirSync(odd, { recursive: true });
    fs.writeFileSync(join(odd, 'session-start'), 'console.log("ran")');
    attach({ hookScript: join(odd, 'session-start') });
    const [hook] = settings().hooks?.SessionStart?.[0]?.hooks ?? [];
    const { command } = hook as { command: string };
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe('ran\n');
    expect(attach({ hookScript: join(odd, 'session-start') }).changed).toBe(false);
    expect(detach().found).toBe(true);
  });

  it('starts the session without a node on the PATH, and without the script', () => {
    const folder = join(base, 'hooks');
    fs.mkdirSync(folder, { recursive: true });
    const run = () => {
      const [hook] = settings().hooks?.SessionStart?.[0]?.hooks ?? [];
      const { command } = hook as { command: string };
      const options = { encoding: 'utf8', env: { PATH: base }, stdio: 'pipe' } as const;
      return execFileSync('/bin/sh', ['-c', command], options);
    };
    fs.writeFileSync(join(folder, 'session-start'), 'console.log("ran")');
    attach({ hookScript: join(folder, 'session-start') });
    expect(run()).toBe('ran\n');
    fs.rmSync(join(folder, 'session-start'));
    expect(run()).toBe('');
  });

  it('takes the place of the command that an earlier version wrote', () => {
    attach();
    const before = text();
    write(before.replace(/ \|\| [^,]* \|\| true/, ''));
    expect(text()).not.toBe(before);
    expect(attach().changed).toBe(true);
    expect(text()).toBe(before);
  });

  it('leaves lines and comments as they are and continues their style', () => {
    write(commented);
    attach();
    const kept = JSON.stringify(theirs);
    const [added] = attachmentSettings(wiring).hooks.PreToolUse ?? [];
    for (const part of [
      '{\n    // our rules\n    "permissions": { "allow": ["Bash(npm test)"], /* none */ "deny": [] },\n    "hooks": {\n',
      `            { "hooks": [${kept}] }, // stays\n            {\n                "hooks": [\n`,
      `        "PreToolUse": [ { "matcher": "Bash", "hooks": [${kept}] }, ${JSON.stringify(added)} ],\n`,
      '        "Notification": [], // ours\n        "SessionStart": [\n            {\n',
      `        "DEBUG": "1",\n        // more to come\n        "LORE_KEY": "${key}",\n`,
    ]) {
      expect(text()).toContain(part);
    }
    expect(settings().hooks?.Stop?.[0]).toEqual({ hooks: [theirs] });
    expect(settings().hooks?.Stop).toHaveLength(2);
    expect(settings().env).toEqual({ DEBUG: '1', LORE_KEY: key, LORE_URL: wiring.url });
  });

  it('keeps a byte order mark, CRLF, tabs, a missing last line break and the mode', () => {
    write('\uFEFF{\r\n\t"model": "opus"\r\n}');
    fs.chmodSync(file, 0o640);
    attach();
    expect(text().startsWith('\uFEFF{\r\n\t"model": "opus",\r\n\t"env": {\r\n\t\t"LORE_KEY"')).toBe(true);
    expect(text().endsWith('\r\n\t}\r\n}')).toBe(true);
    expect(text()).not.toMatch(/[^\r]\n/);
    expect(mode(file)).toBe(0o640);
  });

  it('keeps a file on one line on one line', () => {
    write('{"model":"opus","hooks":{}}');
    attach();
    expect(text()).not.toContain('\n');
    expect(settings()).toMatchObject({ model: 'opus', ...attachmentSettings(wiring) });
  });

  it('replaces its own entries where they stand when url, key or script change', () => {
    write(commented);
    attach();
    const lines = text().split('\n').length;
    const second = {
      url: 'https://lore.example/base',
      key: otherKey,
      hookScript: '/srv/hooks/session-start',
    };
    expect(attach(second).changed).toBe(true);
    expect(text().split('\n')).toHaveLength(lines);
    for (const old of [key, '4747', '/opt/lore']) expect(text()).not.toContain(old);
    expect(settings().hooks?.Stop).toEqual([
      { hooks: [theirs] },
      ...(attachmentSettings(second).hooks.Stop ?? []),
    ]);
    detach();
    expect(text()).toBe(commented);
  });

  it('keeps a matcher that the user gave its group, and drops duplicates and stray entries', () => {
    const { hooks, env } = attachmentSettings(wiring);
    const [pre, stop] = [hooks.PreToolUse?.[0], hooks.Stop?.[0]];
    const Stop = [stop, { hooks: [theirs, ...(stop?.hooks ?? [])] }];
    write(
      JSON.stringify({
        env,
        hooks: { ...hooks, PreToolUse: [{ matcher: 'Bash', ...pre }], Stop, Setup: [stop] },
      }),
    );
    attach();
    expect(settings().hooks).toEqual({
      ...hooks,
      PreToolUse: [{ matcher: 'Bash', ...pre }],
      Stop: [stop, { hooks: [theirs] }],
    });
  });

  it('does not take the hooks of others for its own', () => {
    const others = [
      { type: 'command', command: 'bash "/x/hooks/session-start"' },
      { type: 'http', url: 'http://127.0.0.1:4747/v1/hooks' },
      { type: 'http', url: 'http://other.example/hooks', headers: { Authorization: 'Bearer $LORE_KEY' } },
      null,
    ];
    write(JSON.stringify({ hooks: { SessionStart: [{ hooks: others }, 7, { hooks: null }] } }));
    attach();
    wipeHome();
    detach();
    expect(settings()).toEqual({ hooks: { SessionStart: [{ hooks: others }, 7, { hooks: null }] } });
  });

  it('uses the last of two properties with the same name, because that one counts', () => {
    write(`{"hooks": [], "env": 1, "hooks": {"Stop": 7, "Stop": []}, "env": {"LORE_KEY": "${key}"}}`);
    attach();
    expect(JSON.parse(text())).toEqual(attachmentSettings(wiring));
  });

  it('follows a symbolic link, also one that dangles', () => {
    fs.mkdirSync(join(dir, '.claude'));
    const elsewhere = join(base, 'shared.json');
    fs.symlinkSync('../../shared.json', file);
    attach();
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(fs.readFileSync(elsewhere, 'utf8'))).toEqual(attachmentSettings(wiring));
    expect(detach().found).toBe(true);
    expect(fs.existsSync(elsewhere)).toBe(false);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it('leaves no other files beside it, and only the owner can read the record with the old bytes', () => {
    write('{}');
    attach();
    attach({ key: otherKey });
    expect(fs.readdirSync(join(dir, '.claude'))).toEqual(['settings.local.json']);
    const records = fs.readdirSync(join(home, 'attachments'));
    expect(records).toHaveLength(1);
    expect(mode(join(home, 'attachments', records[0] ?? ''))).toBe(0o600);
    expect(fs.readFileSync(join(home, 'attachments', records[0] ?? ''), 'utf8')).not.toContain(otherKey);
  });

  it.each(['{} // note', '{"a": [1,]}'])('warns that the client ignores a file like %s', (content) => {
    write(content);
    expect(attach().warnings).toEqual([expect.stringContaining('ignores such a file')]);
  });

  withGit.test('warns when git tracks the file already, since no exclusion helps then', () => {
    execFileSync('git', ['init', '-q', dir]);
    const exclude = join(dir, '.git', 'info', 'exclude');
    const before = fs.readFileSync(exclude);
    write('{}');
    execFileSync('git', ['-C', dir, 'add', '-f', '.claude']);
    expect(attach().warnings).toEqual([expect.stringContaining('git rm --cached')]);
    expect(attach().warnings).toHaveLength(1);
    expect(fs.readFileSync(exclude)).toEqual(before);
    execFileSync('git', ['-C', dir, 'rm', '-q', '--cached', '-f', '.claude/settings.local.json']);
    fs.writeFileSync(join(dir, '.gitignore'), '.claude/settings.local.json\n');
    expect(attach()).toEqual({ file, changed: false, warnings: [] });
    expect(fs.readFileSync(exclude)).toEqual(before);
  });
});

describe('a LORE_KEY that is already there', () => {
  const foreign = `{\n  "env": { "LORE_KEY": "${otherKey}" }\n}\n`;

  it('from another Lore, with another data folder and port, stops it unless forced', () => {
    attach();
    const first = text();
    const other = { home: join(base, 'other'), url: 'http://127.0.0.1:4748', key: otherKey };
    expect(problem(() => attach(other)).detail).toContain('for the Lore at http://127.0.0.1:4747');
    expect(text()).toBe(first);
    expect(attach({ ...other, force: true }).changed).toBe(true);
    expect(settings().env).toEqual({ LORE_KEY: otherKey, LORE_URL: other.url });
  });

  it('from somebody else stops it unless forced; removing restores that key', () => {
    write(foreign);
    const refused = problem(attach);
    expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining(`${file}:2:24`) });
    expect(refused.message).not.toContain(otherKey);
    expect(text()).toBe(foreign);
    expect(fs.existsSync(home)).toBe(false);

    attach({ force: true });
    expect(settings().env?.LORE_KEY).toBe(key);
    fs.writeFileSync(file, text().replace('{', '{\n  "model": "opus",'));
    detach();
    expect(text()).toBe(foreign.replace('{', '{\n  "model": "opus",'));
  });

  it('is replaced when an attach put it there, also when the home was wiped since', () => {
    attach({ key: otherKey });
    wipeHome();
    expect(attach().changed).toBe(true);
    expect(settings().env?.LORE_KEY).toBe(key);
  });

  it('stops it when it was edited after an attach, and then outlives a remove', () => {
    attach();
    fs.writeFileSync(file, text().replace(key, otherKey));
    expect(problem(attach).status).toBe(409);
    detach();
    expect(settings()).toEqual({ env: { LORE_KEY: otherKey } });
  });
});

describe('what cannot be merged is refused and left alone', () => {
  it.each([
    ['{\n  "a": 1,,\n}', ':2:10', 'invalid JSON'],
    ['{\n  "a": 1', ':2:9', 'invalid JSON'],
    ['{} {}', ':1:4', 'invalid JSON'],
    ['[]', ':1:1', 'object'],
    ['{\n  "hooks": []\n}', ':2:12', 'hooks must be an object'],
    ['{"hooks": null}', ':1:11', 'hooks must be an object'],
    ['{"hooks": {"Stop": {}}}', ':1:20', 'hooks.Stop must be an array'],
    ['{"env": "x"}', ':1:9', 'env must be an object'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), ':1:1', 'UTF-8'],
  ])('%s', (content, position, reason) => {
    write(content);
    const refused = problem(attach);
    expect(refused.status).toBe(409);
    expect(refused.detail).toContain(file + position);
    expect(refused.detail).toContain(reason);
    expect(fs.readFileSync(file)).toEqual(Buffer.from(content));
    expect(fs.existsSync(home)).toBe(false);
  });

  it('a folder that is missing or a file, a settings file that is a folder or a link in a ring', () => {
    expect(problem(() => attach({ dir: join(base, 'gone') })).status).toBe(400);
    fs.writeFileSync(join(base, 'plain'), '');
    expect(problem(() => detachProject({ dir: join(base, 'plain'), home })).status).toBe(400);
    fs.mkdirSync(file, { recursive: true });
    expect(problem(attach)).toMatchObject({ status: 409, detail: expect.stringContaining(file) });
    fs.rmdirSync(file);
    fs.symlinkSync('settings.local.json', file);
    expect(problem(attach).status).toBe(409);
    fs.rmSync(join(dir, '.claude'), { recursive: true });
    fs.writeFileSync(join(dir, '.claude'), '');
    expect(problem(attach).status).toBe(409);
  });

  it('a url or key that would not work', () => {
    for (const url of ['', '127.0.0.1:4747', 'ftp://x', 'http://']) {
      expect(problem(() => attach({ url })).errors?.[0]?.field).toBe('url');
    }
    for (const bad of ['', 'a b', 'a\nb', 'ä'])
      expect(problem(() => attach({ key: bad })).errors?.[0]?.field).toBe('key');
    expect(fs.existsSync(join(dir, '.claude'))).toBe(false);
  });
});

withGit.describe('git', () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  const seen = () => git('status', '--porcelain', '--untracked-files=all');
  const line = '/.claude/settings.local.json\n';
  let exclude: string;
  beforeEach(() => {
    execFileSync('git', ['init', '-q', dir]);
    exclude = join(dir, '.git', 'info', 'exclude');
  });

  it.each<[string, string | null]>([
    ['the comments that git puts there', '# git ls-files --others\n# *~\n'],
    ['nothing', ''],
    ['a last line that is not ended', 'notes.txt'],
    ['other line ends and bytes that are not UTF-8', 'a\r\n\xff\xfe\n'],
    ['no file', null],
  ])('does not see the key, and --remove gives the exclude file back to the byte: %s', (_, content) => {
    if (content === null) fs.rmSync(join(dir, '.git', 'info'), { recursive: true });
    else fs.writeFileSync(exclude, content, 'latin1');
    expect(attach()).toEqual({ file, changed: true, excludedBy: exclude, warnings: [] });
    expect(seen()).toBe('');
    expect(fs.readFileSync(exclude, 'latin1').endsWith(line)).toBe(true);
    expect(attach()).toEqual({ file, changed: false, warnings: [] });
    expect(attach({ key: otherKey })).toEqual({ file, changed: true, warnings: [] });
    detach();
    expect(fs.existsSync(join(dir, '.git', 'info'))).toBe(content !== null);
    if (content !== null) expect(fs.readFileSync(exclude, 'latin1')).toBe(content);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('takes out its own line alone from a file that others added to', () => {
    fs.writeFileSync(exclude, 'before');
    attach();
    fs.appendFileSync(exclude, 'after\n');
    detach();
    expect(fs.readFileSync(exclude, 'utf8')).toBe('before\nafter\n');
  });

  it('leaves an exclusion alone that was there before, and one that somebody took out since', () => {
    fs.writeFileSync(exclude, line);
    expect(attach()).toEqual({ file, changed: true, warnings: [] });
    detach();
    expect(fs.readFileSync(exclude, 'utf8')).toBe(line);
    fs.writeFileSync(exclude, '');
    attach();
    fs.writeFileSync(exclude, 'other\n');
    detach();
    expect(fs.readFileSync(exclude, 'utf8')).toBe('other\n');
  });

  it('is told again when the line was taken out of a project that stays attached', () => {
    attach();
    fs.writeFileSync(exclude, '');
    expect(attach()).toEqual({ file, changed: false, excludedBy: exclude, warnings: [] });
    expect(seen()).toBe('');
    expect(detach()).toMatchObject({ found: true });
    expect(fs.readFileSync(exclude, 'utf8')).toBe('');
  });

  it('attaches with a warning where nothing can be excluded', () => {
    fs.rmSync(join(dir, '.git', 'info'), { recursive: true });
    fs.writeFileSync(join(dir, '.git', 'info'), 'in the way');
    expect(attach()).toEqual({ file, changed: true, warnings: [expect.stringContaining('.gitignore')] });
    expect(detach()).toMatchObject({ found: true });
    expect(fs.readFileSync(join(dir, '.git', 'info'), 'utf8')).toBe('in the way');
  });

  it('in a linked work tree, and in a folder with signs that mean something to git', () => {
    git('-c', 'user.email=a@b.c', '-c', 'user.name=a', 'commit', '-q', '--allow-empty', '-m', 'first');
    const before = fs.readFileSync(exclude);
    git('worktree', 'add', '-q', join(base, 'linked'));
    dir = join(base, 'linked', '#[a]*b?');
    file = join(dir, '.claude', 'settings.local.json');
    fs.mkdirSync(dir);
    expect(attach()).toEqual({ file, changed: true, excludedBy: exclude, warnings: [] });
    expect(seen()).toBe('');
    detach();
    expect(fs.readFileSync(exclude)).toEqual(before);
  });
});

describe('removing', () => {
  it('says so when there is nothing, and changes nothing', () => {
    expect(detach()).toEqual({ file, changed: false, warnings: [], found: false });
    expect(fs.readdirSync(dir)).toEqual([]);
    write(commented);
    expect(detach().found).toBe(false);
    expect(text()).toBe(commented);
  });

  it.each(['', ' \n', '{}', '{ }\n', commented, '{"env":{},"hooks":{"Stop":[]}}'])(
    'brings back %j to the byte',
    (before) => {
      write(before);
      attach();
      attach({ key: otherKey, url: 'http://other.example' });
      expect(detach()).toEqual({ file, changed: true, warnings: [], found: true });
      expect(text()).toBe(before);
      expect(fs.readdirSync(join(home, 'attachments'))).toEqual([]);
      expect(detach().found).toBe(false);
    },
  );

  it('takes away the file and folder that it made, but not a folder that holds more or was there', () => {
    attach();
    attach({ key: otherKey });
    detach();
    expect(fs.readdirSync(dir)).toEqual([]);
    attach();
    fs.writeFileSync(join(dir, '.claude', 'notes.md'), '');
    detach();
    expect(fs.readdirSync(join(dir, '.claude'))).toEqual(['notes.md']);
    fs.rmSync(join(dir, '.claude', 'notes.md'));
    attach();
    detach();
    expect(fs.readdirSync(join(dir, '.claude'))).toEqual([]);
  });

  it('removes only its own entries from a file that was edited since', () => {
    write('{\n  "env": {},\n  "hooks": {\n    "Stop": []\n  }\n}\n');
    attach();
    const edited = text().replace('{\n', '{\n  // mine\n  "model": "opus",\n');
    const own = JSON.stringify({ hooks: [theirs] });
    fs.writeFileSync(file, edited.replace('"SessionEnd": [', `"SessionEnd": [ ${own}, // first`));
    expect(detach().found).toBe(true);
    expect(text()).toContain('// mine\n  "model": "opus",\n');
    expect(text()).toContain('// first');
    expect(settings()).toEqual({
      model: 'opus',
      env: {},
      hooks: { Stop: [], SessionEnd: [{ hooks: [theirs] }] },
    });
  });

  it('drops a group of its own that was given a matcher, also when others of the event are gone', () => {
    write(JSON.stringify({ hooks: { Stop: [{ hooks: [theirs] }] } }));
    attach();
    const edited = settings();
    const own = edited.hooks?.Stop?.[1];
    fs.writeFileSync(file, JSON.stringify({ hooks: { Stop: [{ matcher: 'x', ...own }] } }));
    detach();
    expect(settings()).toEqual({ hooks: { Stop: [] } });
  });

  it('deletes a file that it made and in which an edit left nothing else', () => {
    attach();
    fs.appendFileSync(file, '\n\n');
    detach();
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  it('gives back an edit made between two attaches', () => {
    write('{"a":1}');
    attach();
    const grown = text().replace('"a":1', '"a":1,"b":2');
    fs.writeFileSync(file, grown);
    attach({ key: otherKey });
    detach();
    expect(text()).toBe('{"a":1,"b":2}');
  });

  it('works without the home and with a damaged record', () => {
    write(commented);
    attach();
    wipeHome();
    detach();
    expect(text()).toBe(commented);
    attach();
    const folder = join(home, 'attachments');
    for (const name of fs.readdirSync(folder)) fs.writeFileSync(join(folder, name), '{"original":7');
    detach();
    expect(text()).toBe(commented);
  });

  it('keeps comments beside its entries', () => {
    const { hooks } = attachmentSettings(wiring);
    const [our] = hooks.Stop ?? [];
    write(`{
  "hooks": {
    "Stop": [
      // one
      ${JSON.stringify(our)}, /* two */ ${JSON.stringify({ hooks: [theirs] })} // three
    ],
    "SessionEnd": [ ${JSON.stringify({ hooks: [theirs] })}, // four
      ${JSON.stringify(our)} /* five */ ]
  }
}`);
    detach();
    for (const word of ['// one\n', '/* two */', '// three', '// four\n', '/* five */'])
      expect(text()).toContain(word);
    expect(settings()).toEqual({ hooks: { Stop: [{ hooks: [theirs] }], SessionEnd: [{ hooks: [theirs] }] } });
  });

  it('leaves a file that is no longer JSON alone, and its record too', () => {
    write('{"a":1}');
    attach();
    const whole = text();
    fs.writeFileSync(file, `${whole}}`);
    expect(problem(detach).status).toBe(409);
    expect(text()).toBe(`${whole}}`);
    fs.writeFileSync(file, whole);
    detach();
    expect(text()).toBe('{"a":1}');
  });
});

// Settings as people write them: any JSON, with hooks and env of the right type, in any layout that JSONC allows.
const hookArb = fc.oneof(
  fc.record({ type: fc.constant('command'), command: fc.string() }),
  fc.record({ type: fc.constant('http'), url: fc.webUrl() }),
  fc.jsonValue({ maxDepth: 1 }),
);
const groupArb = fc.record(
  { matcher: fc.string(), hooks: fc.array(hookArb, { minLength: 1, maxLength: 2 }) },
  { requiredKeys: ['hooks'] },
);
const nonEmpty = (value: object) => Object.keys(value).length > 0;
const settingsArb = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    fc.option(
      fc
        .dictionary(
          fc.constantFrom(...events, 'Notification'),
          fc.array(groupArb, { minLength: 1, maxLength: 2 }),
          {
            maxKeys: 3,
          },
        )
        .filter(nonEmpty),
      { nil: undefined },
    ),
    fc.option(
      fc.dictionary(fc.stringMatching(/^[A-Z]{1,8}$/), fc.string(), { maxKeys: 3 }).filter(nonEmpty),
      {
        nil: undefined,
      },
    ),
    fc.option(
      fc.constantFrom<object>(
        { enabled: true },
        { network: { deniedDomains: ['a.example'] } },
        { enabled: true, network: { allowedDomains: ['a.example'] } },
      ),
      { nil: undefined },
    ),
    fc.nat(3),
  )
  .map(([rest, hooks, env, sandbox, at]) => {
    const entries = Object.entries(rest).filter(([name]) => !['hooks', 'env', 'sandbox'].includes(name));
    if (sandbox) entries.splice(at, 0, ['sandbox', sandbox]);
    if (hooks) entries.splice(at, 0, ['hooks', hooks]);
    if (env) entries.splice(at, 0, ['env', env]);
    return entries;
  });

const gapArb = fc.constantFrom(
  '',
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\n    ',
  ' /* a, } */ ',
  ' // b " ]\n',
  '//c\r\n',
);
const layoutArb = fc.record({
  gaps: fc.array(gapArb, { minLength: 1, maxLength: 30 }),
  trailingCommas: fc.boolean(),
  bom: fc.constantFrom('', '\uFEFF'),
});
type Layout = { gaps: string[]; trailingCommas: boolean; bom: string };

/** Returns JSON text with the given white space and comments between its tokens, used in turn. */
function print(root: [string, unknown][], { gaps, trailingCommas, bom }: Layout): string {
  let turn = 0;
  const gap = () => gaps[turn++ % gaps.length] ?? '';
  const list = (open: string, items: string[], close: string) =>
    `${open}${gap()}${items.join(`${gap()},${gap()}`)}${gap()}${trailingCommas && items.length > 0 ? ',' : ''}${gap()}${close}`;
  const object = (entries: [string, unknown][]): string =>
    list(
      '{',
      entries.map(([name, value]) => `${JSON.stringify(name)}${gap()}:${gap()}${json(value)}`),
      '}',
    );
  const json = (value: unknown): string => {
    if (Array.isArray(value)) return list('[', value.map(json), ']');
    return typeof value === 'object' && value !== null
      ? object(Object.entries(value))
      : JSON.stringify(value);
  };
  return `${bom}${gap()}${object(root)}${gap()}`;
}

function comments(source: string): string[] {
  const scanner = createScanner(source);
  const found: string[] = [];
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan()) {
    // line and block comments: their token value is not their text
    const start = scanner.getTokenOffset();
    if (kind === 12 || kind === 13) found.push(source.slice(start, start + scanner.getTokenLength()));
  }
  return found;
}
const body = (source: string) => source.replace(/^\uFEFF/, '');
const read = (source: string) => parse(body(source), [], { allowTrailingComma: true });

describe('for any settings in any layout', () => {
  it('attach adds only its own entries, a second attach changes nothing, and detach restores the bytes', () => {
    fc.assert(
      fc.property(settingsArb, layoutArb, (entries, layout) => {
        const before = print(entries, layout);
        write(before);
        attach();
        const once = text();
        expect(attach().changed).toBe(false);
        expect(text()).toBe(once);

        const ours = attachmentSettings(wiring);
        const old = read(before);
        const now = read(once);
        expect(now.env).toEqual({ ...old.env, ...ours.env });
        for (const event of events)
          expect(now.hooks[event]).toEqual([...(old.hooks?.[event] ?? []), ...(ours.hooks[event] ?? [])]);
        const { network } = old.sandbox ?? {};
        const allowedDomains = [...(network?.allowedDomains ?? []), '127.0.0.1:4747'];
        expect(now.sandbox).toEqual({ ...old.sandbox, network: { ...network, allowedDomains } });
        expect({ ...now, env: 0, hooks: 0, sandbox: 0 }).toEqual({ ...old, env: 0, hooks: 0, sandbox: 0 });
        expect(comments(body(once))).toEqual(comments(body(before)));

        detach();
        expect(text()).toBe(before);
      }),
      { numRuns: 60 },
    );
  });

  it('a remove without a record of the attach leaves the same settings and comments', () => {
    fc.assert(
      fc.property(settingsArb, layoutArb, (entries, layout) => {
        const before = print(entries, layout);
        write(before);
        attach();
        wipeHome();
        detach();
        expect(read(text())).toEqual(read(before));
        expect(comments(body(text()))).toEqual(comments(body(before)));
      }),
      { numRuns: 60 },
    );
  });
});
