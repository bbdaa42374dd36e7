import { expect, inject, test, vi } from 'vitest';
import { attackByFullDisk } from '../bench/attacks.ts';
import { preparedHome } from '../support/process.ts';

// An attack of `npm run attack`, small; a kill is in process.test.ts. Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

test('Lore holds against a full disk under the embedded database (needs root)', async () => {
  vi.stubEnv('LORE_MODEL_DIR', inject('modelDir'));
  const { LORE_HOME, DATABASE_URL } = await preparedHome();
  const store = { home: LORE_HOME, databaseUrl: DATABASE_URL };
  // a server that lives for seconds does not win back what it costs to compile PGlite a second time, with care
  const { held, lines } = await attackByFullDisk(store, { rounds: 2, seed: 1, args: ['--liftoff-only'] });
  vi.unstubAllEnvs();
  expect(held, lines.join('\n')).toBe(true);
});
