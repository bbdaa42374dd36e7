import { expect, inject, test, vi } from 'vitest';
import { attackByFullDisk } from '../bench/attack-disk.ts';
import { attackByFuzz } from '../bench/attack-fuzz.ts';
import { attackLive } from '../bench/attack-live.ts';
import { attackBySockets } from '../bench/attack-sockets.ts';
import { preparedHome } from '../support/process.ts';

// The attacks of `npm run attack`, small; a kill is in process.test.ts. Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const SMALL = { quick: true, seed: 1 };

test.each([
  ['half-open connections', attackBySockets],
  ['malformed and huge frames, idle and slow live clients', attackLive],
  ['wrong requests to every route', attackByFuzz],
  ['a full disk under the embedded database (needs root)', attackByFullDisk],
])('Lore holds against %s', async (_, attack) => {
  vi.stubEnv('LORE_MODEL_DIR', inject('modelDir'));
  const { LORE_HOME, DATABASE_URL } = await preparedHome();
  const { held, lines } = await attack({ home: LORE_HOME, databaseUrl: DATABASE_URL }, SMALL);
  vi.unstubAllEnvs();
  expect(held, lines.join('\n')).toBe(true);
});
