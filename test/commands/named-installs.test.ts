import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

// Anybody may publish a package under a name that is misspelled or made up, and its code runs when it is installed.

const server = await sharedServer({ model: false, owner: true });
let project: string;
beforeEach(() => {
  project = temporaryFolder();
});

const put = (name: string, text = '') => {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
};
const check = async (command: string, cwd = project) =>
  (await server.request('POST', '/v1/commands/check', { body: { command, cwd, root: project } })).body;

describe('a package that neither the project nor a list has is left to the person', () => {
  test.each([
    ['npm i left-padd', 'left-pad'],
    ['npm install --save-dev react loadsh@4', 'lodash'],
    ['yarn workspace web add expres', 'express'],
    ['pnpm --filter web add @typs/node', '@types/node'],
    ['bun add left-padd', 'left-pad'],
    ['npm exec --package=left-padd -- tsc', 'left-pad'],
    ['pip install reqeusts', 'requests'],
    ["python -m pip install 'reqeusts[security]>=2'", 'requests'],
    ['uv add numpyy', 'numpy'],
    ['poetry add djanggo@^5', 'django'],
    ['cargo add serde_jsn@1', 'serde-json'],
    ['gem install raills', 'rails'],
    ['bundle add raills', 'rails'],
    ['go get github.com/stretcher/testify@latest', 'github.com/stretchr/testify'],
    ['composer require symfny/console', 'symfony/console'],
    ['dotnet add package Microsft.Extensions.Logging', 'microsoft.Extensions.Logging'],
  ])('%s, which may mean another one', async (command, meant) => {
    const { decision, source, reason } = await check(command);
    expect({ decision, source }).toEqual({ decision: 'ask', source: 'none' });
    expect(reason).toContain(`did you mean ${meant}?`);
  });

  test.each([
    'npm install zod some-unheard-of-thing',
    'pip install some-unheard-of-thing',
    'cargo install some-unheard-of-thing',
    'gem install some-unheard-of-thing',
    'go get github.com/some-unheard-of/thing',
    'composer require some-unheard-of/thing',
    'dotnet add src/App.csproj package SomeUnheardOf.Thing',
    // programs that are known by their name, but a package of that name is somebody's
    'npx git status',
    'npx ls',
    'pnpm dlx kubectl get pods',
    'bunx rg x',
    'uvx git status',
  ])('%s', async (command) => {
    const { decision, source, reason } = await check(command);
    expect({ decision, source }).toEqual({ decision: 'ask', source: 'none' });
    expect(reason).toMatch(/fetches \S+, which neither the project nor a list of well-known packages has/);
    expect(reason).not.toContain('did you mean');
  });
});

test.each([
  'npm ci',
  'npm i -D vitest @types/node @babel/core@7',
  'npx create-next-app@latest app',
  'npx tsc --noEmit',
  'npm install ./packages/ui',
  'pnpm add -D @acme/ui@workspace:*',
  'pip install -r requirements.txt',
  'pip install -e . PyYAML Flask==3.0',
  'uvx ruff check',
  'cargo add serde tokio_util@0.7',
  'gem install rails',
  'go get ./...',
  'go get golang.org/x/sync github.com/stretchr/testify',
  'composer require symfony/console',
  'dotnet add package Microsoft.Extensions.Logging',
])('what many use is installed unasked: %s', async (command) => {
  expect(await check(command)).toMatchObject({ decision: 'allow' });
});

describe('what the project has is installed unasked', () => {
  test.each<[string, string, string]>([
    ['npm i our-own-thing', 'package.json', '{"dependencies": {"our-own-thing": "^1.0.0"}}'],
    ['npm i our-own-thing', 'package-lock.json', '{"packages": {"node_modules/our-own-thing": {}}}'],
    ['yarn add our-own-thing', 'yarn.lock', 'our-own-thing@^1.0.0:\n  version "1.0.0"\n'],
    ['pnpm add @ours/thing', 'pnpm-lock.yaml', "packages:\n  '@ours/thing@1.0.0':\n"],
    ['npm i our-own-thing', 'node_modules/our-own-thing/package.json', '{}'],
    ['npx git status', 'node_modules/.bin/git', ''],
    ['npx changeset status', 'package.json', '{"devDependencies": {"@changesets/cli": "^2.0.0"}}'],
    ['pip install Our_Own.Thing', 'pyproject.toml', 'dependencies = [\n  "our-own-thing>=1",\n]\n'],
    ['pip install our-own-thing', 'requirements-dev.txt', 'our-own-thing==1.0\n'],
    ['cargo add our_own_thing', 'Cargo.lock', '[[package]]\nname = "our-own-thing"\n'],
    ['bundle add our_own_thing', 'Gemfile.lock', '    our_own_thing (1.0)\n'],
    ['go get example.com/ours/thing/sub@v1.2.0', 'go.mod', 'require (\n\texample.com/ours/thing v1.1.0\n)\n'],
    ['composer require ours/thing', 'composer.json', '{"require": {"ours/thing": "^1"}}'],
    ['dotnet add package Our.Thing', 'App.csproj', '<PackageReference Include="Our.Thing" Version="1" />'],
  ])('%s with %s', async (command, file, text) => {
    expect(await check(command)).toMatchObject({ decision: 'ask' });
    put(file, text);
    expect(await check(command)).toMatchObject({ decision: 'allow' });
  });

  test('also in a part of it, and not because another name holds this one', async () => {
    put('package.json', '{"dependencies": {"our-own-thing-too": "^1", "@ours/own-thing": "^1", "x": "^1"}}');
    put('packages/web/package.json', '{"name": "web"}');
    const web = join(project, 'packages/web');
    expect(await check('npm i our-own-thing-too', web)).toMatchObject({ decision: 'allow' });
    expect(await check('npm i our-own-thing', web)).toMatchObject({ decision: 'ask' });
    expect(await check('npm i own-thing', web)).toMatchObject({ decision: 'ask' });
  });
});
