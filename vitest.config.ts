import { defineConfig } from 'vitest/config';
import { patchPostgres } from './scripts/patch-postgres.js';

export default defineConfig({
  plugins: [{ name: 'patch postgres', transform: (code, path) => patchPostgres(path, code) }],
  test: {
    // onnxruntime-node and PGlite do not survive being unloaded with a worker thread
    pool: 'forks',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { inline: ['postgres'] } },
  },
});
