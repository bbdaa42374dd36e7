import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import WhatWasSkipped from './test/support/what-was-skipped.ts';

/** What is imported `with { type: 'text' }` is text, as it is for esbuild and Deno. */
const texts = {
  name: 'texts',
  enforce: 'pre' as const,
  load: (path: string) =>
    /\.(jsonc|txt)$/.test(path) ? `export default ${JSON.stringify(readFileSync(path, 'utf8'))}` : undefined,
};

// neither the settings of whoever runs the tests, nor the repository of a hook of git that runs them
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];

export default defineConfig({
  plugins: [texts],
  test: {
    // onnxruntime-node and PGlite do not survive being unloaded with a worker thread
    pool: 'forks',
    include: ['test/**/*.test.ts'],
    runner: 'test/support/runner.ts',
    reporters: ['default', new WhatWasSkipped()],
    globalSetup: ['test/support/global-setup.ts'],
    // one more than cores, because a third of the time tests wait for processes; each takes 1 GB
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    // a fresh process for each file would load the server anew: 45 s in all
    isolate: false,
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    // a busy machine is waited for
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 25 } },
  },
});
