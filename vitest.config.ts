import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { patchPostgres } from './src/db/patched/postgres-source.js';
import LongestFirst from './test/support/longest-first.ts';

/** What is imported `with { type: 'text' }` is text, as it is for esbuild and Deno. */
const texts = {
  name: 'texts',
  enforce: 'pre' as const,
  load: (path: string) =>
    /\.(jsonc|txt)$/.test(path) ? `export default ${JSON.stringify(readFileSync(path, 'utf8'))}` : undefined,
};

export default defineConfig({
  plugins: [{ name: 'patch postgres', transform: (code, path) => patchPostgres(path, code) }, texts],
  test: {
    // onnxruntime-node and PGlite do not survive being unloaded with a worker thread
    pool: 'forks',
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // one more than cores, because a third of the time tests wait for processes; each takes 1 GB
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    sequence: { sequencer: LongestFirst },
    // a fresh process for each file would load the server anew: 45 s in all
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { inline: ['postgres'] } },
  },
});
