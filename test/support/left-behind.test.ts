import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
