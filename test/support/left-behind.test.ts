import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { temporaryFolder, watch } from './left-behind.ts';

test('what a file leaves behind is named and removed', async () => {
  const end = watch();
  spawn('sleep', ['600']);
  // A grandchild process: only its environment shows that it belongs to this file.
  const env = { PATH: process.env.PATH, LORE_HOME: temporaryFolder() };
  spawn('sh', ['-c', 'sleep 601 & exit 0'], { env, stdio: 'ignore' });
  createServer().listen(0, '127.0.0.1');
  new Worker('setInterval(() => {}, 1000)', { eval: true });
  const folders = [mkdtempSync(join(tmpdir(), 'lore-a-')), await mkdtemp(join(tmpdir(), 'lore-b-'))];
  await expect(end(500)).rejects.toThrow(
    new RegExp(
      [
        'left behind by this file:',
        'process \\d+: sleep 600',
        'server on .*127.0.0.1.*',
        'process \\d+: sleep 601 ',
        'worker thread \\d+',
        ...folders.map((folder) => `folder ${folder}`),
      ].join('\\s+'),
    ),
  );
  await watch()(0);
});

test('the check waits for what soon ends by itself', async () => {
  const end = watch();
  spawn('sleep', ['0.5']);
  const server = createServer().listen(0, '127.0.0.1');
  setTimeout(() => server.close(), 300);
  await end();
});

// Vitest runs no `afterAll` of a file whose tests are all skipped.
test('a file that is skipped ends what it has started, and is blamed for what it leaves behind', async () => {
  const folder = fileURLToPath(new URL('../fixtures/left-behind/', import.meta.url));
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'run', '--root', folder, '--reporter=json', '--silent=passed-only'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { testResults } = (await json(child.stdout)) as {
    testResults: { name: string; status: string; message: string }[];
  };
  const said = testResults.map(({ name, status, message }) => [basename(name), status, message]);
  expect(said.sort()).toEqual([
    ['ends.skipped.ts', 'passed', ''],
    ['fails.skipped.ts', 'failed', 'at once'],
    ['leaves.skipped.ts', 'failed', expect.stringMatching(/^left behind by this file:\s+server on/)],
    ['next.ts', 'passed', ''],
  ]);
});
