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
  'npm install lodash',
  'npm i react',
  'yarn workspace web add express',
  "python -m pip install 'requests[security]>=2'",
  'uv add numpy',
  'poetry add djanggo@^5',
  'cargo add serde@1',
  'go get github.com/stretchr/testify@latest',
  'composer require symfony/console',
  'dotnet add src/App.csproj package SomeUnheardOf.Thing',
  // a program of that name is known, but a package of that name is somebody's
  'npx git status',
  'pnpm dlx kubectl get pods',
  'uvx git status',
])('a package that is named is left to the person: %s', async (command) => {
  const { decision, source, reason } = await check(command);
  expect({ decision, source }).toEqual({ decision: 'ask', source: 'none' });
  expect(reason).toContain('brings in a package by name');
});

test.each([
  'npm ci',
  'npx tsc --noEmit',
  'npm install ./packages/ui',
  'pip install -r requirements.txt',
  'pip install -e .',
  'uvx ruff check',
  'go get ./...',
])('fetches nothing by a name that is not known: %s', async (command) => {
  expect(await check(command)).toMatchObject({ decision: 'allow' });
});

test.each(['npm exec --package=left-padd -- tsc', 'gem install rails'])(
  'what no rule knows is left, too: %s',
  async (command) => expect(await check(command)).toMatchObject({ decision: 'ask', sentence: 'left' }),
);

test('a program that is installed in the project runs', async () => {
  expect(await check('npx some-tool')).toMatchObject({ decision: 'ask', sentence: 'left' });
  put('node_modules/.bin/git');
  expect(await check('npx git status')).toMatchObject({ decision: 'allow', sentence: 'allow' });
});
