import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
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

test.each([
  'npm i react',
  'yarn workspace web add express',
  'npm exec --package=left-padd -- tsc',
  "python -m pip install 'requests[security]>=2'",
  'uv add numpy',
  'poetry add djanggo@^5',
  'cargo add serde@1',
  'gem install rails',
  'go get github.com/stretchr/testify@latest',
  'composer require symfony/console',
  'dotnet add src/App.csproj package SomeUnheardOf.Thing',
  // a program of that name is known, but a package of that name is somebody's
  'npx git status',
  'pnpm dlx kubectl get pods',
  'uvx git status',
])('a package that the project does not name is left to the person: %s', async (command) => {
  const { decision, source, reason } = await check(command);
  expect({ decision, source }).toEqual({ decision: 'ask', source: 'none' });
  expect(reason).toMatch(/fetches \S+, which the project does not name/);
});

test.each([
  'npm ci',
  'npx tsc --noEmit',
  'npm install ./packages/ui',
  'pnpm add -D @acme/ui@workspace:*',
  'pip install -r requirements.txt',
  'pip install -e .',
  'uvx ruff check',
  'go get ./...',
])('fetches nothing by a name that is not known: %s', async (command) => {
  expect(await check(command)).toMatchObject({ decision: 'allow' });
});

test.each<[string, string, string]>([
  ['npm i our-own-thing', 'package.json', '{"dependencies": {"our-own-thing": "^1.0.0"}}'],
  ['npm i our-own-thing', 'package-lock.json', '{"packages": {"node_modules/our-own-thing": {}}}'],
  ['yarn add our-own-thing', 'yarn.lock', 'our-own-thing@^1.0.0:\n  version "1.0.0"\n'],
  ['pnpm add @ours/thing', 'pnpm-lock.yaml', "packages:\n  '@ours/thing@1.0.0':\n"],
  ['npm i our-own-thing', 'node_modules/our-own-thing/package.json', '{}'],
  ['npx git status', 'node_modules/.bin/git', ''],
  ['pip install Our_Own.Thing', 'pyproject.toml', 'dependencies = [\n  "our-own-thing>=1",\n]\n'],
  ['pip install our-own-thing', 'requirements-dev.txt', 'our-own-thing==1.0\n'],
  ['cargo add our_own_thing', 'Cargo.lock', '[[package]]\nname = "our-own-thing"\n'],
  ['bundle add our_own_thing', 'Gemfile.lock', '    our_own_thing (1.0)\n'],
  ['go get example.com/ours/thing/sub@v1.2.0', 'go.mod', 'require (\n\texample.com/ours/thing v1.1.0\n)\n'],
  ['composer require ours/thing', 'composer.json', '{"require": {"ours/thing": "^1"}}'],
  ['dotnet add package Our.Thing', 'App.csproj', '<PackageReference Include="Our.Thing" Version="1" />'],
])('what the project has is installed unasked: %s with %s', async (command, file, text) => {
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
