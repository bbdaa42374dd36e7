import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withGit } from '../support/needs.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

withGit.orSkipFile();

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };

/** Makes a project with two remotes, and lock files of two registries. */
function makeProject(): string {
  const dir = temporaryFolder();
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args]);
  git('init', '-q');
  git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  git('remote', 'add', 'mirror', 'https://dev@git.acme.example/shop.git');
  const lock = { packages: { 'node_modules/x': { resolved: 'https://npm.acme.example/x/-/x-1.0.0.tgz' } } };
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(join(dir, 'Cargo.lock'), '');
  writeFileSync(join(dir, 'compose.yaml'), '');
  return dir;
}

const init = async (...args: string[]) => {
  const done = await runLore(['init', ...args, '--model', 'none'], { env });
  expect([done.code, done.stderr.replace(/^warning: .*\n/gm, '')]).toEqual([0, '']);
  return done;
};
const fileOf = (dir: string) => join(dir, '.claude', 'settings.local.json');
const settingsOf = (dir: string) => JSON.parse(readFileSync(fileOf(dir), 'utf8'));
function write(dir: string, text: string) {
  mkdirSync(join(dir, '.claude'), { recursive: true });
  writeFileSync(fileOf(dir), text);
}

const sandbox = {
  enabled: true,
  autoAllowBashIfSandboxed: true,
  excludedCommands: ['lore *', 'docker *'],
  network: {
    allowedDomains: [
      new URL(server.url).host,
      '*.githubusercontent.com',
      'api.github.com',
      'codeload.github.com',
      'crates.io',
      'git.acme.example',
      'github.com',
      'index.crates.io',
      'npm.acme.example',
      'registry.npmjs.org',
      'static.crates.io',
    ],
  },
};

test('the sandbox gets the hosts of the remotes and registries, and is undone to the byte', async () => {
  const dir = makeProject();
  const before = '{\n  // ours\n  "permissions": { "allow": ["Bash(npm test)"] }\n}\n';
  write(dir, before);
  expect((await init(dir, '--sandbox')).stdout).toContain('npm.acme.example');
  const text = readFileSync(fileOf(dir), 'utf8');
  expect(text).toContain('// ours');
  expect(JSON.parse(text.replace('// ours', ''))).toMatchObject({
    sandbox,
    permissions: { allow: ['Bash(npm test)'] },
  });
  // attached again, it stays as it is
  await init(dir);
  expect(readFileSync(fileOf(dir), 'utf8')).toBe(text);
  await init(dir, '--remove');
  expect(readFileSync(fileOf(dir), 'utf8')).toBe(before);
});

test('it follows the project, and goes alone when the file was edited since', async () => {
  const dir = makeProject();
  await init(dir, '--sandbox');
  writeFileSync(join(dir, 'go.sum'), '');
  await init(dir, '--sandbox');
  expect(settingsOf(dir).sandbox.network.allowedDomains).toContain('proxy.golang.org');
  writeFileSync(fileOf(dir), JSON.stringify({ ...settingsOf(dir), model: 'opus' }));
  await init(dir, '--remove');
  expect(settingsOf(dir)).toEqual({ model: 'opus' });
});

test('a sandbox that somebody set up stays, and so does one that was changed', async () => {
  const dir = makeProject();
  write(dir, '{"sandbox": {"enabled": false}}');
  const { stderr } = await init(dir, '--sandbox');
  expect(stderr).toContain('stays as it is');
  const host = new URL(server.url).host;
  expect(settingsOf(dir).sandbox).toEqual({ enabled: false, network: { allowedDomains: [host] } });
  await init(dir, '--remove');
  expect(readFileSync(fileOf(dir), 'utf8')).toBe('{"sandbox": {"enabled": false}}');

  const other = makeProject();
  await init(other, '--sandbox');
  const changed = { ...sandbox, network: { allowedDomains: ['only.example.com'] } };
  writeFileSync(fileOf(other), JSON.stringify({ ...settingsOf(other), sandbox: changed }));
  await init(other, '--sandbox');
  const kept = { ...changed, network: { allowedDomains: ['only.example.com', host] } };
  expect(settingsOf(other).sandbox).toEqual(kept);
  await init(other, '--remove');
  expect(settingsOf(other)).toEqual({ sandbox: changed });
});

test('without the option none is switched on, but one may be, and --print shows it', async () => {
  const dir = makeProject();
  await init(dir);
  expect(settingsOf(dir).sandbox).toEqual({ network: { allowedDomains: [new URL(server.url).host] } });
  await init(dir, '--sandbox');
  expect(settingsOf(dir)).toMatchObject({ sandbox });
  await init(dir, '--remove');
  expect(existsSync(fileOf(dir))).toBe(false);
  expect(JSON.parse((await init(dir, '--sandbox', '--print')).stdout)).toMatchObject({ sandbox });
});
